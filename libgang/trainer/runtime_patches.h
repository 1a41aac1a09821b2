/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_PATCHES_H
#define LIBGANG_TRAINER_RUNTIME_PATCHES_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * The JobSetSpec of a runtime (`spec.template.spec`) with the patches of a trainjob (`spec.runtimePatches`) merged in,
 * in list order. Fields that a patch may not have are left out, as the API server drops them. Afterwards
 * replicatedJobs stand in the runtime's order again; one that the runtime does not have sorts as its first. No other
 * list gets its order back.
 *
 * Shares what strategic_merge() shares; without any patch the spec is returned as it is. NULL when the arena has
 * failed.
 */
const struct node *runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                                         const struct node *runtime_patches);

#endif
