/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "live.h"
#include "text.h"
#include "tree.h"

/* Every limit on live objects at its ceiling: the file is the user's own. */
static const struct limit_value live_limits[] = {
    {GANG_LIMIT_NODES, 500000},
    {GANG_LIMIT_MEMORY_BYTES, 268435456},
    {GANG_LIMIT_LIVE_BYTES, 536870912},
    {GANG_LIMIT_LIVE_OBJECTS, 100000},
    {GANG_LIMIT_LIVE_MEMORY_BYTES, 536870912},
    {GANG_LIMIT_STEPS, 1000000000},
};

/* Returns the file of --live. */
static const struct source *
read_live(struct workbench *bench, const char *name)
{
    size_t first = bench->sources.count;

    if (!source_list_read(&bench->sources, name, 0))
        return NULL;
    if (bench->sources.count == first + 1)
        return bench->sources.items[first];
    print_errorf("error: %s: must be one file\n", name);
    return NULL;
}

bool
live_parse(struct workbench *bench, const struct source *source, struct gang_context *context,
           uint32_t flags, struct live *live)
{
    struct gang_error *error = NULL;
    struct origins origins = {.live = {.file = source->name, .is_place = true}};
    int result;

    live->origin = origins.live;
    live->context = context;
    result = gang_document_parse_live(context, source->data, source->len, flags, &live->document,
                                      &error);
    if (result)
        complain_error(&bench->complaints, &origins, &live->origin, result, error);
    return result == GANG_OK;
}

enum reconciled { RECONCILED, IN_CONFLICT, NOT_COMPARED };

static enum reconciled
reconcile_job(struct workbench *bench, struct job *job, const struct live *live)
{
    struct gang_error *error = NULL;
    struct gang_plan *plan = NULL;
    int result =
        gang_reconcile(live->context, job->plan, live->document, live->flags, &plan, &error);

    job->origins.live = live->origin;
    gang_plan_unref(job->plan);
    job->plan = plan;
    if (!plan) {
        complain_error(&bench->complaints, &job->origins, &job->document->origin, result, error);
        return NOT_COMPARED;
    }
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                            gang_plan_get_diagnostic(plan, i));
    gang_error_free(error);
    return result == GANG_OK ? RECONCILED : IN_CONFLICT;
}

/* Adds "Apply PodGroup ml/llama (scheduling.volcano.sh/v1beta1)". */
static void
add_action(struct text *out, const struct gang_object *object)
{
    const char *space = gang_object_get_namespace(object);
    struct text line = {0};

    text_addf(&line, "%-9s %s %s%s%s (%s)", gang_action_name(gang_object_get_action(object)),
              gang_object_get_kind(object), space ? space : "", space ? "/" : "",
              gang_object_get_name(object), gang_object_get_api_version(object));
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
}

/* Adds the fields that change, and who set them, as far as the existing object says it. */
static void
add_changes(struct text *out, const struct gang_object *object, const struct live_objects *live)
{
    int action = gang_object_get_action(object);
    const struct object_name name = name_of_object(object);
    struct json_object *existing = live_objects_find(live, &name);
    struct json_object *planned;

    if (!existing || (action != GANG_ACTION_APPLY && action != GANG_ACTION_RECREATE))
        return;
    planned = object_as_json(object);
    manifest_add_changes(out, existing, planned);
    json_object_put(planned);
}

static void
add_job(struct text *out, struct workbench *bench, const struct job *job,
        const struct options *options, const struct live_objects *live)
{
    if (!job->plan)
        return;
    if (options->output == OUTPUT_YAML || options->output == OUTPUT_JSON)
        add_plan(out, bench, job, options_target(options, GANG_TARGET_PLAN),
                 options_format(options));
    else
        for (size_t i = 0; i < gang_plan_num_objects(job->plan); i++) {
            add_action(out, gang_plan_get_object(job->plan, i));
            add_changes(out, gang_plan_get_object(job->plan, i), live);
        }
}

/* Returns the worst of all jobs and topologies. */
static enum reconciled
reconcile_all(struct workbench *bench, const struct live *live)
{
    enum reconciled worst = reconcile_topologies(bench, live) ? RECONCILED : NOT_COMPARED;

    for (size_t i = 0; i < bench->num_jobs; i++) {
        enum reconciled one = is_refused(&bench->jobs[i])
                                  ? NOT_COMPARED
                                  : reconcile_job(bench, &bench->jobs[i], live);

        if (one > worst)
            worst = one;
    }
    return worst;
}

/* PodGroups refer to Topologies, which are printed first. */
static void
add_steps(struct text *out, struct workbench *bench, const struct options *options,
          const struct source *source)
{
    struct live_objects live = {0};

    if (options->verbose)
        live_objects_read(&live, bench, source);
    add_topology_steps(out, bench, options, &live);
    for (size_t i = 0; i < bench->num_jobs; i++)
        add_job(out, bench, &bench->jobs[i], options, &live);
    live_objects_free(&live);
}

/*
 * Objects to write are printed for all jobs or for none. Of a plan in conflict, the library returns
 * only the objects that can be created all the same.
 */
static bool
is_shown(const struct options *options, enum reconciled result)
{
    return result != NOT_COMPARED || options->output == OUTPUT_UNSET ||
           options->output == OUTPUT_TEXT ||
           options_target(options, GANG_TARGET_PLAN) == GANG_TARGET_PLAN;
}

static uint32_t
reconcile_flags(const struct options *options)
{
    return (options->wake ? (uint32_t)GANG_RECONCILE_WAKE : 0) |
           (options->adopt ? (uint32_t)GANG_RECONCILE_ADOPT : 0);
}

int
reconcile_with(const struct options *options, add_reconciled add, bool *has_changes)
{
    struct workbench bench = {0};
    struct text out = {0};
    enum reconciled result = RECONCILED;
    int status = EXIT_COULD_NOT_RUN;
    const struct source *source;
    struct live live = {.flags = reconcile_flags(options)};

    if (!workbench_run(&bench, options))
        goto end;
    source = read_live(&bench, options->live);
    if (!source)
        goto end;
    result = live_parse(&bench, source,
                        must_make_context(live_limits, sizeof(live_limits) / sizeof(*live_limits)),
                        0, &live)
                 ? reconcile_all(&bench, &live)
                 : NOT_COMPARED;
    if (live.document && is_shown(options, result))
        add(&out, &bench, options, source);
    *has_changes = bench.has_changes;
    status = complaints_print(&bench.complaints);
    if (status == EXIT_DONE && result != RECONCILED)
        status = EXIT_FINDINGS;
    if (status != EXIT_COULD_NOT_RUN && !print_as(&out, options->output))
        status = EXIT_COULD_NOT_RUN;
end:
    gang_document_unref(live.document);
    gang_context_unref(live.context);
    text_free(&out);
    workbench_free(&bench);
    return status;
}

int
command_reconcile(const struct options *options)
{
    bool has_changes;

    return reconcile_with(options, add_steps, &has_changes);
}
