/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/plan/plan.h"

/*
 * Starts a patch without changes. The pairs beyond the counts are not cleared, because that would
 * cost more than everything else.
 */
static void
plan_patch_start(struct gang_patch *patch, struct slice target, struct slice role)
{
    memset(patch, 0, offsetof(struct gang_patch, labels));
    patch->target = target;
    patch->role = role;
}

bool
plan_content_init(struct plan_content *content, struct arena *arena, const struct gang *gang)
{
    *content = (struct plan_content){.arena = arena};
    content->job_patch = arena_take_array(arena, gang->num_roles + 1, sizeof(*content->job_patch));
    if (!content->job_patch)
        return false;
    plan_patch_start(content->job_patch, gang->wishes->owner.kind, NO_SLICE);
    content->patches = content->job_patch + 1;
    content->num_patches = gang->num_roles;
    for (size_t i = 0; i < gang->num_roles; i++)
        plan_patch_start(&content->patches[i], PLAN_TARGET_ROLE, gang->roles[i].name);
    return true;
}

void
plan_add_object(struct plan_content *content, const struct node *manifest)
{
    ARENA_APPEND(content->arena, content->objects, content->num_objects, 1,
                 (struct gang_object){GANG_ACTION_CREATE, manifest});
}

void
plan_add_prediction(struct plan_content *content, struct plan_prediction prediction)
{
    ARENA_APPEND(content->arena, content->predictions, content->num_predictions, 1, prediction);
}

void
plan_add_loss(struct plan_losses *losses, struct plan_loss loss, struct arena *arena)
{
    ARENA_APPEND(arena, losses->items, losses->count, 1, loss);
}

/* Inserts a pair in key order, unless the array is full. An existing key gets the new value. */
static void
plan_put_pair(struct plan_pair pairs[PATCH_MOST_PAIRS], size_t *count, struct plan_pair pair)
{
    size_t at = 0;

    while (at < *count && slice_compare(pairs[at].key, pair.key) < 0)
        at++;
    if (at == *count || !slice_equal(pairs[at].key, pair.key)) {
        if (*count == PATCH_MOST_PAIRS)
            return;
        for (size_t i = (*count)++; i > at; i--)
            pairs[i] = pairs[i - 1];
    }
    pairs[at] = pair;
}

void
plan_patch_label(struct gang_patch *patch, struct slice key, struct slice value)
{
    plan_put_pair(patch->labels, &patch->num_labels, (struct plan_pair){key, value});
}

void
plan_patch_annotation(struct gang_patch *patch, struct slice key, struct slice value)
{
    plan_put_pair(patch->annotations, &patch->num_annotations, (struct plan_pair){key, value});
}

enum { PLAN_SPEC_FIELDS = 5 };

struct plan_pair
plan_patch_spec_field(const struct gang_patch *patch, size_t index)
{
    const struct plan_pair fields[PLAN_SPEC_FIELDS] = {
        {SLICE("schedulerName"), patch->scheduler_name},
        {SLICE("priorityClassName"), patch->priority_class_name},
        {SLICE("schedulingGroup.podGroupName"), patch->scheduling_group},
        {SLICE("workloadRef.name"), patch->workload_ref.name},
        {SLICE("workloadRef.podGroup"), patch->workload_ref.pod_group},
    };

    for (size_t i = 0; i < PLAN_SPEC_FIELDS; i++)
        if (slice_is_set(fields[i].value) && index-- == 0)
            return fields[i];
    return (struct plan_pair){NO_SLICE, NO_SLICE};
}

void
plan_patch_clear(struct gang_patch *patch)
{
    plan_patch_start(patch, patch->target, patch->role);
}

bool
plan_patch_has_spec(const struct gang_patch *patch)
{
    return slice_is_set(patch->scheduler_name) || slice_is_set(patch->priority_class_name) ||
           slice_is_set(patch->scheduling_group) || slice_is_set(patch->workload_ref.name);
}

bool
plan_patch_has_marks(const struct gang_patch *patch)
{
    return patch->num_labels || patch->num_annotations;
}

bool
plan_patch_is_empty(const struct gang_patch *patch)
{
    return !plan_patch_has_marks(patch) && !plan_patch_has_spec(patch);
}

static void
plan_build_pairs(const struct plan_pair *pairs, size_t count, struct slice key,
                 struct builder *metadata)
{
    struct builder map;

    if (!count)
        return;
    map = build_map_member(metadata, key);
    for (size_t i = 0; i < count; i++)
        build_string(&map, pairs[i].key, pairs[i].value);
}

SELDOM void
plan_patch_build_metadata(const struct gang_patch *patch, struct builder *map)
{
    struct builder metadata;

    if (!plan_patch_has_marks(patch))
        return;
    metadata = build_map_member(map, SLICE("metadata"));
    plan_build_pairs(patch->labels, patch->num_labels, SLICE("labels"), &metadata);
    plan_build_pairs(patch->annotations, patch->num_annotations, SLICE("annotations"), &metadata);
}

