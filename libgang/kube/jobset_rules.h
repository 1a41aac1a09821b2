/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_JOBSET_RULES_H
#define LIBGANG_KUBE_JOBSET_RULES_H

#include "libgang/kube/jobset.h"
#include "libgang/kube/object_meta.h"

/* Reports what JobSet's webhook would refuse whatever the name of the job is. */
void jobset_rules_check_alone(const struct jobset *jobset, struct report *report);

/* Returns whether the JobSet alone has no problems. A runtime calls this once for all its jobs. */
bool jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena);

/*
 * Reports a start order that is written in both ways: CEL of the JobSetSpec, which the CRDs of
 * TrainingRuntimes embed.
 */
void jobset_start_order_check(const struct jobset *jobset, struct report *report);

/*
 * Reports a name of a JobSet with which the names of a role's Jobs or pods are too long. The
 * TrainJob's own check counts the pods that the operator sets.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_names_check(const struct object_meta *meta, const struct replicated_job *job,
                        int64_t replicas, struct report *report);

/* The most characters of a name of a Job or pod, and those of `-xxxxx` behind that of a pod. */
enum { JOBSET_LONGEST_NAME = 63, JOBSET_POD_SUFFIX = 6 };

/* Whether a role's pods have indices, which are a part of their names. */
bool jobset_is_indexed(const struct replicated_job *job);

/* Reports a job whose role has Jobs, or pods if they are indexed, with too long a name. */
void jobset_report_long_name(const struct node *job_name, struct slice role, size_t len,
                             bool indexed, struct report *report);

/* Reports a role with exclusive-topology whose pods have no indices. */
void jobset_exclusive_check_mode(const struct replicated_job *job, struct report *report);
/* Reports the annotation with which one pod of each Job is created first. */
void jobset_exclusive_report(const struct node *annotation, struct report *report);

/*
 * Returns the annotation of a JobSet that no runtime has, after a report, if each Job of this role
 * has several pods, of which one is created first. NULL if all are created at once. `annotations`
 * are those of the JobSet; `pods` are those of one Job.
 */
const struct node *jobset_exclusive_find(const struct replicated_job *job,
                                         const struct node *annotations, int64_t pods,
                                         struct report *report);

#endif
