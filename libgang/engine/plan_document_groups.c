/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/plan_document.h"

void
plan_document_placement(const struct gang_placement *placement, struct builder *holder)
{
    struct builder topology;

    if (!placement->is_set)
        return;
    topology = build_map_member(holder, SLICE("topology"));
    build_string_if_set(&topology, SLICE("topology"), placement->topology);
    build_string_if_set(&topology, SLICE("required"), placement->required);
    build_string_if_set(&topology, SLICE("preferred"), placement->preferred);
}

/* The list of the groups below it is returned, to be filled. */
static struct builder
build_subgroup(const struct gang *gang, const struct gang_group *group, struct builder *list)
{
    struct builder item = build_map_item(list);
    struct builder roles;

    build_string(&item, SLICE("name"), group->name);
    build_int(&item, SLICE("minimum"), group->minimum);
    roles = build_list_member(&item, SLICE("roles"));
    if (group->role != ROLE_NONE)
        build_string_item(&roles, gang->roles[group->role].name);
    plan_document_placement(&group->placement, &item);
    return build_list_member(&item, SLICE("subgroups"));
}

/* A group stands before those that it holds, so their list is there when they come. */
void
plan_document_subgroups(const struct gang *gang, struct builder *map)
{
    struct builder root = build_list_member(map, SLICE("subgroups"));
    struct builder *lists = arena_array(map->arena, gang->num_groups, sizeof(*lists));

    for (size_t i = 0; lists && i < gang->num_groups; i++) {
        size_t parent = gang->groups[i].parent;

        lists[i] = build_subgroup(gang, &gang->groups[i], parent == GROUP_OF_GANG ? &root : &lists[parent]);
    }
}
