/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_MERGE_H
#define LIBGANG_DOCUMENT_YAML_MERGE_H

#include "libgang/document/document.h"

/*
 * Adds what a merge key brings: the members of `source`, or of each map in the list `source`. A key written in the map
 * itself wins wherever it stands, then the first map of the list. In strict mode any overlap is a duplicate key.
 * Merged members share their children with the map they come from and keep its marks.
 */
bool yaml_merge(const struct document_request *request, struct node *map, struct node *last,
                const struct node *source);

/* What an alias may name. */
struct yaml_anchor {
    struct slice name;
    const struct node *node;
    uint32_t nodes;  /* of its tree, aliases written out */
    uint32_t height; /* levels of containers in its tree */
    bool is_open;    /* its tree is still being read */
};

struct yaml_anchors {
    struct yaml_anchor *items;
    size_t count;
    size_t capacity;
};

/* The new anchor's number; SIZE_MAX without memory. A later anchor of the same name hides the earlier one. */
size_t yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                        const struct node *node);
/* NULL when no anchor has the name. */
const struct yaml_anchor *yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name);

#endif
