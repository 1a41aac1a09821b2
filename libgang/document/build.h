/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_BUILD_H
#define LIBGANG_DOCUMENT_BUILD_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * Builds a new tree. Keys print in the order in which they are added. Text is borrowed and must
 * live as long as the tree. After a failed allocation every call is a no-op; check arena_failed()
 * at the end.
 *
 *     struct builder object = build_map(arena);
 *     struct builder spec = build_map_member(&object, SLICE("spec"));
 *     build_int(&spec, SLICE("minMember"), 4);
 */
struct builder {
    struct arena *arena;
    struct node *node; /* the map or list under construction; NULL after a failed allocation */
    struct node *last;
};

struct builder build_map(struct arena *arena);
struct builder build_list(struct arena *arena);

/* Functions that add a member to a map. */
struct builder build_map_member(struct builder *map, struct slice key);
struct builder build_list_member(struct builder *map, struct slice key);
void build_string(struct builder *map, struct slice key, struct slice value);
void build_int(struct builder *map, struct slice key, int64_t value);
void build_bool(struct builder *map, struct slice key, bool value);
/*
 * Adds a member that shares the children of `value`, which must outlive the tree. Does nothing if
 * `value` is NULL.
 */
void build_node(struct builder *map, struct slice key, const struct node *value);
/* Like build_string(), for a text that may be absent. Does nothing if `value` is unset. */
void build_string_if_set(struct builder *map, struct slice key, struct slice value);

/* Functions that add an item to a list. */
struct builder build_map_item(struct builder *list);
void build_string_item(struct builder *list, struct slice value);
void build_node_item(struct builder *list, const struct node *value);

/*
 * Merges two maps: `first`, and the members that only `second` has. Sorted by key; NULL if both
 * maps are empty.
 */
const struct node *build_merged(const struct node *first, const struct node *second,
                                struct arena *arena);

#endif
