/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/losses.h"

/* A value that a document sets and the objects of the scheduler have no place for. */
struct lost_value {
    enum gang_code code;
    struct slice field; /* in the plan */
    struct slice value;
    const char *reason;
    const struct node *source;
};

static struct loss_sink
loss_into_report(struct report *report)
{
    return (struct loss_sink){.arena = report->arena, .report = report};
}

static struct loss_sink
loss_into_plan(struct plan_content *content)
{
    return (struct loss_sink){.arena = content->arena, .content = content};
}

static void
loss_tell(const struct loss_sink *sink, const struct lost_value *lost)
{
    struct quoted quoted;

    if (!lost->reason)
        return;
    if (sink->content)
        plan_add_loss(sink->content, lost->field, lost->value, lost->reason);
    else if (lost->code == GANG_CODE_ELASTIC_LOST)
        find_note(sink->report, lost->code, lost->source, NULL, "%.*s %.*s is lost: %s",
                  SLICE_ARG(lost->field), SLICE_ARG(lost->value), lost->reason);
    else
        find_note(sink->report, lost->code, lost->source,
                  "remove the field, or choose a backend that supports it", "%.*s %s is lost: %s",
                  SLICE_ARG(lost->field), quote(&quoted, lost->value), lost->reason);
}

static struct slice
loss_integer(int64_t value, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(arena, integer_format(value, text));
}

/* ---- values of the whole gang ---- */

/* Indexed by enum loss_field. The plan's trace uses the same names. */
static const struct slice loss_names[] = {
    [LOSS_QUEUE] = SLICE_INIT("queue"),
    [LOSS_TIMEOUT] = SLICE_INIT("scheduleTimeoutSeconds"),
    [LOSS_TOPOLOGY] = SLICE_INIT("topology"),
    [LOSS_TOPOLOGY_OF_POLICY] = SLICE_INIT("topology"),
    [LOSS_MINIMUM] = SLICE_INIT("minimum"),
    [LOSS_ROLE_MINIMUM] = SLICE_INIT("roles[].minCount"),
    [LOSS_ROLE_MINIMUM_BESIDE] = SLICE_INIT("roles[].minCount"),
};

struct slice
loss_field_name(enum loss_field field)
{
    return loss_names[field];
}

/* Returns `hard/2`, `hard/rack`, or the mode alone if there is neither a tier nor a level. */
static struct slice
loss_topology(const struct gang_topology *topology, struct arena *arena)
{
    if (!topology->has_tier && slice_is_set(topology->level))
        return slice_from_text(arena_format(arena, "%.*s/%.*s", SLICE_ARG(topology->mode),
                                            SLICE_ARG(topology->level)));
    if (!topology->has_tier)
        return topology->mode;
    return slice_from_text(arena_format(arena, "%.*s/%lld", SLICE_ARG(topology->mode),
                                        (long long)topology->highest_tier));
}

static void
loss_find_value(const struct loss *row, const struct gang *gang, const struct loss_sink *sink)
{
    const struct gang_topology *topology = &gang->topology;
    const struct node *source = NULL;
    struct slice value = NO_SLICE;

    if (row->field == LOSS_QUEUE && gang->queue.len) {
        source = gang->queue_source;
        value = gang->queue;
    } else if (row->field == LOSS_TIMEOUT && gang->has_timeout && gang->timeout_source) {
        source = gang->timeout_source;
        value = loss_integer(gang->timeout_seconds, sink->arena);
    } else if (topology->is_set && topology->source &&
               (row->field == LOSS_TOPOLOGY ||
                (row->field == LOSS_TOPOLOGY_OF_POLICY && !group_tree_placement(gang)))) {
        source = topology->source;
        value = loss_topology(topology, sink->arena);
    }
    if (source)
        loss_tell(sink, &(struct lost_value){GANG_CODE_FIELD_LOST, loss_names[row->field], value,
                                             row->reason, source});
}

/* ---- the minimum of the gang, and those of single roles ---- */

