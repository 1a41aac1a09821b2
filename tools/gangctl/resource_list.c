/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ResourceList: the input and output of a KRM function.
 * kubernetes-sigs/kustomize:cmd/config/docs/api-conventions/functions-spec.md
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"

/* ---- functionConfig ---- */

/* Returns the kind of a document of settings; NULL for another one. */
static const char *
kind_of_settings(struct json_object *config)
{
    static const char *const kinds[] = {GANG_KIND_POLICY, GANG_KIND_CLUSTER, NULL};
    const char *kind = text_of(config, "kind");

    return is_among(kind, kinds) ? kind : NULL;
}

/*
 * Adds settings: the lines below their key, so that findings have their place; otherwise as JSON
 * with the place of the key. What is no settings is read as a policy, which says what is wrong;
 * `settings` is NULL for a text that is not well-formed.
 */
static void
add_settings(struct workbench *bench, const struct placed_value *value,
             struct json_object *settings)
{
    const struct document *list = &bench->documents.resource_list;
    const struct editor editor = {.data = list->data, .len = list->len};
    const size_t start = value->key ? behind_line(&editor, value->key->end) : 0;
    const size_t end = value->key ? behind_line(&editor, value->site->end) : 0;
    const char *block = list->data + start;
    struct json_object *tree = start < end ? document_tree(block, end - start) : NULL;
    const bool is_block = /* not a text in quotes */
        settings ? tree && json_object_equal(tree, settings) : start < end;
    const struct place key = place_in(list, value->key);
    const uint32_t line = key.line + is_block;
    struct origin origin = origin_within(&list->origin, line - 1, line, is_block ? 1 : key.column);
    const char *json = settings ? json_object_to_json_string_ext(settings, JSON_C_TO_STRING_PLAIN)
                                : json_object_get_string(value->tree);
    const char *kind = kind_of_settings(settings);

    origin.is_point = !is_block;
    workbench_add_setting(bench, kind ? kind : GANG_KIND_POLICY, &origin, is_block ? block : json,
                          is_block ? end - start : strlen(json));
}

void
read_function_config(struct workbench *bench)
{
    const struct document *list = &bench->documents.resource_list;
    struct placed_value config;
    struct placed_value data;

    if (!list->data)
        return;
    config = root_of(list);
    config = member_of(&config, "functionConfig");
    data = member_of(&config, "data");
    if (!tree_text_is(config.tree, "kind", "ConfigMap")) {
        if (config.tree)
            add_settings(bench, &config, config.tree);
        return;
    }
    if (!json_object_is_type(data.tree, json_type_object))
        return;
    json_object_object_foreach(data.tree, key, value)
    {
        const struct placed_value file = member_of(&data, key);
        const char *text = json_object_get_string(value);
        struct json_object *settings;

        if (!json_object_is_type(value, json_type_string))
            continue;
        settings = document_tree(text, strlen(text));
        /* A text that is meant as settings, also if it is none. */
        if (kind_of_settings(settings) ||
            strstr(settings ? text_of(settings, "apiVersion") : text, POLICY_GROUP))
            add_settings(bench, &file, settings);
    }
}

/* ---- results ---- */

static bool
is_before(uint32_t line, uint32_t column, const struct spot *spot)
{
    return line < spot->line || (line == spot->line && column < spot->column);
}

/* Returns the last document that starts at or before a place. */
static const struct document *
document_at(const struct workbench *bench, const struct complaint *complaint)
{
    const struct documents *const sources[] = {&bench->documents, &bench->policy.documents,
                                               &bench->cluster.documents};
    const uint32_t column = complaint->column ? complaint->column : UINT32_MAX;
    const struct document *found = NULL;
    struct spot start = {0};

    for (size_t i = 0; complaint->line && i < COUNT_OF(sources); i++)
        for (EACH(const struct document, document, sources[i]->items, sources[i]->count)) {
            const struct spot spot = spot_of(&document->origin, 1, 1);

            if (strcmp(spot.file ? spot.file : "", complaint->file) != 0 ||
                is_before(complaint->line, column, &spot) ||
                is_before(spot.line, spot.column, &start))
                continue;
            found = document;
            start = spot;
        }
    return found;
}

static void
put_file(struct json_object *result, struct json_object *annotations)
{
    static const char *const prefixes[] = {"internal.config.kubernetes.io/",
                                           "config.kubernetes.io/"};
    static const char *const keys[] = {"path", "index"};

    for (size_t i = 0; i < COUNT_OF(keys); i++)
        for (size_t j = 0; j < COUNT_OF(prefixes); j++) {
            const char *value = tree_text(annotations, formatted("%s%s", prefixes[j], keys[i]));

            if (!value)
                continue;
            if (i)
                tree_put(tree_map_in(result, "file"), keys[i],
                         tree_must(json_object_new_int64(strtoll(value, NULL, 10))));
            else
                tree_put_text(tree_map_in(result, "file"), keys[i], value);
            break;
        }
}

/* kubernetes-sigs/kustomize:cmd/config/docs/api-conventions/functions-spec.md, Result. */
struct json_object *
make_results(struct workbench *bench)
{
    struct json_object *results = NULL;

    complaints_settle(&bench->complaints);
    if (bench->complaints.count)
        of_step((struct made){.tree = results = tree_list()});
    for (EACH(const struct complaint, complaint, bench->complaints.items,
              bench->complaints.count)) {
        const struct document *document = document_at(bench, complaint);
        struct json_object *result = tree_map();
        struct complaint shown = *complaint;
        struct text *message = text_new();

        json_object_array_add(results, result);
        shown.path = NULL; /* it has a field of its own */
        complaint_add_message(message, &shown);
        tree_put_text(result, "message", message->data);
        tree_put_text(result, "severity", gang_severity_name(complaint->severity));
        if (document) {
            struct json_object *resource = tree_map_in(result, "resourceRef");
            struct json_object *tree = document_tree(document->data, document->len);

            tree_put_text(resource, "apiVersion", document->api_version);
            tree_put_text(resource, "kind", document->kind);
            tree_put_text(resource, "name", document->name);
            tree_put_text(resource, "namespace", document->namespace_);
            put_file(result, tree_member(tree_member(tree, "metadata"), "annotations"));
        }
        if (*or_empty(complaint->path))
            tree_put_text(tree_map_in(result, "field"), "path", complaint->path);
        if (complaint->id)
            tree_put_text(tree_map_in(result, "tags"), "code", complaint->id);
    }
    return results;
}
