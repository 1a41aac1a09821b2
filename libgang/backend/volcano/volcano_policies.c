/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

/* ---- volcano releases ---- */

/*
 * An API server drops fields that the CRD of its release does not have. Source:
 * volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go at the tags v1.4.0 to v1.15.0.
 */
static const struct {
    uint32_t minor; /* of the first release */
    const char *why;
} volcano_fields_since[] = {
    [VOLCANO_MIN_TASK_MEMBER] = {5, "Volcano has minTaskMember since v1.5"},
    [VOLCANO_NETWORK_TOPOLOGY] = {12, "Volcano has networkTopology since v1.12"},
    [VOLCANO_SUB_GROUP_POLICY] = {14, "Volcano has subGroupPolicy since v1.14"},
};

const char *
volcano_why_no_field(const struct gang_cluster *cluster, enum volcano_field field)
{
    const struct release release = cluster_component(cluster, CATALOG_AT_volcano);

    return release.is_known && !release_at_least(&release, 1, volcano_fields_since[field].minor)
               ? volcano_fields_since[field].why
               : NULL;
}

/* ---- which groups have a policy ---- */

/* Whether the level is the number of a tier. */
static bool
volcano_group_has_tier(const struct gang_placement *placement)
{
    int64_t tier;

    return integer_parse(slice_is_set(placement->required) ? placement->required
                                                           : placement->preferred,
                         &tier) &&
           tier >= 0;
}

/* Pods are in one policy at most, so a group with a placed group inside has none. */
static bool
volcano_group_has_placed_inside(const struct gang_wishes *wishes, size_t group)
{
    for (size_t i = group + 1; i < wishes->num_groups; i++) {
        size_t parent = wishes->groups[i].parent;

        if (!volcano_group_has_tier(&wishes->groups[i].placement))
            continue;
        while (parent != GROUP_OF_GANG && parent != group)
            parent = wishes->groups[parent].parent;
        if (parent == group)
            return true;
    }
    return false;
}

/* Returns the group whose policy the role's pods are in; GROUP_OF_GANG if there is none. */
static size_t
volcano_group_of_role(const struct gang_wishes *wishes, size_t role)
{
    size_t group = 0;

    while (group < wishes->num_groups && wishes->groups[group].role != role)
        group++;
    if (group == wishes->num_groups)
        return GROUP_OF_GANG;
    for (group = wishes->groups[group].parent; group != GROUP_OF_GANG;
         group = wishes->groups[group].parent)
        if (volcano_group_has_tier(&wishes->groups[group].placement))
            return volcano_group_has_placed_inside(wishes, group) ? GROUP_OF_GANG : group;
    return GROUP_OF_GANG;
}

const char *
volcano_why_group_is_lost(const struct backend_call *call, size_t group, enum group_part part)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    const char *why = volcano_why_no_field(call->cluster, VOLCANO_SUB_GROUP_POLICY);

    if (group == GROUP_OF_GANG)
        return NULL;
    if (part == GROUP_MINIMUM)
        return "Volcano starts a PodGroup with all its groups";
    if (!volcano_group_has_tier(&wishes->groups[group].placement))
        return "Volcano has the numbers of tiers, and no other levels";
    if (!why && volcano_group_has_placed_inside(wishes, group))
        return "Volcano has no groups with a topology inside others";
    return why;
}

/*
 * The scheduler makes a sub group of the pods of each value of the label, and starts it when
 * subGroupSize pods of it fit: pkg/scheduler/actions/allocate/allocate.go@v1.14.1
 * allocateResourcesForTasks. So all pods of a unit must exist before one of them has a node.
 */
