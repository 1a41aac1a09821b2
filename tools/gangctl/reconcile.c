/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "live.h"

/* Compares a Topology with the live one and sets its action. False for a conflict or an error. */
static bool
reconcile_topology(struct workbench *bench, struct companion *topology, const struct live *live)
{
    struct origins origins =
        origins_with(GANG_DOCUMENT_TOPOLOGYBINDING, &topology->document->origin);
    struct gang_error *error = NULL;
    int result;

    if (!topology->handle)
        return false;
    origins.of[GANG_DOCUMENT_LIVE] = live->origin;
    result = gang_topologybinding_compare(live->context, topology->handle, live->document, 0,
                                          &topology->action, &error);
    complain_error(&bench->complaints, &origins, result, error);
    return result == GANG_OK;
}

struct gang_blob *
topology_text(const struct companion *topology, enum gang_format format)
{
    struct gang_blob *blob = NULL;

    if (gang_topologybinding_serialize(NULL, topology->handle, (int)format, 0, &blob, NULL))
        out_of_memory();
    of_step((struct made){.blob = blob});
    return blob;
}

/* kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go */
struct object_name
name_of_topology(const struct companion *topology)
{
    return (struct object_name){"kai.scheduler/v1alpha1", "Topology", NULL,
                                gang_document_get_reference(topology->handle, "Topology")};
}

struct json_object *
topology_object(const struct companion *topology)
{
    struct json_object *object =
        json_of_blob(gang_blob_ref(topology_text(topology, GANG_FORMAT_JSON)));
    const struct object_name name = name_of_topology(topology);

    if (object)
        return object;
    object = tree_map_of_step();
    tree_put_text(object, "apiVersion", name.api_version);
    tree_put_text(object, "kind", name.kind);
    tree_put_text(tree_map_in(object, "metadata"), "name", name.name);
    return object;
}

/* Adds "Apply PodGroup ml/llama (kai/v1)", and what changes, with who set it if that is known. */
static void
add_action(struct text *out, int action, const struct object_name *name,
           struct json_object *planned, struct json_object *live)
{
    struct json_object *existing = live_objects_find(live, name);

    text_add_line(out, formatted("%-9s %s %s (%s)", gang_action_name(action), name->kind,
                                 place_of(name->space, name->name), name->api_version));
    if (existing && (action == GANG_ACTION_APPLY || action == GANG_ACTION_RECREATE))
        manifest_add_changes(out, existing, planned);
}

static void
add_step(struct text *out, const struct companion *topology, const struct options *options,
         struct json_object *live)
{
    enum gang_format format = options_format(options);

    if (options->output != OUTPUT_YAML && options->output != OUTPUT_JSON) {
        const struct object_name name = name_of_topology(topology);

        add_action(out, topology->action, &name, topology_object(topology), live);
    } else if (options->target == GANG_TARGET_PLAN) {
        struct json_object *entry = tree_map();

        tree_put_text(entry, "action", gang_action_name(topology->action));
        tree_share(entry, "object", topology_object(topology));
        if (format == GANG_FORMAT_YAML)
            text_add(out, out->len ? "---\n" : "");
        tree_move(out, entry, format == GANG_FORMAT_YAML ? OUTPUT_YAML : OUTPUT_JSON,
                  JSON_C_TO_STRING_PLAIN);
    } else if (topology->action == GANG_ACTION_CREATE || topology->action == GANG_ACTION_RECREATE) {
        add_blob(out, topology_text(topology, format), format);
    }
}

bool
live_parse(struct workbench *bench, const struct source *source, uint32_t flags, struct live *live)
{
    const struct origin origin = {.file = source->name, .is_place = true};
    const struct origins origins = origins_with(GANG_DOCUMENT_LIVE, &origin);
    struct gang_error *error = NULL;
    int result;

    live->origin = origin;
    live->context = must_make_widest_context(STEPS_OF_CLUSTER, 0);
    result = gang_document_parse_live(live->context, source->data, source->len, flags,
                                      &live->document, &error);
    of_step((struct made){.document = live->document});
    complain_error(&bench->complaints, &origins, result, error);
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

    job->origins.of[GANG_DOCUMENT_LIVE] = live->origin;
    of_step((struct made){.plan = plan});
    job->plan = plan;
    if (!plan) {
        complain_error(&bench->complaints, &job->origins, result, error);
        return NOT_COMPARED;
    }
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        complain_diagnostic(&bench->complaints, &job->origins, gang_plan_get_diagnostic(plan, i));
    gang_error_free(error);
    return result == GANG_OK ? RECONCILED : IN_CONFLICT;
}

/* Returns the worst of all jobs and topologies. */
static enum reconciled
reconcile_all(struct workbench *bench, const struct live *live)
{
    enum reconciled worst = RECONCILED;

    for (size_t i = 0; i < bench->topologies.count; i++)
        if (!reconcile_topology(bench, &bench->topologies.items[i], live))
            worst = NOT_COMPARED;
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
add_steps(struct run *run, const struct source *source)
{
    struct workbench *bench = &run->bench;
    const struct options *options = run->options;
    struct json_object *live = options->verbose ? live_objects_read(bench, source) : NULL;

    for (size_t i = 0; i < bench->topologies.count; i++)
        if (bench->topologies.items[i].action != GANG_ACTION_NONE)
            add_step(&run->out, &bench->topologies.items[i], options, live);
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        if (plan && (options->output == OUTPUT_YAML || options->output == OUTPUT_JSON)) {
            add_plan(&run->out, bench, &bench->jobs[i], options->target, options_format(options));
            continue;
        }
        for (size_t j = 0; j < gang_plan_num_objects(plan); j++) {
            const struct gang_object *object = gang_plan_get_object(plan, j);
            const struct object_name name = name_of_object(object);

            add_action(&run->out, gang_object_get_action(object), &name,
                       live ? object_as_json(object) : NULL, live);
        }
    }
}

int
reconcile_with(struct run *run, add_reconciled add)
{
    const struct options *options = run->options;
    struct workbench *bench = &run->bench;
    struct live live = {.flags = (options->wake ? (uint32_t)GANG_RECONCILE_WAKE : 0) |
                                 (options->adopt ? (uint32_t)GANG_RECONCILE_ADOPT : 0)};
    enum reconciled result = NOT_COMPARED;
    const struct source *source;
    size_t first;
    int status;

    if (!workbench_run(bench, options))
        return EXIT_COULD_NOT_RUN;
    first = bench->sources.count;
    if (!source_list_read(&bench->sources, options->live, 0))
        return EXIT_COULD_NOT_RUN;
    if (bench->sources.count != first + 1) {
        print_errorf("error: %s: must be one file\n", options->live);
        return EXIT_COULD_NOT_RUN;
    }
    source = bench->sources.items[first];
    if (live_parse(bench, source, 0, &live))
        result = reconcile_all(bench, &live);
    /*
     * Objects to write are printed for all jobs or for none. Of a plan in conflict, the library
     * returns only the objects that can be created all the same.
     */
    if (live.document && (result != NOT_COMPARED || options->output == OUTPUT_TEXT ||
                          options->target == GANG_TARGET_PLAN))
        add(run, source);
    status = complaints_print(&bench->complaints);
    if (status == EXIT_DONE && result != RECONCILED)
        status = EXIT_FINDINGS;
    if (status == EXIT_COULD_NOT_RUN)
        run->out.len = 0;
    return status;
}

int
command_reconcile(struct run *run)
{
    return reconcile_with(run, add_steps);
}
