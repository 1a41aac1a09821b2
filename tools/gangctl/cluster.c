/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "facts.h"

bool
plain_text_next(const char **at, const char *end, struct slice *line)
{
    if (!next_line(at, end, line))
        return false;
    while (line->len && is_blank(line->data[line->len - 1]))
        line->len--;
    return true;
}

static bool
take_digits(struct slice *text)
{
    size_t count = 0;

    while (count < text->len && ascii_is(text->data[count], ASCII_DIGIT))
        count++;
    *text = slice_after(*text, count);
    return count > 0;
}

/* v1, v1beta1, v2alpha2: kubernetes/apimachinery:pkg/version/helpers.go */
static bool
is_kube_version(struct slice text)
{
    if (!slice_take(&text, SLICE("v")) || !take_digits(&text))
        return false;
    return !text.len || ((slice_take(&text, SLICE("alpha")) || slice_take(&text, SLICE("beta"))) &&
                         take_digits(&text) && !text.len);
}

bool
is_group_version(struct slice text)
{
    const struct slice group = slice_before(text, '/');

    if (group.len == text.len)
        return is_kube_version(text);
    return group.len && ascii_all(group, ASCII_LOWER | ASCII_DIGIT | ASCII_DOT | ASCII_DASH) &&
           is_kube_version(slice_after(text, group.len + 1));
}

/* ---- the GangCluster ---- */

/* Takes over the value. */
static void
put_fact(struct facts *facts, const char *fact, struct json_object *value, bool is_known)
{
    if (is_known) {
        tree_put(facts->spec, fact, value);
        return;
    }
    json_object_put(value);
    text_addf(&facts->unknown, "%s%s", facts->unknown.len ? ", " : "", fact);
}

static void
write_served_versions(struct facts *facts)
{
    struct json_object *list = tree_list();
    size_t count;
    const char **keys = tree_sorted_keys(facts->group_versions, &count);

    for (size_t i = 0; i < count; i++) {
        struct json_object *item = tree_map();
        struct json_object *resources = tree_member(facts->resources, keys[i]);

        tree_put_text(item, "groupVersion", keys[i]);
        if (resources)
            tree_put(item, "resources", tree_sorted_values(resources));
        json_object_array_add(list, item);
    }
    put_fact(facts, "servedVersions", list, count > 0);
}

static void
write_kept_fields(struct facts *facts)
{
    struct json_object *list = tree_list();

    for (size_t i = 0; i < POD_FIELD_COUNT; i++)
        if (facts->kept_fields & (1u << i))
            tree_add_text(list, pod_field_names[i]);
    put_fact(facts, "podTemplateFields", list,
             facts->knows_templates[OWNER_JOBSET] && facts->knows_templates[OWNER_TRAINER]);
}

static const struct {
    const char *name;
    bool is_never_empty; /* every cluster has some, so none means that they were not in the input */
    bool is_optional;    /* an absent list means the same as an empty one */
} fact_lists[FACT_LIST_COUNT] = {
    [FACTS_DEVICE_CLASSES] = {"deviceClasses", false, false},
    [FACTS_NAMESPACES] = {"namespaces", true, false},
    [FACTS_NODES] = {"nodes", true, true},
    [FACTS_QUEUES] = {"queues", false, false},
    [FACTS_PRIORITY_CLASSES] = {"priorityClasses", true, false},
    [FACTS_RUNTIME_CLASSES] = {"runtimeClasses", false, false},
    [FACTS_LIMIT_RANGES] = {"limitRanges", false, false},
    [FACTS_RESOURCE_QUOTAS] = {"resourceQuotas", false, true},
};

/* Whether a key of the map starts with a word and this separator. */
static bool
has_key_of(struct json_object *map, const char *word, char separator)
{
    size_t len = strlen(word);

    json_object_object_foreach(map, key, value)
    {
        (void)value;
        if (strncmp(key, word, len) == 0 && key[len] == separator)
            return true;
    }
    return false;
}

