/* SPDX-License-Identifier: Apache-2.0 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "text.h"
#include "tree.h"

/* ---- what reconcile changes ---- */

static bool
is_written(int action)
{
    return action == GANG_ACTION_CREATE || action == GANG_ACTION_APPLY ||
           action == GANG_ACTION_RECREATE;
}

/* Adds an object of a plan; takes over `planned`, which is NULL if it is not to exist. */
static void
add_object(struct changes *changes, const struct object_name *name, int action,
           struct json_object *planned, const struct live_objects *live)
{
    struct json_object *existing = live_objects_find(live, name);

    if (!existing && !planned)
        return;
    changes_add(changes, json_object_get(existing), planned,
                action == GANG_ACTION_RECREATE ? "Recreated" : NULL);
}

static void
add_object_of_plan(struct changes *changes, const struct gang_object *object,
                   const struct live_objects *live)
{
    const struct object_name name = name_of_object(object);
    int action = gang_object_get_action(object);

    if (is_written(action))
        add_object(changes, &name, action, object_as_json(object), live);
    else if (action == GANG_ACTION_DELETE)
        add_object(changes, &name, action, NULL, live);
    else
        changes->equal += action == GANG_ACTION_LEAVE;
}

static void
add_topology_change(struct changes *changes, const struct topology *topology,
                    const struct live_objects *live)
{
    const struct object_name name = {TOPOLOGY_API_VERSION, TOPOLOGY_KIND, NULL,
                                     topology_name(topology)};
    int action = (int)topology->action;

    if (is_written(action))
        add_object(changes, &name, action, topology_object(topology), live);
}

static void
add_diffs(struct text *out, struct workbench *bench, const struct options *options,
          const struct source *source)
{
    struct changes changes = {.old_side = "live", .new_side = "planned"};
    struct live_objects live = {0};

    live_objects_read(&live, bench, source);
    for (size_t i = 0; i < bench->num_topologies; i++)
        add_topology_change(&changes, &bench->topologies[i], &live);
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        for (size_t j = 0; j < gang_plan_num_objects(plan); j++)
            add_object_of_plan(&changes, gang_plan_get_object(plan, j), &live);
    }
    changes_add_marks(&changes, bench, &live);
    changes_print(out, &changes, options->output);
    bench->has_changes = changes.count > 0;
    changes_free(&changes);
    live_objects_free(&live);
}

/* ---- two folders of answers ---- */

/* The documents of a file or folder, and their order by name. */
struct side {
    struct source_list sources;
    struct documents documents;
    const struct document **sorted;
    size_t count;
};

static size_t
group_len(const char *api_version)
{
    const char *slash = strchr(api_version, '/');

    return slash ? (size_t)(slash - api_version) : 0;
}

static int
compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* Compares what identifies a document: its API group, kind, namespace and name. */
static int
compare_names(const struct document *a, const struct document *b)
{
    const char *versions[] = {a->api_version ? a->api_version : "",
                              b->api_version ? b->api_version : ""};
    const size_t lens[] = {group_len(versions[0]), group_len(versions[1])};
    int order = strncmp(versions[0], versions[1], lens[0] < lens[1] ? lens[0] : lens[1]);

    if (!order)
        order = (lens[0] > lens[1]) - (lens[0] < lens[1]);
    if (!order)
        order = compare_texts(a->kind, b->kind);
    if (!order)
        order = compare_texts(a->namespace_, b->namespace_);
    return order ? order : compare_texts(a->name, b->name);
}

static int
compare_documents(const void *a, const void *b)
{
    const struct document *one = *(const struct document *const *)a;
    const struct document *other = *(const struct document *const *)b;
    int order = compare_names(one, other);

    return order ? order : (one > other) - (one < other);
}

static bool
side_read(struct side *side, const char *name, const struct options *options,
          const struct gang_context *context, struct complaints *complaints)
{
    if (!source_list_read(&side->sources, name, options->walk))
        return false;
    for (size_t i = 0; i < side->sources.count; i++)
        documents_add(&side->documents, side->sources.items[i], context, complaints);
    side->sorted = must_reallocate(NULL, side->documents.count + 1, sizeof(*side->sorted));
    for (size_t i = 0; i < side->documents.count; i++)
        if (side->documents.items[i].kind) /* not one of comments alone */
            side->sorted[side->count++] = &side->documents.items[i];
    if (side->count)
        qsort(side->sorted, side->count, sizeof(*side->sorted), compare_documents);
    return true;
}

static void
side_free(struct side *side)
{
    free(side->sorted);
    documents_free(&side->documents);
    source_list_free(&side->sources);
}

static struct json_object *
tree_of(const struct document *document)
{
    return document ? tree_must(document_tree(document->data, document->len)) : NULL;
}

/* Pairs the documents of both sides; the second of two with one name is paired with the second. */
static void
add_pairs(struct changes *changes, const struct side *old, const struct side *new)
{
    size_t i = 0;
    size_t j = 0;

    while (i < old->count || j < new->count) {
        const struct document *before = i < old->count ? old->sorted[i] : NULL;
        const struct document *after = j < new->count ? new->sorted[j] : NULL;
        int order = !before ? 1 : !after ? -1 : compare_names(before, after);

        if (order > 0)
            before = NULL;
        if (order < 0)
            after = NULL;
        changes_add(changes, tree_of(before), tree_of(after), NULL);
        i += before != NULL;
        j += after != NULL;
    }
}

static int
compare_folders(const struct options *options)
{
    struct gang_context *context = must_make_widest_context();
    struct changes changes = {.old_side = "old", .new_side = "new"};
    struct complaints complaints = {0};
    struct side old = {0};
    struct side new = {0};
    struct text out = {0};
    int status = EXIT_COULD_NOT_RUN;

    if (!side_read(&old, options->inputs[0], options, context, &complaints) ||
        !side_read(&new, options->inputs[1], options, context, &complaints))
        goto end;
    if (complaints_print(&complaints) != EXIT_DONE)
        goto end;
    add_pairs(&changes, &old, &new);
    changes_print(&out, &changes, options->output);
    if (print_as(&out, options->output))
        status = changes.count ? EXIT_FINDINGS : EXIT_DONE;
end:
    text_free(&out);
    changes_free(&changes);
    complaints_free(&complaints);
    side_free(&new);
    side_free(&old);
    gang_context_unref(context);
    return status;
}

/* ---- the command ---- */

int
command_diff(const struct options *options)
{
    bool has_changes = false;
    int status;

    if (!options->live)
        return compare_folders(options);
    status = reconcile_with(options, add_diffs, &has_changes);
    return status == EXIT_DONE && has_changes ? EXIT_FINDINGS : status;
}
