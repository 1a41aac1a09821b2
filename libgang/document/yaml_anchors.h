/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_ANCHORS_H
#define LIBGANG_DOCUMENT_YAML_ANCHORS_H

#include "libgang/document/document.h"

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