static bool
serves_group(const struct facts *facts, const char *group)
{
    return has_key_of(facts->group_versions, group, '/');
}

/* Of all schedulers, as one list has all queues: some queue was read, or its API is not served. */
static bool
knows_queues(const struct facts *facts)
{
    for (TREE_EACH(scheduler, facts->schedulers)) {
        if (tree_text(*scheduler, "queueParent") &&
            !has_key_of(facts->lists[FACTS_QUEUES], tree_text(*scheduler, "type"), '\n') &&
            (!json_object_object_length(facts->group_versions) ||
             serves_group(facts, tree_text(*scheduler, "apiGroup"))))
            return false;
    }
    return true;
}

static void
write_list(struct facts *facts, enum fact_list list, bool complete)
{
    struct json_object *items = facts->lists[list];
    bool known = json_object_object_length(items) > 0;

    if (list == FACTS_QUEUES)
        known = knows_queues(facts);
    if (list == FACTS_DEVICE_CLASSES) {
        /* Devices matter only for what nodes have. */
        if (!json_object_object_length(facts->lists[FACTS_NODES]))
            return;
        known |= json_object_object_length(facts->group_versions) &&
                 !serves_group(facts, "resource.k8s.io");
    }
    if (!known && fact_lists[list].is_optional)
        return;
    put_fact(facts, fact_lists[list].name, tree_sorted_values(items),
             known || (complete && !fact_lists[list].is_never_empty));
}

static void
write_map(struct facts *facts, const char *name, struct json_object *map)
{
    struct json_object *sorted = tree_sorted_map(map);

    put_fact(facts, name, sorted, json_object_object_length(sorted) > 0);
}

/* The GangCluster, sorted. `complete`: what the input has none of, the cluster has none of. */
static struct json_object *
facts_document(struct facts *facts, bool complete)
{
    struct json_object *document = tree_map();
    struct json_object *metadata = tree_map();
    size_t count;
    const char **kinds = tree_sorted_keys(facts->ignored, &count);

    facts->spec = tree_map();
    put_fact(facts, "kubernetesVersion",
             facts->kubernetes ? tree_new_text(facts->kubernetes, strlen(facts->kubernetes)) : NULL,
             facts->kubernetes);
    write_served_versions(facts);
    write_map(facts, "featureGates", facts->gates);
    write_map(facts, "components", facts->components);
    if (json_object_object_length(facts->operators))
        tree_put(facts->spec, "operatorGangs", tree_sorted_map(facts->operators));
    write_kept_fields(facts);
    for (size_t i = 0; i < FACT_LIST_COUNT; i++)
        write_list(facts, (enum fact_list)i, complete);
    tree_put_text(document, "apiVersion", GANG_API_VERSION);
    tree_put_text(document, "kind", GANG_KIND_CLUSTER);
    tree_put_text(metadata, "name", "cluster");
    tree_put(document, "metadata", metadata);
    tree_put(document, "spec", facts->spec);
    for (size_t i = 0; i < count; i++) {
        text_addf(&facts->notes, "%s%lld %s",
                  i ? ", " : "note: ignored: ", (long long)tree_int(facts->ignored, kinds[i]),
                  printable(kinds[i]));
    }
    if (count)
        text_add(&facts->notes, "\n");
    if (facts->unknown.len)
        text_addf(&facts->notes, "note: not known: %s\n", facts->unknown.data);
    return document;
}

/* ---- the input ---- */

/* The state of one run. */
struct survey {
    struct workbench *bench;
    struct facts facts;
};

