/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

enum workload_fate
workload_fate_of(const struct workload_group *group, enum workload_field field,
                 const struct workload_version *version, const struct gang_cluster *cluster)
{
    const enum cluster_answer kept = workload_keeps_field(version, field, cluster);

    if (!group->wishes[field].value.len)
        return WORKLOAD_NOT_WANTED;
    if (!version->fields[field].is_there)
        return WORKLOAD_NO_PLACE;
    if (kept == CLUSTER_NO)
        return WORKLOAD_LOST;
    return kept == CLUSTER_YES ? WORKLOAD_RENDERED : WORKLOAD_UNKNOWN;
}

/*
 * Priorities without a place are not reported: pods have them too, and a version without a group
 * priority schedules by the pods'.
 */
static void
checks_judge_field(const struct workload_group *group, enum workload_field field,
                   const struct backend_call *call, const struct workload_version *version,
                   struct report *report)
{
    const struct workload_wish *wish = &group->wishes[field];
    const struct slice name = workload_field_names[field];
    struct slice gate = version->fields[field].gate;
    enum workload_fate fate = workload_fate_of(group, field, version, call->cluster);

    if (!wish->source)
        return;
    if (fate == WORKLOAD_NO_PLACE && field != WORKLOAD_PRIORITY)
        find_note(report, wish->source, MESSAGE_FIELD_NOT_IN_VERSION_FIELD,
                  SLICE_ARG(version->api_version), SLICE_ARG(name));
    else if (fate == WORKLOAD_LOST)
        find_note(report, wish->source, MESSAGE_GATED_FIELD_LOST, SLICE_ARG(name),
                  SLICE_ARG(wish->value), SLICE_ARG(gate), SLICE_ARG(gate));
    else if (fate == WORKLOAD_UNKNOWN && call->cluster)
        find_in_document(report, GANG_DOCUMENT_CLUSTER, MESSAGE_NOT_CHECKED_GATED_FIELD,
                         SLICE_ARG(gate), SLICE_ARG(name), SLICE_ARG(gate));
}

static void
checks_judge_fields(const struct workload_groups *groups, const struct backend_call *call,
                    const struct workload_version *version, struct report *report)
{
    for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++) {
        const struct node *before = NULL;

        if (groups->num_composites)
            checks_judge_field(&groups->composites[0], (enum workload_field)field, call, version,
                               report);
        /* those of the groups of the job have a topology of their own, and no other field */
        for (size_t i = 1; field == WORKLOAD_TOPOLOGY && i < groups->num_composites; i++)
            checks_judge_field(&groups->composites[i], (enum workload_field)field, call, version,
                               report);
        for (size_t i = 0; i < groups->count; i++) {
            const struct workload_group *group = &groups->items[i];

            if (group->wishes[field].source != before)
                checks_judge_field(group, (enum workload_field)field, call, version, report);
            before = group->wishes[field].source;
        }
    }
}

static const struct node *
checks_place(const struct workload_group *group, const struct backend_call *call)
{
    return group->source ? group->source : call->gang->wishes->owner.name_source;
}

static void
checks_judge_name(const struct workload_group *group, const struct backend_call *call,
                  const struct workload_version *version, struct report *report)
{
    struct name_problems problems;

    name_check(NAME_DNS1123_LABEL, group->template_name, &problems);
    for (size_t i = 0; i < problems.count; i++)
        find_note(report, checks_place(group, call), MESSAGE_INVALID_NAME_GROUP,
                  SLICE_ARG(group->template_name), problems.text[i]);
    if (version->has_pod_groups && !slice_is_set(group->object_name))
        find_note(report, checks_place(group, call), MESSAGE_NO_ROOM_FOR_NAME,
                  SLICE_ARG(group->template_name), WORKLOAD_NAME_MOST);
}

