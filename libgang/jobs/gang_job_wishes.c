/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "libgang/document/document.h"

/* ---- roles ---- */

/*
 * Makes the role as the gang has it. Its dependencies are copied: the start order links them, and
 * drops some.
 */
static void
gang_job_copy_role(const struct role *source, struct role *role, struct arena *arena)
{
    *role = *source;
    role->operator_count = role->count;
    role->has_min_count = role->min_count != role->count;
    if (role->first_count >= role->min_count)
        role->first_count = 0;
    if (role->unit < 2) {
        role->unit = 0;
        role->unit_label = NO_SLICE;
    }
    if (!role->num_dependencies)
        return;
    role->dependencies =
        arena_take_array(arena, role->num_dependencies, sizeof(*role->dependencies));
    if (role->dependencies)
        memcpy(role->dependencies, source->dependencies,
               role->num_dependencies * sizeof(*role->dependencies));
    else
        role->num_dependencies = 0;
}

void
gang_job_copy_roles(const struct gang_job *job, struct gang_wishes *wishes, struct arena *arena)
{
    wishes->roles = arena_take_array(arena, job->num_roles, sizeof(*wishes->roles));
    wishes->num_roles = wishes->roles ? job->num_roles : 0;
    for (size_t i = 0; i < wishes->num_roles; i++)
        gang_job_copy_role(&job->roles[i], &wishes->roles[i], arena);
}

/* ---- requests ---- */

static void
gang_job_request(const struct role *source, const struct pod_resources *resources,
                 enum pod_requests_mode mode, struct role *role, struct report *report)
{
    role->lacks_requests = gang_job_lacks_requests(source);
    if (!gang_job_sum_requests(source, resources, mode, report->arena, &role->requests))
        find_note(report, GANG_CODE_QUANTITY_OVERFLOW, source->source, NULL,
                  "Invalid value: the requests of one pod exceed 2^63-1");
}

/* The requests of the template as the API server has them. */
static void
gang_job_admit(const struct role *source, const struct pod_admission *admission, struct role *role,
               struct report *report)
{
    const struct pod_resources *resources = source->resources;
    struct pod_resources admitted;
    struct resource_list own;

    if (!resources)
        return;
    if (admission && pod_admission_matters(admission, source->pod_spec)) {
        admitted =
            pod_admission_apply(admission, source->pod_spec, resources, report->arena, report);
        resources = &admitted;
    }
    gang_job_request(source, resources, POD_REQUESTS_EFFECTIVE, role, report);
    if (admission && role->requests.count)
        role->requests_are_defaults =
            gang_job_sum_requests(source, source->resources, POD_REQUESTS_EFFECTIVE, report->arena,
                                  &own) &&
            own.count == 0;
    pod_limits_check(resources, NULL, report);
}

void
gang_job_count_requests_only(const struct gang_job *job, struct gang_wishes *wishes,
                             struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++)
        gang_job_request(&job->roles[i], job->roles[i].resources, POD_REQUESTS_ONLY,
                         &wishes->roles[i], report);
}

/* ---- requests for attributes ---- */

/* Each has the precedence of a runtime's podGroupPolicy. */
static struct job_request
gang_job_requested(struct slice value, const struct node *source, const char *overrides)
{
    return (struct job_request){
        .value = value,
        .source = source,
        .reason = source ? "set in the job" : NULL,
        .overrides = overrides,
        .is_set = source != NULL,
        .can_be_ignored = true,
    };
}

struct gang_topology
gang_job_topology(const struct gang_placement *placement)
{
    const bool is_required = slice_is_set(placement->required);
    struct gang_topology out = {
        .is_set = true,
        .mode = is_required ? SLICE("hard") : SLICE("soft"),
        .level = is_required ? placement->required : placement->preferred,
        .source = placement->source,
    };

    out.has_tier = integer_parse(out.level, &out.highest_tier);
    return out;
}

static void
gang_job_fill_requests(const struct gang_job *job, struct gang_wishes *wishes)
{
    const struct gang_job_user_wishes *user = &job->wishes;
    static const struct job_request no_timeout = {.document = GANG_DOCUMENT_JOB,
                                                  .reason = "the job sets no timeout"};
    static const struct job_request no_topology = {.document = GANG_DOCUMENT_JOB,
                                                   .reason = "no topology is requested"};

    wishes->queue_request =
        gang_job_requested(user->queue.value, user->queue.source, "the job's queue has precedence");
    wishes->priority_request =
        gang_job_requested(user->priority_class_name.value, user->priority_class_name.source,
                           "the job's priorityClassName has precedence");
    wishes->timeout_seconds = user->timeout_seconds;
    wishes->timeout_request =
        user->has_timeout
            ? gang_job_requested(NO_SLICE, user->timeout_source, "the job's timeout has precedence")
            : no_timeout;
    wishes->topology_request = no_topology;
    if (!job->placement.is_set)
        return;
    wishes->topology = gang_job_topology(&job->placement);
    wishes->topology_request = gang_job_requested(wishes->topology.level, job->placement.source,
                                                  "the job's topology has precedence");
}

/* ---- wishes ---- */

void
gang_job_fill(const struct gang_job *job, struct gang_wishes *wishes,
              const struct pod_admission *admission, struct report *report)
{
    wishes->owner = job->owner;
    wishes->name = slice_is_set(job->group_name) ? job->group_name : job->owner.name;
    wishes->suspended = job->suspended;
    wishes->declares_members = true;
    wishes->minimum = job->minimum;
    wishes->minimum_source = job->minimum_source;
    wishes->placement = job->placement;
    gang_job_copy_roles(job, wishes, report->arena);
    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];

        wishes->has_units |= role->unit != 0;
        if (role->pod_template)
            gang_job_admit(&job->roles[i], admission, role, report);
        else
            gang_job_request(&job->roles[i], role->resources, POD_REQUESTS_EFFECTIVE, role, report);
    }
    gang_job_fill_groups(job, wishes, report->arena);
    gang_job_fill_requests(job, wishes);
}

const struct owner_chain *
gang_job_chain(const struct gang_job *job, struct arena *arena)
{
    struct owner_chain *chain = arena_alloc(arena, sizeof(*chain));

    if (chain)
        *chain = (struct owner_chain){
            .set = {job->meta.labels, job->meta.annotations},
            .is_foreign = true,
        };
    return chain;
}
