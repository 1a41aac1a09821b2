/* SPDX-License-Identifier: Apache-2.0 */
#include "live.h"

#include "commands.h"
#include "jobs.h"
#include "tree.h"

/* Compares a Topology with the live one and sets its action. False for a conflict or an error. */
static bool
reconcile_topology(struct workbench *bench, struct topology *topology, const struct live *live)
{
    struct origins origins = {.topologybinding = topology->document->origin, .live = live->origin};
    struct gang_error *error = NULL;
    int result;

    if (!topology->handle)
        return false;
    result = gang_topologybinding_compare(live->context, topology->handle, live->document, 0,
                                          &topology->action, &error);
    if (result)
        complain_error(&bench->complaints, &origins, &topology->document->origin, result, error);
    return result == GANG_OK;
}

bool
reconcile_topologies(struct workbench *bench, const struct live *live)
{
    bool is_done = true;

    for (size_t i = 0; i < bench->num_topologies; i++)
        is_done &= reconcile_topology(bench, &bench->topologies[i], live);
    return is_done;
}

/* Returns the object; empty if another controller creates it. */
static struct gang_blob *
topology_text(const struct topology *topology, enum gang_format format)
{
    struct gang_blob *blob = NULL;

    if (gang_topologybinding_serialize(NULL, topology->handle, (int)format, 0, &blob, NULL))
        out_of_memory();
    return blob;
}

const char *
topology_name(const struct topology *topology)
{
    return gang_document_get_reference(topology->handle, TOPOLOGY_KIND);
}

/* Returns the object; only its name if another controller creates it. */
static struct json_object *
topology_named(const struct topology *topology)
{
    struct json_object *object = tree_map();

    tree_put_text(object, "apiVersion", TOPOLOGY_API_VERSION);
    tree_put_text(object, "kind", TOPOLOGY_KIND);
    tree_put_text(tree_map_in(object, "metadata"), "name", topology_name(topology));
    return object;
}

struct json_object *
topology_object(const struct topology *topology)
{
    struct gang_blob *blob = topology_text(topology, GANG_FORMAT_JSON);
    struct json_object *object;
    struct text text = {0};
    size_t len;
    const char *data = gang_blob_get_data(blob, &len);

    text_add_bytes(&text, data, len);
    object = len ? tree_must(json_read(&text)) : topology_named(topology);
    text_free(&text);
    gang_blob_unref(blob);
    return object;
}

/* Adds {action, object}, as for the objects of a plan. */
static void
add_entry(struct text *out, const struct topology *topology, enum gang_format format)
{
    struct json_object *entry = tree_map();
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    const char *json;

    tree_put_text(entry, "action", gang_action_name((int)topology->action));
    tree_put(entry, "object", topology_object(topology));
    json = json_object_to_json_string_ext(entry,
                                          JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (!json || gang_stream_parse(NULL, json, strlen(json), 0, &stream, NULL) ||
        gang_stream_serialize(NULL, stream, 0, (int)format, 0, &blob, NULL))
        out_of_memory();
    add_blob(out, blob, format);
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    json_object_put(entry);
}

static void
add_line(struct text *out, const struct topology *topology)
{
    text_addf(out, "%-9s %s ", gang_action_name((int)topology->action), TOPOLOGY_KIND);
    text_add_printable(out, topology_name(topology));
    text_addf(out, " (%s)\n", TOPOLOGY_API_VERSION);
}

/* Adds the fields that change. */
static void
add_topology_changes(struct text *out, const struct topology *topology,
                     const struct live_objects *live)
{
    const struct object_name name = {TOPOLOGY_API_VERSION, TOPOLOGY_KIND, NULL,
                                     topology_name(topology)};
    struct json_object *existing = live_objects_find(live, &name);
    struct json_object *planned;

    if (!existing || topology->action != GANG_ACTION_RECREATE)
        return;
    planned = topology_object(topology);
    manifest_add_changes(out, existing, planned);
    json_object_put(planned);
}

static void
add_manifest(struct text *out, const struct topology *topology, enum gang_format format)
{
    struct gang_blob *blob;

    if (topology->action != GANG_ACTION_CREATE && topology->action != GANG_ACTION_RECREATE)
        return;
    blob = topology_text(topology, format);
    add_blob(out, blob, format);
    gang_blob_unref(blob);
}

static void
add_step(struct text *out, const struct topology *topology, const struct options *options,
         const struct live_objects *live)
{
    if (options->output != OUTPUT_YAML && options->output != OUTPUT_JSON) {
        add_line(out, topology);
        add_topology_changes(out, topology, live);
    } else if (options_target(options, GANG_TARGET_PLAN) == GANG_TARGET_PLAN) {
        add_entry(out, topology, options_format(options));
    } else {
        add_manifest(out, topology, options_format(options));
    }
}

void
add_topology_steps(struct text *out, struct workbench *bench, const struct options *options,
                   const struct live_objects *live)
{
    for (size_t i = 0; i < bench->num_topologies; i++)
        if (bench->topologies[i].action != GANG_ACTION_NONE)
            add_step(out, &bench->topologies[i], options, live);
}
