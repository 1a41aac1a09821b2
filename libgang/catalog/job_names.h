/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_JOB_NAMES_H
#define LIBGANG_CATALOG_JOB_NAMES_H

#include "libgang/base/text.h"
#include "libgang/kube/names.h"

/*
 * The kinds of job that are translated to a GangJob, each with its API group. A row NAME needs
 * NAME_job_kind in jobs/kind_NAME.c, and has a row in job_traits.
 */
#define JOB_KINDS(ROW)                                                                             \
    ROW(gang_job, "GangJob", "policy.libgang.dev")                                                 \
    ROW(ray_cluster, "RayCluster", "ray.io")                                                       \
    ROW(ray_job, "RayJob", "ray.io")                                                               \
    ROW(ray_service, "RayService", "ray.io")                                                       \
    ROW(lws, "LeaderWorkerSet", "leaderworkerset.x-k8s.io")                                        \
    ROW(disaggregated_set, "DisaggregatedSet", "disaggregatedset.x-k8s.io")                        \
    ROW(role_based_group, "RoleBasedGroup", "workloads.x-k8s.io")                                  \
    ROW(mpi_job, "MPIJob", "kubeflow.org")                                                         \
    ROW(pytorch_job, "PyTorchJob", "kubeflow.org")                                                 \
    ROW(tf_job, "TFJob", "kubeflow.org")                                                           \
    ROW(xgboost_job, "XGBoostJob", "kubeflow.org")                                                 \
    ROW(paddle_job, "PaddleJob", "kubeflow.org")                                                   \
    ROW(jax_job, "JAXJob", "kubeflow.org")                                                         \
    ROW(spark_application, "SparkApplication", "sparkoperator.k8s.io")                             \
    ROW(job, "Job", "batch")                                                                       \
    ROW(jobset, "JobSet", "jobset.x-k8s.io")                                                       \
    ROW(stateful_set, "StatefulSet", "apps")                                                       \
    ROW(pod_list, "PodList", "v1")                                                                 \
    ROW(appwrapper, "AppWrapper", "workload.codeflare.dev")

/* The kinds that have a front end of their own. */
#define JOB_KINDS_OF_OWN(ROW)                                                                      \
    ROW(trainjob, "TrainJob", "trainer.kubeflow.org")                                              \
    ROW(podgang, "PodGang", "scheduler.grove.io")                                                  \
    ROW(podcliqueset, "PodCliqueSet", "grove.io")

/*
 * Kubernetes 1.35 has this field of pods where later releases have schedulingGroup. Source:
 * kubernetes/kubernetes:pkg/apis/core/types.go PodSpec.WorkloadRef@v1.35.0
 */
#define FORMER_POD_FIELD "workloadRef"

/* kubernetes-sigs/kueue:apis/kueue/v1beta2/multikueue_types.go MultiKueueControllerName@v0.19.2 */
#define MULTIKUEUE_MANAGER SLICE("kueue.x-k8s.io/multikueue")

struct job_name {
    struct slice kind;
    struct slice group;
};

#define JOB_NAME_PLACE(name, kind, group) JOB_NAME_AT_##name,
enum { JOB_KINDS_OF_OWN(JOB_NAME_PLACE) JOB_KINDS(JOB_NAME_PLACE) JOB_NAME_COUNT };

extern const struct job_name job_names[JOB_NAME_COUNT];

/*
 * Sets of kinds, one bit for each. A PodGang belongs to a PodCliqueSet, so each of them is of both
 * kinds.
 */
typedef uint64_t job_kind_set;
#define JOB_NAME_BIT(name) ((job_kind_set)1 << JOB_NAME_AT_##name)
#define JOB_KINDS_ALL UINT64_MAX
#define JOB_KINDS_TRAINER JOB_NAME_BIT(trainjob)
#define JOB_KINDS_GROVE (JOB_NAME_BIT(podgang) | JOB_NAME_BIT(podcliqueset))
#define JOB_KINDS_OTHERS (~(JOB_KINDS_TRAINER | JOB_KINDS_GROVE))

/* Where the status counts the pods that have not ended. */
enum status_counts {
    COUNTS_NONE,
    COUNTS_OF_ROLES,    /* a list of roles by name: `active` and `ready` Jobs */
    COUNTS_OF_REPLICAS, /* a map of types: `active` pods */
    COUNTS_OF_PODS      /* a number of pods */
};

/* How the status of a kind says that the job has ended. */
struct job_status {
    const char *path;      /* of a text below the status; NULL: conditions that are true */
    struct slice ended[2]; /* unset: the kind does not end */
    enum status_counts counts;
    struct slice counted; /* the member of the status with the counts */
};

/* What Kueue's integration of a kind of job does. */
enum kueue_trait {
    KUEUE_READS_LABELS = 1 << 0,    /* its webhook reads all labels of Kueue on the job */
    KUEUE_READS_GROUPS = 1 << 1,    /* its webhook reads the groups of pod sets */
    KUEUE_TAKES_ELASTIC = 1 << 2,   /* the job can be an elastic job of Kueue */
    KUEUE_ADMITS_PART = 1 << 3,     /* the job can be admitted with fewer pods */
    KUEUE_READY_AT_LAST = 1 << 4,   /* it counts as ready when its last role has started */
    KUEUE_QUEUES_PODS_TOO = 1 << 5, /* pods of a queued job are queued by a label of their own */
    KUEUE_HAS_INTEGRATION = 1 << 6,
    KUEUE_TAKES_WORKLOAD = 1 << 7,    /* the job can name a Workload that exists */
    KUEUE_READS_PODS = 1 << 8,        /* the webhook of pods reads their annotations, one by one */
    KUEUE_NUMBERS_WORKLOADS = 1 << 9, /* each gang has a Workload, with its number in the name */
};