/* Usually only the job object's patch is empty, so that nothing moves. */
void
plan_content_settle(struct plan_content *content)
{
    struct gang_patch *first =
        plan_patch_is_empty(content->job_patch) ? content->patches : content->job_patch;
    size_t end = content->num_patches + (first == content->job_patch);
    size_t kept = 0;

    for (size_t i = 0; i < end; i++) {
        if (plan_patch_is_empty(&first[i]))
            continue;
        if (kept != i)
            first[kept] = first[i];
        kept++;
    }
    content->shown = first;
    content->num_shown = kept;
}

SELDOM const struct gang_patch *
plan_next_patch(const struct plan_content *content, struct slice role, size_t *next)
{
    if (*next < content->num_shown && !slice_is_set(content->shown[*next].role))
        ++*next;
    if (*next == content->num_shown || !slice_equal(content->shown[*next].role, role))
        return NULL;
    return &content->shown[(*next)++];
}

/* ---- pods with a patch ---- */

static const struct {
    const char *labels;
    const char *annotations;
    const char *spec; /* NULL: the map itself */
} pod_layouts[] = {
    [POD_LAYOUT_POD] = {"metadata.labels", "metadata.annotations", "spec"},
    [POD_LAYOUT_FLAT] = {"labels", "annotations", NULL},
};

static const struct node *
pod_patch_set_pairs(const struct plan_pair *pairs, size_t count, const struct node *pod,
                    const char *path, struct arena *arena)
{
    const struct node *map = node_at(pod, path);

    if (!count)
        return pod;
    for (size_t i = 0; i < count; i++)
        map = edit_member(arena, edit_member(arena, map, pairs[i].key, NULL), /* it comes last */
                          arena_copy(arena, pairs[i].key),
                          edit_string(arena, arena_copy(arena, pairs[i].value)));
    return edit_at(arena, pod, path, map);
}

/* A field with members, such as schedulingGroup, is replaced as a whole. */
static const struct node *
pod_patch_set_fields(const struct gang_patch *patch, const struct node *spec, struct arena *arena)
{
    struct plan_pair field;

    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++) {
        /* the field of the spec in which the patch changes something: the key up to a dot */
        spec = edit_member(arena, spec, slice_before(field.key, '.'), NULL);
    }
    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++)
        spec = edit_at(arena, spec, field.key.data,
                       edit_string(arena, arena_copy(arena, field.value)));
    return spec;
}

const struct node *
pod_patch_apply(const struct gang_patch *patch, const struct node *pod, enum pod_layout layout,
                struct arena *arena)
{
    const char *spec = pod_layouts[layout].spec;

    pod = pod_patch_set_pairs(patch->labels, patch->num_labels, pod, pod_layouts[layout].labels,
                              arena);
    pod = pod_patch_set_pairs(patch->annotations, patch->num_annotations, pod,
                              pod_layouts[layout].annotations, arena);
    if (!plan_patch_has_spec(patch))
        return pod;
    if (!spec)
        return pod_patch_set_fields(patch, pod, arena);
    return edit_at(arena, pod, spec, pod_patch_set_fields(patch, node_at(pod, spec), arena));
}

/* ---- object ---- */

static const char *
object_text(const struct gang_object *object, const char *path)
{
    return object ? node_string(node_at(object->manifest, path)).data : NULL;
}

int
gang_object_get_action(const struct gang_object *object)
{
    return object ? (int)object->action : GANG_ACTION_NONE;
}

const char *
gang_object_get_api_version(const struct gang_object *object)
{
    return object_text(object, "apiVersion");
}

const char *
gang_object_get_kind(const struct gang_object *object)
{
    return object_text(object, "kind");
}

const char *
gang_object_get_namespace(const struct gang_object *object)
{
    return object_text(object, "metadata.namespace");
}

const char *
gang_object_get_name(const struct gang_object *object)
{
    return object_text(object, "metadata.name");
}

/* ---- patch ---- */

/* Unset past the end, and if the section does not exist. */
static struct plan_pair
patch_field(const struct gang_patch *patch, int section, size_t index)
{
    if (patch && section == GANG_PATCH_LABELS && index < patch->num_labels)
        return patch->labels[index];
    if (patch && section == GANG_PATCH_ANNOTATIONS && index < patch->num_annotations)
        return patch->annotations[index];
    if (patch && section == GANG_PATCH_SPEC)
        return plan_patch_spec_field(patch, index);
    return (struct plan_pair){NO_SLICE, NO_SLICE};
}

const char *
gang_patch_get_role(const struct gang_patch *patch)
{
    return patch ? patch->role.data : NULL;
}

const char *
gang_patch_get_target(const struct gang_patch *patch)
{
    return patch ? patch->target.data : NULL;
}

size_t
gang_patch_num_fields(const struct gang_patch *patch, int section)
{
    size_t count = 0;

    while (slice_is_set(patch_field(patch, section, count).key))
        count++;
    return count;
}

const char *
gang_patch_get_key(const struct gang_patch *patch, int section, size_t index)
{
    return patch_field(patch, section, index).key.data;
}

const char *
gang_patch_get_value(const struct gang_patch *patch, int section, size_t index)
{
    return patch_field(patch, section, index).value.data;
}
