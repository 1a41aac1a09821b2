/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_COUNTS_H
#define LIBGANG_TRAINER_POD_COUNTS_H

#include "libgang/gang/gang.h"
#include "libgang/trainer/trainer_job.h"

/*
 * Fills `count` and `operator_count` of every role: the base count (parallelism, or the runtime's numNodes on roles
 * labelled trainer), then the ML plugin's effect of the trainjob's numNodes, then replicas. Reports counts that are not
 * positive, pass a limit, or surprise.
 */
void pod_counts_fill(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch);

#endif