/* `implied` has the type of an item without one; its kind is NULL if the list implies none. */
static void
add_document(struct survey *survey, const struct gang_stream *stream, size_t index,
             const struct document *implied, const struct origin *origin)
{
    const char *kind = gang_stream_get_kind(stream, index);
    const char *api_version = gang_stream_get_api_version(stream, index);
    const struct origins origins = origins_with(GANG_DOCUMENT_NONE, origin);
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result;

    if (!facts_wants(&survey->facts, kind || !implied->kind ? api_version : implied->api_version,
                     kind ? kind : implied->kind)) {
        if (is_list_kind(kind))
            complain(
                &survey->bench->complaints, GANG_SEVERITY_ERROR, origin, 1,
                "a list is read only if it is a document of its own, without an anchor or a tag "
                "before its items; separate the output of several commands by lines of ---");
        return;
    }
    result = gang_stream_serialize(survey->bench->context, stream, index, GANG_FORMAT_JSON, 0,
                                   &blob, &error);
    complain_error(&survey->bench->complaints, &origins, result, error);
    if (!result) {
        struct json_object *object = tree_must(json_of_blob(blob));

        if (implied->kind && !tree_text(object, "kind")) {
            tree_put_text(object, "kind", implied->kind);
            tree_put_text(object, "apiVersion", implied->api_version);
        }
        facts_add_object(&survey->facts, object);
    }
}

static void
add_documents(struct survey *survey, const char *data, size_t len, const struct document *implied,
              const struct origin *origin)
{
    const struct gang_stream *stream;
    struct step step;

    step_start(&step);
    stream = parse_stream(data, len, origin, survey->bench->context, &survey->bench->complaints);
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        add_document(survey, stream, i, implied, origin);
    step_end(&step);
}

static void
add_opened_list(struct survey *survey, const struct document *piece,
                const struct gang_stream *shell)
{
    const struct document nothing = {0};
    const char *kind = gang_stream_get_kind(shell, 0);
    size_t len = strlen(kind) - strlen("List");
    const struct document implied = {
        .api_version = gang_stream_get_api_version(shell, 0),
        .kind = len ? formatted("%.*s", (int)len, kind) : NULL,
    };
    struct gang_blob *blob = NULL;
    struct json_object *list;
    struct chunk item = {0};
    struct feed feed;

    if (gang_stream_serialize(survey->bench->context, shell, 0, GANG_FORMAT_JSON, 0, &blob, NULL))
        blob = NULL;
    list = json_of_blob(blob);
    if (*text_of(tree_member(list, "metadata"), "continue"))
        complain(&survey->bench->complaints, GANG_SEVERITY_ERROR, &piece->origin, 1,
                 "the server has more of this list (metadata.continue); pass all of it");
    list_start(&feed, piece->data, piece->len);
    while (list_next(&feed, &item)) {
        const struct origin origin =
            origin_within(&piece->origin, item.lines_before, item.line, item.column);

        add_documents(survey, item.text.data, item.text.len, &implied, &origin);
    }
    give_back(item.text.data);
    for (size_t i = 1; i < gang_stream_num_documents(shell); i++)
        add_document(survey, shell, i, &nothing, &piece->origin);
}

/*
 * A list can exceed the size limit of a document, so it is never read as one. The text around the
 * items is read, which detects a truncated list, then each item. Returns false if the piece is not
 * a list.
 */
static bool
add_list(struct survey *survey, const struct document *piece)
{
    const struct gang_stream *stream;
    struct feed feed;
    struct chunk item = {0};
    struct text *shell = text_new(); /* the list with an empty line for each line of its items */
    uint32_t lines;
    bool is_list;

    if (!list_start(&feed, piece->data, piece->len))
        return false;
    text_add_bytes(shell, piece->data, feed.at);
    lines = feed.line;
    while (list_next(&feed, &item))
        ;
    for (; lines < feed.line; lines++)
        text_add(shell, "\n");
    text_add_bytes(shell, piece->data + feed.at, feed.end - feed.at);
    give_back(item.text.data);
    stream = parse_stream(shell->data, shell->len, &piece->origin, survey->bench->context,
                          &survey->bench->complaints);
    is_list = is_list_kind(gang_stream_get_kind(stream, 0));
    if (is_list)
        add_opened_list(survey, piece, stream);
    is_list |= !stream; /* which was reported */
    return is_list;
}

