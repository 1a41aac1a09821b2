/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* ---- kai fields ---- */

/* The releases that have a feature: from the first, and before the second; {0} means no end yet. */
struct kai_window {
    enum kai_feature feature;
    struct release from;
    struct release until;
};

#define KAI_RELEASE(minor_, patch_)                                                                \
    {                                                                                              \
        .is_known = true, .minor = (minor_), .patch = (patch_)                                     \
    }

/*
 * Source: kai-scheduler/KAI-Scheduler, the CRD, webhook and scheduler at the tags v0.12.0 to
 * v0.17.0, main d5bc503a. #1989 added a minimum of 0 at the root and was backported to v0.17 and
 * v0.16. Finished pods are lost since v0.16.2; #2012 fixes that on main and on v0.17, but not on
 * v0.16. #1771 keeps the topology of a group.
 */
static const struct kai_window kai_windows[] = {
    {KAI_MIN_SUB_GROUP, KAI_RELEASE(15, 0), {0}},
    {KAI_EXTERNAL_GROUPS, KAI_RELEASE(15, 0), {0}},
    {KAI_DELAYS, KAI_RELEASE(17, 0), {0}},
    {KAI_ROOT_ZERO, KAI_RELEASE(16, 9), KAI_RELEASE(17, 0)},
    {KAI_ROOT_ZERO, KAI_RELEASE(17, 1), {0}},
    {KAI_IGNORES_FINISHED, KAI_RELEASE(16, 2), KAI_RELEASE(17, 1)},
    {KAI_KEEPS_TOPOLOGY, KAI_RELEASE(16, 1), {0}},
};

const struct release kai_newest_release = KAI_RELEASE(17, 0);

static bool
kai_window_holds(const struct kai_window *window, const struct release *release)
{
    return release_compare(release, &window->from) >= 0 &&
           (!window->until.is_known || release_compare(release, &window->until) < 0);
}

bool
kai_has(enum kai_feature feature, const struct release *release)
{
    for (size_t i = 0; i < COUNT_OF(kai_windows); i++)
        if (kai_windows[i].feature == feature && kai_window_holds(&kai_windows[i], release))
            return true;
    return false;
}

const char *
kai_release_text(const struct release *release, struct arena *arena)
{
    return arena_format(arena, "v%u.%u.%u", release->major, release->minor, release->patch);
}

/* ---- kai pod group ---- */

static void
kai_build_minimum(struct builder *map, struct slice key, const struct kai_minimum *minimum)
{
    if (minimum->is_set)
        build_int(map, key, minimum->value);
}

bool
kai_topology_is_empty(const struct kai_topology *topology)
{
    return !topology->is_present && !slice_is_set(topology->topology) &&
           !slice_is_set(topology->required_level) && !slice_is_set(topology->preferred_level);
}

static void
kai_build_topology(struct builder *map, const struct kai_topology *topology)
{
    struct builder constraint;

    if (kai_topology_is_empty(topology))
        return;
    constraint = build_map_member(map, SLICE("topologyConstraint"));
    build_string_if_set(&constraint, SLICE("preferredTopologyLevel"), topology->preferred_level);
    build_string_if_set(&constraint, SLICE("requiredTopologyLevel"), topology->required_level);
    build_string_if_set(&constraint, SLICE("topology"), topology->topology);
}

static void
kai_build_subgroups(const struct kai_pod_group *group, bool has_min_sub_group, struct builder *spec)
{
    struct builder list;

    if (!group->num_subgroups)
        return;
    list = build_list_member(spec, SLICE("subGroups"));
    for (size_t i = 0; i < group->num_subgroups; i++) {
        const struct kai_subgroup *source = &group->subgroups[i];
        struct builder subgroup = build_map_item(&list);

        build_string(&subgroup, SLICE("name"), source->name);
        build_string_if_set(&subgroup, SLICE("parent"), source->parent);
        kai_build_minimum(&subgroup, SLICE("minMember"), &source->min_member);
        if (has_min_sub_group)
            kai_build_minimum(&subgroup, SLICE("minSubGroup"), &source->min_sub_group);
        kai_build_topology(&subgroup, &source->topology);
    }
}

void
kai_pod_group_build(const struct kai_pod_group *group, const struct release *release,
                    struct builder *spec)
{
    bool has_min_sub_group = !release->is_known || kai_has(KAI_MIN_SUB_GROUP, release);

    kai_build_minimum(spec, SLICE("minMember"), &group->min_member);
    if (has_min_sub_group)
        kai_build_minimum(spec, SLICE("minSubGroup"), &group->min_sub_group);
    build_string_if_set(spec, SLICE("queue"), group->queue);
    build_string_if_set(spec, SLICE("priorityClassName"), group->priority_class_name);
    build_string_if_set(spec, SLICE("preemptibility"), group->preemptibility);
    kai_build_topology(spec, &group->topology);
    kai_build_subgroups(group, has_min_sub_group, spec);
    if (release->is_known && !kai_has(KAI_DELAYS, release))
        return;
    build_string_if_set(spec, SLICE("preemptionDelay"), group->preemption_delay);
    build_string_if_set(spec, SLICE("stalenessGracePeriod"), group->staleness_grace_period);
}

static struct kai_minimum
kai_read_minimum(const struct node *map, struct slice key)
{
    struct kai_minimum minimum = {0};

    minimum.is_set = node_int(node_member(map, key), &minimum.value);
    return minimum;
}

static struct kai_topology
kai_read_topology(const struct node *map)
{
    const struct node *constraint = node_member(map, SLICE("topologyConstraint"));

    return (struct kai_topology){
        .is_present = constraint != NULL,
        .topology = node_string(node_member(constraint, SLICE("topology"))),
        .required_level = node_string(node_member(constraint, SLICE("requiredTopologyLevel"))),
        .preferred_level = node_string(node_member(constraint, SLICE("preferredTopologyLevel"))),
    };
}

static void
kai_read_subgroups(struct kai_pod_group *group, const struct node *list, struct arena *arena)
{
    group->subgroups = arena_array(arena, node_count(list), sizeof(*group->subgroups));
    if (!group->subgroups)
        return;
    for (NODE_EACH(item, list))
        group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
            .name = node_string(node_member(item, SLICE("name"))),
            .parent = node_string(node_member(item, SLICE("parent"))),
            .min_member = kai_read_minimum(item, SLICE("minMember")),
            .min_sub_group = kai_read_minimum(item, SLICE("minSubGroup")),
            .topology = kai_read_topology(item),
        };
}

struct kai_pod_group
kai_pod_group_read(const struct node *spec, struct arena *arena)
{
    struct kai_pod_group group = {
        .min_member = kai_read_minimum(spec, SLICE("minMember")),
        .min_sub_group = kai_read_minimum(spec, SLICE("minSubGroup")),
        .queue = node_string(node_member(spec, SLICE("queue"))),
        .priority_class_name = node_string(node_member(spec, SLICE("priorityClassName"))),
        .preemptibility = node_string(node_member(spec, SLICE("preemptibility"))),
        .preemption_delay = node_string(node_member(spec, SLICE("preemptionDelay"))),
        .staleness_grace_period = node_string(node_member(spec, SLICE("stalenessGracePeriod"))),
        .topology = kai_read_topology(spec),
    };

    kai_read_subgroups(&group, node_member(spec, SLICE("subGroups")), arena);
    return group;
}
