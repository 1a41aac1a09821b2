/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_TOPOLOGYBINDING_H
#define LIBGANG_GROVE_TOPOLOGYBINDING_H

#include "libgang/document/document.h"
#include "libgang/kube/object_meta.h"

/* A ClusterTopologyBinding. Source: ai-dynamo/grove:operator/api/core/v1alpha1/clustertopologybinding.go@fcc3b3bb */
struct gang_topologybinding {
    struct document_handle handle;
    struct slice name; /* ends in NUL, for the getter */
    struct object_meta meta;
    const struct node *levels;     /* from the widest on */
    const struct node *schedulers; /* schedulerTopologyBindings */
};

/* The topology object that somebody else makes for a scheduler; NULL: Grove makes one of the binding's name. */
const struct node *topologybinding_reference(const struct gang_topologybinding *binding,
                                             struct slice scheduler);

#endif
