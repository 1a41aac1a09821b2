/* SPDX-License-Identifier: Apache-2.0 */

#include <gang/gang-names.h>

#include "libgang/document/writer.h"
#include "libgang/jobs/job_kinds.h"

/* ---- the document ---- */

static void
gang_job_build_topology(const struct gang_placement *source, struct builder *parent)
{
    struct builder topology;

    if (!source->source)
        return;
    topology = build_map_member(parent, SLICE("topology"));
    build_string_if_set(&topology, SLICE("name"), source->topology);
    build_string_if_set(&topology, SLICE("required"), source->required);
    build_string_if_set(&topology, SLICE("preferred"), source->preferred);
}

/* The amounts without the extra ones, which have a field of their own. */
static void
gang_job_build_requests(const struct role *source, struct builder *role)
{
    struct role own = *source;
    struct resource_list requests = {0};
    struct builder map;

    own.extra = (struct resource_list){0};
    gang_job_sum_requests(&own, own.resources, POD_REQUESTS_EFFECTIVE, role->arena, &requests);
    if (!gang_job_lacks_requests(source)) {
        map = build_map_member(role, SLICE("requests"));
        resource_list_build(&requests, &map);
    }
    if (!source->extra.count)
        return;
    map = build_map_member(role, SLICE("extraRequests"));
    resource_list_build(&source->extra, &map);
}

static void
gang_job_build_role(const struct role *source, struct builder *list)
{
    const size_t membership = source->elsewhere ? WISH_OUTSIDE + 1 : (size_t)source->wish;
    struct builder role = build_map_item(list);

    build_string(&role, SLICE("name"), source->name);
    build_int(&role, SLICE("count"), source->count);
    if (source->min_count != source->count)
        build_int(&role, SLICE("minCount"), source->min_count);
    if (source->unit != 1)
        build_int(&role, SLICE("unit"), source->unit);
    build_string_if_set(&role, SLICE("unitLabel"), source->unit_label);
    if (source->first_count != source->min_count)
        build_int(&role, SLICE("firstCount"), source->first_count);
    if (source->num_dependencies)
        role_build_dependencies(source, &role);
    if (membership != WISH_AUTO)
        build_string(&role, SLICE("membership"),
                     slice_from_text(membership_wish_names[membership]));
    gang_job_build_requests(source, &role);
    build_string_if_set(&role, SLICE("schedulerName"), source->scheduler_name);
    build_string_if_set(&role, SLICE("priorityClassName"), source->priority_class_name);
    if (source->retries)
        build_bool(&role, SLICE("retries"), true);
    build_string_if_set(&role, SLICE("group"), source->group);
}

static void
gang_job_build_groups(const struct gang_wishes *job, struct builder *spec)
{
    struct builder list;

    if (!job->num_groups)
        return;
    list = build_list_member(spec, SLICE("groups"));
    for (size_t i = 0; i < job->num_groups; i++) {
        const struct gang_group *source = &job->groups[i];
        struct builder group = build_map_item(&list);

        build_string(&group, SLICE("name"), source->name);
        if (source->parent != GROUP_OF_GANG)
            build_string(&group, SLICE("parent"), job->groups[source->parent].name);
        if (source->minimum >= 0)
            build_int(&group, SLICE("minimum"), source->minimum);
        gang_job_build_topology(&source->placement, &group);
    }
}

static void
gang_job_build_spec(const struct gang_wishes *job, struct builder *spec)
{
    struct builder roles;
    struct builder owner = build_map_member(spec, SLICE("owner"));

    build_string_if_set(&owner, SLICE("apiVersion"), job->owner.api_version);
    build_string_if_set(&owner, SLICE("kind"), job->owner.kind);
    if (!job->meta->name_is_generated)
        build_string_if_set(&owner, SLICE("name"), job->owner.name);
    if (job->owner.uid.len)
        build_string(&owner, SLICE("uid"), job->owner.uid);
    build_string_if_set(spec, SLICE("groupName"), job->name);
    if (job->suspended)
        build_bool(spec, SLICE("suspend"), true);
    if (job->managed_elsewhere)
        build_bool(spec, SLICE("managedElsewhere"), true);
    if (job->why_no_gang)
        build_bool(spec, SLICE("noGang"), true);
    build_string_if_set(spec, SLICE("backend"), job->backend_request.value);
    build_string_if_set(spec, SLICE("queue"), job->queue_request.value);
    build_string_if_set(spec, SLICE("priorityClassName"), job->priority_request.value);
    if (job->timeout_request.is_set)
        build_int(spec, SLICE("scheduleTimeoutSeconds"), job->timeout_seconds);
    gang_job_build_topology(&job->placement, spec);
    if (job->minimum)
        build_int(spec, SLICE("minimum"), job->minimum);
    if (job->marks_pods)
        build_string(spec, SLICE("podMarks"), SLICE("Pod"));
    roles = build_list_member(spec, SLICE("roles"));
    for (size_t i = 0; i < job->num_roles; i++)
        gang_job_build_role(&job->roles[i], &roles);
    gang_job_build_groups(job, spec);
}

/*
 * Returns the job as a GangJob document, which reads as the same job. Each role has the requests of
 * its pods instead of a template. NULL if out of memory.
 */
static const struct node *
gang_job_build(const struct gang_wishes *job, struct arena *arena)
{
    struct builder document = build_map(arena);
    struct builder spec;
    struct builder metadata;

    build_string(&document, SLICE("apiVersion"), SLICE(GANG_API_VERSION));
    build_string(&document, SLICE("kind"), SLICE(GANG_KIND_JOB));
    metadata = build_map_member(&document, SLICE("metadata"));
    if (job->meta->name_is_generated)
        build_string(&metadata, SLICE("generateName"), node_string(job->meta->name_source));
    else
        build_string_if_set(&metadata, SLICE("name"), job->owner.name);
    build_string_if_set(&metadata, SLICE("namespace"), job->owner.namespace_);
    build_node(&metadata, SLICE("labels"), job->meta->labels);
    build_node(&metadata, SLICE("annotations"), job->meta->annotations);
    spec = build_map_member(&document, SLICE("spec"));
    gang_job_build_spec(job, &spec);
    return arena_failed(arena) ? NULL : document.node;
}

/* ---- gang_job_serialize ---- */

int
gang_job_serialize(const struct gang_context *context, const struct gang_document *job,
                   uint64_t gang, int format, uint32_t flags, struct gang_blob **out,
                   struct gang_error **err)
{
    const struct job_document *document = job_document_of(job);
    const struct limits *limits = context_limits(context);
    struct buffer buffer = buffer_within(limits);
    struct arena *arena;
    const struct node *root;
    struct report report;
    int result = CALL_BEGIN(out, err, out && document && document_format_is_known(format),
                            "out, a job of a known kind and a known format are needed", flags, 0);

    if (result)
        return result;
    if (gang >= document->num_gangs)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "the job has no gang of this number");
    if (!document->job.num_roles)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "the job has no pods of its own, and a GangJob has roles");
    arena = arena_new_within(limits, NULL);
    if (!arena)
        return error_no_memory(err);
    report_init(&report, arena, limits);
    root = gang_job_build(job_document_gang(document, gang, &report), arena);
    if (!root)
        result = error_from_arena(err, arena);
    else if (report_has_errors(&report))
        result = error_from_report(err, GANG_ERROR_INVALID, &report);
    else
        document_write(&buffer, root, (enum gang_format)format);
    arena_free(arena);
    return result ? result : document_hand_out(&buffer, out, err);
}
