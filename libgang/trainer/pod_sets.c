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

/* Returns the first role labelled trainer at or behind `i`; NULL if there is none. */
static struct role *
next_trainer(struct gang_wishes *wishes, size_t i)
{
    for (; i < wishes->num_roles; i++)
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
pod_counts_set(struct role *role, const struct replicated_job *replicated, int64_t operator_count)
{
    /* The operator sets the replicas of the three ancestors to one. */
    const int64_t replicas = role->ancestor == ANCESTOR_NONE ? replicated->replicas : 1;

    role->operator_count = operator_count;
    role->count = integer_multiply_capped(operator_count, replicas);
}

void
pod_counts_start(const struct ml_policy *policy, const struct replicated_job *replicated,
                 struct role *role)
{
    /* The operator raises a base count below one to one, but not numNodes of the trainjob. */
    const int64_t count =
        counts_by_ml_policy(role, policy) ? policy->num_nodes : replicated->parallelism;

    pod_counts_set(role, replicated, count > 1 ? count : 1);
}

void
pod_counts_check_trainjob(const struct gang_trainjob *trainjob, struct report *report)
{
    if (trainjob->num_nodes_source && trainjob->num_nodes < 1)
        find_invalid(report, trainjob->num_nodes_source, MESSAGE_NUM_NODES_NOT_POSITIVE_TRAINJOB);
}

bool
pod_counts_check_runtime(const struct ml_policy *policy, const struct jobset *jobset,
                         const struct role *roles, struct report *report)
{
    bool is_sound = !(policy->num_nodes_source && policy->num_nodes < 1);

    if (!is_sound && report)
        find_invalid(report, policy->num_nodes_source, MESSAGE_NUM_NODES_NOT_POSITIVE_OPERATOR);
    for (size_t i = 0; i < jobset->count; i++) {
        const struct replicated_job *job = &jobset->jobs[i];

        if (counts_by_ml_policy(&roles[i], policy) || job->parallelism >= 1)
            continue;
        is_sound = false;
        if (report)
            find_invalid(report, node_member(job->job_spec, SLICE("parallelism")),
                         MESSAGE_NUM_NODES_NOT_POSITIVE_OPERATOR);
    }
    return is_sound;
}

static void
warn_of_mpi_counts(const struct trainer_job *job, const struct role *trainer, struct report *report)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;

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
 * Lets the trainjob's numNodes replace the count of the role that the ML plugin selects. Reports
 * counts that are not positive, exceed a limit, or are unexpected.
 */
static void
pod_counts_fill(const struct trainer_job *job, struct gang_wishes *wishes, struct report *report)
{
    const struct gang_runtime *runtime = job->runtime;
    const bool is_mpi = runtime->ml_policy.source == ML_MPI;
    const bool is_set = job->trainjob->num_nodes_source != NULL;
    const uint64_t largest = report->limits->value[GANG_LIMIT_COUNT_VALUE];
    int64_t nodes = job->trainjob->num_nodes;
    struct role *trainer = next_trainer(wishes, 0);
    struct role *role = is_mpi ? wishes_find_role(wishes, TRAINER_NODE) : trainer;
    const struct role *second =
        trainer ? next_trainer(wishes, (size_t)(trainer - wishes->roles) + 1) : NULL;

    if (is_mpi && runtime->ml_policy.launcher_is_node) /* the launcher is the other one */
        nodes = nodes > 2 ? nodes - 1 : 1;
    if (is_set && role)
        pod_counts_set(role, &job->jobset.jobs[role - wishes->roles], nodes);
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *one = &wishes->roles[i];

        if (one->count > INT32_MAX)
            find_note(report, one->source, MESSAGE_PODS_OVERFLOW_ROLE, SLICE_ARG(one->name));
        else if (one->count > 0 && (uint64_t)one->count > largest)
            find_note(report, one->source, MESSAGE_LIMIT_COUNT_VALUE, (long long)one->count,
                      (unsigned long long)largest);
    }
    pod_counts_check_trainjob(job->trainjob, report);
    if (job->jobset.jobs != runtime->jobset.jobs || !runtime->counts_are_sound)
        pod_counts_check_runtime(&runtime->ml_policy, &job->jobset, wishes->roles, report);
    if (is_mpi)
        warn_of_mpi_counts(job, trainer, report);
    else if (is_set && second)
        find_note(report, job->trainjob->num_nodes_source, MESSAGE_SECOND_TRAINER_KEEPS_COUNT,
                  SLICE_ARG(second->name), (long long)second->operator_count);
    if (job->jobset.has_completions || wishes->compatibility != COMPATIBILITY_NONE)
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

static bool
pod_sets_are_admitted(const struct pod_admission *admission,
                      const struct replicated_job *replicated)
{
    return admission && pod_admission_matters(admission, replicated->pod_spec);
}

void
pod_sets_judge_pods(struct jobset *jobset)
{
    for (size_t i = 0; i < jobset->count; i++) {
        struct replicated_job *job = &jobset->jobs[i];

        /* A patch changes the sums of what does not survive JSON. */
        job->pods_are_sound = job->survives_json && job->sums[POD_REQUESTS_EFFECTIVE].fits &&
                              pod_limits_check(&job->resources, NULL, NULL);
    }
}

/*
 * Returns the job as the API server has it, which is in `changed` unless it is as in the runtime.
 */
static const struct replicated_job *
pod_sets_stored(const struct trainer_job *job, size_t index, bool is_overlaid, bool effective,
                const struct pod_admission *admission, struct report *report,
                struct replicated_job *changed)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];

    if (is_overlaid) {
        *changed = *replicated;
        resources_per_node_apply(changed, job->trainjob, job->replaces_resources, report->arena);
        if (!effective)
            replicated_job_sum_requests(changed, POD_REQUESTS_ONLY, report->arena);
        replicated_job_sum_requests(changed, POD_REQUESTS_EFFECTIVE, report->arena);
        replicated = changed;
    }
    if (effective && pod_sets_are_admitted(admission, replicated)) {
        const struct resource_list *sum = &changed->sums[POD_REQUESTS_EFFECTIVE].requests;
        bool has_own;

        if (replicated != changed)
            *changed = *replicated;
        /* Computes the requests of the pods after admission by the API server. */
        has_own = sum->count > 0;
        changed->resources =
            pod_admission_apply(admission, changed->pod_spec, &changed->resources, report);
        replicated_job_sum_requests(changed, POD_REQUESTS_EFFECTIVE, report->arena);
        changed->requests_are_defaults = !has_own && sum->count > 0;
        replicated = changed;
    }
    return replicated;
}

