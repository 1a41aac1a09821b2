/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include "libgang/backend/losses.h"

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

static struct slice
volcano_group_level(const struct gang_placement *placement)
{
    return slice_is_set(placement->required) ? placement->required : placement->preferred;
}

static bool
volcano_group_has_tier(const struct gang_placement *placement)
{
    int64_t tier;

    return integer_parse(volcano_group_level(placement), &tier) && tier >= 0;
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

/* The group of each role with a topology. */
static void
volcano_policies_of_groups(struct volcano_policies *policies, const struct gang *gang)
{
    const struct gang_wishes *wishes = gang->wishes;

    for (size_t i = 0; i < gang->num_roles; i++) {
        size_t group = volcano_group_of_role(wishes, i);

        if (group != GROUP_OF_GANG && gang->parts[i].membership != ROLE_OUTSIDE)
            volcano_policy_add_role(policies, gang, i,
                                    &(struct volcano_policy){
                                        .name = wishes->groups[group].name,
                                        .placement = &wishes->groups[group].placement,
                                    });
    }
}

/*
 * Returns how many units must start with the gang: none if the documents set a smaller minimum of
 * it. Those of late roles start later, each as a whole.
 */
static int64_t
volcano_first_units(const struct gang *gang, size_t role)
{
    return gang->parts[role].membership == ROLE_MEMBER &&
                   gang->minimum >= gang_sum_of_role_minima(gang)
               ? role_min_count(&gang->roles[role]) / gang->roles[role].unit
               : 0;
}

/* Roles whose pods all start together have whole units without a policy. */
static void
volcano_policies_of_units(struct volcano_policies *policies, const struct backend_call *call)
{
    const struct gang *gang = call->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (unit_may_be_parted(gang, i) && !volcano_why_unit_is_lost(call, i))
            volcano_policy_add_role(policies, gang, i,
                                    &(struct volcano_policy){
                                        .name = role->name,
                                        .unit = role->unit,
                                        .units = volcano_first_units(gang, i),
                                        .unit_label = role->unit_label,
                                    });
    }
}

static void
volcano_policies_of_roles(struct volcano_policies *policies, const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER && policies->of_role[i] == SIZE_MAX &&
            role_first_count(&gang->roles[i]))
            volcano_policy_add_role(policies, gang, i,
                                    &(struct volcano_policy){.name = gang->roles[i].name});
}

/* Whether pods of an elastic role can start instead of those of another one in its policy. */
static bool
volcano_policies_share(const struct volcano_policies *policies, const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const size_t policy = policies->of_role[i];

        if (policy != SIZE_MAX && gang->parts[i].membership == ROLE_MEMBER &&
            role_is_elastic(&gang->roles[i]) &&
            policies->items[policy].size > role_first_count(&gang->roles[i]))
            return true;
    }
    return false;
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
    volcano_policies_of_groups(&policies, gang);
    if (gang->wishes->has_units)
        volcano_policies_of_units(&policies, call);
    if (policies.count && is_elastic)
        volcano_policies_of_roles(&policies, gang);
    policies.shares = volcano_policies_share(&policies, gang);
    return policies;
}

/* ---- volcano policies in the objects ---- */

static void
volcano_policy_build_topology(const struct gang_placement *placement, struct builder *policy)
{
    struct builder topology;
    int64_t tier = 0;

    if (!placement)
        return;
    integer_parse(volcano_group_level(placement), &tier);
    topology = build_map_member(policy, SLICE("networkTopology"));
    build_string(&topology, SLICE("mode"),
                 slice_is_set(placement->required) ? SLICE("hard") : SLICE("soft"));
    build_int(&topology, SLICE("highestTierAllowed"), tier);
}

/*
 * A policy without matchLabelKeys matches no pod, and the scheduler makes a group of the pods of
 * each value of the labels: pkg/scheduler/api/job_info.go getOrCreateSubJob@v1.14.0. A policy whose
 * pods all come late must not hold the others.
 */
static void
volcano_policy_build(const struct volcano_policy *source, struct builder *list)
{
    const int64_t pods = source->unit ? source->unit : source->size;
    const int64_t groups = source->unit ? source->units : source->size > 0;
    struct builder policy = build_map_item(list);
    struct builder selector;
    struct builder labels;
    struct builder keys;

    build_string(&policy, SLICE("name"), source->name);
    selector = build_map_member(&policy, SLICE("labelSelector"));
    labels = build_map_member(&selector, SLICE("matchLabels"));
    build_string(&labels, SLICE(GANG_LABEL_GROUP), source->name);
    keys = build_list_member(&policy, SLICE("matchLabelKeys"));
    build_string_item(&keys, source->unit ? source->unit_label : SLICE(GANG_LABEL_GROUP));
    build_int(&policy, SLICE("subGroupSize"), pods ? pods : 1);
    build_int(&policy, SLICE("minSubGroups"), groups);
    volcano_policy_build_topology(source->placement, &policy);
}

void
volcano_policies_build(const struct volcano_policies *policies, struct builder *spec)
{
    struct builder list;

    if (!policies->count)
        return;
    list = build_list_member(spec, SLICE("subGroupPolicy"));
    for (size_t i = 0; i < policies->count; i++)
        volcano_policy_build(&policies->items[i], &list);
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
volcano_policies_list(const struct volcano_policies *policies, const struct gang *gang,
                      struct builder *list)
{
    for (size_t i = 0; i < policies->count; i++) {
        const struct volcano_policy *policy = &policies->items[i];
        struct builder item = build_map_item(list);
        struct builder roles;

        build_string(&item, SLICE("name"), policy->name);
        build_int(&item, SLICE("minimum"),
                  policy->unit ? policy->units * policy->unit : policy->size);
        roles = build_list_member(&item, SLICE("roles"));
        for (size_t k = 0; k < gang->num_roles; k++)
            if (policies->of_role[k] == i)
                build_string_item(&roles, gang->roles[k].name);
        if (policy->placement)
            group_tree_build_placement(policy->placement, &item);
        build_list_member(&item, SLICE("subgroups"));
    }
}
