/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_SETS_H
#define LIBGANG_TRAINER_POD_SETS_H

#include "libgang/gang/gang.h"
#include "libgang/kube/jobset.h"
#include "libgang/trainer/runtime.h"
#include "libgang/trainer/trainer_gang.h"
#include "libgang/trainer/trainjob.h"

/*
 * One role per replicatedJob, in the order of the runtime: how many pods the operator really creates and counts, what
 * one of them requests, what it waits for. Reports what the operator does that its user may not expect.
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go and the plugins beside it, @v2.3.0
 */
void pod_sets_make(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch);

/* Takes what stands under requests alone for what a pod requests, as the operator does, and says where limits go uncounted. */
void pod_sets_count_requests_only(const struct trainer_job *job, struct gang *gang,
                                  const struct resolve_scratch *scratch);

/*
 * Fills `count` and `operator_count` of every role: the base count (parallelism, or the runtime's numNodes on roles
 * labelled trainer), then the ML plugin's effect of the trainjob's numNodes, then replicas. Reports counts that are not
 * positive, pass a limit, or surprise.
 */
void pod_counts_fill(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch);

/*
 * The trainjob's `resourcesPerNode`, laid over the container `node` of the roles that the operator picks: per key, the
 * trainjob wins, limits and requests apart.
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go newRuntimeInfo@v2.3.0
 */
bool resources_per_node_reach(const struct replicated_job *job, bool is_trainer,
                              const struct ml_policy *policy);

/* Changes the job's resources; its sums are then to be taken anew. */
void resources_per_node_apply(struct replicated_job *job, const struct gang_trainjob *trainjob,
                              struct arena *arena);

#endif
