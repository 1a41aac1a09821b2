/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/manifest_labels.h"

#include "libgang/base/stable_sort.h"

static int
manifest_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

/* Sorted by key, those without the key `left_out`. */
static const void **
manifest_sort_pairs(const struct node *pairs, struct slice left_out, struct arena *arena, size_t *count)
{
    const void **sorted = arena_array(arena, node_count(pairs), sizeof(*sorted));
    const void **scratch = arena_array(arena, node_count(pairs), sizeof(*scratch));

    *count = 0;
    if (!sorted || !scratch)
        return NULL;
    for (NODE_EACH(pair, pairs))
        if (slice_is_set(node_text(pair)) && !slice_equal(node_key(pair), left_out))
            sorted[(*count)++] = pair;
    stable_sort(sorted, scratch, *count, manifest_compare_keys, NULL);
    return sorted;
}

void
manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs,
                    struct slice extra_key, struct slice extra_value)
{
    size_t count;
    const void **sorted = manifest_sort_pairs(pairs, extra_key, metadata->arena, &count);
    bool is_left = slice_is_set(extra_key);
    struct builder map;

    if (!count && !is_left)
        return;
    map = build_map_member(metadata, key);
    for (size_t i = 0; i < count; i++) {
        if (is_left && slice_compare(extra_key, node_key(sorted[i])) < 0) {
            build_string(&map, extra_key, extra_value);
            is_left = false;
        }
        build_string(&map, node_key(sorted[i]), node_text(sorted[i]));
    }
    if (is_left)
        build_string(&map, extra_key, extra_value);
}
