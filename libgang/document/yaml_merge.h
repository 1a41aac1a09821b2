/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_MERGE_H
#define LIBGANG_DOCUMENT_YAML_MERGE_H

#include "libgang/document/document.h"

/*
 * Applies a merge key: adds the members of `source`, or of each map in the list `source`. Keys of
 * the map itself have precedence, regardless of their position; then the first map of the list. In
 * strict mode any overlap is a duplicate key. Merged members share their children with the source
 * map and keep its marks.
 */
bool yaml_merge(const struct document_request *request, struct node *map, struct node *last,
                const struct node *source);

/* An anchor, which aliases refer to. */
struct yaml_anchor {
    struct slice name;
    const struct node *node;
    uint32_t nodes;  /* of its tree, with aliases expanded */
    uint32_t height; /* levels of containers in its tree */
    bool is_open;    /* its tree is still being read */
};

struct yaml_anchors {
    struct yaml_anchor *items;
    size_t count;
    size_t capacity;
};

/*
 * Returns the index of the new anchor; SIZE_MAX if out of memory. A later anchor with the same name
 * hides the earlier one.
 */
size_t yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                        const struct node *node);
/* Returns NULL if no anchor has the name. */
const struct yaml_anchor *yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name);

#endif