void
workload_check_groups(const struct workload_groups *groups, const struct backend_call *call,
                      const struct workload_version *version, struct report *report)
{
    struct workload_options options = workload_options_read(call->options);
    struct name_problems problems;

    if (!name_check(NAME_DNS1123_SUBDOMAIN, groups->workload_name, &problems))
        find_note(report, call->gang->wishes->owner.name_source, MESSAGE_INVALID_NAME_MADE,
                  SLICE_ARG(groups->workload_name), problems.text[0]);
    for (size_t i = 0; i < groups->count; i++)
        checks_judge_name(&groups->items[i], call, version, report);
    for (size_t i = 0; i < groups->num_composites; i++)
        checks_judge_name(&groups->composites[i], call, version, report);
    /* Uses Kubernetes' words, with the path in the object that would be rejected. */
    if (groups->count > WORKLOAD_MOST_GROUPS && groups->num_composites < 2)
        find_note(report, call->gang->wishes->owner.name_source, MESSAGE_TOO_MANY_GROUPS,
                  SLICE_ARG(version->list), groups->count, WORKLOAD_MOST_GROUPS);
    else
        for (size_t i = 0; i < groups->count; i++)
            if (FIND_TEXT(groups->items, i, template_name, groups->items[i].template_name) ||
                (groups->num_composites &&
                 slice_equal(groups->composites[0].template_name, groups->items[i].template_name)))
                find_note(report, checks_place(&groups->items[i], call), MESSAGE_DUPLICATE_GROUP,
                          SLICE_ARG(version->list), i, SLICE_ARG(groups->items[i].template_name));
    checks_judge_fields(groups, call, version, report);
    if (options.groups_initializers && !version->has_pod_groups)
        find_note(report, options.initializers_source, MESSAGE_FIELD_NOT_IN_VERSION_INITIALIZERS,
                  SLICE_ARG(version->api_version));
    if (groups->why_no_composite)
        find_note(report, options.composite_source, MESSAGE_COMPOSITE_NOT_MADE,
                  groups->why_no_composite);
}

/*
 * Reports roles on both sides of a Complete edge, which never run together. Returns false if there
 * are any.
 */
static bool
checks_judge_stages(const struct workload_groups *groups, size_t index, const struct gang *gang,
                    struct report *report)
{
    const struct workload_group *group = &groups->items[index];
    const struct role *first = NULL;

    for (size_t i = 0; i < gang->num_roles && !group->is_basic; i++) {
        const struct role *role = &gang->roles[i];

        if (groups->of_role[i] != index)
            continue;
        if (first && first->stage != role->stage) {
            find_note(report, group->source, MESSAGE_GROUP_SPANS_STAGES, SLICE_ARG(first->name),
                      SLICE_ARG(role->name));
            return false;
        }
        first = role;
    }
    return true;
}

/* libgang/gang refuses late members if the wishes say so; this reports the others. */
static void
checks_judge_late(const struct workload_group *group, enum gang_late choice,
                  const struct gang *gang, struct report *report)
{
    if (!group->late || group->is_basic || gang->wishes->late == LATE_REFUSE)
        return;
    if (choice == LATE_REFUSE) {
        find_note(report, group->source, MESSAGE_LATE_MEMBERS_REFUSED,
                  SLICE_ARG(group->late->name));
    } else {
        /* `late` is of the group's first wave if its own first pods hold back the others. */
        bool is_partly = role_pods_at_first(group->late) < group->late->count;
        if (is_partly)
            find_note(report, group->late->source, MESSAGE_LATE_MEMBER_UNRESERVED_PODS,
                      (long long)(group->late->count - role_pods_at_first(group->late)),
                      SLICE_ARG(group->late->name));
        else
            find_note(report, group->late->source, MESSAGE_LATE_MEMBER_UNRESERVED_ROLE,
                      SLICE_ARG(group->late->name));
    }
}

/* Finds the roles that can run if a pod of a gang waits until the gang's minimum of pods exists. */
struct checks_replay {
    const struct workload_groups *groups;
    const struct gang *gang;
    bool *created;
    bool *running;
    int64_t *existing; /* number of pods by group */
};