static inline void
pod_sets_request(struct role *role, const struct replicated_job *replicated, bool effective,
                 struct report *report)
{
    const struct pod_sum *sums = replicated->sums;
    const struct pod_sum *sum = &sums[effective ? POD_REQUESTS_EFFECTIVE : POD_REQUESTS_ONLY];

    role->requests = sum->requests;
    role->requests_are_defaults = effective && replicated->requests_are_defaults;
    if (!sum->fits)
        find_note(report, replicated->requests_source, MESSAGE_QUANTITY_OVERFLOW_POD);
    if (!effective && !resource_list_equal(&sum->requests, &sums[POD_REQUESTS_EFFECTIVE].requests))
        find_note(report, replicated->source, MESSAGE_LIMITS_NOT_COUNTED);
}

/* Returns whether the trainjob's resourcesPerNode reaches the role. */
static bool
pod_sets_fill(struct role *role, const struct trainer_job *job, size_t index, bool effective,
              const struct pod_admission *admission, struct report *report)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    const bool is_overlaid = pod_sets_are_overlaid(role, job, index);
    struct replicated_job changed;

    if (effective && replicated->pods_are_sound && !is_overlaid &&
        !pod_sets_are_admitted(admission, replicated))
        return false; /* the role is as in the runtime, which has nothing to report */
    replicated = pod_sets_stored(job, index, is_overlaid, effective, admission, report, &changed);
    pod_sets_request(role, replicated, effective, report);
    pod_limits_check(&replicated->resources, is_overlaid ? job->trainjob->resources_per_node : NULL,
                     report);
    return is_overlaid;
}

void
pod_sets_make(const struct trainer_job *job, struct gang_wishes *wishes,
              const struct pod_admission *admission, struct report *report)
{
    const struct jobset_roles roles = trainer_job_roles(job, report->arena);
    const bool effective = wishes->compatibility == COMPATIBILITY_NONE;
    bool reaches_nodes = false;

    wishes->roles = roles.roles;
    wishes->num_roles = wishes->roles ? job->jobset.count : 0;
    wishes->is_ordered = roles.is_ordered;
    wishes->start_order = roles.start_order;
    if (!wishes->roles)
        return;
    for (size_t i = 0; i < wishes->num_roles; i++)
        if (pod_sets_fill(&wishes->roles[i], job, i, effective, admission, report))
            reaches_nodes |= job->runtime->ml_policy.source != ML_MPI ||
                             slice_equal(wishes->roles[i].name, TRAINER_NODE);
    pod_counts_fill(job, wishes, report);
    /* It changes nothing, or changes the launcher instead of the nodes. */
    if (job->trainjob->resources_per_node && !reaches_nodes)
        find_note(report, job->trainjob->resources_per_node, MESSAGE_RESOURCES_NOT_APPLIED);
}

void
pod_sets_count_requests_only(const struct trainer_job *job, struct gang_wishes *wishes,
                             struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];
        const bool is_overlaid = pod_sets_are_overlaid(role, job, i);
        struct replicated_job changed;

        pod_sets_request(role, pod_sets_stored(job, i, is_overlaid, false, NULL, report, &changed),
                         false, report);
    }
}
