/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NODE_INDEX_H
#define LIBGANG_DOCUMENT_NODE_INDEX_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * The members of a map by key, or the items of a list by `name`, to look up many of them: those of
 * a long container are sorted, so that the lookups of all of them together do not need quadratic
 * time. Borrows the container.
 */
struct node_index {
    const struct node *container;
    const void **sorted; /* NULL: the container is short, or the arena failed */
};

struct node_index node_index_make(const struct node *container, struct arena *arena);

/* As node_member() of a map, and as node_item_named() of a list. */
const struct node *node_index_find(const struct node_index *index, struct slice key);

#endif
