/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- resources per node ---- */

bool
resources_per_node_reach(const struct trainer_job *job, const struct replicated_job *replicated,
                         bool is_trainer)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;
    const bool beside_launcher = policy->launcher_is_node && !job->leaves_nodes_out;

    if (is_trainer ? !policy->source_node && !job->needs_no_policy
                   : !beside_launcher || !slice_equal(replicated->name, TRAINER_NODE))
        return false;
    return pod_container_find(&replicated->resources, TRAINER_NODE) != NULL;
}

/* The operator decodes the base from JSON, which may change the format of a quantity. */
static struct resource_list
resources_overlay(const struct resource_list *base, const struct resource_list *over,
                  struct arena *arena)
{
    struct resource_list merged = resource_list_union(arena, over, base);

    for (size_t i = 0; i < merged.count; i++)
        merged.items[i].quantity = quantity_reread(&merged.items[i].quantity, arena);
    return merged;
}

/* Changes the resources of the job. The caller must then compute its sums again. */
static void
resources_per_node_apply(struct replicated_job *job, const struct gang_trainjob *trainjob,
                         bool replaces, struct arena *arena)
{
    struct container_resources *containers = pod_containers_copy(&job->resources, arena);
    struct container_resources *node;
    const struct resource_list none = {0};

    if (!containers)
        return;
    job->resources.containers = containers;
    job->requests_source = trainjob->resources_per_node;
    node = pod_container_find(&job->resources, TRAINER_NODE);
    if (!node)
        return;
    replaces = replaces && trainjob->node_requests.count + trainjob->node_limits.count;
    node->requests =
        resources_overlay(replaces ? &none : &node->requests, &trainjob->node_requests, arena);
    node->limits =
        resources_overlay(replaces ? &none : &node->limits, &trainjob->node_limits, arena);
}

/* ---- pod counts ---- */

static struct role *
first_trainer(struct gang_wishes *wishes)
{
    for (size_t i = 0; i < wishes->num_roles; i++)
        if (wishes->roles[i].ancestor == ANCESTOR_TRAINER)
            return &wishes->roles[i];
    return NULL;
}

static bool
counts_by_ml_policy(const struct role *role, const struct ml_policy *policy)
{
    return role->ancestor == ANCESTOR_TRAINER && policy->source_node;
}

static void
multiply_replicas(const struct trainer_job *job, struct gang_wishes *wishes, struct report *report)
{
    uint64_t largest = report->limits->value[GANG_LIMIT_COUNT_VALUE];

    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];

        /* The operator sets the replicas of the three ancestors to one. */
        role->count = role->operator_count *
                      (role->ancestor == ANCESTOR_NONE ? job->jobset.jobs[i].replicas : 1);
        if (role->count > INT32_MAX)
            find_note(report, role->source, MESSAGE_PODS_OVERFLOW_ROLE, SLICE_ARG(role->name));
        else if (role->count > 0 && (uint64_t)role->count > largest)
            find_note(report, role->source, MESSAGE_LIMIT_COUNT_VALUE, (long long)role->count,
                      (unsigned long long)largest);
    }
}

void
pod_counts_check_trainjob(const struct gang_trainjob *trainjob, struct report *report)
{
    if (trainjob->num_nodes_source && trainjob->num_nodes < 1)
        find_invalid(report, trainjob->num_nodes_source, MESSAGE_NUM_NODES_NOT_POSITIVE_TRAINJOB);
}

void
pod_counts_check_runtime(const struct ml_policy *policy, const struct jobset *jobset,
                         const struct role *roles, struct report *report)
{
    if (policy->num_nodes_source && policy->num_nodes < 1)
        find_invalid(report, policy->num_nodes_source, MESSAGE_NUM_NODES_NOT_POSITIVE_OPERATOR);
    for (size_t i = 0; i < jobset->count; i++)
        if (!counts_by_ml_policy(&roles[i], policy) && jobset->jobs[i].parallelism < 1)
            find_invalid(report, node_member(jobset->jobs[i].job_spec, SLICE("parallelism")),
                         MESSAGE_NUM_NODES_NOT_POSITIVE_OPERATOR);
}

