/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "libgang/document/document.h"

const char *const dependency_status_names[] = {
    [DEPENDENCY_READY] = "Ready",
    [DEPENDENCY_COMPLETE] = "Complete",
    [DEPENDENCY_SCHEDULED] = "Scheduled",
    NULL,
};
const char *const membership_wish_names[] = {
    [WISH_AUTO] = "Auto", [WISH_MEMBER] = "Member", [WISH_OUTSIDE] = "Outside", "Elsewhere", NULL,
};

void
role_build_dependencies(const struct role *role, struct builder *parent)
{
    struct builder list = build_list_member(parent, SLICE("dependsOn"));

    for (size_t i = 0; i < role->num_dependencies; i++) {
        struct builder edge = build_map_item(&list);

        build_string(&edge, SLICE("role"), role->dependencies[i].role);
        build_string(&edge, SLICE("status"),
                     slice_from_text(dependency_status_names[role->dependencies[i].status]));
    }
}

/* minMember is an int32 in every API. */
static const int64_t gang_most_pods = INT32_MAX;

/* The pods of a member that the gang's resources are for. */
static int64_t
gang_counted_pods(const struct gang *gang, const struct role *role)
{
    return gang_is_compatible(gang) ? role->operator_count : role_min_count(role);
}

/*
 * Reports a member that creates its other pods after the first ones have nodes. Its pods share a
 * template, so they cannot be left out of the gang.
 */
static void
gang_report_late_pods(const struct gang *gang, const struct role *role, struct report *report)
{
    bool refuses = gang->wishes->late == LATE_REFUSE;

    find_note(report, role->source,
              refuses ? GANG_CODE_LATE_MEMBERS_REFUSED : GANG_CODE_LATE_MEMBERS, NULL,
              "pods that join after the first wave are not in the minimum: %lld of the %lld pods "
              "of %-.*s are created after the other %lld have nodes",
              (long long)(role->count - role->first_count), (long long)role->count,
              SLICE_ARG(role->name), (long long)role->first_count);
}

static void
gang_count_pods(struct gang *gang, struct report *report)
{
    const bool is_compatible = gang_is_compatible(gang);
    /*
     * The pods of members that must not overflow. The upstream operator counts fewer pods if
     * replicas are greater than 1.
     */
    int64_t counted = 0;
    const struct role *last = NULL; /* the first role with which they exceed the limit */

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        int64_t late = role->count;

        gang->pods = integer_add_capped(gang->pods, role->count);
        if (gang->parts[i].membership == ROLE_OUTSIDE)
            continue;
        /* Every pod with the gang mark is a member. */
        gang->members = integer_add_capped(gang->members, role->count);
        counted = integer_add_capped(counted, is_compatible ? role->operator_count : role->count);
        if (!last && counted > gang_most_pods)
            last = role;
        if (gang->parts[i].membership == ROLE_MEMBER) {
            gang->minimum = integer_add_capped(gang->minimum, gang_pods_of_minimum(gang, role));
            late = is_compatible ? 0 : role->count - role_pods_at_first(role);
            if (late)
                gang_report_late_pods(gang, role, report);
        }
        gang->late_members = integer_add_capped(gang->late_members, late);
    }
    if ((is_compatible ? gang->minimum : gang->members) > gang_most_pods)
        find_note(report, last->source, MESSAGE_COUNT_OVERFLOW, (long long)gang_most_pods);
}

static void
gang_add_role_resources(struct gang *gang, const struct role *role, struct report *report)
{
    int64_t pods = gang_counted_pods(gang, role);

    gang->lacks_resources |= role->lacks_requests;
    for (size_t i = 0; i < role->requests.count; i++) {
        const struct resource *item = &role->requests.items[i];
        struct quantity term = item->quantity;

        /*
         * The sum takes the quantity format of its first term that is not zero, like Add() of
         * Kubernetes' Quantity.
         */
        if (!quantity_multiply(&term, pods) ||
            !resource_list_add_amount(&gang->resources, report->arena, item->name, &term))
            find_note(report, role->source, MESSAGE_QUANTITY_OVERFLOW_GANG, SLICE_ARG(item->name));
    }
}

struct role *
wishes_find_role(const struct gang_wishes *wishes, struct slice name)
{
    return FIND_TEXT(wishes->roles, wishes->num_roles, name, name);
}

bool
wishes_order_roles(struct gang_wishes *wishes, struct report *report)
{
    if (wishes->is_ordered)
        return true;
    wishes->is_ordered =
        start_order_link(wishes->roles, wishes->num_roles, report, &wishes->start_order);
    if (!wishes->is_ordered)
        return false; /* circular: all roles are in one stage and one wave */
    start_order_check_counts(wishes->roles, wishes->num_roles, report);
    start_order_stages(wishes->roles, wishes->num_roles, wishes->start_order);
    return true;
}