static bool
loss_has_other_members(const struct gang *gang, size_t role)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (i != role && gang->parts[i].membership == ROLE_MEMBER && gang->roles[i].count)
            return true;
    return false;
}

static void
loss_find_minimum(const struct loss *row, const struct gang *gang, const struct loss_sink *sink)
{
    const int64_t sum = gang_sum_of_role_minima(gang);

    if (!gang->wishes->minimum || gang->wishes->minimum == sum)
        return;
    loss_tell(sink, &(struct lost_value){
                        .code = GANG_CODE_ELASTIC_LOST,
                        .field = SLICE("minimum"),
                        .value = loss_integer(gang->wishes->minimum, sink->arena),
                        .reason = arena_format(sink->arena, "%s: %lld pods must start", row->reason,
                                               (long long)sum),
                        .source = gang->wishes->minimum_source,
                    });
}

/* A role's minimum is lost only if pods of another role of the first wave can start instead. */
static void
loss_find_role_minima(const struct loss *row, const struct gang *gang, const struct loss_sink *sink)
{
    if (row->field == LOSS_ROLE_MINIMUM_BESIDE && gang->minimum == gang_sum_of_role_minima(gang))
        return;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang->parts[i].membership != ROLE_MEMBER || !role_is_elastic(role) ||
            !loss_has_other_members(gang, i))
            continue;
        loss_tell(
            sink,
            &(struct lost_value){
                .code = GANG_CODE_ELASTIC_LOST,
                .field = slice_from_text(arena_format(sink->arena, "roles[%zu].minCount", i)),
                .value = loss_integer(role->min_count, sink->arena),
                .reason = arena_format(sink->arena, "%s: %lld pods may be any %lld", row->reason,
                                       (long long)gang->minimum, (long long)gang->minimum),
                .source = role->source,
            });
    }
}

static void
loss_find(const struct loss *losses, size_t count, const struct gang *gang,
          const struct loss_sink *sink)
{
    for (size_t i = 0; i < count; i++)
        if (losses[i].field < LOSS_MINIMUM)
            loss_find_value(&losses[i], gang, sink);
        else if (losses[i].field == LOSS_MINIMUM)
            loss_find_minimum(&losses[i], gang, sink);
        else if (gang_may_start_in_part(gang))
            loss_find_role_minima(&losses[i], gang, sink);
}

void
loss_report(const struct loss *losses, size_t count, const struct gang *gang, struct report *report)
{
    const struct loss_sink sink = loss_into_report(report);

    loss_find(losses, count, gang, &sink);
}

void
loss_render(const struct loss *losses, size_t count, const struct gang *gang,
            struct plan_content *content)
{
    const struct loss_sink sink = loss_into_plan(content);

    loss_find(losses, count, gang, &sink);
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

static void
loss_find_units(const struct backend *backend, const struct backend_call *call,
                const struct loss_sink *sink)
{
    for (size_t i = 0; i < call->gang->num_roles; i++) {
        const struct role *role = &call->gang->roles[i];

        if (!unit_may_be_parted(call->gang, i))
            continue;
        loss_tell(sink,
                  &(struct lost_value){
                      .code = GANG_CODE_ELASTIC_LOST,
                      .field = slice_from_text(arena_format(sink->arena, "roles[%zu].unit", i)),
                      .value = loss_integer(role->unit, sink->arena),
                      .reason = backend->why_unit_is_lost ? backend->why_unit_is_lost(call, i)
                                                          : backend->descriptor->why_no_units,
                      .source = role->source,
                  });
    }
}

/* ---- groups ---- */

static void
loss_tell_part(const struct loss_sink *sink, struct slice group, const char *member,
               struct slice value, const struct node *source, const char *reason)
{
    const char *field = slice_is_set(group)
                            ? arena_format(sink->arena, "groups[%.*s].%s", SLICE_ARG(group), member)
                            : member;

