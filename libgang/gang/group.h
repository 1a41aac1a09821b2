/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_GROUP_H
#define LIBGANG_GANG_GROUP_H

#include "libgang/document/node.h"

/* Where pods must stand together: levels of a topology of the nodes, each the label that names its domains. */
struct gang_placement {
    bool is_set;
    struct slice topology;  /* name of the cluster's topology object */
    struct slice required;  /* unset: none */
    struct slice preferred; /* unset: none */
    const struct node *source;
};

#define GROUP_OF_GANG SIZE_MAX

/* A part of the gang that starts as a whole: the pods of one role, or several groups. */
struct gang_group {
    struct slice name;
    int64_t minimum; /* of a role: pods; else: groups directly below. Below a 0 nothing need start */
    size_t parent;   /* index of the group around it, which stands before it; GROUP_OF_GANG: none */
    size_t role;     /* index; ROLE_NONE: it holds groups */
    struct gang_placement placement;
    const struct node *source;
};

#endif
