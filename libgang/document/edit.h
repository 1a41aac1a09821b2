/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_EDIT_H
#define LIBGANG_DOCUMENT_EDIT_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * Changed copies of a tree. A copy shares all branches that do not change with the original, which
 * must outlive it. Copied nodes keep their marks. Every function returns NULL after a failed
 * allocation, and accepts the NULL of another.
 */

/*
 * Returns the map with `value` as its member `key`: in the place of the old member, otherwise at
 * the end. A `value` of NULL removes the member. A `map` of NULL is an empty map.
 */
const struct node *edit_member(struct arena *arena, const struct node *map, struct slice key,
                               const struct node *value);

/* The same for a member below the map: "spec.template.spec". Adds maps that are absent. */
const struct node *edit_at(struct arena *arena, const struct node *map, const char *path,
                           const struct node *value);

/* Returns the list without one of its items. */
const struct node *edit_without_item(struct arena *arena, const struct node *list,
                                     const struct node *item);

/* A node of a tree, and what takes its place. */
struct edit_exchange {
    const struct node *from;
    const struct node *to;
    bool was_found; /* set if the node is in the tree */
};

/* Sorts exchanges for edit_exchange(); those of one node follow each other in their order. */
void edit_exchanges_sort(struct edit_exchange **exchanges, size_t count, struct arena *arena);

/* Exchanges nodes of a tree, none of which is below another; each node once. */
const struct node *edit_exchange(struct arena *arena, const struct node *root,
                                 struct edit_exchange *const *sorted, size_t count);

/* Returns a string that is in no document. */
const struct node *edit_string(struct arena *arena, struct slice text);

#endif