static bool
gang_takes_all(const struct gang *gang)
{
    return gang_is_compatible(gang) || gang->wishes->members_choice == MEMBERS_ALL;
}

static void
gang_decide_members(struct gang *gang, struct report *report)
{
    const struct gang_wishes *wishes = gang->wishes;
    bool takes_all = gang_takes_all(gang);

    if (wishes->members_choice != MEMBERS_ALL)
        membership_decide(gang, report);
    if (takes_all)
        membership_take_all(gang, report);
    if (wishes->is_ordered)
        start_order_waves(gang->roles, gang->parts, gang->num_roles, wishes->start_order);
    if (!takes_all)
        membership_split_waves(gang, report);
}

/* Whether the group and all its parent groups must start with the gang. */
static bool
gang_starts_group(const struct gang_wishes *wishes, const struct gang_group *group)
{
    while (group->parent != GROUP_OF_GANG) {
        group = &wishes->groups[group->parent];
        if (group->minimum == 0)
            return false;
    }
    return true;
}

/* If there is no memory for the parts, the gang has no roles. */
static void
gang_start(const struct gang_wishes *wishes, struct gang *gang, struct arena *arena)
{
    gang->wishes = wishes;
    gang->name = wishes->name;
    gang->annotations = wishes->annotations;
    gang->priority_class_name = wishes->priority_class_name;
    gang->priority_class_source = wishes->priority_class_source;
    gang->roles = wishes->roles;
    gang->parts = arena_array(arena, wishes->num_roles, sizeof(*gang->parts));
    gang->num_roles = gang->parts ? wishes->num_roles : 0;
}

void
gang_form(const struct gang_wishes *wishes, struct gang *gang, struct report *report)
{
    const struct role *role;

    gang_start(wishes, gang, report->arena);
    if (!slice_is_set(gang->name))
        gang->name = wishes->owner.name;
    if (!wishes->is_grouped) /* otherwise each part is a member: 0 */
        gang_decide_members(gang, report);
    gang_count_pods(gang, report);
    for (size_t i = 0; i < gang->num_roles; i++) {
        /* Without pods a role would add zeros. The upstream operator adds them. */
        if (gang_membership(gang, &gang->roles[i]) != ROLE_OUTSIDE &&
            (gang_counted_pods(gang, &gang->roles[i]) > 0 || gang_is_compatible(gang)))
            gang_add_role_resources(gang, &gang->roles[i], report);
    }
    if (wishes->is_grouped) {
        int64_t minimum = 0;

        for (size_t i = 0; i < wishes->num_groups; i++)
            if (wishes->groups[i].role != ROLE_NONE &&
                gang_starts_group(wishes, &wishes->groups[i]))
                minimum = integer_add_capped(minimum, wishes->groups[i].minimum);
        gang->minimum = minimum;
        return; /* Grove releases the pods of a PodGang with a minimum of 0 */
    }
    /*
     * The minimum is that of the documents if they have one. A computed minimum of the first wave
     * always fills: no member of it waits for another, and it counts pods that exist at first.
     */
    if (wishes->minimum)
        gang->minimum = wishes->minimum;
    if (wishes->is_ordered && (wishes->minimum || gang_takes_all(gang)))
        wait_check_gang(gang, report);
    /* Schedulers' APIs refuse a minimum of 0, with which every pod would start alone. */
    role = gang->roles;
    if (gang->minimum || !gang->members || gang_is_compatible(gang))
        return;
    while (gang_membership(gang, role) == ROLE_OUTSIDE)
        role++;
    find_note(report, role->source, MESSAGE_ROLE_COUNTS_DISAGREE_ZERO);
}

void
gang_leave_unformed(const struct gang_wishes *wishes, enum membership membership, struct gang *gang,
                    struct arena *arena)
{
    gang_start(wishes, gang, arena);
    for (size_t i = 0; i < gang->num_roles; i++)
        gang->parts[i].membership = membership;
}

int64_t
gang_role_minimum(const struct gang *gang, size_t role)
{
    const struct gang_wishes *wishes = gang->wishes;

    for (size_t i = 0; i < wishes->num_groups; i++)
        if (wishes->groups[i].role == role)
            return wishes->groups[i].minimum;
    return gang_is_compatible(gang) ? gang->roles[role].count
                                    : role_first_count(&gang->roles[role]);
}
