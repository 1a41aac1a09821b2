/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/yaml_anchors.h"

size_t
yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                 const struct node *node)
{
    if (anchors->count == anchors->capacity) {
        size_t capacity = anchors->capacity ? 2 * anchors->capacity : 8;
        void *items = arena_grow(arena, anchors->items, anchors->count, capacity, sizeof(*anchors->items));

        if (!items)
            return SIZE_MAX;
        anchors->items = items;
        anchors->capacity = capacity;
    }
    anchors->items[anchors->count] =
        (struct yaml_anchor){.name = arena_copy(arena, name), .node = node, .nodes = 1, .is_open = true};
    return anchors->count++;
}

const struct yaml_anchor *
yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name)
{
    for (size_t i = anchors->count; i-- > 0;)
        if (slice_equal(anchors->items[i].name, name))
            return &anchors->items[i];
    return NULL;
}