/* Output of kubectl is known by its first line where it is neither YAML nor JSON. */
static void
add_piece(struct survey *survey, const struct document *piece)
{
    const char *at = piece->data;
    struct slice line = {0};

    while (plain_text_next(&at, piece->data + piece->len, &line) && !line.len)
        ;
    if (slice_has_prefix(line, SLICE("# HELP ")) || slice_has_prefix(line, SLICE("# TYPE ")) ||
        slice_has_prefix(line, SLICE(GATE_METRIC)))
        facts_add_metrics(&survey->facts, piece->data, piece->len);
    else if (slice_has_prefix(line, SLICE("NAME ")) &&
             has_bytes(line.data, line.len, " APIVERSION "))
        complain(&survey->bench->complaints, GANG_SEVERITY_ERROR, &piece->origin, 1,
                 "'kubectl api-resources' hides all versions but one; pass 'kubectl api-versions'");
    else if (is_group_version(line))
        facts_add_versions(&survey->facts, piece->data, piece->len);
    else if (line.len && !add_list(survey, piece))
        add_documents(survey, piece->data, piece->len, &(struct document){0}, &piece->origin);
}

/* Splits at separators: a source can have plain text, which document readers do not accept. */
static void
add_source(struct survey *survey, const struct source *source)
{
    const char *end = source->data + source->len;
    const char *at = source->data;
    struct document piece = {.data = at, .origin = {.file = source->name, .is_place = true}};
    struct slice line;
    uint32_t lines = 0;

    while (plain_text_next(&at, end, &line)) {
        lines++;
        if (!slice_has_prefix(line, SLICE("---")) ||
            (line.len > 3 && line.data[3] != ' ' && line.data[3] != '\t'))
            continue;
        piece.len = (size_t)(line.data - piece.data);
        add_piece(survey, &piece);
        piece.data = at;
        piece.origin.lines_before = lines;
    }
    piece.len = (size_t)(end - piece.data);
    add_piece(survey, &piece);
}

/* Adds the result, which is read as --cluster would before it is printed. */
static void
add_result(struct survey *survey, const struct options *options, struct text *out)
{
    const struct origin origin = {.file = "the GangCluster", .is_place = true};
    const struct origins origins = origins_with(GANG_DOCUMENT_NONE, &origin);
    struct json_object *document = facts_document(&survey->facts, options->complete);
    const char *text = json_object_to_json_string_ext(document, JSON_C_TO_STRING_NOSLASHESCAPE);
    struct made made = {.tree = document};
    struct gang_error *error = NULL;
    int result;

    if (!text)
        out_of_memory();
    result =
        gang_document_parse(survey->bench->context, text, strlen(text), 0, &made.document, &error);
    of_step(made);
    complain_error(&survey->bench->complaints, &origins, result, error);
    if (!result)
        tree_move(out, json_object_get(document), options->output, JSON_C_TO_STRING_PLAIN);
}

int
command_cluster(struct run *run)
{
    const struct options *options = run->options;
    struct source_list *sources = &run->bench.sources;
    struct complaints *complaints = &run->bench.complaints;
    struct survey survey = {.bench = &run->bench};
    int status;

    workbench_start(&run->bench, options, 0);
    facts_init(&survey.facts);
    for (size_t i = 0; i < options->num_inputs; i++)
        if (!source_list_read(sources, options->inputs[i], options->walk))
            return EXIT_COULD_NOT_RUN;
    for (size_t i = 0; i < sources->count; i++)
        add_source(&survey, sources->items[i]);
    if (!survey.facts.has_any && !complaints->errors)
        complain(complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "the input contains no facts about a cluster");
    if (!complaints->errors)
        add_result(&survey, options, &run->out);
    status = complaints_print(complaints);
    if (status == EXIT_DONE && survey.facts.notes.len)
        print_error(survey.facts.notes.data);
    if (status != EXIT_DONE)
        run->out.len = 0;
    return status;
}
