/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_EXCLUSIVE_TOPOLOGY_H
#define LIBGANG_TRAINER_EXCLUSIVE_TOPOLOGY_H

#include "libgang/trainer/trainer_gang.h"

/*
 * Whether metadata of the JobSet, or of a template in it, has annotations of this feature. Without
 * any, exclusive_topology_apply() changes nothing. NULL has none.
 */
bool exclusive_topology_is_in(const struct node *metadata);

/*
 * Sets how many pods of each role are created before any of them has a node, one for each Job, and
 * reports the annotation. The roles must have their counts.
 */
void exclusive_topology_apply(const struct trainer_job *job, struct gang_wishes *wishes,
                              const struct resolve_scratch *scratch);

#endif
