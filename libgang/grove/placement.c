/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/placement.h"

struct grove_placement
grove_placement_read(const struct node *parent)
{
    const struct node *pack =
        node_member(node_member(parent, SLICE("topologyConstraint")), SLICE("packConstraint"));

    return (struct grove_placement){
        .source = pack,
        .required = node_string(node_member(pack, SLICE("required"))),
        .preferred = node_string(node_member(pack, SLICE("preferred"))),
    };
}

/* An empty text is as absent: Go leaves it out. */
static struct slice
grove_placement_level(struct slice level)
{
    return level.len ? level : NO_SLICE;
}

struct gang_placement
grove_placement_in(const struct grove_placement *placement, struct slice topology)
{
    if (!placement->source)
        return (struct gang_placement){0};
    return (struct gang_placement){
        .is_set = true,
        .topology = topology,
        .required = grove_placement_level(placement->required),
        .preferred = grove_placement_level(placement->preferred),
        .source = placement->source,
    };
}
