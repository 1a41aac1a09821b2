/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_sets.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/pod_counts.h"
#include "libgang/trainer/resources_per_node.h"
#include "libgang/trainer/vocabulary.h"

static bool
pod_sets_lacks_limits(const struct replicated_job *job)
{
    if (job->requests.count != job->effective_requests.count)
        return true;
    for (size_t i = 0; i < job->requests.count; i++)
        if (quantity_compare(&job->requests.items[i].quantity, &job->effective_requests.items[i].quantity) !=
            0)
            return true;
    return false;
}

/* Lays the trainjob's resourcesPerNode over the job, and sums up as far as the mode needs it. */
static void
pod_sets_apply_per_node(struct replicated_job *job, const struct gang_trainjob *trainjob, bool effective,
                        struct arena *arena)
{
    resources_per_node_apply(job, trainjob, arena);
    if (!effective)
        replicated_job_sum_requests(job, arena);
    replicated_job_sum_effective_requests(job, arena);
}

/* What the pods will request once the API server has let them in. */
static void
pod_sets_admit(struct replicated_job *job, const struct resolve_scratch *scratch)
{
    job->resources = pod_admission_apply(scratch->admission, job->pod_spec, &job->resources, scratch->arena,
                                         scratch->report);
    replicated_job_sum_effective_requests(job, scratch->arena);
}

static void
pod_sets_request(struct role *role, const struct trainer_job *job, size_t index, bool effective,
                 const struct resolve_scratch *scratch)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    struct replicated_job changed;

    if (job->trainjob->resources_per_node &&
        resources_per_node_reach(replicated, role->ancestor == ANCESTOR_TRAINER, &job->runtime->ml_policy)) {
        changed = *replicated;
        pod_sets_apply_per_node(&changed, job->trainjob, effective, scratch->arena);
        replicated = &changed;
    }
    if (effective && scratch->admission && pod_admission_matters(scratch->admission, replicated->pod_spec)) {
        if (replicated != &changed)
            changed = *replicated;
        pod_sets_admit(&changed, scratch);
        replicated = &changed;
    }
    role->requests = effective ? replicated->effective_requests : replicated->requests;
    if (!(effective ? replicated->effective_requests_fit : replicated->requests_fit))
        find_note(scratch->report, GANG_CODE_QUANTITY_OVERFLOW, replicated->requests_source, NULL,
                  "Invalid value: the requests of one pod pass 2^63-1");
    if (!effective && pod_sets_lacks_limits(replicated))
        find_note(scratch->report, GANG_CODE_LIMITS_NOT_COUNTED, replicated->source, NULL,
                  "resources under limits alone are missing from minResources");
}

/* resourcesPerNode that changes nothing, or changes the launcher instead of the nodes. */
static void
pod_sets_check_resources_reach(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    bool reaches_nodes = false;

    if (!job->trainjob->resources_per_node)
        return;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool trains = job->runtime->ml_policy.source != ML_MPI || slice_equal(role->name, TRAINER_NODE);

        reaches_nodes |=
            trains && resources_per_node_reach(&job->jobset.jobs[i], role->ancestor == ANCESTOR_TRAINER,
                                               &job->runtime->ml_policy);
    }
    if (!reaches_nodes)
        find_note(report, GANG_CODE_RESOURCES_NOT_APPLIED, job->trainjob->resources_per_node,
                  "write the resources into the runtime's template",
                  "the operator does not apply resourcesPerNode to the pods that train");
}

/* A JobSet that no patch has changed has its roles ready; the gang's own are a copy, for their numbers to be filled in. */
static void
pod_sets_take_roles(const struct trainer_job *job, struct gang *gang, struct arena *arena)
{
    const bool is_patched = job->jobset.jobs != job->runtime->jobset.jobs;
    const struct jobset_roles roles = is_patched || !job->runtime->roles.is_ordered
                                          ? jobset_roles_read(&job->jobset, arena)
                                          : job->runtime->roles;

    gang->roles = arena_grow(arena, roles.roles, job->jobset.count, job->jobset.count, sizeof(*gang->roles));
    gang->num_roles = gang->roles ? job->jobset.count : 0;
    gang->is_ordered = roles.is_ordered;
    gang->start_order = roles.start_order;
}

void
pod_sets_make(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch)
{
    pod_sets_take_roles(job, gang, scratch->arena);
    if (!gang->roles)
        return;
    for (size_t i = 0; i < gang->num_roles; i++)
        pod_sets_request(&gang->roles[i], job, i, gang->compatibility == COMPATIBILITY_NONE, scratch);
    pod_counts_fill(job, gang, scratch);
    pod_sets_check_resources_reach(job, gang, scratch->report);
}

void
pod_sets_count_requests_only(const struct trainer_job *job, struct gang *gang,
                             const struct resolve_scratch *scratch)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        pod_sets_request(&gang->roles[i], job, i, false, scratch);
}
