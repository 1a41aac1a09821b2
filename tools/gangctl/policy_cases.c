/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

#include <string.h>

#include "edit.h"

/* The reader of a document of cases. */
struct case_reader {
    struct policy_cases *cases;
    const struct document *document;
    struct complaints *complaints;
    struct json_object *schema; /* of the document */
    const char *path;           /* of what is checked: "spec.cases[0].expect"; "" for all of it */
};

/* Returns the schema of a member of a map. */
static struct json_object *
schema_of(struct json_object *map, const char *member)
{
    return tree_member(tree_member(map, "properties"), member);
}

/* Reports a field of a value, or the value itself if the field is "". */
static void
refuse_words(struct case_reader *reader, const struct placed_value *value, const char *field,
             const char *words)
{
    const struct site *key = member_of(value, field).key;

    complain(reader->complaints, GANG_SEVERITY_ERROR, &reader->document->origin,
             place_in(reader->document, key ? key : value->key).line, "%s%s%s: %s", reader->path,
             *reader->path && *field ? "." : "", field, words);
}
#define refuse(reader, value, field, ...) refuse_words(reader, value, field, formatted(__VA_ARGS__))

/* Refuses a field that is none of the known ones. */
static void
refuse_unknown(struct case_reader *reader, const struct placed_value *map, const char *field,
               struct json_object *known)
{
    struct nearest_search search = nearest_start(slice_from_text(field));
    struct text *list;

    if (json_object_object_get_ex(known, field, NULL))
        return;
    list = text_new();
    json_object_object_foreach(known, name, ignored)
    {
        (void)ignored;
        text_addf(list, "%s\"%s\"", list->len ? ", " : "", name);
        nearest_try(&search, slice_from_text(name));
    }
    refuse(reader, map, field, "unknown field: known are %s", list->data);
    if (search.found)
        complain_detail(reader->complaints, 0, formatted("did you mean \"%s\"?", search.found),
                        NULL);
}

static void
check_fields(struct case_reader *reader, const struct placed_value *map, struct json_object *schema)
{
    struct json_object *known = tree_member(schema, "properties");

    json_object_object_foreach(known, field, of_field)
    {
        struct json_object *value = tree_member(map->tree, field);
        const char *type = tree_text(of_field, "type"); /* NULL: any */

        if (!value && tree_has_text(tree_member(schema, "required"), field))
            refuse(reader, map, field, "Required value");
        if (value && type && strcmp(json_type_to_name(json_object_get_type(value)), type) != 0)
            refuse(reader, map, field, "Invalid value: must be %s",
                   strcmp(type, "string") == 0  ? "a string"
                   : strcmp(type, "array") == 0 ? "a list"
                                                : "a map");
    }
    json_object_object_foreach(map->tree, name, ignored)
    {
        (void)ignored;
        refuse_unknown(reader, map, name, known);
    }
}

static void
check_inputs(struct case_reader *reader, const struct placed_value *map)
{
    const struct placed_value inputs = member_of(map, "inputs");

    for (size_t i = 0; i < tree_length(inputs.tree); i++) {
        const struct placed_value item = item_of(&inputs, i);

        if (!json_object_is_type(item.tree, json_type_string))
            refuse(reader, &item, formatted("inputs[%zu]", i), "Invalid value: must be a string");
    }
}

static void
check_case(struct case_reader *reader, const struct placed_value *item, size_t shared_inputs)
{
    struct json_object *schema =
        tree_member(schema_of(schema_of(reader->schema, "spec"), "cases"), "items");
    const struct placed_value expect = member_of(item, "expect");

    if (!json_object_is_type(item->tree, json_type_object)) {
        refuse(reader, item, "", "Invalid value: must be a map");
        return;
    }
    check_fields(reader, item, schema);
    check_inputs(reader, item);
    if (tree_member(item->tree, "job") && tree_member(item->tree, "trainJob"))
        refuse(reader, item, "trainJob", "Forbidden: is the former name of job, which is set");
    if (!tree_member(item->tree, "inputs") && !shared_inputs)
        refuse(reader, item, "inputs",
               "Required value: the files of the job and of its runtime, if it needs one");
    if (json_object_is_type(expect.tree, json_type_object)) {
        reader->path = formatted("%s.expect", reader->path);
        if (json_object_object_length(expect.tree) == 0)
            refuse(reader, &expect, "", "Required value: at least one field, such as outcome");
        check_fields(reader, &expect, schema_of(schema, "expect"));
    }
}

/* Returns the complaints from an index on as one text, without their places; NULL for none. */
static const char *
fault_since(const struct complaints *complaints, size_t first)
{
    struct text *text = text_new();

    for (size_t i = first; i < complaints->count; i++) {
        text_add(text, i > first ? "\n" : "");
        complaint_add_message(text, &complaints->items[i]);
    }
    return text->data;
}

