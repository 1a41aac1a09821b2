/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"

#define JOB_NAME_ROW(name, kind, group) {SLICE_INIT(kind), SLICE_INIT(group)},
const struct job_name job_names[JOB_NAME_COUNT] = {JOB_KINDS_OF_OWN(JOB_NAME_ROW)
                                                       JOB_KINDS(JOB_NAME_ROW)};

#define JOB_NAME_WORDS(name, kind, group) kind, kind "." group,
const char *const job_name_words[] = {JOB_NAME_ANY, JOB_KINDS_OF_OWN(JOB_NAME_WORDS)
                                                        JOB_KINDS(JOB_NAME_WORDS) NULL};

_Static_assert(JOB_NAME_COUNT < 64, "a set of kinds has a bit for each");

/* Returns the index of the kind; JOB_NAME_COUNT if there is none. An unset group is any. */
static size_t
job_names_find(struct slice kind, struct slice group)
{
    size_t i = 0;

    while (i < JOB_NAME_COUNT && (!slice_equal(job_names[i].kind, kind) ||
                                  (slice_is_set(group) && !slice_equal(job_names[i].group, group))))
        i++;
    return i;
}

static job_kind_set
job_names_set(size_t index)
{
    return index < JOB_NAME_COUNT ? (job_kind_set)1 << index : 0;
}

job_kind_set
job_names_selected(struct slice word)
{
    const struct slice kind = slice_before(word, '.');
    struct slice group = NO_SLICE;

    if (slice_equal(word, SLICE(JOB_NAME_ANY)))
        return JOB_KINDS_ALL;
    if (kind.len < word.len)
        group = slice_after(word, kind.len + 1);
    return job_names_set(job_names_find(kind, group));
}

job_kind_set
job_names_of(struct slice api_version, struct slice kind)
{
    return job_names_set(job_names_find(kind, slice_before(api_version, '/')));
}

/* ---- operators ---- */

#define JOB_OPERATOR_ROW(name, key, words) {SLICE_INIT(key), words},
const struct job_operator job_operators[JOB_OPERATOR_COUNT + 1] = {
    JOB_OPERATORS(JOB_OPERATOR_ROW){SLICE_INIT(""), "Kubernetes"}};

/*
 * ray-project/kuberay:ray-operator/controllers/ray/batchscheduler@v1.6.2: volcano makes a PodGroup
 * of every RayCluster and RayJob, the others none or only with a label of the job.
 */
static const struct operator_option operator_option_kuberay = {
    .of = JOB_OPERATOR_AT_kuberay,
    .option = "--batch-scheduler",
    .makes = SLICE_INIT("volcano"),
    .prefix = SLICE_INIT("ray-"),
    .suffix = SLICE_INIT("-pg"),
};

/* kubeflow/mpi-operator:cmd/mpi-operator/app/options/options.go@v0.8.2 */
static const struct operator_option operator_option_mpi = {
    .of = JOB_OPERATOR_AT_mpi,
    .option = "--gang-scheduling",
};

/* kubeflow/training-operator:pkg/controller.v1/common/job_controller.go@v1.9.4 */
static const struct operator_option operator_option_training = {
    .of = JOB_OPERATOR_AT_training,
    .option = "--gang-scheduler-name",
    .none = SLICE_INIT("None"),
};

/*
 * kubeflow/spark-operator:cmd/operator/controller/start.go@v2.5.2, for applications without a
 * batchScheduler; internal/scheduler/volcano names the PodGroup.
 */
static const struct operator_option operator_option_spark = {
    .of = JOB_OPERATOR_AT_spark,
    .option = "--default-batch-scheduler",
    .prefix = SLICE_INIT("spark-"),
    .suffix = SLICE_INIT("-pg"),
};

/* kubernetes-sigs/lws:pkg/schedulerprovider@v0.9.0, in the configuration of the manager */
static const struct operator_option operator_option_lws = {
    .of = JOB_OPERATOR_AT_lws,
    .option = "gangSchedulingManagement.schedulerProvider",
};

SELDOM bool
operator_option_makes_gangs(const struct operator_option *option, struct slice value)
{
    if (!value.len || (slice_is_set(option->none) && slice_equal(value, option->none)))
        return false;
    return !slice_is_set(option->makes) || slice_equal(value, option->makes);
}

SELDOM bool
operator_option_is_group(const struct operator_option *option, struct slice job, struct slice group)
{
    return slice_is_set(option->prefix) && slice_take(&group, option->prefix) &&
           slice_take(&group, job) && slice_equal(group, option->suffix);
}

