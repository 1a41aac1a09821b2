/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NODE_H
#define LIBGANG_DOCUMENT_NODE_H

#include <stdint.h>

#include "libgang/base/slice.h"

/* NODE_NUMBER is a number that is not an int64: its text is the JSON spelling. */
enum node_kind { NODE_NULL, NODE_BOOL, NODE_INT, NODE_NUMBER, NODE_STRING, NODE_LIST, NODE_MAP };

/*
 * The one data model: what every reader builds and every writer prints. A tree in an arena, immutable once its
 * reader or builder has returned it.
 *
 * Two nodes may share their children (an alias, an untouched branch of a merge). `parent`, `index` and the marks
 * always tell where the value was written, so a finding points at the place that the user must edit.
 */
struct node {
    const struct node *parent;
    const struct node *next;
    const char *key; /* set for a member of a map */
    union {
        const char *text; /* NODE_STRING, NODE_INT, NODE_NUMBER, NODE_BOOL: as JSON spells it, unquoted */
        const struct node *first; /* NODE_LIST, NODE_MAP */
    } as;
    uint32_t key_len;
    uint32_t len;   /* bytes of the text, or number of children */
    uint32_t index; /* position among its siblings where it was written */
    uint32_t line;  /* of the value, 1-based; 0 for a node that no document holds */
    uint32_t column;
    uint32_t key_line;
    uint32_t key_column;
    uint8_t kind;     /* enum node_kind */
    uint8_t document; /* enum gang_document_type */
    uint8_t quoted;   /* a string that stood in quotes or in a block */
};

/* All of these accept NULL and treat it as an absent value. */

static inline bool
node_is(const struct node *node, enum node_kind kind)
{
    return node && node->kind == kind;
}

/* Absent: not there, or null, which Kubernetes treats alike. */
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

/* The text of a scalar; unset for lists, maps, null and NULL. */
static inline struct slice
node_text(const struct node *node)
{
    return node && node->kind > NODE_NULL && node->kind < NODE_LIST ? (struct slice){node->as.text, node->len}
                                                                    : NO_SLICE;
}

/* The text of a string; unset for anything else. */
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
#define NODE_EACH(item, container)                                                                           \
    const struct node *item = node_first(container);                                                         \
    item;                                                                                                    \
    item = item->next

/* The member of a map; NULL when it is absent, null, or `map` is no map. */
const struct node *node_member(const struct node *map, struct slice key);
/* The same with null members returned as they are. */
const struct node *node_member_or_null(const struct node *map, struct slice key);
/* Follows member names, "spec.template.spec"; no name may hold a dot. */
const struct node *node_at(const struct node *map, const char *path);
const struct node *node_item(const struct node *list, size_t index);

/* False when the node is not an integer. */
bool node_int(const struct node *node, int64_t *value);
/* True only for the boolean true. */
bool node_is_true(const struct node *node);

/* Same kind, text and children, key order aside. */
bool node_equal(const struct node *a, const struct node *b);

#endif
