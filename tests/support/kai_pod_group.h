/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_KAI_POD_GROUP_H
#define TESTS_SUPPORT_KAI_POD_GROUP_H

#include "libgang/backend/kai/kai.h"

static inline struct kai_minimum
kai_read_minimum(const struct node *map, struct slice key)
{
    struct kai_minimum minimum = {0};

    minimum.is_set = node_int(node_member(map, key), &minimum.value);
    return minimum;
}

static inline struct gang_placement
kai_read_placement(const struct node *map)
{
    const struct node *constraint = node_member(map, SLICE("topologyConstraint"));

    return (struct gang_placement){
        .is_set = constraint != NULL,
        .topology = node_string(node_member(constraint, SLICE("topology"))),
        .required = node_string(node_member(constraint, SLICE("requiredTopologyLevel"))),
        .preferred = node_string(node_member(constraint, SLICE("preferredTopologyLevel"))),
    };
}

/* Reads a `spec` such as kai_pod_group_build() writes. */
static inline struct kai_pod_group
kai_pod_group_read(const struct node *spec, struct arena *arena)
{
    const struct node *list = node_member(spec, SLICE("subGroups"));
    struct kai_pod_group group = {
        .min_member = kai_read_minimum(spec, SLICE("minMember")),
        .min_sub_group = kai_read_minimum(spec, SLICE("minSubGroup")),
        .queue = node_string(node_member(spec, SLICE("queue"))),
        .priority_class_name = node_string(node_member(spec, SLICE("priorityClassName"))),
        .preemptibility = node_string(node_member(spec, SLICE("preemptibility"))),
        .preemption_delay = node_string(node_member(spec, SLICE("preemptionDelay"))),
        .staleness_grace_period = node_string(node_member(spec, SLICE("stalenessGracePeriod"))),
        .placement = kai_read_placement(spec),
    };

    group.subgroups = arena_array(arena, node_count(list), sizeof(*group.subgroups));
    for (NODE_EACH(item, group.subgroups ? list : NULL))
        group.subgroups[group.num_subgroups++] = (struct kai_subgroup){
            .name = node_string(node_member(item, SLICE("name"))),
            .parent = node_string(node_member(item, SLICE("parent"))),
            .min_member = kai_read_minimum(item, SLICE("minMember")),
            .min_sub_group = kai_read_minimum(item, SLICE("minSubGroup")),
            .placement = kai_read_placement(item),
        };
    return group;
}

#endif
