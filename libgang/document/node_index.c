/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

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

struct node_index
node_index_make(const struct node *container, struct arena *arena)
{
    struct node_index index = {.container = container};
    const void **sorted;
    const void **scratch;
    size_t count = 0;

    if (node_count(container) <= NODE_INDEX_FEW)
        return index;
    sorted = arena_take_array(arena, container->len, sizeof(*sorted));
    scratch = arena_take_array(arena, container->len, sizeof(*scratch));
    if (!sorted || !scratch || !arena_spend(arena, 8 * (uint64_t)container->len))
        return index;
    for (NODE_EACH(node, container))
        sorted[count++] = node;
    stable_sort(sorted, scratch, count, node_index_compare, container);
    index.sorted = sorted;
    return index;
}

/* Returns the first of the sorted nodes whose key is not less than `key`; NULL if there is none. */
static const struct node *
node_index_search(const struct node_index *index, struct slice key)
{
    size_t low = 0;
    size_t high = index->container->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slice_compare(node_index_key(index->container, index->sorted[middle]), key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->container->len ? index->sorted[low] : NULL;
}

const struct node *
node_index_find(const struct node_index *index, struct slice key)
{
    const struct node *container = index->container;
    const struct node *node;

    if (!index->sorted)
        return node_is(container, NODE_LIST) ? node_item_named(container, key)
                                             : node_member(container, key);
    node = node_index_search(index, key);
    return !node_is_absent(node) && slice_equal(node_index_key(container, node), key) ? node : NULL;
}
