/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_TOPOLOGYBINDING_H
#define LIBGANG_GROVE_TOPOLOGYBINDING_H

#include "libgang/document/document.h"
#include "libgang/kube/names.h"

/*
 * A ClusterTopologyBinding. Source:
 * ai-dynamo/grove:operator/api/core/v1alpha1/clustertopologybinding.go@fcc3b3bb
 */
struct gang_topologybinding {
    struct gang_document document;
    struct object_meta meta;
    const struct node *levels;     /* from the widest to the narrowest */
    const struct node *schedulers; /* schedulerTopologyBindings */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_topologybinding *
topologybinding_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_TOPOLOGYBINDING)
               ? (const struct gang_topologybinding *)document
               : NULL;
}

void topologybinding_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns the name of the object of `kind` to which the binding refers: a Topology of another
 * owner, or the one that Grove creates with the binding's name.
 */
struct slice topologybinding_refers_to(const struct gang_document *document, struct slice kind);

/*
 * Returns the node that names the topology object that another owner manages for a scheduler; NULL
 * if Grove creates one with the binding's name.
 */
const struct node *topologybinding_reference(const struct gang_topologybinding *binding,
                                             struct slice scheduler);

#endif
