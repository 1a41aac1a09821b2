/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

/* ---- lost values ---- */

void
loss_add(struct loss_sink *sink, struct slice field, struct slice value, const char *reason)
{
    plan_add_loss(&sink->losses, (struct plan_loss){field, value, reason}, sink->report->arena);
}

/* A value that a document sets and the objects of the scheduler have no place for. */
struct lost_value {
    enum gang_code code;
    struct slice field; /* in the plan */
    struct slice value;
    const char *reason; /* NULL: it is not lost */
    const struct node *source;
};

static void
loss_tell(struct loss_sink *sink, struct lost_value lost)
{
    if (!lost.reason)
        return;
    loss_add(sink, lost.field, lost.value, lost.reason);
    if (lost.code == GANG_CODE_ELASTIC_LOST)
        find_note(sink->report, lost.source, lost.code, NULL, "%.*s %.*s is lost: %s",
                  SLICE_ARG(lost.field), SLICE_ARG(lost.value), lost.reason);
    else
        find_note(sink->report, lost.source, lost.code,
                  "remove the field, or choose a backend that supports it",
                  "%.*s %-.*s is lost: %s", SLICE_ARG(lost.field), SLICE_ARG(lost.value),
                  lost.reason);
}

static struct slice
loss_integer(int64_t value, const struct loss_sink *sink)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(sink->report->arena, integer_format(value, text));
}

/* ---- the rows of a descriptor ---- */

/* Indexed by enum loss_field. The plan's trace uses the same names. */
static const struct slice loss_names[] = {
    [LOSS_QUEUE] = SLICE_INIT("queue"),
    [LOSS_TIMEOUT] = SLICE_INIT("scheduleTimeoutSeconds"),
    [LOSS_TOPOLOGY] = SLICE_INIT("topology"),
    [LOSS_TOPOLOGY_OF_POLICY] = SLICE_INIT("topology"),
    [LOSS_RESOURCES] = SLICE_INIT("resources"),
    [LOSS_RESERVE] = SLICE_INIT("reserve"),
    [LOSS_MINIMUM] = SLICE_INIT("minimum"),
    [LOSS_ROLE_MINIMUM] = SLICE_INIT("roles[].minCount"),
    [LOSS_ROLE_MINIMUM_BESIDE] = SLICE_INIT("roles[].minCount"),
};

struct slice
loss_field_name(enum loss_field field)
{
    return loss_names[field];
}

/* A value of the whole gang. */
static void
loss_find_value(const struct loss *row, const struct gang *gang, struct loss_sink *sink)
{
    const struct gang_topology *topology = &gang->topology;
    struct lost_value lost = {GANG_CODE_FIELD_LOST, loss_names[row->field], NO_SLICE, row->reason,
                              NULL};

    if (row->field == LOSS_QUEUE && gang->queue.len) {
        lost.source = gang->queue_source;
        lost.value = gang->queue;
    } else if (row->field == LOSS_TIMEOUT && gang->has_timeout) {
        lost.source = gang->timeout_source;
        lost.value = loss_integer(gang->timeout_seconds, sink);
    } else if (topology->is_set && topology->source &&
               (row->field == LOSS_TOPOLOGY ||
                (row->field == LOSS_TOPOLOGY_OF_POLICY && !group_tree_placement(gang)))) {
        lost.source = topology->source;
        lost.value = topology->mode; /* alone, `hard/2` or `hard/rack` */
        if (topology->has_tier)
            lost.value = ARENA_SLICE(sink->report->arena, "%.*s/%lld", SLICE_ARG(topology->mode),
                                     (long long)topology->highest_tier);
        else if (slice_is_set(topology->level))
            lost.value = ARENA_SLICE(sink->report->arena, "%.*s/%.*s", SLICE_ARG(topology->mode),
                                     SLICE_ARG(topology->level));
    }
    if (lost.source)
        loss_tell(sink, lost);
}

/* What is lost of one role: `part` is its minCount or its unit. */
static void
loss_tell_of_role(struct loss_sink *sink, const struct gang *gang, size_t role, const char *part,
                  int64_t value, const char *reason)
{
    loss_tell(sink, (struct lost_value){
                        .code = GANG_CODE_ELASTIC_LOST,
                        .field = ARENA_SLICE(sink->report->arena, "roles[%zu].%s", role, part),
                        .value = loss_integer(value, sink),
                        .reason = reason,
                        .source = gang->roles[role].source,
                    });
}

