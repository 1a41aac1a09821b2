/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_TOPOLOGYBINDING_H
#define LIBGANG_GROVE_TOPOLOGYBINDING_H

#include "libgang/document/document.h"
#include "libgang/kube/object_meta.h"

/* A ClusterTopologyBinding. Source: ai-dynamo/grove:operator/api/core/v1alpha1/clustertopologybinding.go@fcc3b3bb */
struct gang_topologybinding {
    struct gang_document document;
    struct object_meta meta;
    const struct node *levels;     /* from the widest on */
    const struct node *schedulers; /* schedulerTopologyBindings */
};

/* The compiled document; NULL for one of another kind. */
static inline const struct gang_topologybinding *
topologybinding_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_TOPOLOGYBINDING)
               ? (const struct gang_topologybinding *)document
               : NULL;
}

void topologybinding_compile(struct gang_document *document, struct parse_call *call);

/* The Topology that it refers to, by its kind: that of another owner, or the one that is made of its name. */
struct slice topologybinding_refers_to(const struct gang_document *document, struct slice kind);

/* The topology object that somebody else makes for a scheduler; NULL: Grove makes one of the binding's name. */
const struct node *topologybinding_reference(const struct gang_topologybinding *binding,
                                             struct slice scheduler);

#endif
