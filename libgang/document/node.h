/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NODE_H
#define LIBGANG_DOCUMENT_NODE_H

#include <stdint.h>

#include "libgang/base/arena.h"

/* NODE_NUMBER is a number outside int64 or with a fraction. Its text is its JSON form. */
enum node_kind { NODE_NULL, NODE_BOOL, NODE_INT, NODE_NUMBER, NODE_STRING, NODE_LIST, NODE_MAP };

/*
 * The data model of every reader, builder and writer: a tree in an arena. It is immutable after its
 * reader or builder has returned it.
 *
 * Two nodes may share their children (an unchanged branch of a merge, a large alias). The marks
 * always refer to the place where the value was written, so a finding points at the place that the
 * user must edit.
 */
struct node {
    const struct node *parent;
    const struct node *next;
    const char *key; /* set for members of a map; NULL with `key_len` 0 for other nodes */
    union {
        /* NODE_STRING, NODE_INT, NODE_NUMBER, NODE_BOOL: the JSON form, unquoted */
        const char *text;
        const struct node *first; /* NODE_LIST, NODE_MAP */
    } as;
    uint32_t key_len;
    uint32_t len;    /* bytes of the text, or number of children */
    uint32_t index;  /* position among its siblings in the source */
    uint32_t line;   /* of the value, 1-based; 0 for a node that is in no text */
    uint32_t column; /* without a line, the number of the value in its tree; 0: in no document */
    uint32_t key_line;
    uint32_t key_column;
    uint8_t kind;     /* enum node_kind */
    uint8_t document; /* enum gang_document_type */
    uint8_t quoted;   /* a string that was written in quotes or as a block */
};

/* These functions accept NULL and treat it as an absent value. */

inline bool
node_is(const struct node *node, enum node_kind kind)
{
    return node && node->kind == kind;
}

/* Whether the value is NULL or null. Kubernetes treats both as absent. */
static inline bool
node_is_absent(const struct node *node)
{
    return !node || node->kind == NODE_NULL;
}

inline struct slice
node_key(const struct node *node)
{
    return node ? (struct slice){node->key, node->key_len} : NO_SLICE;
}

/* Returns the text of a scalar; unset for lists, maps, null and NULL. */
inline struct slice
node_text(const struct node *node)
{
    return node && node->kind > NODE_NULL && node->kind < NODE_LIST
               ? (struct slice){node->as.text, node->len}
               : NO_SLICE;
}

/* Returns the text of a string; unset for other values. */
inline struct slice
node_string(const struct node *node)
{
    return node_is(node, NODE_STRING) ? (struct slice){node->as.text, node->len} : NO_SLICE;
}

static inline const struct node *
node_first(const struct node *node)
{
    return node && node->kind >= NODE_LIST ? node->as.first : NULL;
}

static inline size_t
node_count(const struct node *node)
{
    return node && node->kind >= NODE_LIST ? node->len : 0;
}

/* Walks the members of a map or the items of a list: `for (NODE_EACH(item, list))`. */
#define NODE_EACH(item, container)                                                                 \
    const struct node *item = node_first(container);                                               \
    item;                                                                                          \
    item = item->next

/* Returns the member of a map. NULL if it is absent or null, or if `map` is not a map. */
const struct node *node_member(const struct node *map, struct slice key);
/* Like node_member(), but returns null members. */
const struct node *node_member_or_null(const struct node *map, struct slice key);
/* Follows member names, "spec.template.spec". Names must not contain a dot. */
const struct node *node_at(const struct node *map, const char *path);
const struct node *node_item(const struct node *list, size_t index);
/* Returns the first item whose member `name` is the text; NULL if there is none. */
const struct node *node_item_named(const struct node *list, struct slice name);
/* Whether one of the items is this string. */
bool node_has_string(const struct node *list, struct slice text);
/* Returns the text of the member `name`; unset if it is absent or not a string. */
struct slice node_name(const struct node *map);

