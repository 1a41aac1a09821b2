/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_TREE_H
#define TESTS_UNIT_TREE_H

#include <check.h>
#include <json-c/json.h>

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

static inline void tree_fill(struct arena *arena, struct node *node, struct json_object *json);

static inline struct node *
tree_append(struct arena *arena, struct node *parent, struct node *last)
{
    struct node *child = arena_alloc(arena, sizeof(*child));

    ck_assert_ptr_nonnull(child);
    child->parent = parent;
    child->index = parent->len++;
    if (last)
        last->next = child;
    else
        parent->as.first = child;
    return child;
}

static inline void
tree_fill_map(struct arena *arena, struct node *map, struct json_object *json)
{
    struct node *last = NULL;

    json_object_object_foreach(json, key, value)
    {
        struct slice copy = arena_copy(arena, slice_from_text(key));

        last = tree_append(arena, map, last);
        last->key = copy.data;
        last->key_len = (uint32_t)copy.len;
        tree_fill(arena, last, value);
    }
}

static inline void
tree_fill_list(struct arena *arena, struct node *list, struct json_object *json)
{
    struct node *last = NULL;

    for (size_t i = 0; i < json_object_array_length(json); i++) {
        last = tree_append(arena, list, last);
        tree_fill(arena, last, json_object_array_get_idx(json, i));
    }
}

static inline void
tree_fill(struct arena *arena, struct node *node, struct json_object *json)
{
    static const uint8_t kinds[] = {
        [json_type_null] = NODE_NULL,     [json_type_boolean] = NODE_BOOL, [json_type_int] = NODE_INT,
        [json_type_double] = NODE_NUMBER, [json_type_string] = NODE_STRING,
        [json_type_array] = NODE_LIST,    [json_type_object] = NODE_MAP,
    };
    struct slice text;

    node->kind = kinds[json_object_get_type(json)];
    if (node->kind == NODE_MAP) {
        tree_fill_map(arena, node, json);
    } else if (node->kind == NODE_LIST) {
        tree_fill_list(arena, node, json);
    } else if (node->kind != NODE_NULL) {
        text = arena_copy(arena, slice_from_text(json_object_get_string(json)));
        node->as.text = text.data;
        node->len = (uint32_t)text.len;
    }
}

/* A tree without marks from JSON text. */
static inline const struct node *
tree_of(struct arena *arena, const char *text)
{
    struct json_object *json = json_tokener_parse(text);
    struct node *root = arena_alloc(arena, sizeof(*root));

    ck_assert_msg(json != NULL, "no JSON: %s", text);
    tree_fill(arena, root, json);
    json_object_put(json);
    return root;
}

#endif