const char *
volcano_why_unit_is_lost(const struct backend_call *call, size_t role)
{
    const struct gang *gang = call->gang;

    if (!slice_is_set(gang->roles[role].unit_label))
        return "Volcano tells units apart by a label of the pods: set unitLabel of the role";
    if (gang->roles[role].first_count)
        return "pods of a unit are created only when others of it have a node";
    if (volcano_group_of_role(gang->wishes, role) != GROUP_OF_GANG)
        return "a pod is in one subGroupPolicy, which is that of its group with a topology";
    return volcano_why_no_field(call->cluster, VOLCANO_SUB_GROUP_POLICY);
}

/* ---- volcano policies ---- */

/* Adds a role of the gang to the policy of that name, which is the last one or a new one. */
static void
volcano_policy_add_role(struct volcano_policies *policies, const struct gang *gang, size_t role,
                        const struct volcano_policy *policy)
{
    size_t index = 0;

    while (index < policies->count && !slice_equal(policies->items[index].name, policy->name))
        index++;
    if (index == policies->count)
        policies->items[policies->count++] = *policy;
    policies->of_role[role] = index;
    if (gang->parts[role].membership == ROLE_MEMBER)
        policies->items[index].size =
            integer_add_capped(policies->items[index].size, role_first_count(&gang->roles[role]));
}

/* What a role needs a policy for: its group with a topology, its units, its minimum. */
enum volcano_need { VOLCANO_GROUP, VOLCANO_UNITS, VOLCANO_MINIMUM };
enum { VOLCANO_NEEDS = VOLCANO_MINIMUM + 1 };

static void
volcano_policies_add(struct volcano_policies *policies, const struct backend_call *call,
                     size_t index, enum volcano_need need)
{
    const struct gang *gang = call->gang;
    const struct role *role = &gang->roles[index];
    struct volcano_policy policy = {.name = role->name, .label = SLICE(GANG_LABEL_GROUP)};
    size_t group;

    switch (need) {
    case VOLCANO_GROUP:
        group = volcano_group_of_role(gang->wishes, index);
        if (group == GROUP_OF_GANG || gang->parts[index].membership == ROLE_OUTSIDE)
            return;
        policy.name = gang->wishes->groups[group].name;
        policy.placement = &gang->wishes->groups[group].placement;
        break;
    case VOLCANO_UNITS: /* roles whose pods all start together have whole units without a policy */
        if (!unit_may_be_parted(gang, index) || volcano_why_unit_is_lost(call, index))
            return;
        policy.unit = role->unit;
        /*
         * Units that must start with the gang: none if the documents set a smaller minimum of it.
         * Those of late roles start later, each as a whole.
         */
        policy.units = gang->parts[index].membership == ROLE_MEMBER &&
                               gang->minimum >= gang_sum_of_role_minima(gang)
                           ? role_min_count(&gang->roles[index]) / gang->roles[index].unit
                           : 0;
        policy.unit_label = role->unit_label;
        break;
    case VOLCANO_MINIMUM:
        if (gang->parts[index].membership != ROLE_MEMBER || policies->of_role[index] != SIZE_MAX ||
            !role_first_count(role))
            return;
        break;
    }
    policy.value = policy.name;
    volcano_policy_add_role(policies, gang, index, &policy);
}

struct volcano_policies
volcano_policies_make(const struct backend_call *call, bool is_elastic, struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct volcano_policies policies = {.count = 0};

    if (volcano_why_no_field(call->cluster, VOLCANO_SUB_GROUP_POLICY))
        return policies;
    policies.items = arena_array(arena, gang->num_roles, sizeof(*policies.items));
    policies.of_role = arena_array(arena, gang->num_roles, sizeof(*policies.of_role));
    if (!policies.items || !policies.of_role)
        return (struct volcano_policies){.count = 0};
    for (size_t i = 0; i < gang->num_roles; i++)
        policies.of_role[i] = SIZE_MAX;
    for (int need = 0; need < VOLCANO_NEEDS; need++)
        for (size_t i = 0; i < gang->num_roles; i++)
            if (need != VOLCANO_MINIMUM || (policies.count && is_elastic))
                volcano_policies_add(&policies, call, i, (enum volcano_need)need);
    for (size_t i = 0; i < gang->num_roles; i++) {
        const size_t policy = policies.of_role[i];

        /* pods of an elastic role can start instead of those of another one in its policy */
        policies.shares |= policy != SIZE_MAX && gang->parts[i].membership == ROLE_MEMBER &&
                           role_is_elastic(&gang->roles[i]) &&
                           policies.items[policy].size > role_first_count(&gang->roles[i]);
    }
    return policies;
}