/* A role's minimum is lost only if pods of another role of the first wave can start instead. */
static void
loss_find_role_minima(const struct loss *row, const struct gang *gang, struct loss_sink *sink)
{
    size_t members = 0;

    if (row->field == LOSS_ROLE_MINIMUM_BESIDE && gang->minimum == gang_sum_of_role_minima(gang))
        return;
    for (size_t i = 0; i < gang->num_roles; i++)
        members += gang->parts[i].membership == ROLE_MEMBER && gang->roles[i].count;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang->parts[i].membership == ROLE_MEMBER && role_is_elastic(role) &&
            members > (size_t)(role->count > 0))
            loss_tell_of_role(sink, gang, i, "minCount", role->min_count,
                              arena_format(sink->report->arena, "%s: %lld pods may be any %lld",
                                           row->reason, (long long)gang->minimum,
                                           (long long)gang->minimum));
    }
}

void
loss_find(const struct loss *losses, size_t count, const struct gang *gang, struct loss_sink *sink)
{
    for (size_t i = 0; i < count; i++)
        if (losses[i].field < LOSS_MINIMUM) {
            loss_find_value(&losses[i], gang, sink);
        } else if (losses[i].field == LOSS_MINIMUM) {
            const int64_t sum = gang_sum_of_role_minima(gang);

            if (gang->wishes->minimum && gang->wishes->minimum != sum)
                loss_tell(sink, (struct lost_value){
                                    .code = GANG_CODE_ELASTIC_LOST,
                                    .field = loss_names[LOSS_MINIMUM],
                                    .value = loss_integer(gang->wishes->minimum, sink),
                                    .reason = arena_format(sink->report->arena,
                                                           "%s: %lld pods must start",
                                                           losses[i].reason, (long long)sum),
                                    .source = gang->wishes->minimum_source,
                                });
        } else if (gang_may_start_in_part(gang)) {
            loss_find_role_minima(&losses[i], gang, sink);
        }
}

/* ---- units ---- */

bool
unit_may_be_parted(const struct gang *gang, size_t role)
{
    const struct role *of = &gang->roles[role];

    if (of->unit < 2 || !of->count || gang->parts[role].membership == ROLE_OUTSIDE)
        return false;
    return gang->parts[role].membership == ROLE_LATE_MEMBER || role_first_count(of) < of->count ||
           gang->minimum < gang_sum_of_role_minima(gang);
}

/* ---- groups ---- */

/*
 * Returns the sum of the `count` smallest numbers of pods of the direct children, which it sets to
 * -1, the number of groups without members here.
 */
static int64_t
group_tree_take_smallest(const struct gang_wishes *wishes, int64_t *pods, size_t parent,
                         int64_t count)
{
    int64_t sum = 0;

    while (count-- > 0) {
        size_t least = SIZE_MAX;

        for (size_t i = 0; i < wishes->num_groups; i++)
            if (wishes->groups[i].parent == parent && pods[i] >= 0 &&
                (least == SIZE_MAX || pods[i] < pods[least]))
                least = i;
        if (least == SIZE_MAX)
            break;
        sum = integer_add_capped(sum, pods[least]);
        pods[least] = -1;
    }
    return sum;
}

struct group_tree
group_tree_make(const struct gang *gang, struct arena *arena)
{
    const struct gang_wishes *wishes = gang->wishes;
    struct group_need *needs = arena_array(arena, wishes->num_groups, sizeof(*needs));
    int64_t *pods = arena_array(arena, wishes->num_groups, sizeof(*pods)); /* to start each */

    if (!group_tree_has_groups(wishes) || !needs || !pods)
        return (struct group_tree){.pods = gang->minimum};
    for (size_t i = wishes->num_groups; i-- > 0;) {
        const struct gang_group *group = &wishes->groups[i];
        struct group_need *need = &needs[i];

        /* The children follow a group, so they are counted before. */
        if (group->role == ROLE_NONE) {
            need->minimum = group->minimum < need->children ? group->minimum : need->children;
            pods[i] = group_tree_take_smallest(wishes, pods, i, need->minimum);
        } else {
            need->children = gang->parts[group->role].membership != ROLE_OUTSIDE;
            if (gang->parts[group->role].membership == ROLE_MEMBER)
                need->minimum = group->minimum;
            pods[i] = need->minimum;
        }
        if (!need->children)
            pods[i] = -1;
        else if (group->parent != GROUP_OF_GANG)
            needs[group->parent].children++;
    }
    return (struct group_tree){
        .needs = needs,
        .pods = group_tree_take_smallest(wishes, pods, GROUP_OF_GANG, INT64_MAX),
    };
}

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

struct slice
placement_level(const struct gang_placement *placement)
{
    if (slice_is_set(placement->required))
        return placement->required;
    return slice_is_set(placement->preferred) ? placement->preferred : placement->topology;
}

