/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/plan/plan.h"

const struct slice plan_action_names[] = {
    [GANG_ACTION_NONE] = SLICE_INIT(""),
    [GANG_ACTION_CREATE] = SLICE_INIT("Create"),
    [GANG_ACTION_APPLY] = SLICE_INIT("Apply"),
    [GANG_ACTION_LEAVE] = SLICE_INIT("Leave"),
    [GANG_ACTION_RECREATE] = SLICE_INIT("Recreate"),
    [GANG_ACTION_DELETE] = SLICE_INIT("Delete"),
    [GANG_ACTION_CONFLICT] = SLICE_INIT("Conflict"),
};

/* Without a change yet. The pairs behind the counts stay as they are: clearing them would cost more than all else. */
static void
plan_patch_start(struct plan_patch *patch, struct slice role)
{
    memset(patch, 0, offsetof(struct plan_patch, labels));
    patch->role = role;
}

bool
plan_content_init(struct plan_content *content, struct arena *arena, const struct gang *gang)
{
    *content = (struct plan_content){.arena = arena};
    content->patches = arena_take_array(arena, gang->num_roles + 1, sizeof(*content->patches));
    if (!content->patches)
        return false;
    content->num_patches = gang->num_roles;
    for (size_t i = 0; i < gang->num_roles; i++)
        plan_patch_start(&content->patches[i], gang->roles[i].name);
    content->job_patch = &content->patches[gang->num_roles];
    plan_patch_start(content->job_patch, NO_SLICE);
    return true;
}

/* Room for one more: capacities are the powers of two, so a full array is one whose count is a power of two.
 */
static void *
plan_make_room(struct arena *arena, void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    return arena_grow(arena, items, count, count ? 2 * count : 1, size);
}

void
plan_add_object(struct plan_content *content, const struct node *manifest)
{
    struct plan_object *objects =
        plan_make_room(content->arena, content->objects, content->num_objects, sizeof(*objects));

    if (!objects)
        return;
    objects[content->num_objects++] = (struct plan_object){GANG_ACTION_CREATE, manifest};
    content->objects = objects;
}

void
plan_add_prediction(struct plan_content *content, struct plan_prediction prediction)
{
    struct plan_prediction *predictions =
        plan_make_room(content->arena, content->predictions, content->num_predictions, sizeof(*predictions));

    if (!predictions)
        return;
    predictions[content->num_predictions++] = prediction;
    content->predictions = predictions;
}

void
plan_add_loss(struct plan_content *content, struct slice field, struct slice value, const char *reason)
{
    struct plan_loss *losses =
        plan_make_room(content->arena, content->losses, content->num_losses, sizeof(*losses));

    if (!losses)
        return;
    losses[content->num_losses++] = (struct plan_loss){.field = field, .value = value, .reason = reason};
    content->losses = losses;
}

/* Sorted insertion; a key that is there gets the new value. */
static bool
plan_put_pair(struct plan_pair pairs[PATCH_MOST_PAIRS], size_t *count, struct plan_pair pair)
{
    size_t at = 0;

    while (at < *count && slice_compare(pairs[at].key, pair.key) < 0)
        at++;
    if (at < *count && slice_equal(pairs[at].key, pair.key)) {
        pairs[at] = pair;
        return true;
    }
    if (*count == PATCH_MOST_PAIRS)
        return false;
    memmove(&pairs[at + 1], &pairs[at], (*count - at) * sizeof(*pairs));
    pairs[at] = pair;
    ++*count;
    return true;
}

bool
plan_patch_label(struct plan_patch *patch, struct slice key, struct slice value)
{
    return plan_put_pair(patch->labels, &patch->num_labels, (struct plan_pair){key, value});
}

bool
plan_patch_annotation(struct plan_patch *patch, struct slice key, struct slice value)
{
    return plan_put_pair(patch->annotations, &patch->num_annotations, (struct plan_pair){key, value});
}

bool
plan_patch_has_spec(const struct plan_patch *patch)
{
    return slice_is_set(patch->scheduler_name) || slice_is_set(patch->priority_class_name) ||
           slice_is_set(patch->scheduling_group) || slice_is_set(patch->workload_ref.name);
}

bool
plan_patch_is_empty(const struct plan_patch *patch)
{
    return !patch->num_labels && !patch->num_annotations && !plan_patch_has_spec(patch);
}
