/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NODE_INDEX_H
#define LIBGANG_DOCUMENT_NODE_INDEX_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * The members of a map, to look up many of them: the members of a long map are sorted, so that the
 * lookups of every member together do not need quadratic time. Borrows the map.
 */
struct node_index {
    const struct node *map;
    const void **sorted; /* NULL: the map is short, or the arena failed */
};

struct node_index node_index_make(const struct node *map, struct arena *arena);

/* As node_member(). */
const struct node *node_index_member(const struct node_index *index, struct slice key);

#endif