/* ---- traits ---- */

#define ENDED(first, second)                                                                       \
    {                                                                                              \
        SLICE_INIT(first), SLICE_INIT(second)                                                      \
    }

/*
 * tests/kinds/releases compares these rows with the CRDs of the releases, but for KubeRay v1.7,
 * LWS v0.10 and JobSet v0.13 (kubernetes-sigs/jobset: KEP-969):
 * ray-project/kuberay:ray-operator/apis/ray/v1/ray{cluster,service}_types.go@v1.7.0,
 * kubernetes-sigs/lws:api/disaggregatedset/v1/disaggregatedset_types.go@v0.10.0.
 */
#define FIELD(at, major, minor, equal)                                                             \
    {                                                                                              \
        .path = at, .since = {true, major, minor, 0}, .same = SLICE_INIT(equal)                    \
    }
#define FIELDS_OF_RAY(cluster)                                                                     \
    FIELD(cluster "workerGroupSpecs[].suspend", 1, 3, "false"),                                    \
        FIELD(cluster "historyServerOptions.collectorOptions", 1, 7, "")

/* What most webhooks of Kueue read on a job. */
#define KUEUE_READS (KUEUE_HAS_INTEGRATION | KUEUE_READS_LABELS | KUEUE_TAKES_WORKLOAD)
#define KUEUE_READS_OF_RAY (KUEUE_READS | KUEUE_READS_GROUPS | KUEUE_TAKES_ELASTIC)

/* kubeflow/training-operator:pkg/apis/kubeflow.org/v1/common_types.go@v1.9.4 JobStatus, and of
 * MPIJobs kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1/types.go@v0.8.2 JobStatus */
#define STATUS_OF_TRAINING                                                                         \
    {                                                                                              \
        NULL, ENDED("Succeeded", "Failed"), COUNTS_OF_REPLICAS, SLICE_INIT("replicaStatuses")      \
    }
#define PODGROUPER_OF_ROLES "a group with a subgroup of each role"
#define PODGROUPER_OF_TRAINING .podgrouper = {.is_gang = true, .groups = PODGROUPER_OF_ROLES}
#define TRAITS_OF_TRAINING                                                                         \
    .status = STATUS_OF_TRAINING, .operator_option = &operator_option_training,                    \
    .released_with = JOB_OPERATOR_AT_training,                                                     \
    .fields = {FIELD("runPolicy.managedBy", 1, 9, "kubeflow.org/training-operator")}

#define TRAITS_OF_RAY                                                                              \
    .operator_option = &operator_option_kuberay, .released_with = JOB_OPERATOR_AT_kuberay,         \
    .kueue = KUEUE_READS_OF_RAY,                                                                   \
    .podgrouper = {.is_gang = true,                                                                \
                   .places_roles = true,                                                           \
                   .reads_least = true,                                                            \
                   .groups = "a group with minReplicas pods of each worker group, or with "        \
                             "replicas if that is 0"}

#define PODGROUPER_MINIMUM_1 "a group with the minimum 1"
#define PODGROUPER_OF_PODS                                                                         \
    {                                                                                              \
        .groups = "a group for each pod"                                                           \
    }

/*
 * Sources for all kinds. Kueue: kubernetes-sigs/kueue:pkg/controller@v0.19.2,
 * jobframework/validation.go (ValidateJobOnCreate, supportedElasticJobGVKs,
 * supportedPrebuiltWlJobGVKs), and in jobs the webhook of each kind
 * (ValidatePodSetGroupingTopology) and its PodsReady(). The podgrouper:
 * kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/hub/hub.go@d5bc503a and the plugins that it
 * names; PRs 617 (Ray), 1308 (Job) and 2098 (StatefulSet). It may not read PaddleJobs, and takes
 * their pods for pods without an owner: deployments/kai-scheduler/templates/rbac/podgrouper.yaml.
 */
