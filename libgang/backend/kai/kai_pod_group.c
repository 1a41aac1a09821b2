/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* ---- kai fields ---- */

/* The releases that have a feature: from the first, and before the second; {0} means no end yet. */
struct kai_window {
    enum kai_feature feature;
    struct release from;
    struct release until;
};

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

bool
kai_has(enum kai_feature feature, const struct release *release)
{
    for (size_t i = 0; i < COUNT_OF(kai_windows); i++)
        if (kai_windows[i].feature == feature &&
            release_compare(release, &kai_windows[i].from) >= 0 &&
            (!kai_windows[i].until.is_known || release_compare(release, &kai_windows[i].until) < 0))
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

static void
kai_build_placement(struct builder *map, const struct gang_placement *placement)
{
    struct builder constraint;

    if (!kai_is_placed(placement))
        return;
    constraint = build_map_member(map, SLICE("topologyConstraint"));
    build_string_if_set(&constraint, SLICE("preferredTopologyLevel"), placement->preferred);
    build_string_if_set(&constraint, SLICE("requiredTopologyLevel"), placement->required);
    build_string_if_set(&constraint, SLICE("topology"), placement->topology);
}

void
kai_pod_group_build(const struct kai_pod_group *group, const struct release *release,
                    struct builder *spec)
{
    bool has_min_sub_group = !release->is_known || kai_has(KAI_MIN_SUB_GROUP, release);
    struct builder list;

    kai_build_minimum(spec, SLICE("minMember"), &group->min_member);
    if (has_min_sub_group)
        kai_build_minimum(spec, SLICE("minSubGroup"), &group->min_sub_group);
    build_string_if_set(spec, SLICE("queue"), group->queue);
    build_string_if_set(spec, SLICE("priorityClassName"), group->priority_class_name);
    build_string_if_set(spec, SLICE("preemptibility"), group->preemptibility);
    kai_build_placement(spec, &group->placement);
    if (group->num_subgroups) {
        list = build_list_member(spec, SLICE("subGroups"));
        for (size_t i = 0; i < group->num_subgroups; i++) {
            const struct kai_subgroup *source = &group->subgroups[i];
            struct builder subgroup = build_map_item(&list);

            build_string(&subgroup, SLICE("name"), source->name);
            build_string_if_set(&subgroup, SLICE("parent"), source->parent);
            kai_build_minimum(&subgroup, SLICE("minMember"), &source->min_member);
            if (has_min_sub_group)
                kai_build_minimum(&subgroup, SLICE("minSubGroup"), &source->min_sub_group);
            kai_build_placement(&subgroup, &source->placement);
        }
    }
    if (release->is_known && !kai_has(KAI_DELAYS, release))
        return;
    build_string_if_set(spec, SLICE("preemptionDelay"), group->preemption_delay);
    build_string_if_set(spec, SLICE("stalenessGracePeriod"), group->staleness_grace_period);
}

/* ---- updates ---- */

/*
 * The CRD has no defaults and no immutable fields. The queue of an existing group is kept, even if
 * a label now says otherwise.
 */
static const struct update_field kai_update_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS),
    UPDATE_FIELD("minSubGroup", UPDATE_OURS),
    UPDATE_FIELD("queue", UPDATE_KEPT),
    UPDATE_FIELD("priorityClassName", UPDATE_OURS),
    UPDATE_FIELD("preemptibility", UPDATE_OURS),
    UPDATE_FIELD("topologyConstraint", UPDATE_OURS),
    UPDATE_FIELD("subGroups", UPDATE_OURS),
    UPDATE_FIELD("preemptionDelay", UPDATE_OURS),
    UPDATE_FIELD("stalenessGracePeriod", UPDATE_OURS),
    UPDATE_FIELD("markUnschedulable", UPDATE_KEPT),
    UPDATE_FIELD("schedulingBackoff", UPDATE_KEPT),
};

static const struct update_label kai_podgrouper_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), true},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};
static const struct update_label kai_grove_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), false},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};

/* The live topology is kept if the job names none: another writer may have set it. */
static const struct node *
kai_podgrouper_expect(const struct update_call *call, const struct node *rendered,
                      const struct node *live)
{
    struct release release = cluster_component(call->backend->cluster, CATALOG_AT_kai);
    const struct slice key = SLICE("topologyConstraint");

    if (node_text(node_at(rendered, "topologyConstraint.topology")).len ||
        !kai_has(KAI_KEEPS_TOPOLOGY, release.is_known ? &release : &kai_newest_release))
        return rendered;
    return edit_member(call->arena, rendered, key, node_member(live, key));
}

const struct update_rules kai_podgrouper_rules = {
    UPDATE_FIELDS(kai_update_fields),
    .labels = kai_podgrouper_labels,
    .num_labels = COUNT_OF(kai_podgrouper_labels),
    .replaces_owners = true,
    .expect = kai_podgrouper_expect,
};
static const struct update_rules kai_grove_rules = {
    UPDATE_FIELDS(kai_update_fields),
    .labels = kai_grove_labels,
    .num_labels = COUNT_OF(kai_grove_labels),
    .replaces_owners = true,
};

static const struct update_rules *
kai_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->wishes->is_grouped ? &kai_grove_rules : &kai_podgrouper_rules;
}

/* A PodGroup of KAI reserves nothing: its queue counts pods. */
const struct backend_updates kai_updates = {
    .names_have_namespace = true,
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = kai_rules,
};
