/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_STRATEGIC_MERGE_H
#define LIBGANG_TRAINER_STRATEGIC_MERGE_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * The strategic merge of a patch into a JobSetSpec, as k8s.io/apimachinery's StrategicMergePatch does it with patches
 * that Go has written from its types: nothing is ever deleted. Unknown fields must have been pruned from the patch.
 *
 * The result shares every branch that the patch does not name: such a node is a copy of its header with the same
 * children, and all nodes keep the parent, index and marks of where their value was written. Both sources must
 * outlive it. NULL when the arena has failed.
 */
const struct node *strategic_merge(struct arena *arena, const struct node *original,
                                   const struct node *patch);

#endif
