/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_JOB_NAMES_H
#define LIBGANG_CATALOG_JOB_NAMES_H

#include "libgang/base/text.h"

/*
 * The kinds of job that are translated to a GangJob, each with its API group. A row NAME needs
 * NAME_job_kind in jobs/kind_NAME.c. No other place lists the kinds.
 */
#define JOB_KINDS(ROW)                                                                             \
    ROW(gang_job, "GangJob", "policy.libgang.dev")                                                 \
    ROW(ray_cluster, "RayCluster", "ray.io")                                                       \
    ROW(ray_job, "RayJob", "ray.io")                                                               \
    ROW(ray_service, "RayService", "ray.io")                                                       \
    ROW(lws, "LeaderWorkerSet", "leaderworkerset.x-k8s.io")                                        \
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

/* How a document selects kinds: all of them, `Kind`, or `Kind.group`. Ends in NULL. */
#define JOB_NAME_ANY "*"
extern const char *const job_name_words[];

/* Returns the kinds that a word selects; an empty set for a word that is none of them. */
job_kind_set job_names_selected(struct slice word);

/* Returns the kind with this name in the group of an apiVersion; an empty set if there is none. */
job_kind_set job_names_of(struct slice api_version, struct slice kind);

#endif
