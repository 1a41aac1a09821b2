/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NODE_H
#define LIBGANG_DOCUMENT_NODE_H

#include <stdint.h>

#include "libgang/base/slice.h"

/* NODE_NUMBER is a number outside int64 or with a fraction. Its text is its JSON form. */
enum node_kind { NODE_NULL, NODE_BOOL, NODE_INT, NODE_NUMBER, NODE_STRING, NODE_LIST, NODE_MAP };

/*
 * The data model of every reader, builder and writer: a tree in an arena. It is immutable after its
 * reader or builder has returned it.
 *
 * Two nodes may share their children (an alias, or an unchanged branch of a merge). `parent`,
 * `index` and the marks always refer to the place where the value was written, so a finding points
 * at the place that the user must edit.
 */
struct node {
    const struct node *parent;
    const struct node *next;
    const char *key; /* set for members of a map */
    union {
        /* NODE_STRING, NODE_INT, NODE_NUMBER, NODE_BOOL: the JSON form, unquoted */
        const char *text;
        const struct node *first; /* NODE_LIST, NODE_MAP */
    } as;
    uint32_t key_len;
    uint32_t len;   /* bytes of the text, or number of children */
    uint32_t index; /* position among its siblings in the source */
    uint32_t line;  /* of the value, 1-based; 0 for a node that is in no document */
    uint32_t column;
    uint32_t key_line;
    uint32_t key_column;
    uint8_t kind;     /* enum node_kind */
    uint8_t document; /* enum gang_document_type */
    uint8_t quoted;   /* a string that was written in quotes or as a block */
};

/* These functions accept NULL and treat it as an absent value. */

static inline bool
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

static inline struct slice
node_key(const struct node *node)
{
    return node && node->key ? (struct slice){node->key, node->key_len} : NO_SLICE;
}

/* Returns the text of a scalar; unset for lists, maps, null and NULL. */
static inline struct slice
node_text(const struct node *node)
{
    return node && node->kind > NODE_NULL && node->kind < NODE_LIST
               ? (struct slice){node->as.text, node->len}
               : NO_SLICE;
}

/* Returns the text of a string; unset for other values. */
static inline struct slice
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
/* Returns the text of the member `name`; unset if it is absent or not a string. */
struct slice node_name(const struct node *map);

/* False if the node is not an integer. */
bool node_int(const struct node *node, int64_t *value);
/* True only for the boolean true. */
bool node_is_true(const struct node *node);

/*
 * Whether kind, text and children are equal, regardless of the order of keys. Null equals an absent
 * value, also in a map.
 */
bool node_equal(const struct node *a, const struct node *b);

#endif
