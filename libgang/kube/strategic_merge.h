/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_STRATEGIC_MERGE_H
#define LIBGANG_KUBE_STRATEGIC_MERGE_H

#include "libgang/document/node.h"

/*
 * Whether a member of a patch has no effect. `parent` names the field that holds the member,
 * directly or in a list.
 */
typedef bool patch_omits_member(struct slice parent, const struct node *member);

/*
 * Returns the strategic merge of a patch into a JobSetSpec or a pod template, as
 * StrategicMergePatch of k8s.io/apimachinery computes it. `omits` is for patches that Go has
 * written from its types, which delete nothing; NULL: the patch is merged as written, and its
 * nulls, which read as absent, delete. The caller must have removed unknown fields and directives.
 *
 * The result shares every branch that the patch does not name: such a node is a copy of its header
 * with the same children, and all nodes keep the parent, index and position of the place where
 * their value was written. Both sources must outlive the result. NULL if the arena has failed.
 */
const struct node *strategic_merge(struct arena *arena, const struct node *original,
                                   const struct node *patch, patch_omits_member *omits);

#endif
