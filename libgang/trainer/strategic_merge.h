/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_STRATEGIC_MERGE_H
#define LIBGANG_TRAINER_STRATEGIC_MERGE_H

#include "libgang/document/node.h"

/*
 * Returns the strategic merge of a patch into a JobSetSpec, as StrategicMergePatch of
 * k8s.io/apimachinery computes it for patches that Go has written from its types: nothing is ever
 * deleted. The caller must have removed unknown fields from the patch.
 *
 * The result shares every branch that the patch does not name: such a node is a copy of its header
 * with the same children, and all nodes keep the parent, index and position of the place where
 * their value was written. Both sources must outlive the result. NULL if the arena has failed.
 */
const struct node *strategic_merge(struct arena *arena, const struct node *original,
                                   const struct node *patch);

#endif