static void
warn_of_mpi_counts(const struct trainer_job *job, struct gang_wishes *wishes, struct report *report)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;
    const struct role *trainer = first_trainer(wishes);

    if (policy->source != ML_MPI)
        return;
    if (policy->launcher_is_node && job->trainjob->num_nodes_source &&
        job->trainjob->num_nodes == 1)
        find_note(report, job->trainjob->num_nodes_source, MESSAGE_LAUNCHER_NODE_MINIMUM);
    if (policy->num_nodes > 1 && trainer && !slice_equal(trainer->name, TRAINER_NODE))
        find_note(report, policy->num_nodes_source, MESSAGE_LAUNCHER_SCALED,
                  (long long)policy->num_nodes, SLICE_ARG(trainer->name));
}

static void
warn_of_ignored_fields(const struct trainer_job *job, const struct gang_wishes *wishes,
                       struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];
        const struct replicated_job *replicated = &job->jobset.jobs[i];
        const struct node *completions =
            replicated->has_completions ? node_member(replicated->job_spec, SLICE("completions"))
                                        : NULL;

        if (node_int_or(completions, role->operator_count) != role->operator_count)
            find_note(report, completions, MESSAGE_COMPLETIONS_OVERWRITTEN,
                      (long long)role->operator_count);
        if (wishes->compatibility != COMPATIBILITY_NONE && role->count != role->operator_count)
            find_note(report, node_member(role->source, SLICE("replicas")),
                      MESSAGE_REPLICAS_IGNORED, (long long)role->operator_count,
                      (long long)role->count);
    }
}

/*
 * Sets `count` and `operator_count` of every role: the base count (parallelism, or the runtime's
 * numNodes for roles labelled trainer), then the effect of the trainjob's numNodes in the ML
 * plugin, then replicas. Reports counts that are not positive, exceed a limit, or are unexpected.
 */
static void
pod_counts_fill(const struct trainer_job *job, struct gang_wishes *wishes, struct report *report)
{
    struct role *role;
    size_t trainers = 0;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        /*
         * The operator raises a base count below one to one, but does not raise numNodes of the
         * trainjob.
         */
        int64_t count = counts_by_ml_policy(&wishes->roles[i], &job->runtime->ml_policy)
                            ? job->runtime->ml_policy.num_nodes
                            : job->jobset.jobs[i].parallelism;

        wishes->roles[i].operator_count = count > 1 ? count : 1;
    }
    role = job->runtime->ml_policy.source == ML_MPI ? wishes_find_role(wishes, TRAINER_NODE)
                                                    : first_trainer(wishes);
    if (job->trainjob->num_nodes_source && role) {
        role->operator_count = job->trainjob->num_nodes;
        if (job->runtime->ml_policy.source == ML_MPI && job->runtime->ml_policy.launcher_is_node)
            role->operator_count = job->trainjob->num_nodes > 2 ? job->trainjob->num_nodes - 1 : 1;
    }
    multiply_replicas(job, wishes, report);
    pod_counts_check_trainjob(job->trainjob, report);
    pod_counts_check_runtime(&job->runtime->ml_policy, &job->jobset, wishes->roles, report);
    warn_of_mpi_counts(job, wishes, report);
    if (job->trainjob->num_nodes_source && job->runtime->ml_policy.source != ML_MPI)
        for (size_t i = 0; i < wishes->num_roles; i++)
            if (wishes->roles[i].ancestor == ANCESTOR_TRAINER && ++trainers == 2)
                find_note(report, job->trainjob->num_nodes_source,
                          MESSAGE_SECOND_TRAINER_KEEPS_COUNT, SLICE_ARG(wishes->roles[i].name),
                          (long long)wishes->roles[i].operator_count);
    warn_of_ignored_fields(job, wishes, report);
}

/* ---- pod sets ---- */

static bool
pod_sets_are_overlaid(const struct role *role, const struct trainer_job *job, size_t index)
{
    return job->trainjob->resources_per_node &&
           resources_per_node_reach(job, &job->jobset.jobs[index],
                                    role->ancestor == ANCESTOR_TRAINER);
}

