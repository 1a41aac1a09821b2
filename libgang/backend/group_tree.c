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

/* ---- losses ---- */

/* A value that a backend has no place for. */
struct group_loss {
    struct slice field; /* in the plan */
    struct slice value;
    const char *reason;
    const struct node *source;
};

/* Passes each loss to `take`, with the arena that the losses are in. */
struct group_losses {
    const struct backend *backend;
    const struct backend_call *call;
    struct arena *arena;
    void (*take)(const struct group_losses *losses, const struct group_loss *loss);
    struct report *report;
    struct plan_content *content;
};

static void
group_loss_take(const struct group_losses *losses, const char *of, const char *member,
                struct slice value, const struct node *source, const char *reason)
{
    const struct group_loss loss = {
        .field = slice_from_text(arena_format(losses->arena, "%s%s", of, member)),
        .value = value,
        .reason = reason,
        .source = source,
    };

    if (reason)
        losses->take(losses, &loss);
}

/* Only schedulers with topology objects of their own have a place for every part of a topology. */
static void
group_loss_find_in_placement(const struct group_losses *losses, const char *of,
                             const struct gang_placement *placement)
{
    if (slice_is_set(losses->backend->descriptor->topology.kind))
        return;
    if (slice_is_set(placement->topology))
        group_loss_take(losses, of, "topology.name", placement->topology,
                        node_member(placement->source, SLICE("name")),
                        "the scheduler has no topology objects");
    if (slice_is_set(placement->required) && slice_is_set(placement->preferred))
        group_loss_take(losses, of, "topology.preferred", placement->preferred,
                        node_member(placement->source, SLICE("preferred")),
                        "the scheduler has one level, and the required one has precedence");
}

static struct slice
group_loss_level(const struct gang_placement *placement)
{
    if (slice_is_set(placement->required))
        return placement->required;
    return slice_is_set(placement->preferred) ? placement->preferred : placement->topology;
}

static const char *
group_loss_reason(const struct group_losses *losses, size_t group, enum group_part part)
{
    if (losses->backend->why_group_is_lost)
        return losses->backend->why_group_is_lost(losses->call, group, part);
    return losses->backend->descriptor->why_no_groups;
}

static void
group_loss_find_in_group(const struct group_losses *losses, const struct group_need *needs,
                         size_t index)
{
    const struct gang_group *group = &losses->call->gang->wishes->groups[index];
    const char *of = arena_format(losses->arena, "groups[%.*s].", SLICE_ARG(group->name));
    char text[INTEGER_TEXT_SIZE];

    if (group_need_is_optional(&needs[index]))
        group_loss_take(losses, of, "minimum",
                        arena_copy(losses->arena, integer_format(needs[index].minimum, text)),
                        node_member(group->source, SLICE("minimum")),
                        group_loss_reason(losses, index, GROUP_MINIMUM));
    if (group->placement.is_set && group_loss_reason(losses, index, GROUP_TOPOLOGY))
        group_loss_take(losses, of, "topology", group_loss_level(&group->placement),
                        group->placement.source, group_loss_reason(losses, index, GROUP_TOPOLOGY));
    else if (group->placement.is_set)
        group_loss_find_in_placement(losses, of, &group->placement);
}

static bool
group_loss_of_gang(const struct group_losses *losses)
{
    const struct descriptor *descriptor = losses->backend->descriptor;
    const struct gang_placement *placement = group_tree_placement(losses->call->gang);

    for (size_t i = 0; i < descriptor->num_losses; i++)
        if (descriptor->losses[i].field == LOSS_TOPOLOGY)
            return false; /* the whole topology is reported */
    return placement != NULL;
}

static void
group_loss_find_in_gang(const struct group_losses *losses, const struct gang_placement *placement)
{
    const char *reason =
        losses->backend->why_group_is_lost
            ? losses->backend->why_group_is_lost(losses->call, GROUP_OF_GANG, GROUP_TOPOLOGY)
            : NULL;

    if (reason)
        group_loss_take(losses, "", "topology", group_loss_level(placement), placement->source,
                        reason);
    else
        group_loss_find_in_placement(losses, "", placement);
}

static void
group_loss_find(const struct group_losses *losses)
{
    const struct gang *gang = losses->call->gang;
    const struct group_tree tree = group_tree_make(gang, losses->arena);

    if (group_loss_of_gang(losses))
        group_loss_find_in_gang(losses, group_tree_placement(gang));
    for (size_t i = 0; tree.needs && i < gang->wishes->num_groups; i++)
        if (gang->wishes->groups[i].role == ROLE_NONE && tree.needs[i].children)
            group_loss_find_in_group(losses, tree.needs, i);
}

static void
group_loss_report_one(const struct group_losses *losses, const struct group_loss *loss)
{
    struct quoted value;

    find_note(losses->report, GANG_CODE_FIELD_LOST, loss->source,
              "remove the field, or choose a backend that supports it", "%.*s %s is lost: %s",
              SLICE_ARG(loss->field), quote(&value, loss->value), loss->reason);
}

void
group_tree_report_losses(const struct backend *backend, const struct backend_call *call,
                         struct report *report)
{
    const struct group_losses losses = {.backend = backend,
                                        .call = call,
                                        .arena = report->arena,
                                        .take = group_loss_report_one,
                                        .report = report};

    group_loss_find(&losses);
}

static void
group_loss_render_one(const struct group_losses *losses, const struct group_loss *loss)
{
    plan_add_loss(losses->content, loss->field, loss->value, loss->reason);
}

void
group_tree_render_losses(const struct backend *backend, const struct backend_call *call,
                         struct plan_content *content)
{
    const struct group_losses losses = {.backend = backend,
                                        .call = call,
                                        .arena = content->arena,
                                        .take = group_loss_render_one,
                                        .content = content};

    group_loss_find(&losses);
}
