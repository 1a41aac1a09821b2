/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

/* Where the status counts the pods that have not ended. */
enum status_counts {
    COUNTS_NONE,
    COUNTS_OF_ROLES,    /* a list of roles by name: `active` and `ready` Jobs */
    COUNTS_OF_REPLICAS, /* a map of types: `active` pods */
    COUNTS_OF_PODS      /* a number of pods */
};

/* How the status of a kind says that the job has ended. */
struct status_rule {
    struct slice group;
    struct slice kind;
    const char *path; /* of a text below the status; NULL: conditions that are true */
    struct slice ended[2];
    enum status_counts counts;
    struct slice counted; /* the member of the status with the counts */
};

#define ENDED(first, second)                                                                       \
    {                                                                                              \
        SLICE_INIT(first), SLICE_INIT(second)                                                      \
    }
/* kubeflow/training-operator:pkg/apis/kubeflow.org/v1/common_types.go@v1.9.3 JobStatus */
#define STATUS_OF_TRAINING(name)                                                                   \
    {                                                                                              \
        SLICE_INIT("kubeflow.org"), SLICE_INIT(name), NULL, ENDED("Succeeded", "Failed"),          \
            COUNTS_OF_REPLICAS, SLICE_INIT("replicaStatuses")                                      \
    }

/*
 * A kind without a row does not end: RayCluster, RayService, LeaderWorkerSet, StatefulSet. Of the
 * owner of a GangJob that no row knows, nothing can be said.
 */
static const struct status_rule status_rules[] = {
    /* kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 TrainJobStatus */
    {SLICE_INIT("trainer.kubeflow.org"), SLICE_INIT("TrainJob"), NULL, ENDED("Complete", "Failed"),
     COUNTS_OF_ROLES, SLICE_INIT("jobsStatus")},
    /* kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 JobSetStatus */
    {SLICE_INIT("jobset.x-k8s.io"), SLICE_INIT("JobSet"), NULL, ENDED("Completed", "Failed"),
     COUNTS_OF_ROLES, SLICE_INIT("replicatedJobsStatus")},
    /* k8s.io/api:batch/v1/types.go@v0.35.0 JobStatus */
    {SLICE_INIT("batch"), SLICE_INIT("Job"), NULL, ENDED("Complete", "Failed"), COUNTS_OF_PODS,
     SLICE_INIT("active")},
    /*
     * ray-project/kuberay:ray-operator/apis/ray/v1/rayjob_types.go@v1.6.2 JobDeploymentStatus.
     * `jobStatus` is FAILED before each retry, too.
     */
    {SLICE_INIT("ray.io"),
     SLICE_INIT("RayJob"),
     "jobDeploymentStatus",
     ENDED("Complete", "Failed"),
     COUNTS_NONE,
     {NULL, 0}},
    /* kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1/types.go@v0.8.2 JobStatus, as the next */
    STATUS_OF_TRAINING("MPIJob"),
    STATUS_OF_TRAINING("PyTorchJob"),
    STATUS_OF_TRAINING("TFJob"),
    STATUS_OF_TRAINING("XGBoostJob"),
    STATUS_OF_TRAINING("PaddleJob"),
    STATUS_OF_TRAINING("JAXJob"),
    /*
     * kubeflow/spark-operator:api/v1beta2/sparkapplication_types.go@v2.5.2 ApplicationStateType.
     * FAILING, SUCCEEDING and SUBMISSION_FAILED may be followed by another run.
     */
    {SLICE_INIT("sparkoperator.k8s.io"),
     SLICE_INIT("SparkApplication"),
     "applicationState.state",
     ENDED("COMPLETED", "FAILED"),
     COUNTS_NONE,
     {NULL, 0}},
    /* project-codeflare/appwrapper:api/v1beta2/appwrapper_types.go@v1.2.2 AppWrapperPhase */
    {SLICE_INIT("workload.codeflare.dev"),
     SLICE_INIT("AppWrapper"),
     "phase",
     ENDED("Succeeded", "Failed"),
     COUNTS_NONE,
     {NULL, 0}},
};

static const struct status_rule *
status_rule_of(struct slice group, struct slice kind)
{
    for (size_t i = 0; i < COUNT_OF(status_rules); i++)
        if (slice_equal(status_rules[i].kind, kind) && slice_equal(status_rules[i].group, group))
            return &status_rules[i];
    return NULL;
}

bool
live_status_is_read(struct slice group, struct slice kind)
{
    return status_rule_of(group, kind) != NULL;
}

/* ---- the end ---- */

static bool
status_has_condition(const struct node *status, struct slice type)
{
    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), type) &&
            slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("True")))
            return true;
    return false;
}

bool
live_status_has_ended(struct slice group, struct slice kind, const struct node *status)
{
    const struct status_rule *rule = status_rule_of(group, kind);

    for (size_t i = 0; rule && i < COUNT_OF(rule->ended); i++)
        if (rule->path ? slice_equal(node_string(node_at(status, rule->path)), rule->ended[i])
                       : status_has_condition(status, rule->ended[i]))
            return true;
    return false;
}

/* ---- pods ---- */

static bool
status_is_positive(const struct node *number)
{
    int64_t count = 0;

    return node_int(number, &count) && count > 0;
}

/*
 * Reads counts of Jobs that have pods which have not ended. `active` does not include the ready
 * Jobs.
 */
static bool
status_has_active(const struct node *counts)
{
    return status_is_positive(node_member(counts, SLICE("active"))) ||
           status_is_positive(node_member(counts, SLICE("ready")));
}

static bool
status_has_members(const struct gang *gang, const struct node *list, struct arena *arena)
{
    const struct node_index jobs = node_index_make(list, arena);

    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE &&
            status_has_active(node_index_find(&jobs, gang->roles[i].name)))
            return true;
    return false;
}

/* All roles of these kinds are members, so their names need not be compared. */
static bool
status_has_replicas(const struct node *types)
{
    for (NODE_EACH(type, types))
        if (status_is_positive(node_member(type, SLICE("active"))))
            return true;
    return false;
}

bool
live_status_has_pods(struct slice group, struct slice kind, const struct gang *gang,
                     const struct node *status, struct arena *arena)
{
    const struct status_rule *rule = status_rule_of(group, kind);
    const struct node *counted = rule ? node_member(status, rule->counted) : NULL;

    switch (rule ? rule->counts : COUNTS_NONE) {
    case COUNTS_OF_ROLES:
        return status_has_members(gang, counted, arena);
    case COUNTS_OF_REPLICAS:
        return status_has_replicas(counted);
    case COUNTS_OF_PODS:
        return status_is_positive(counted);
    case COUNTS_NONE:
        break;
    }
    return false;
}
