/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_SETS_H
#define LIBGANG_TRAINER_POD_SETS_H

#include "libgang/trainer/trainer_gang.h"

/*
 * Creates one role per replicatedJob, in the order of the runtime: the number of pods that the
 * operator creates and counts, the requests of one pod, and the dependencies. Reports behaviour of
 * the operator that its user may not expect.
 *
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go and the plugins beside it, @v2.3.0
 */
void pod_sets_make(const struct trainer_job *job, struct gang_wishes *wishes,
                   const struct resolve_scratch *scratch);

/*
 * Uses only `requests` as the requests of a pod, as the operator does, and reports limits that are
 * not counted.
 */
void pod_sets_count_requests_only(const struct trainer_job *job, struct gang_wishes *wishes,
                                  const struct resolve_scratch *scratch);

/* Report counts that are not positive: the TrainJob's, and those of a runtime and its roles. */
void pod_counts_check_trainjob(const struct gang_trainjob *trainjob, struct report *report);
void pod_counts_check_runtime(const struct ml_policy *policy, const struct jobset *jobset,
                              const struct role *roles, struct report *report);

/*
 * The trainjob's `resourcesPerNode` overrides the resources of the container `node` in the roles
 * that the operator selects. For each key the trainjob's value has precedence; limits and requests
 * are merged separately.
 *
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go newRuntimeInfo@v2.3.0
 */
bool resources_per_node_reach(const struct replicated_job *job, bool is_trainer,
                              const struct ml_policy *policy);

#endif