static bool
checks_may_be_created(const struct checks_replay *replay, const struct role *role)
{
    for (size_t e = 0; e < role->num_dependencies; e++)
        if (role->dependencies[e].index != ROLE_NONE &&
            !replay->running[role->dependencies[e].index])
            return false;
    return true;
}

/* Runs one pass in start order. Every pass except the last opens a group. */
static bool
checks_replay_pass(struct checks_replay *replay, const uint32_t *order)
{
    bool changed = false;

    for (size_t i = 0; i < replay->gang->num_roles; i++) {
        size_t role = order[i];
        size_t group = replay->groups->of_role[role];

        if (!replay->created[role] && checks_may_be_created(replay, &replay->gang->roles[role])) {
            replay->created[role] = changed = true;
            if (group != WORKLOAD_NO_GROUP)
                replay->existing[group] += role_pods_at_first(&replay->gang->roles[role]);
        }
        if (!replay->running[role] && replay->created[role] &&
            (group == WORKLOAD_NO_GROUP || replay->groups->items[group].is_basic ||
             replay->existing[group] >= replay->groups->items[group].minimum))
            replay->running[role] = changed = true;
    }
    return changed;
}

/*
 * Reports groups that wait for one another. Groups of one role each cannot, and libgang/gang checks
 * a single group.
 */
static void
checks_replay_groups(const struct workload_groups *groups, const struct gang *gang,
                     struct report *report)
{
    struct checks_replay replay = {
        .groups = groups,
        .gang = gang,
        .created = arena_array(report->arena, gang->num_roles, sizeof(bool)),
        .running = arena_array(report->arena, gang->num_roles, sizeof(bool)),
        .existing = arena_array(report->arena, groups->count, sizeof(int64_t)),
    };

    if (!gang->wishes->start_order || arena_failed(report->arena))
        return;
    while (checks_replay_pass(&replay, gang->wishes->start_order)) {
    }
    for (size_t i = 0; i < gang->num_roles; i++)
        if (replay.created[i] && !replay.running[i]) {
            const size_t index = groups->of_role[i];

            find_note(report, groups->items[index].source, MESSAGE_STRUCTURAL_DEADLOCK_GROUPS,
                      SLICE_ARG(gang->roles[i].name), (long long)groups->items[index].minimum,
                      (long long)replay.existing[index], SLICE_ARG(gang->roles[i].name));
            return;
        }
}

void
workload_check_order(const struct workload_groups *groups, const struct backend_call *call,
                     struct report *report)
{
    bool divided = workload_scheduling_entries(call->gang->wishes->scheduling) != NULL;
    struct workload_options options = workload_options_read(call->options);
    const struct role *first = NULL;
    struct wording names;

    for (size_t i = 0; i < groups->count; i++) {
        const struct workload_group *group = &groups->items[i];

        if (group->is_basic && group->has_members)
            find_note(report, group->source, MESSAGE_BASIC_GROUP);
        if (!divided || checks_judge_stages(groups, i, call->gang, report))
            checks_judge_late(&groups->items[i], options.late, call->gang, report);
    }
    /*
     * Reports roles that divided jobs leave outside. libgang/gang reports those of a gang of one
     * group.
     */
    wording_start(&names);
    for (size_t i = 0; i < call->gang->num_roles; i++)
        if (call->gang->roles[i].left_out) {
            wording_add(&names, ", ", call->gang->roles[i].name);
            first = first ? first : &call->gang->roles[i];
        }
    if (first)
        find_note(report, first->source, MESSAGE_LATE_MEMBERS, wording_end_list(&names),
                  wait_in_words(call->gang->roles, call->gang->num_roles,
                                (size_t)(first - call->gang->roles), report->arena));
    if (divided && !report_has_errors(report))
        checks_replay_groups(groups, call->gang, report);
}
