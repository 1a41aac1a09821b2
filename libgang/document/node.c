/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

extern inline bool node_is(const struct node *node, enum node_kind kind);
extern inline struct slice node_key(const struct node *node);
extern inline struct slice node_text(const struct node *node);
extern inline struct slice node_string(const struct node *node);

static inline const struct node *
node_find_member(const struct node *map, struct slice key)
{
    const struct node *member = node_is(map, NODE_MAP) ? map->as.first : NULL;

    while (member &&
           (member->key_len != key.len || !slice_bytes_equal(member->key, key.data, key.len)))
        member = member->next;
    return member;
}

const struct node *
node_member_or_null(const struct node *map, struct slice key)
{
    return node_find_member(map, key);
}

const struct node *
node_member(const struct node *map, struct slice key)
{
    const struct node *member = node_find_member(map, key);

    return node_is_absent(member) ? NULL : member;
}

const struct node *
node_at(const struct node *map, const char *path)
{
    while (map && *path) {
        size_t len = strcspn(path, ".");

        map = node_member(map, (struct slice){path, len});
        path += len + (path[len] == '.');
    }
    return map;
}

const struct node *
node_item(const struct node *list, size_t index)
{
    const struct node *item = node_is(list, NODE_LIST) ? node_first(list) : NULL;

    while (item && index-- > 0)
        item = item->next;
    return item;
}

struct slice
node_name(const struct node *map)
{
    return node_string(node_member(map, SLICE("name")));
}

bool
node_has_string(const struct node *list, struct slice text)
{
    for (NODE_EACH(item, list))
        if (slice_equal(node_string(item), text))
            return true;
    return false;
}

const struct node *
node_item_named(const struct node *list, struct slice name)
{
    for (NODE_EACH(item, list))
        if (slice_equal(node_name(item), name))
            return item;
    return NULL;
}

/* The text of such a node is decimal and within int64: its reader or builder has seen to that. */
bool
node_int(const struct node *node, int64_t *value)
{
    bool negative;
    uint64_t sum = 0;

    if (!node_is(node, NODE_INT))
        return false;
    negative = node->as.text[0] == '-';
    for (size_t i = negative; i < node->len; i++)
        sum = sum * 10 + (uint64_t)(node->as.text[i] - '0');
    *value = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

bool
node_is_true(const struct node *node)
{
    return node_is(node, NODE_BOOL) && node->len == sizeof("true") - 1;
}

static size_t
node_count_present(const struct node *map)
{
    size_t count = 0;

    for (NODE_EACH(member, map))
        count += !node_is_absent(member);
    return count;
}

/* Recursive. The depth limit of the readers bounds the recursion. */
bool
node_equal(const struct node *a, const struct node *b)
{
    const struct node *other;

    if (node_is_absent(a) || node_is_absent(b))
        return node_is_absent(a) && node_is_absent(b);
    if (a->kind != b->kind)
        return false;
    if (a->kind < NODE_LIST)
        return slice_equal(node_text(a), node_text(b));
    if (a->kind == NODE_MAP) {
        if (node_count_present(a) != node_count_present(b))
            return false;
        for (NODE_EACH(member, a))
            if (!node_equal(member, node_member(b, node_key(member))))
                return false;
        return true;
    }
    if (a->len != b->len)
        return false;
    other = node_first(b);
    for (NODE_EACH(item, a)) {
        if (!node_equal(item, other))
            return false;
        other = other->next;
    }
    return true;
}

/* ---- node index ---- */

/* Up to this number of members, a search one by one is faster. */
enum { NODE_INDEX_FEW = 16 };

static struct slice
node_index_key(const struct node *container, const struct node *node)
{
    return node_is(container, NODE_MAP) ? node_key(node) : node_name(node);
}

static int
node_index_compare(const void *a, const void *b, const void *container)
{
    return slice_compare(node_index_key(container, a), node_index_key(container, b));
}

const struct node *
node_text_member(const struct node *map, struct slice key)
{
    const struct node *member = node_member(map, key);

    return node_string(member).len ? member : NULL;
}

SELDOM int
node_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

SELDOM const void **
node_sort(const struct node *container, stable_sort_compare *compare, const void *context,
          struct arena *arena)
{
    const void **sorted = arena_take_array(arena, node_count(container), sizeof(*sorted));
    size_t count = 0;

    for (NODE_EACH(node, sorted ? container : NULL))
        sorted[count++] = node;
    return sorted && stable_sort(sorted, count, compare, context, arena) ? sorted : NULL;
}

struct node_index
node_index_make(const struct node *container, struct arena *arena)
{
    struct node_index index = {.container = container};

    if (node_count(container) > NODE_INDEX_FEW && arena_spend(arena, 8 * (uint64_t)container->len))
        index.sorted = node_sort(container, node_index_compare, container, arena);
    return index;
}

const struct node *
node_index_find_or_null(const struct node_index *index, struct slice key)
{
    const struct node *container = index->container;
    const struct node *node;
    size_t low = 0;

    if (!index->sorted)
        return node_is(container, NODE_LIST) ? node_item_named(container, key)
                                             : node_find_member(container, key);
    /* The first of the sorted nodes whose key is not less than `key`; NULL if there is none. */
    SORTED_SEARCH(low, container->len, middle,
                  slice_compare(node_index_key(container, index->sorted[middle]), key) < 0);
    node = low < container->len ? index->sorted[low] : NULL;
    return node && slice_equal(node_index_key(container, node), key) ? node : NULL;
}

const struct node *
node_index_find(const struct node_index *index, struct slice key)
{
    const struct node *node = node_index_find_or_null(index, key);

    return node_is_absent(node) ? NULL : node;
}