/* `group` is unset for the whole gang. */
static void
loss_tell_part(struct loss_sink *sink, struct slice group, const char *member, struct slice value,
               const struct node *source, const char *reason)
{
    const char *field = slice_is_set(group) ? arena_format(sink->report->arena, "groups[%.*s].%s",
                                                           SLICE_ARG(group), member)
                                            : member;

    loss_tell(sink, (struct lost_value){GANG_CODE_FIELD_LOST, slice_from_text(field), value, reason,
                                        source});
}

/*
 * `reason` is why the whole placement is lost, NULL if it is not. Only schedulers with topology
 * objects of their own have a place for every part of it.
 */
static void
loss_find_placement(const struct backend *backend, struct loss_sink *sink, struct slice group,
                    const struct gang_placement *placement, const char *reason)
{
    loss_tell_part(sink, group, "topology", placement_level(placement), placement->source, reason);
    if (reason || slice_is_set(backend->descriptor->topology.kind))
        return;
    if (slice_is_set(placement->topology))
        loss_tell_part(sink, group, "topology.name", placement->topology,
                       node_member(placement->source, SLICE("name")),
                       "the scheduler has no topology objects");
    if (slice_is_set(placement->required) && slice_is_set(placement->preferred))
        loss_tell_part(sink, group, "topology.preferred", placement->preferred,
                       node_member(placement->source, SLICE("preferred")),
                       "the scheduler has one level, and the required one has precedence");
}

static void
loss_find_groups(const struct backend *backend, const struct backend_call *call,
                 struct loss_sink *sink)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    const struct gang_placement *placement = group_tree_placement(call->gang);
    const struct group_tree tree = group_tree_make(call->gang, sink->report->arena);

    /* Of a scheduler without any topology, loss_find_value() has the whole gang's. */
    for (size_t i = 0; i < backend->descriptor->num_losses; i++)
        if (backend->descriptor->losses[i].field == LOSS_TOPOLOGY)
            placement = NULL;
    if (placement)
        loss_find_placement(backend, sink, NO_SLICE, placement,
                            backend->why_group_is_lost
                                ? backend->why_group_is_lost(call, GROUP_OF_GANG, GROUP_TOPOLOGY)
                                : NULL);
    for (size_t i = 0; tree.needs && i < wishes->num_groups; i++)
        if (wishes->groups[i].role == ROLE_NONE && tree.needs[i].children) {
            const struct group_need *need = &tree.needs[i];
            const struct gang_group *group = &call->gang->wishes->groups[i];
            const char *reasons[] = {[GROUP_MINIMUM] = backend->descriptor->why_no_groups,
                                     [GROUP_TOPOLOGY] = backend->descriptor->why_no_groups};

            for (int part = 0; backend->why_group_is_lost && part < (int)COUNT_OF(reasons); part++)
                reasons[part] = backend->why_group_is_lost(call, i, (enum group_part)part);
            if (need->minimum < need->children)
                loss_tell_part(sink, group->name, "minimum", loss_integer(need->minimum, sink),
                               node_member(group->source, SLICE("minimum")),
                               reasons[GROUP_MINIMUM]);
            if (group->placement.is_set)
                loss_find_placement(backend, sink, group->name, &group->placement,
                                    reasons[GROUP_TOPOLOGY]);
        }
}

/* ---- all of a backend ---- */

struct plan_losses
backend_find_losses(const struct backend *backend, const struct backend_call *call,
                    struct report *report)
{
    const struct gang *gang = call->gang;
    const struct gang_wishes *wishes = gang->wishes;
    struct loss_sink sink = {.report = report};
    const bool has_groups = (wishes->num_groups || wishes->placement.is_set) && !wishes->is_grouped;

    /* most gangs have nothing that could be lost */
    if (gang->queue.len || gang->has_timeout || gang->topology.is_set || wishes->minimum ||
        gang_may_start_in_part(gang))
        loss_find(backend->descriptor->losses, backend->descriptor->num_losses, gang, &sink);
    if (wishes->has_units)
        for (size_t i = 0; i < call->gang->num_roles; i++)
            if (unit_may_be_parted(call->gang, i))
                loss_tell_of_role(&sink, call->gang, i, "unit", call->gang->roles[i].unit,
                                  backend->why_unit_is_lost ? backend->why_unit_is_lost(call, i)
                                                            : backend->descriptor->why_no_units);
    if (has_groups)
        loss_find_groups(backend, call, &sink);
    if (backend->find_losses)
        backend->find_losses(call, &sink);
    return sink.losses;
}
