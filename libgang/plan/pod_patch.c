/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/plan/plan.h"

static const struct {
    const char *labels;
    const char *annotations;
    const char *spec; /* NULL: the map itself */
} pod_layouts[] = {
    [POD_LAYOUT_POD] = {"metadata.labels", "metadata.annotations", "spec"},
    [POD_LAYOUT_FLAT] = {"labels", "annotations", NULL},
};

static const struct node *
pod_patch_set_string(struct arena *arena, const struct node *map, struct slice key,
                     struct slice value)
{
    map = edit_member(arena, map, key, NULL); /* what changes comes last */
    return edit_member(arena, map, arena_copy(arena, key),
                       edit_string(arena, arena_copy(arena, value)));
}

static const struct node *
pod_patch_set_pairs(const struct plan_pair *pairs, size_t count, const struct node *pod,
                    const char *path, struct arena *arena)
{
    const struct node *map = node_at(pod, path);

    if (!count)
        return pod;
    for (size_t i = 0; i < count; i++)
        map = pod_patch_set_string(arena, map, pairs[i].key, pairs[i].value);
    return edit_at(arena, pod, path, map);
}

/* Returns the field of the spec in which the patch changes something: the key up to a dot. */
static struct slice
pod_patch_field_of(struct slice key)
{
    const char *dot = memchr(key.data, '.', key.len);

    return dot ? (struct slice){key.data, (size_t)(dot - key.data)} : key;
}

/* A field with members, such as schedulingGroup, is replaced as a whole. */
static const struct node *
pod_patch_set_fields(const struct gang_patch *patch, const struct node *spec, struct arena *arena)
{
    struct plan_pair field;

    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++)
        spec = edit_member(arena, spec, pod_patch_field_of(field.key), NULL);
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