/*
 * Returns the job as the API server has it, which is in `changed` unless it is as in the runtime.
 */
static const struct replicated_job *
pod_sets_stored(const struct role *role, const struct trainer_job *job, size_t index,
                bool effective, const struct pod_admission *admission, struct report *report,
                struct replicated_job *changed)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];

    if (pod_sets_are_overlaid(role, job, index)) {
        *changed = *replicated;
        resources_per_node_apply(changed, job->trainjob, job->replaces_resources, report->arena);
        if (!effective)
            replicated_job_sum_requests(changed, report->arena);
        replicated_job_sum_effective_requests(changed, report->arena);
        replicated = changed;
    }
    if (effective && admission && pod_admission_matters(admission, replicated->pod_spec)) {
        bool has_own;

        if (replicated != changed)
            *changed = *replicated;
        /* Computes the requests of the pods after admission by the API server. */
        has_own = changed->effective_requests.count > 0;
        changed->resources =
            pod_admission_apply(admission, changed->pod_spec, &changed->resources, report);
        replicated_job_sum_effective_requests(changed, report->arena);
        changed->requests_are_defaults = !has_own && changed->effective_requests.count > 0;
        replicated = changed;
    }
    return replicated;
}

static void
pod_sets_request(struct role *role, const struct replicated_job *replicated, bool effective,
                 struct report *report)
{
    role->requests = effective ? replicated->effective_requests : replicated->requests;
    role->requests_are_defaults = effective && replicated->requests_are_defaults;
    if (!(effective ? replicated->effective_requests_fit : replicated->requests_fit))
        find_note(report, replicated->requests_source, MESSAGE_QUANTITY_OVERFLOW_POD);
    if (!effective && !resource_list_equal(&replicated->requests, &replicated->effective_requests))
        find_note(report, replicated->source, MESSAGE_LIMITS_NOT_COUNTED);
}

/*
 * Reports a resourcesPerNode that changes nothing, or that changes the launcher instead of the
 * nodes.
 */
static void
pod_sets_check_resources_reach(const struct trainer_job *job, const struct gang_wishes *wishes,
                               struct report *report)
{
    bool reaches_nodes = false;

    if (!job->trainjob->resources_per_node)
        return;
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];
        bool trains =
            job->runtime->ml_policy.source != ML_MPI || slice_equal(role->name, TRAINER_NODE);

        reaches_nodes |= trains && resources_per_node_reach(job, &job->jobset.jobs[i],
                                                            role->ancestor == ANCESTOR_TRAINER);
    }
    if (!reaches_nodes)
        find_note(report, job->trainjob->resources_per_node, MESSAGE_RESOURCES_NOT_APPLIED);
}

void
pod_sets_make(const struct trainer_job *job, struct gang_wishes *wishes,
              const struct pod_admission *admission, struct report *report)
{
    const struct jobset_roles roles = trainer_job_roles(job, report->arena);

    wishes->roles = roles.roles;
    wishes->num_roles = wishes->roles ? job->jobset.count : 0;
    wishes->is_ordered = roles.is_ordered;
    wishes->start_order = roles.start_order;
    if (!wishes->roles)
        return;
    for (size_t i = 0; i < wishes->num_roles; i++) {
        bool effective = wishes->compatibility == COMPATIBILITY_NONE;
        struct role *role = &wishes->roles[i];
        struct replicated_job changed;
        const struct replicated_job *stored =
            pod_sets_stored(role, job, i, effective, admission, report, &changed);

        pod_sets_request(role, stored, effective, report);
        pod_limits_check(
            &stored->resources,
            pod_sets_are_overlaid(role, job, i) ? job->trainjob->resources_per_node : NULL, report);
    }
    pod_counts_fill(job, wishes, report);
    pod_sets_check_resources_reach(job, wishes, report);
}

void
pod_sets_count_requests_only(const struct trainer_job *job, struct gang_wishes *wishes,
                             struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];
        struct replicated_job changed;

        pod_sets_request(role, pod_sets_stored(role, job, i, false, NULL, report, &changed), false,
                         report);
    }
}