/* Reports all errors outside of the cases at once. */
static void
check_document(struct case_reader *reader, const struct placed_value *root)
{
    const struct placed_value metadata = member_of(root, "metadata");
    const struct placed_value spec = member_of(root, "spec");

    check_fields(reader, root, reader->schema);
    if (reader->document->api_version &&
        strcmp(reader->document->api_version, GANG_API_VERSION) != 0)
        refuse(reader, root, "apiVersion", "Unsupported value: \"%s\": supported values: \"%s\"",
               reader->document->api_version, GANG_API_VERSION);
    reader->path = "metadata";
    if (json_object_is_type(metadata.tree, json_type_object))
        check_fields(reader, &metadata, schema_of(reader->schema, "metadata"));
    reader->path = "spec";
    if (json_object_is_type(spec.tree, json_type_object)) {
        struct json_object *cases = tree_member(spec.tree, "cases");

        check_fields(reader, &spec, schema_of(reader->schema, "spec"));
        check_inputs(reader, &spec);
        if (json_object_is_type(cases, json_type_array) && tree_length(cases) == 0)
            refuse(reader, &spec, "cases", "Required value: at least one case");
    }
}

/* A file name in a test is relative to the file of the test. */
static const char *
path_beside(const struct document *document, struct json_object *name)
{
    const char *file = document->origin.file;
    const char *text = json_object_get_string(name);
    const char *slash = strrchr(file, '/');
    const int folder = text && *text != '/' && slash ? (int)(slash - file) + 1 : 0;

    return text ? formatted("%.*s%s", folder, file, text) : NULL;
}

static void
add_inputs(struct policy_case *item, struct json_object *inputs)
{
    for (TREE_EACH(name, inputs))
        APPEND(item->inputs, item->num_inputs, path_beside(item->document, *name));
}

static void
push_case(struct policy_cases *cases, const struct policy_case *item)
{
    struct policy_case added = *item;

    if (!added.test)
        added.test = "-";
    if (added.document)
        added.file = added.document->origin.file;
    APPEND(cases->items, cases->count, added);
}

/* The name tells the results of cases apart. */
static void
warn_of_name(struct case_reader *reader, const struct placed_value *object, size_t index)
{
    const char *name = tree_text(object->tree, "name");

    for (size_t i = 0; name && i < reader->cases->count; i++) {
        const struct policy_case *other = &reader->cases->items[i];

        if (other->document != reader->document || strcmp(other->name, name) != 0)
            continue;
        complain(reader->complaints, GANG_SEVERITY_WARNING, &reader->document->origin,
                 place_in(reader->document, member_of(object, "name").key).line,
                 "spec.cases[%zu].name: Duplicate value: \"%s\": the case at %s:%lu has this name",
                 index, shortened(name), other->file, (unsigned long)other->line);
        return;
    }
}

/* `fault` is that of the whole document; NULL if it has none. */
static void
add_case(struct case_reader *reader, const struct placed_value *spec, size_t index,
         const char *fault)
{
    const struct placed_value cases = member_of(spec, "cases");
    const struct placed_value object = item_of(&cases, index);
    const size_t complaints = reader->complaints->count;
    struct policy_case item = {.document = reader->document, .test = reader->document->name};
    struct json_object *job = tree_member(object.tree, "job");
    const char *own; /* what is wrong with the case */

    reader->path = formatted("spec.cases[%zu]", index);
    check_case(reader, &object, tree_length(tree_member(spec->tree, "inputs")));
    own = fault_since(reader->complaints, complaints);
    if (!fault && !own) {
        item.policy = path_beside(reader->document, tree_member(spec->tree, "policy"));
        item.cluster = path_beside(reader->document, tree_member(spec->tree, "cluster"));
        item.job = json_object_get_string(job ? job : tree_member(object.tree, "trainJob"));
        item.gang = json_object_get_string(tree_member(object.tree, "gang"));
        item.expect = tree_member(object.tree, "expect");
        add_inputs(&item, tree_member(spec->tree, "inputs"));
        add_inputs(&item, tree_member(object.tree, "inputs"));
    }
    item.name = tree_text(object.tree, "name");
    if (!item.name)
        item.name = formatted("spec.cases[%zu]", index);
    warn_of_name(reader, &object, index);
    item.fault = fault ? fault : own;
    item.line = reader->document->origin.lines_before + place_in(reader->document, object.key).line;
    push_case(reader->cases, &item);
}

void
policy_cases_read(struct policy_cases *cases, const struct document *document,
                  struct complaints *complaints)
{
    struct case_reader reader = {.cases = cases,
                                 .document = document,
                                 .complaints = complaints,
                                 .schema = policy_test_schema(),
                                 .path = ""};
    const size_t first = complaints->count;
    const struct placed_value root = root_of(document);
    const struct placed_value spec = member_of(&root, "spec");
    const size_t count = tree_length(tree_member(spec.tree, "cases"));
    const char *fault;

    if (root.tree)
        check_document(&reader, &root);
    fault = fault_since(complaints, first);
    for (size_t i = 0; i < count; i++)
        add_case(&reader, &spec, i, fault);
    if (fault && !count)
        push_case(cases, &(struct policy_case){.document = document,
                                               .test = document->name,
                                               .name = "spec.cases",
                                               .fault = fault,
                                               .line = first_line_of(&document->origin)});
}

void
policy_cases_add_faults(struct policy_cases *cases, const struct complaints *complaints)
{
    for (size_t i = 0; i < complaints->count; i++) {
        const struct complaint *complaint = &complaints->items[i];
        const struct complaints one = {.items = &complaints->items[i], .count = 1};

        push_case(cases, &(struct policy_case){.file = complaint->file ? complaint->file : "-",
                                               .name = "file",
                                               .fault = fault_since(&one, 0),
                                               .line = complaint->line});
    }
}
