/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/losses.h"

/* ---- what the groups need ---- */

/* `pods` has the smallest number of pods of each group: -1 if it has no members here. */
struct group_count {
    const struct gang *gang;
    struct group_need *needs;
    int64_t *pods;
};

/* Returns the sum of the `count` smallest numbers of the direct children, which it sets to -1. */
static int64_t
group_tree_take_smallest(const struct group_count *count, size_t parent, int64_t children)
{
    const struct gang_wishes *wishes = count->gang->wishes;
    int64_t sum = 0;

    while (children-- > 0) {
        size_t least = SIZE_MAX;

        for (size_t i = 0; i < wishes->num_groups; i++)
            if (wishes->groups[i].parent == parent && count->pods[i] >= 0 &&
                (least == SIZE_MAX || count->pods[i] < count->pods[least]))
                least = i;
        if (least == SIZE_MAX)
            break;
        sum = integer_add_capped(sum, count->pods[least]);
        count->pods[least] = -1;
    }
    return sum;
}

static void
group_tree_need_of_role(const struct group_count *count, size_t index)
{
    const struct gang_group *group = &count->gang->wishes->groups[index];
    enum membership membership = count->gang->parts[group->role].membership;

    count->needs[index].children = membership != ROLE_OUTSIDE;
    count->needs[index].minimum = membership == ROLE_MEMBER ? group->minimum : 0;
    count->pods[index] = membership != ROLE_OUTSIDE ? count->needs[index].minimum : -1;
}

/* Its children follow the group, so they are counted before. */
static void
group_tree_need_of_group(const struct group_count *count, size_t index)
{
    struct group_need *need = &count->needs[index];
    int64_t minimum = count->gang->wishes->groups[index].minimum;

    need->minimum = minimum < need->children ? minimum : need->children;
    count->pods[index] =
        need->children ? group_tree_take_smallest(count, index, need->minimum) : -1;
}

struct group_tree
group_tree_make(const struct gang *gang, struct arena *arena)
{
    const struct gang_wishes *wishes = gang->wishes;
    const struct group_count count = {
        .gang = gang,
        .needs = arena_array(arena, wishes->num_groups, sizeof(*count.needs)),
        .pods = arena_array(arena, wishes->num_groups, sizeof(*count.pods)),
    };

    if (!group_tree_has_groups(wishes) || !count.needs || !count.pods)
        return (struct group_tree){.pods = gang->minimum};
    for (size_t i = wishes->num_groups; i-- > 0;) {
        size_t parent = wishes->groups[i].parent;

        if (wishes->groups[i].role != ROLE_NONE)
            group_tree_need_of_role(&count, i);
        else
            group_tree_need_of_group(&count, i);
        if (parent != GROUP_OF_GANG)
            count.needs[parent].children += count.needs[i].children > 0;
    }
    return (struct group_tree){
        .needs = count.needs,
        .pods = group_tree_take_smallest(&count, GROUP_OF_GANG, INT64_MAX),
    };
}

/* ---- placement ---- */

const struct gang_placement *
group_tree_placement(const struct gang *gang)
{
    const struct gang_placement *placement = &gang->wishes->placement;

    return placement->is_set && gang->topology.is_set && placement->source == gang->topology.source
               ? placement
               : NULL;
}

void
group_tree_build_levels(const struct gang_placement *placement, struct builder *topology)
{
    build_string_if_set(topology, SLICE("topology"), placement->topology);
    build_string_if_set(topology, SLICE("required"), placement->required);
    build_string_if_set(topology, SLICE("preferred"), placement->preferred);
}

void
group_tree_build_placement(const struct gang_placement *placement, struct builder *holder)
{
    struct builder topology;

    if (!placement->is_set)
        return;
    topology = build_map_member(holder, SLICE("topology"));
    group_tree_build_levels(placement, &topology);
}