    loss_tell(sink, &(struct lost_value){GANG_CODE_FIELD_LOST, slice_from_text(field), value,
                                         reason, source});
}

static struct slice
loss_level(const struct gang_placement *placement)
{
    if (slice_is_set(placement->required))
        return placement->required;
    return slice_is_set(placement->preferred) ? placement->preferred : placement->topology;
}

/*
 * `reason` is why the whole placement is lost, NULL if it is not. Only schedulers with topology
 * objects of their own have a place for every part of it.
 */
static void
loss_find_placement(const struct backend *backend, const struct loss_sink *sink, struct slice group,
                    const struct gang_placement *placement, const char *reason)
{
    if (reason)
        loss_tell_part(sink, group, "topology", loss_level(placement), placement->source, reason);
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
loss_find_group(const struct backend *backend, const struct backend_call *call,
                const struct group_need *need, size_t index, const struct loss_sink *sink)
{
    const struct gang_group *group = &call->gang->wishes->groups[index];
    const char *reasons[] = {[GROUP_MINIMUM] = backend->descriptor->why_no_groups,
                             [GROUP_TOPOLOGY] = backend->descriptor->why_no_groups};

    for (int part = 0; backend->why_group_is_lost && part < (int)COUNT_OF(reasons); part++)
        reasons[part] = backend->why_group_is_lost(call, index, (enum group_part)part);
    if (group_need_is_optional(need))
        loss_tell_part(sink, group->name, "minimum", loss_integer(need->minimum, sink->arena),
                       node_member(group->source, SLICE("minimum")), reasons[GROUP_MINIMUM]);
    if (group->placement.is_set)
        loss_find_placement(backend, sink, group->name, &group->placement, reasons[GROUP_TOPOLOGY]);
}

/* Of a scheduler without any topology, loss_find_value() has the whole gang's. */
static bool
loss_has_row(const struct descriptor *descriptor, enum loss_field field)
{
    for (size_t i = 0; i < descriptor->num_losses; i++)
        if (descriptor->losses[i].field == field)
            return true;
    return false;
}

static void
loss_find_groups(const struct backend *backend, const struct backend_call *call,
                 const struct loss_sink *sink)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    const struct gang_placement *placement = group_tree_placement(call->gang);
    const struct group_tree tree = group_tree_make(call->gang, sink->arena);

    if (placement && !loss_has_row(backend->descriptor, LOSS_TOPOLOGY))
        loss_find_placement(backend, sink, NO_SLICE, placement,
                            backend->why_group_is_lost
                                ? backend->why_group_is_lost(call, GROUP_OF_GANG, GROUP_TOPOLOGY)
                                : NULL);
    for (size_t i = 0; tree.needs && i < wishes->num_groups; i++)
        if (wishes->groups[i].role == ROLE_NONE && tree.needs[i].children)
            loss_find_group(backend, call, &tree.needs[i], i, sink);
}

/* ---- all of a backend ---- */

/* Most gangs have nothing that could be lost. */
static bool
loss_may_be(const struct gang *gang)
{
    return gang->queue.len || gang->has_timeout || gang->topology.is_set || gang->wishes->minimum ||
           gang->wishes->has_units || gang_may_start_in_part(gang) ||
           group_tree_matters(gang->wishes);
}

static void
loss_find_all(const struct backend *backend, const struct backend_call *call,
              const struct loss_sink *sink)
{
    const struct gang *gang = call->gang;

    loss_find(backend->descriptor->losses, backend->descriptor->num_losses, gang, sink);
    if (gang->wishes->has_units)
        loss_find_units(backend, call, sink);
    if (group_tree_matters(gang->wishes))
        loss_find_groups(backend, call, sink);
}

void
backend_report_losses(const struct backend *backend, const struct backend_call *call,
                      struct report *report)
{
    if (loss_may_be(call->gang))
        loss_find_all(backend, call, &(struct loss_sink){.arena = report->arena, .report = report});
}

void
backend_render_losses(const struct backend *backend, const struct backend_call *call,
                      struct plan_content *content)
{
    if (loss_may_be(call->gang))
        loss_find_all(backend, call,
                      &(struct loss_sink){.arena = content->arena, .content = content});
}