/*
 * What KAI's podgrouper does with the pods of a job that is no TrainJob, as far as it is known. Its
 * PodGroups for these kinds are not predicted.
 */
struct podgrouper_trait {
    bool is_gang;        /* the pods start together */
    bool is_annotated;   /* kai.scheduler/batch-min-member sets the minimum */
    bool is_of_trainjob; /* as the JobSet of a TrainJob, whose group is judged */
    bool places_roles;   /* the annotations of its pods give the topology of a role */
    bool has_segments;   /* kai.scheduler/segment-size divides a role */
    bool reads_least;    /* it waits for `minReplicas` units of each role, if that is not 0 */
    const char *groups;  /* what it makes, after "the podgrouper makes "; NULL: unknown */
};

/*
 * The operators of jobs whose releases differ, sorted by the key that each has in `components` and
 * `operatorGangs` of a GangCluster, with the name for people.
 */
#define JOB_OPERATORS(OPERATOR)                                                                    \
    OPERATOR(jobset, "jobset", "JobSet")                                                           \
    OPERATOR(kuberay, "kuberay", "KubeRay")                                                        \
    OPERATOR(lws, "lws", "LWS")                                                                    \
    OPERATOR(mpi, "mpiOperator", "mpi-operator")                                                   \
    OPERATOR(spark, "sparkOperator", "spark-operator")                                             \
    OPERATOR(trainer, "trainer", "Kubeflow Trainer")                                               \
    OPERATOR(training, "trainingOperator", "training-operator")

#define JOB_OPERATOR_PLACE(name, key, words) JOB_OPERATOR_AT_##name,
enum job_operator_place {
    JOB_OPERATORS(JOB_OPERATOR_PLACE) JOB_OPERATOR_COUNT,
    JOB_OPERATOR_NONE = JOB_OPERATOR_COUNT, /* Kubernetes itself has the kind */
};

struct job_operator {
    struct slice key;
    const char *name;
};

/* The row behind those of the operators is Kubernetes itself, which has no key. */
extern const struct job_operator job_operators[JOB_OPERATOR_COUNT + 1];

/*
 * A field below `spec` of which a gang depends and that the kind has since a release: before it, or
 * with its feature gate off, the API server drops the field.
 */
struct job_field_since {
    const char *path; /* `[]` behind a name: each item of the list */
    struct release since;
    struct slice same;       /* the value that means the same as an absent field; unset: none */
    struct slice gate;       /* of Kubernetes; unset: none */
    struct release of_owned; /* before it, the field of a job with a controller has no effect */
};

enum { JOB_TRAIT_MOST_FIELDS = 4 };

/*
 * An option with which the operator of a kind of job makes a PodGroup of every job itself. It is
 * not in the job: a GangCluster has it in `operatorGangs`.
 */
struct operator_option {
    enum job_operator_place of;
    const char *option;
    struct slice makes; /* the one value with which it makes PodGroups of all jobs; unset: any */
    struct slice none;  /* a value that is as good as no option; unset: there is none */
    /* What is before and behind the name of the job in that of the PodGroup; unset: unknown. */
    struct slice prefix;
    struct slice suffix;
};

/* Whether the operator makes PodGroups itself with a value of its option. */
bool operator_option_makes_gangs(const struct operator_option *option, struct slice value);

/* Whether a PodGroup has the name that the operator gives to that of a job. */
bool operator_option_is_group(const struct operator_option *option, struct slice job,
                              struct slice group);

/*
 * What controllers other than libgang make of a job of a kind: its own, Kueue, a scheduler's. Each
 * value is optional.
 */
struct job_traits {
    struct job_status status;
    bool is_parent; /* its controller creates jobs of other kinds as parts of its gang */
    const struct operator_option *operator_option;
    /*
     * What is behind the name of the job in that of the template of a Workload which its controller
     * makes by itself; unset: it makes none.
     */
    struct slice template_suffix;
    /* The fields that are younger than the oldest releases that are read, and whose they are. */
    enum job_operator_place released_with;
    struct job_field_since fields[JOB_TRAIT_MOST_FIELDS]; /* without a path after the last */
    unsigned kueue;                                       /* enum kueue_trait; 0: no integration */
    struct podgrouper_trait podgrouper;
};

extern const struct job_traits job_traits[JOB_NAME_COUNT];

/*
 * Returns what is known of the kind with this name in the group of an apiVersion; all 0 for a kind
 * that has no row.
 */
const struct job_traits *job_traits_of(struct slice api_version, struct slice kind);

/*
 * Whether a controller of this kind creates objects of other kinds as parts of its gang: it is a
 * job, or the leader of a LeaderWorkerSet, a Pod, which owns its workers. Source:
 * kubernetes-sigs/lws:pkg/controllers/pod_controller.go@v0.9.0
 */
bool job_kind_has_parts(struct slice api_version, struct slice kind);

/* How a document selects kinds: all of them, `Kind`, or `Kind.group`. Ends in NULL. */
#define JOB_NAME_ANY "*"
extern const char *const job_name_words[];

/* Returns the kinds that a word selects; an empty set for a word that is none of them. */
job_kind_set job_names_selected(struct slice word);

/* Returns the kind with this name in the group of an apiVersion; an empty set if there is none. */
job_kind_set job_names_of(struct slice api_version, struct slice kind);

#endif
