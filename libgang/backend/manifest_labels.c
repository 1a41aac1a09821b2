/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/manifest_labels.h"

#include "libgang/base/stable_sort.h"

static int
manifest_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

/* A key whose value is null is not there: the API server drops it. */
void
manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs)
{
    const void **sorted = arena_array(metadata->arena, node_count(pairs), sizeof(*sorted));
    const void **scratch = arena_array(metadata->arena, node_count(pairs), sizeof(*scratch));
    size_t count = 0;
    struct builder map;

    if (!sorted || !scratch)
        return;
    for (NODE_EACH(pair, pairs))
        if (slice_is_set(node_text(pair)))
            sorted[count++] = pair;
    if (!count)
        return;
    stable_sort(sorted, scratch, count, manifest_compare_keys, NULL);
    map = build_map_member(metadata, key);
    for (size_t i = 0; i < count; i++)
        build_string(&map, node_key(sorted[i]), node_text(sorted[i]));
}
