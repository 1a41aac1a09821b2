/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_OWNER_CHAIN_H
#define LIBGANG_GANG_OWNER_CHAIN_H

#include "libgang/document/node.h"

/* Labels and annotations of an object; NULL for none. */
struct chain_metadata {
    const struct node *labels;
    const struct node *annotations;
};

/*
 * The objects above the pods, for schedulers that read their labels and annotations: the job itself, and the set of Jobs
 * that its operator makes of it. What stands in the templates of a role, the role tells.
 */
struct owner_chain {
    struct chain_metadata job;
    struct chain_metadata set;
    bool in_order; /* the set starts its roles one after the other */
};

#endif