/* False if the node is not an integer. */
bool node_int(const struct node *node, int64_t *value);
static inline int64_t
node_int_or(const struct node *node, int64_t otherwise)
{
    int64_t value;

    return node_int(node, &value) ? value : otherwise;
}
/* True only for the boolean true. */
bool node_is_true(const struct node *node);

/*
 * Whether kind, text and children are equal, regardless of the order of keys. Null equals an absent
 * value, also in a map.
 */
bool node_equal(const struct node *a, const struct node *b);

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

/* Returns a member that is a text and not empty; NULL otherwise. */
const struct node *node_text_member(const struct node *map, struct slice key);
/* Compares members of maps by key. `context` is not used. */
int node_compare_keys(const void *a, const void *b, const void *context);
/* Returns the members of a map or the items of a list, sorted; NULL if out of memory. */
const void **node_sort(const struct node *container, stable_sort_compare *compare,
                       const void *context, struct arena *arena);

/* As node_member() of a map, and as node_item_named() of a list. */
const struct node *node_index_find(const struct node_index *index, struct slice key);
/* Like node_index_find(), but returns null members. */
const struct node *node_index_find_or_null(const struct node_index *index, struct slice key);

/* Appends a child to a tree that is not complete, after `last`; NULL for the first child. */
static inline void
node_append(struct node *parent, struct node *last, struct node *child)
{
    child->parent = parent;
    child->index = parent->len++;
    if (last)
        last->next = child;
    else
        parent->as.first = child;
}

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

/* Constant nodes in no document, in an array that they refer to; the root has no key. */
#define NODE_CONSTANT_ROOT(first_child, count)                                                     \
    {                                                                                              \
        .as.first = (first_child), .len = (count), .kind = NODE_MAP                                \
    }
#define NODE_CONSTANT_MAP(its_parent, its_key, first_child, count, next_sibling)                   \
    {                                                                                              \
        .parent = (its_parent), .next = (next_sibling), .key = (its_key),                          \
        .as.first = (first_child), .key_len = sizeof(its_key) - 1, .len = (count),                 \
        .kind = NODE_MAP                                                                           \
    }
#define NODE_CONSTANT_TEXT(its_parent, its_key, its_text, next_sibling)                            \
    {                                                                                              \
        .parent = (its_parent), .next = (next_sibling), .key = (its_key), .as.text = (its_text),   \
        .key_len = sizeof(its_key) - 1, .len = sizeof(its_text) - 1, .kind = NODE_STRING           \
    }

#define NODE_CONSTANT_TRUE(its_key, its_index, next_sibling)                                       \
    {                                                                                              \
        .next = (next_sibling), .key = (its_key), .as.text = "true",                               \
        .key_len = sizeof(its_key) - 1, .len = sizeof("true") - 1, .index = (its_index),           \
        .kind = NODE_BOOL                                                                          \
    }

/* Ends a map with constant members that are linked: none can be added behind them. */
void build_end(struct builder *map, const struct node *first, uint32_t count);

/*
 * Merges two maps: `first`, and the members that only `second` has. Sorted by key; NULL if both
 * maps are empty.
 */
const struct node *build_merged(const struct node *first, const struct node *second,
                                struct arena *arena);

/* Returns the value with the members of all its maps sorted by key, and without null members. */
const struct node *build_sorted(const struct node *value, struct arena *arena);

/*
 * Changed copies of a tree. A copy shares all branches that do not change with the original, which
 * must outlive it. Copied nodes keep their marks. Every function returns NULL after a failed
 * allocation, and accepts the NULL of another.
 */

/* Links copies of nodes into a container. */
struct edit_chain {
    struct arena *arena;
    struct node *container;
    const struct node **link;
};

/* Starts an empty copy of the header of `like`, which may be NULL. */
struct edit_chain edit_start(struct arena *arena, const struct node *like, enum node_kind kind);
/* Adds a copy of the node's header. Its parent and index still refer to its place in the source. */
struct node *edit_add(struct edit_chain *chain, const struct node *node);
const struct node *edit_end(const struct edit_chain *chain);

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
