/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_sets.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/pod_counts.h"
#include "libgang/trainer/resources_per_node.h"
#include "libgang/trainer/vocabulary.h"

static const struct {
    struct slice text;
    enum dependency_status status;
} pod_sets_statuses[] = {
    {SLICE_INIT("Ready"), DEPENDENCY_READY},
    {SLICE_INIT("Complete"), DEPENDENCY_COMPLETE},
};

static enum dependency_status
dependency_status_of(struct slice text)
{
    for (size_t i = 0; i < sizeof(pod_sets_statuses) / sizeof(pod_sets_statuses[0]); i++)
        if (slice_equal(pod_sets_statuses[i].text, text))
            return pod_sets_statuses[i].status;
    return DEPENDENCY_READY;
}

static void
pod_sets_read_depends_on(struct role *role, const struct node *list, struct arena *arena)
{
    role->dependencies = arena_array(arena, node_count(list), sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    for (NODE_EACH(item, list))
        role->dependencies[role->num_dependencies++] = (struct dependency){
            .role = node_string(node_member(item, SLICE("name"))),
            .index = ROLE_NONE,
            .status = dependency_status_of(node_string(node_member(item, SLICE("status")))),
            .source = item,
        };
}

/* startupPolicyOrder InOrder: each role is created when the one before it is ready. */
static void
pod_sets_follow(struct role *role, const struct role *before, const struct node *in_order,
                struct arena *arena)
{
    role->dependencies = arena_alloc(arena, sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    role->num_dependencies = 1;
    role->dependencies[0] = (struct dependency){
        .role = before->name, .index = ROLE_NONE, .status = DEPENDENCY_READY, .source = in_order};
}

static struct slice
pod_sets_ancestor_text(const struct replicated_job *job)
{
    return node_string(node_member(node_member(job->job_metadata, SLICE("labels")), TRAINER_ANCESTOR_LABEL));
}

static struct role
pod_sets_role(const struct replicated_job *job)
{
    const struct ancestor_entry *entry = ancestor_entry_of(pod_sets_ancestor_text(job));

    return (struct role){
        .name = job->name,
        .ancestor_text = pod_sets_ancestor_text(job),
        .ancestor = entry ? entry->ancestor : ANCESTOR_NONE,
        .retries = job->retries,
        .scheduler_name = job->scheduler_name,
        .priority_class_name = job->priority_class_name,
        .source = job->source,
        .scheduler_name_source = node_member(job->pod_spec, SLICE("schedulerName")),
        .priority_class_source = node_member(job->pod_spec, SLICE("priorityClassName")),
    };
}

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

/* The job with the trainjob's resourcesPerNode, its sums as far as the mode needs them. */
static struct replicated_job
pod_sets_per_node(const struct replicated_job *source, const struct gang_trainjob *trainjob, bool effective,
                  struct arena *arena)
{
    struct replicated_job job = *source;

    resources_per_node_apply(&job, trainjob, arena);
    if (!effective)
        replicated_job_sum_requests(&job, arena);
    replicated_job_sum_effective_requests(&job, arena);
    return job;
}

static void
pod_sets_request(struct role *role, const struct trainer_job *job, size_t index, const struct gang *gang,
                 const struct resolve_scratch *scratch)
{
    const bool effective = gang->compatibility == COMPATIBILITY_NONE;
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    struct replicated_job changed;

    if (job->trainjob->resources_per_node &&
        resources_per_node_reach(replicated, role->ancestor == ANCESTOR_TRAINER, &job->runtime->ml_policy)) {
        changed = pod_sets_per_node(replicated, job->trainjob, effective, scratch->arena);
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

void
pod_sets_make(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch)
{
    const struct jobset *jobset = &job->jobset;

    gang->roles = arena_array(scratch->arena, jobset->count, sizeof(*gang->roles));
    if (!gang->roles)
        return;
    gang->num_roles = jobset->count;
    for (size_t i = 0; i < jobset->count; i++) {
        gang->roles[i] = pod_sets_role(&jobset->jobs[i]);
        if (jobset->jobs[i].depends_on)
            pod_sets_read_depends_on(&gang->roles[i], jobset->jobs[i].depends_on, scratch->arena);
        else if (jobset->in_order && i > 0)
            pod_sets_follow(&gang->roles[i], &gang->roles[i - 1], jobset->in_order, scratch->arena);
        pod_sets_request(&gang->roles[i], job, i, gang, scratch);
    }
    pod_counts_fill(job, gang, scratch);
    pod_sets_check_resources_reach(job, gang, scratch->report);
}
