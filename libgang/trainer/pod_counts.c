/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_counts.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/vocabulary.h"

static struct role *
first_trainer(struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].ancestor == ANCESTOR_TRAINER)
            return &gang->roles[i];
    return NULL;
}

static struct role *
role_named(struct gang *gang, struct slice name)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (slice_equal(gang->roles[i].name, name))
            return &gang->roles[i];
    return NULL;
}

static bool
counts_by_ml_policy(const struct role *role, const struct ml_policy *policy)
{
    return role->ancestor == ANCESTOR_TRAINER && policy->source_node;
}

/* The operator raises a base count below one to one, but not a numNodes of the trainjob. */
static int64_t
base_count(const struct role *role, const struct replicated_job *job, const struct ml_policy *policy)
{
    int64_t count = counts_by_ml_policy(role, policy) ? policy->num_nodes : job->parallelism;

    return count > 1 ? count : 1;
}

/* The role whose pods the trainjob's numNodes counts; NULL when no role hears of it. */
static struct role *
role_of_num_nodes(const struct ml_policy *policy, struct gang *gang)
{
    return policy->source == ML_MPI ? role_named(gang, TRAINER_NODE) : first_trainer(gang);
}

static int64_t
nodes_beside_launcher(int64_t num_nodes)
{
    return num_nodes > 2 ? num_nodes - 1 : 1;
}

static void
apply_num_nodes(const struct trainer_job *job, struct gang *gang)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;
    struct role *role = role_of_num_nodes(policy, gang);

    if (!job->trainjob->num_nodes_source || !role)
        return;
    role->operator_count = job->trainjob->num_nodes;
    if (policy->source == ML_MPI && policy->launcher_is_node)
        role->operator_count = nodes_beside_launcher(job->trainjob->num_nodes);
}

/* The operator sets replicas of the three ancestors to one. */
static int64_t
replicas_of(const struct role *role, const struct replicated_job *job)
{
    return role->ancestor == ANCESTOR_NONE ? job->replicas : 1;
}

static void
multiply_replicas(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch)
{
    uint64_t largest = scratch->limits->value[GANG_LIMIT_COUNT_VALUE];

    for (size_t i = 0; i < gang->num_roles; i++) {
        struct role *role = &gang->roles[i];

        role->count = role->operator_count * replicas_of(role, &job->jobset.jobs[i]);
        if (role->count > INT32_MAX)
            find_note(
                scratch->report, GANG_CODE_PODS_OVERFLOW, role->source, NULL,
                "the product of replicas and parallelism must not exceed 2147483647 for replicatedJob '%.*s'",
                SLICE_ARG(role->name));
        else if (role->count > 0 && (uint64_t)role->count > largest)
            find_note(scratch->report, GANG_CODE_LIMIT_COUNT_VALUE, role->source, NULL,
                      "Invalid value: %lld: must be at most %llu pods", (long long)role->count,
                      (unsigned long long)largest);
    }
}

static void
check_positive(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;
    const struct gang_trainjob *trainjob = job->trainjob;

    if (trainjob->num_nodes_source && trainjob->num_nodes < 1)
        find_invalid(report, GANG_CODE_NUM_NODES_NOT_POSITIVE, trainjob->num_nodes_source, NULL,
                     "must be greater than or equal to 1");
    if (policy->num_nodes_source && policy->num_nodes < 1)
        find_invalid(report, GANG_CODE_NUM_NODES_NOT_POSITIVE, policy->num_nodes_source,
                     "the operator creates one pod", "must be greater than or equal to 1");
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!counts_by_ml_policy(&gang->roles[i], policy) && job->jobset.jobs[i].parallelism < 1)
            find_invalid(report, GANG_CODE_NUM_NODES_NOT_POSITIVE,
                         node_member(job->jobset.jobs[i].job_spec, SLICE("parallelism")),
                         "the operator creates one pod", "must be greater than or equal to 1");
}

static void
warn_of_mpi_counts(const struct trainer_job *job, struct gang *gang, struct report *report)
{
    const struct ml_policy *policy = &job->runtime->ml_policy;
    const struct role *trainer = first_trainer(gang);

    if (policy->source != ML_MPI)
        return;
    if (policy->launcher_is_node && job->trainjob->num_nodes_source && job->trainjob->num_nodes == 1)
        find_note(report, GANG_CODE_LAUNCHER_NODE_MINIMUM, job->trainjob->num_nodes_source, NULL,
                  "one node with runLauncherAsNode: the operator creates a launcher and a node, two pods");
    if (policy->num_nodes > 1 && trainer && !slice_equal(trainer->name, TRAINER_NODE))
        find_note(report, GANG_CODE_LAUNCHER_SCALED, policy->num_nodes_source, NULL,
                  "mlPolicy.numNodes makes %lld pods of the role %.*s, not of the nodes",
                  (long long)policy->num_nodes, SLICE_ARG(trainer->name));
}

static void
warn_of_second_trainer(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    size_t trainers = 0;

    if (!job->trainjob->num_nodes_source || job->runtime->ml_policy.source == ML_MPI)
        return;
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].ancestor == ANCESTOR_TRAINER && ++trainers == 2)
            find_note(report, GANG_CODE_SECOND_TRAINER_KEEPS_COUNT, job->trainjob->num_nodes_source, NULL,
                      "numNodes reaches only the first role labelled trainer; %.*s keeps %lld pods",
                      SLICE_ARG(gang->roles[i].name), (long long)gang->roles[i].operator_count);
}

static void
warn_of_ignored_fields(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        const struct replicated_job *replicated = &job->jobset.jobs[i];
        const struct node *completions = node_member(replicated->job_spec, SLICE("completions"));
        int64_t value;

        if (node_int(completions, &value) && value != role->operator_count)
            find_note(report, GANG_CODE_COMPLETIONS_OVERWRITTEN, completions, NULL,
                      "the operator sets completions to %lld", (long long)role->operator_count);
        if (gang->compatibility != COMPATIBILITY_NONE && role->count != role->operator_count)
            find_note(report, GANG_CODE_REPLICAS_IGNORED, node_member(role->source, SLICE("replicas")), NULL,
                      "%lld pods of %lld are counted", (long long)role->operator_count,
                      (long long)role->count);
    }
}

void
pod_counts_fill(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        gang->roles[i].operator_count =
            base_count(&gang->roles[i], &job->jobset.jobs[i], &job->runtime->ml_policy);
    apply_num_nodes(job, gang);
    multiply_replicas(job, gang, scratch);
    check_positive(job, gang, scratch->report);
    warn_of_mpi_counts(job, gang, scratch->report);
    warn_of_second_trainer(job, gang, scratch->report);
    warn_of_ignored_fields(job, gang, scratch->report);
}
