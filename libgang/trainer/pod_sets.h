/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_SETS_H
#define LIBGANG_TRAINER_POD_SETS_H

#include "libgang/gang/gang.h"
#include "libgang/trainer/trainer_job.h"

/*
 * One role per replicatedJob, in the order of the runtime: how many pods the operator really creates and counts, what
 * one of them requests, what it waits for. Reports what the operator does that its user may not expect.
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go and the plugins beside it, @v2.3.0
 */
void pod_sets_make(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch);

/* Takes what stands under requests alone for what a pod requests, as the operator does, and says where limits go uncounted. */
void pod_sets_count_requests_only(const struct trainer_job *job, struct gang *gang,
                                  const struct resolve_scratch *scratch);

#endif
