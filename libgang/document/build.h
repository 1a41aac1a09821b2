/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_BUILD_H
#define LIBGANG_DOCUMENT_BUILD_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/*
 * Writes a new tree, in the order in which its keys shall be printed. Text is borrowed and must live as long as the
 * tree. After a failed allocation every call is a no-op: ask arena_failed() at the end.
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

/* Add to a map. */
struct builder build_map_member(struct builder *map, struct slice key);
struct builder build_list_member(struct builder *map, struct slice key);
void build_string(struct builder *map, struct slice key, struct slice value);
void build_int(struct builder *map, struct slice key, int64_t value);
void build_bool(struct builder *map, struct slice key, bool value);
/* Shares the children of `value`, which must outlive the tree. NULL adds nothing. */
void build_node(struct builder *map, struct slice key, const struct node *value);
/* build_string() for a text that may be absent: an unset slice adds nothing. */
void build_string_if_set(struct builder *map, struct slice key, struct slice value);

/* Add to a list. */
struct builder build_map_item(struct builder *list);
void build_string_item(struct builder *list, struct slice value);
void build_node_item(struct builder *list, const struct node *value);

/* `first` and what only `second` has, sorted by key, as a map; NULL for two empty maps. */
const struct node *build_merged(const struct node *first, const struct node *second, struct arena *arena);

#endif
