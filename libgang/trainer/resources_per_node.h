/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RESOURCES_PER_NODE_H
#define LIBGANG_TRAINER_RESOURCES_PER_NODE_H

#include "libgang/kube/jobset.h"
#include "libgang/trainer/runtime.h"
#include "libgang/trainer/trainjob.h"

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
