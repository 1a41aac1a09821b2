/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job_wishes.h"

#include "libgang/document/document.h"
#include "libgang/jobs/gang_job_groups.h"
#include "libgang/jobs/gang_job_pods.h"

/* ---- start order and membership ---- */

static const enum dependency_status gang_job_dependencies[GANG_JOB_STATUSES] = {
    [GANG_JOB_READY] = DEPENDENCY_READY,
    [GANG_JOB_COMPLETE] = DEPENDENCY_COMPLETE,
    [GANG_JOB_SCHEDULED] = DEPENDENCY_SCHEDULED,
};

static struct dependency *
gang_job_dependencies_of(const struct gang_job_role *source, struct arena *arena)
{
    struct dependency *made = arena_array(arena, source->num_edges, sizeof(*made));

    for (size_t i = 0; made && i < source->num_edges; i++)
        made[i] = (struct dependency){
            .role = source->edges[i].role,
            .index = ROLE_NONE,
            .status = gang_job_dependencies[source->edges[i].status],
            .source = source->edges[i].source,
        };
    return made;
}

void
gang_job_fill_order(const struct gang_job_role *source, struct role *role, struct arena *arena)
{
    role->name = source->name;
    role->count = source->count;
    role->operator_count = source->count;
    if (source->num_edges)
        role->dependencies = gang_job_dependencies_of(source, arena);
    role->num_dependencies = role->dependencies ? source->num_edges : 0;
}

static const enum membership_wish gang_job_membership_wishes[] = {
    [GANG_JOB_AUTO] = WISH_AUTO,
    [GANG_JOB_MEMBER] = WISH_MEMBER,
    [GANG_JOB_OUTSIDE] = WISH_OUTSIDE,
};

/* The fields of an elastic role stay 0 in a role that is not. */
static void
gang_job_fill_counts(const struct gang_job_role *source, struct role *role)
{
    role->has_min_count = source->min_count != source->count;
    role->min_count = source->min_count;
    role->first_count = source->first_count < source->min_count ? source->first_count : 0;
    if (source->unit < 2)
        return;
    role->unit = source->unit;
    role->unit_label = source->unit_label.value;
}

/* ---- requests ---- */

static void
gang_job_request(const struct gang_job_role *source, const struct pod_resources *resources,
                 enum pod_requests_mode mode, struct role *role, struct report *report)
{
    role->lacks_requests = gang_job_lacks_requests(source);
    if (!gang_job_sum_requests(source, resources, mode, report->arena, &role->requests))
        find_note(report, GANG_CODE_QUANTITY_OVERFLOW, source->source, NULL,
                  "Invalid value: the requests of one pod exceed 2^63-1");
}

/* The resources of the template as the API server has them. */
static struct pod_resources
gang_job_admit(const struct gang_job_role *source, const struct pod_admission *admission,
               struct report *report)
{
    const struct node *spec = node_member(source->pod_template, SLICE("spec"));

    if (!admission || !pod_admission_matters(admission, spec))
        return source->resources;
    return pod_admission_apply(admission, spec, &source->resources, report->arena, report);
}

static void
gang_job_fill_template(const struct gang_job_role *source, const struct pod_admission *admission,
                       struct role *role, struct report *report)
{
    const struct pod_resources resources = gang_job_admit(source, admission, report);

    role->pod_spec = node_member(source->pod_template, SLICE("spec"));
    role->pod_metadata = node_member(source->pod_template, SLICE("metadata"));
    gang_job_request(source, &resources, POD_REQUESTS_EFFECTIVE, role, report);
    if (admission && role->requests.count) {
        struct resource_list own;

        role->requests_are_defaults =
            gang_job_sum_requests(source, &source->resources, POD_REQUESTS_EFFECTIVE, report->arena,
                                  &own) &&
            own.count == 0;
    }
    pod_limits_check(&resources, NULL, report);
}

/* Without a template the role has no resources but those that it names. */
static void
gang_job_fill_requests(const struct gang_job_role *source, const struct pod_admission *admission,
                       struct role *role, struct report *report)
{
    if (source->pod_template)
        gang_job_fill_template(source, admission, role, report);
    else
        gang_job_request(source, &source->resources, POD_REQUESTS_EFFECTIVE, role, report);
}

/* ---- roles ---- */

static void
gang_job_fill_role(const struct gang_job_role *source, struct role *role)
{
    role->wish = gang_job_membership_wishes[source->membership];
    role->scheduler_name = source->scheduler_name.value;
    role->scheduler_name_source = source->scheduler_name.source;
    role->priority_class_name = source->priority_class_name.value;
    role->priority_class_source = source->priority_class_name.source;
    role->source = source->source;
    role->retries = source->retries;
    role->elsewhere = source->elsewhere;
}

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
    wishes->roles = arena_array(report->arena, job->num_roles, sizeof(*wishes->roles));
    if (!wishes->roles)
        return;
    wishes->num_roles = job->num_roles;
    for (size_t i = 0; i < job->num_roles; i++) {
        struct role *role = &wishes->roles[i];

        gang_job_fill_role(&job->roles[i], role);
        gang_job_fill_order(&job->roles[i], role, report->arena);
        gang_job_fill_counts(&job->roles[i], role);
        wishes->has_units |= role->unit != 0;
        gang_job_fill_requests(&job->roles[i], admission, role, report);
    }
    if (job->num_groups || job->wishes.topology.source)
        gang_job_fill_groups(job, wishes, report->arena);
}

void
gang_job_count_requests_only(const struct gang_job *job, struct gang_wishes *wishes,
                             struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++)
        gang_job_request(&job->roles[i], &job->roles[i].resources, POD_REQUESTS_ONLY,
                         &wishes->roles[i], report);
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