const struct job_traits job_traits[JOB_NAME_COUNT] = {
    [JOB_NAME_AT_trainjob] =
        {
            /* kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 TrainJobStatus */
            .status = {NULL, ENDED("Complete", "Failed"), COUNTS_OF_ROLES,
                       SLICE_INIT("jobsStatus")},
            .released_with = JOB_OPERATOR_AT_trainer,
            .fields = {FIELD("runtimePatches", 2, 2, "")},
            /* kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go@v2.3.0 */
            .is_parent = true,
            .kueue = KUEUE_READS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST | KUEUE_QUEUES_PODS_TOO,
        },
    [JOB_NAME_AT_ray_cluster] =
        {
            TRAITS_OF_RAY,
            .fields = {FIELD("managedBy", 1, 3, "ray.io/kuberay-operator"), FIELDS_OF_RAY("")},
            /* ray-project/kuberay:ray-operator/controllers/ray/raycluster_controller.go@v1.6.2 */
            .is_parent = true,
        },
    [JOB_NAME_AT_ray_job] =
        {
            TRAITS_OF_RAY,
            .fields = {FIELD("managedBy", 1, 3, "ray.io/kuberay-operator"),
                       FIELDS_OF_RAY("rayClusterSpec.")},
            /*
             * ray-project/kuberay:ray-operator/apis/ray/v1/rayjob_types.go@v1.6.2
             * JobDeploymentStatus. `jobStatus` is FAILED before each retry, too.
             */
            .status = {"jobDeploymentStatus", ENDED("Complete", "Failed"), COUNTS_NONE, {NULL, 0}},
            /* ray-project/kuberay:ray-operator/controllers/ray/rayjob_controller.go@v1.6.2 */
            .is_parent = true,
        },
    [JOB_NAME_AT_ray_service] =
        {
            TRAITS_OF_RAY,
            .fields = {FIELD("managedBy", 1, 6, "ray.io/kuberay-operator"),
                       FIELD("suspend", 1, 7, "false"), FIELDS_OF_RAY("rayClusterConfig.")},
        },
    [JOB_NAME_AT_lws] =
        {
            /* kubernetes-sigs/lws:pkg/controllers/leaderworkerset_controller.go@v0.9.0 */
            .is_parent = true,
            .operator_option = &operator_option_lws,
            .released_with = JOB_OPERATOR_AT_lws,
            .fields = {FIELD("leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType", 0, 6,
                             "LeaderWorker")},
            /* GetWorkloadName in jobs/leaderworkerset/leaderworkerset_controller.go */
            .kueue = KUEUE_HAS_INTEGRATION | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST |
                     KUEUE_NUMBERS_WORKLOADS,
            .podgrouper = {.is_gang = true,
                           .has_segments = true,
                           .groups = "a group for each replica, under LeaderReady with the minimum "
                                     "1 until the leader has a node"},
        },
    [JOB_NAME_AT_disaggregated_set] =
        {
            /* kubernetes-sigs/lws:pkg/controllers/disaggregatedset/lws_manager.go@v0.9.0 */
            .is_parent = true,
            .operator_option = &operator_option_lws, /* of its LeaderWorkerSets */
            .released_with = JOB_OPERATOR_AT_lws,
            .fields = {FIELD("slices", 0, 10, "1")},
        },
    [JOB_NAME_AT_role_based_group] =
        {
            /* sgl-project/rbg:pkg/reconciler/roleinstanceset_reconciler.go@07076724 */
            .is_parent = true,
        },
    [JOB_NAME_AT_mpi_job] =
        {
            .status = STATUS_OF_TRAINING,
            /* kubeflow/mpi-operator:pkg/controller/mpi_job_controller.go newLauncherJob@v0.8.2 */
            .is_parent = true,
            .operator_option = &operator_option_mpi,
            .released_with = JOB_OPERATOR_AT_mpi,
            .fields = {FIELD("launcherCreationPolicy", 0, 5, "AtStartup"),
                       FIELD("runPolicy.managedBy", 0, 6, "kubeflow.org/mpi-operator")},
            .kueue = KUEUE_READS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST,
            PODGROUPER_OF_TRAINING,
        },
    [JOB_NAME_AT_pytorch_job] = {TRAITS_OF_TRAINING,
                                 .podgrouper = {.is_gang = true,
                                                .has_segments = true,
                                                .groups = PODGROUPER_OF_ROLES},
                                 .kueue = KUEUE_READS},
    [JOB_NAME_AT_tf_job] = {TRAITS_OF_TRAINING, PODGROUPER_OF_TRAINING, .kueue = KUEUE_READS},
    [JOB_NAME_AT_xgboost_job] = {TRAITS_OF_TRAINING, PODGROUPER_OF_TRAINING, .kueue = KUEUE_READS},
    [JOB_NAME_AT_paddle_job] = {TRAITS_OF_TRAINING, .podgrouper = PODGROUPER_OF_PODS,
                                .kueue = KUEUE_READS},
    [JOB_NAME_AT_jax_job] = {TRAITS_OF_TRAINING, PODGROUPER_OF_TRAINING,
                             .kueue = KUEUE_HAS_INTEGRATION | KUEUE_READS_LABELS},
    [JOB_NAME_AT_spark_application] =
        {
            /*
             * kubeflow/spark-operator:api/v1beta2/sparkapplication_types.go@v2.5.2
             * ApplicationStateType. FAILING, SUCCEEDING and SUBMISSION_FAILED may be followed by
             * another run.
             */
            .status =
                {"applicationState.state", ENDED("COMPLETED", "FAILED"), COUNTS_NONE, {NULL, 0}},
            .operator_option = &operator_option_spark,
            .released_with = JOB_OPERATOR_AT_spark,
            .fields = {FIELD("suspend", 2, 4, "false")},
            .kueue = KUEUE_HAS_INTEGRATION | KUEUE_READS_LABELS | KUEUE_READY_AT_LAST,
            .podgrouper = {.groups = PODGROUPER_MINIMUM_1},
        },
    [JOB_NAME_AT_job] =
        {
            /* k8s.io/api:batch/v1/types.go@v0.35.0 JobStatus */
            .status = {NULL, ENDED("Complete", "Failed"), COUNTS_OF_PODS, SLICE_INIT("active")},
            /* kubernetes/kubernetes:pkg/controller/job/job_scheduling_manager.go@v1.36.3
             * buildPodGroupTemplates, @v1.37.1 podGroupTemplateName */
            .template_suffix = SLICE_INIT("-pgt-0"),
            /* kubernetes/kubernetes:pkg/api/job/util.go@v1.37.1 DropDisabledFields,
             * pkg/controller/job/job_scheduling_manager.go@v1.37.2 and @v1.38.0-beta.0
             * getManagementMode */
            .released_with = JOB_OPERATOR_NONE,
            .fields = {{.path = "scheduling",
                        .since = {true, 1, 37, 0},
                        .gate = SLICE_INIT("WorkloadWithJob"),
                        .of_owned = {true, 1, 38, 0}}},
            .kueue = KUEUE_READS | KUEUE_TAKES_ELASTIC | KUEUE_ADMITS_PART,
            .podgrouper = {.is_annotated = true,
                           .groups = PODGROUPER_MINIMUM_1
                           ", or from v0.14.1 on that of kai.scheduler/batch-min-member"},
        },
    [JOB_NAME_AT_jobset] =
        {
            /* kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 JobSetStatus */
            .status = {NULL, ENDED("Completed", "Failed"), COUNTS_OF_ROLES,
                       SLICE_INIT("replicatedJobsStatus")},
            /* kubernetes-sigs/jobset:pkg/controllers/jobset_controller.go@v0.12.0 */
            .is_parent = true,
            .released_with = JOB_OPERATOR_AT_jobset,
            .fields = {FIELD("replicatedJobs[].dependsOn", 0, 8, ""),
                       FIELD("scheduling", 0, 13, "")},
            .kueue = KUEUE_READS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST,
            .podgrouper = {.is_gang = true,
                           .is_of_trainjob = true,
                           .groups = "the group that it makes for the JobSet of a TrainJob"},
        },
    [JOB_NAME_AT_stateful_set] = {.kueue = KUEUE_HAS_INTEGRATION | KUEUE_READS_PODS,
                                  .podgrouper = {.groups = PODGROUPER_MINIMUM_1}},
    [JOB_NAME_AT_pod_list] = {.kueue = KUEUE_HAS_INTEGRATION | KUEUE_READS_PODS,
                              .podgrouper = PODGROUPER_OF_PODS},
    [JOB_NAME_AT_appwrapper] =
        {
            /* project-codeflare/appwrapper:api/v1beta2/appwrapper_types.go@v1.2.2 AppWrapperPhase
             */
            .status = {"phase", ENDED("Succeeded", "Failed"), COUNTS_NONE, {NULL, 0}},
            .kueue = KUEUE_READS,
        },
};

const struct job_traits *
job_traits_of(struct slice api_version, struct slice kind)
{
    static const struct job_traits none;
    const size_t index = job_names_find(kind, slice_before(api_version, '/'));

    return slice_is_set(api_version) && index < JOB_NAME_COUNT ? &job_traits[index] : &none;
}

bool
job_kind_has_parts(struct slice api_version, struct slice kind)
{
    return job_traits_of(api_version, kind)->is_parent ||
           (slice_equal(kind, SLICE("Pod")) && slice_has_prefix(api_version, SLICE("v1")));
}
