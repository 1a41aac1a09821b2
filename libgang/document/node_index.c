/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node_index.h"

#include "libgang/base/sort.h"

/* Up to this number of members, a search one by one is faster. */
enum { NODE_INDEX_FEW = 16 };

static int
node_index_compare(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

struct node_index
node_index_make(const struct node *map, struct arena *arena)
{
    struct node_index index = {.map = map};
    const void **sorted;
    const void **scratch;
    size_t count = 0;

    if (!node_is(map, NODE_MAP) || map->len <= NODE_INDEX_FEW)
        return index;
    sorted = arena_take_array(arena, map->len, sizeof(*sorted));
    scratch = arena_take_array(arena, map->len, sizeof(*scratch));
    if (!sorted || !scratch)
        return index;
    for (NODE_EACH(member, map))
        sorted[count++] = member;
    stable_sort(sorted, scratch, count, node_index_compare, NULL);
    index.sorted = sorted;
    return index;
}

const struct node *
node_index_member(const struct node_index *index, struct slice key)
{
    size_t low = 0;
    size_t high = index->sorted ? index->map->len : 0;

    if (!index->sorted)
        return node_member(index->map, key);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct node *member = index->sorted[middle];
        int order = slice_compare(node_key(member), key);

        if (order == 0)
            return node_is_absent(member) ? NULL : member;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
