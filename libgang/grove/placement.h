/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PLACEMENT_H
#define LIBGANG_GROVE_PLACEMENT_H

#include "libgang/gang/group.h"

/* A `topologyConstraint` of a PodGang: node labels, where a PodCliqueSet names domains. */
struct grove_placement {
    const struct node *source; /* its packConstraint; NULL: nothing is asked for */
    struct slice required;
    struct slice preferred;
};

/* Reads the topologyConstraint of `parent`. */
struct grove_placement grove_placement_read(const struct node *parent);

/* In the words of the gang. */
struct gang_placement grove_placement_in(const struct grove_placement *placement, struct slice topology);

#endif
