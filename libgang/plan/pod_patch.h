/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_PLAN_POD_PATCH_H
#define LIBGANG_PLAN_POD_PATCH_H

#include "libgang/plan/plan.h"

/* Where a map has what a pod has. */
enum pod_layout {
    POD_LAYOUT_POD, /* metadata and spec, as a pod or a pod template */
    POD_LAYOUT_FLAT /* labels, annotations and the fields of the spec as its own members */
};

/*
 * Returns a copy of the pod with the patch of its role in it. It shares what does not change with
 * `pod`, which may be NULL, and borrows nothing from the patch. NULL after a failed allocation.
 */
const struct node *pod_patch_apply(const struct gang_patch *patch, const struct node *pod,
                                   enum pod_layout layout, struct arena *arena);

#endif
