/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_PATCH_ENTRY_H
#define LIBGANG_DECIDE_PATCH_ENTRY_H

#include "libgang/decide/decision.h"

/*
 * The entry of libgang in a TrainJob's `spec.runtimePatches`: the marks of a plan, in the form in
 * which the operator puts them on the JobSet and its pods. GANG_TARGET_JOB writes it.
 */

/*
 * Returns the entry with the labels and annotations of the patches; NULL if they have none. Fields
 * of a pod's spec are not in it: the API has no place for them.
 */
const struct node *patch_entry_build(const struct gang_patch *patches, size_t count,
                                     struct arena *arena);

/*
 * Reports every difference between the entry that the TrainJob has and the entry that its plan
 * would have. A decision is made without the entry, so an entry with anything else would change the
 * job behind the policy's back.
 */
void patch_entry_check(struct gang_decision *decision);

#endif