struct volcano_policies
volcano_policies_of_podgang(const struct gang *gang, struct arena *arena)
{
    const struct gang_wishes *wishes = gang->wishes;
    struct volcano_policies policies = {
        .items = arena_array(arena, wishes->num_groups, sizeof(*policies.items))};

    for (size_t i = 0; policies.items && i < wishes->num_groups; i++)
        if (wishes->groups[i].role != ROLE_NONE)
            policies.items[policies.count++] = (struct volcano_policy){
                .name = wishes->groups[i].name,
                .label = wishes->role_label,
                .value = gang->roles[wishes->groups[i].role].name,
                .size = volcano_at_least_one(wishes->groups[i].minimum),
            };
    return policies;
}

/* ---- volcano policies in the objects ---- */

/*
 * A policy without matchLabelKeys matches no pod, and the scheduler makes a group of the pods of
 * each value of the labels: pkg/scheduler/api/job_info.go getOrCreateSubJob@v1.14.0. A policy whose
 * pods all come late must not hold the others.
 */
void
volcano_policies_build(const struct volcano_policies *policies, struct builder *spec)
{
    struct builder list;

    if (!policies->count)
        return;
    list = build_list_member(spec, SLICE("subGroupPolicy"));
    for (size_t i = 0; i < policies->count; i++) {
        const struct volcano_policy *source = &policies->items[i];
        const int64_t pods = source->unit ? source->unit : source->size;
        const int64_t groups = source->unit ? source->units : source->size > 0;
        struct builder policy = build_map_item(&list);
        struct builder inner;
        struct builder labels;
        int64_t tier = 0;

        build_string(&policy, SLICE("name"), source->name);
        inner = build_map_member(&policy, SLICE("labelSelector"));
        labels = build_map_member(&inner, SLICE("matchLabels"));
        build_string(&labels, source->label, source->value);
        inner = build_list_member(&policy, SLICE("matchLabelKeys"));
        build_string_item(&inner, source->unit ? source->unit_label : source->label);
        build_int(&policy, SLICE("subGroupSize"), volcano_at_least_one(pods));
        build_int(&policy, SLICE("minSubGroups"), groups);
        if (!source->placement)
            continue;
        integer_parse(placement_level(source->placement), &tier);
        inner = build_map_member(&policy, SLICE("networkTopology"));
        build_string(&inner, SLICE("mode"),
                     slice_is_set(source->placement->required) ? SLICE("hard") : SLICE("soft"));
        build_int(&inner, SLICE("highestTierAllowed"), tier);
    }
}

void
volcano_policies_mark(const struct volcano_policies *policies, size_t role,
                      struct gang_patch *patch)
{
    if (policies->count && policies->of_role[role] != SIZE_MAX)
        plan_patch_label(patch, SLICE(GANG_LABEL_GROUP),
                         policies->items[policies->of_role[role]].name);
}

void
volcano_policies_list(const struct backend_call *call, struct builder *list)
{
    const struct volcano_policies *policies = call->state;

    for (size_t i = 0; policies && i < policies->count; i++) {
        const struct volcano_policy *policy = &policies->items[i];

        backend_list_subgroup(
            &(struct backend_subgroup){
                .name = policy->name,
                .minimum = policy->unit ? policy->units * policy->unit : policy->size,
                .of_role = policies->of_role,
                .index = i,
                .placement = policy->placement ? *policy->placement
                                               : (struct gang_placement){.is_set = false},
            },
            call->gang, list);
    }
}
