/* SPDX-License-Identifier: Apache-2.0 */
#ifdef GANG_WITH_YAML
#include "libgang/document/yaml_source.h"

#include <stdlib.h>

/* ---- yaml anchors ---- */

size_t
yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                 const struct node *node)
{
    if (anchors->count == anchors->capacity) {
        size_t capacity = anchors->capacity ? 2 * anchors->capacity : 8;
        void *items =
            arena_grow(arena, anchors->items, anchors->count, capacity, sizeof(*anchors->items));

        if (!items)
            return SIZE_MAX;
        anchors->items = items;
        anchors->capacity = capacity;
    }
    anchors->items[anchors->count] = (struct yaml_anchor){
        .name = arena_copy(arena, name), .node = node, .nodes = 1, .is_open = true};
    return anchors->count++;
}

const struct yaml_anchor *
yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name)
{
    for (size_t i = anchors->count; i-- > 0;)
        if (slice_equal(anchors->items[i].name, name))
            return &anchors->items[i];
    return NULL;
}

/* ---- yaml merge ---- */

struct yaml_candidate {
    const struct node *member;
    size_t rank; /* for equal keys, the lowest rank wins */
    bool wins;
};

struct yaml_candidates {
    struct yaml_candidate *items;
    size_t count;
};

static size_t
yaml_merge_size(const struct node *source)
{
    size_t size = 0;

    if (source->kind == NODE_MAP)
        return source->len;
    for (NODE_EACH(map, source))
        size += map->len;
    return size;
}

static void
yaml_merge_collect(struct yaml_candidates *all, const struct node *map)
{
    for (NODE_EACH(member, map)) {
        all->items[all->count] = (struct yaml_candidate){.member = member, .rank = all->count};
        all->count++;
    }
}

static int
yaml_compare_candidates(const void *left, const void *right)
{
    const struct yaml_candidate *a = left;
    const struct yaml_candidate *b = right;
    int order = slice_compare(node_key(a->member), node_key(b->member));

    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static int
yaml_compare_ranks(const void *left, const void *right)
{
    const struct yaml_candidate *a = left;
    const struct yaml_candidate *b = right;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void
yaml_report_overlap(const struct document_request *request, const struct node *winner,
                    const struct node *loser)
{
    struct quoted key;

    find_note_at_key(
        request->report, GANG_CODE_DUPLICATE_KEY, winner, "write the key in one of the two places",
        "duplicate field %s: the merged mapping has it on line %u, column %u",
        quote(&key, node_key(loser)), loser->key_line + request->lines_before, loser->key_column);
}

/*
 * Sorts by key and rank; the first candidate of each key wins. Duplicates within one map are
 * already reported.
 */
static void
yaml_merge_choose(const struct document_request *request, struct yaml_candidates *all)
{
    const struct yaml_candidate *winner = NULL;

    qsort(all->items, all->count, sizeof(all->items[0]), yaml_compare_candidates);
    for (size_t i = 0; i < all->count; i++) {
        struct yaml_candidate *candidate = &all->items[i];

        if (!winner || !slice_equal(node_key(winner->member), node_key(candidate->member))) {
            candidate->wins = true;
            winner = candidate;
        } else if (request->report->strict) {
            yaml_report_overlap(request, winner->member, candidate->member);
        }
    }
    qsort(all->items, all->count, sizeof(all->items[0]), yaml_compare_ranks);
}

/* `parent`, `index` and the marks remain those of the place where the member was written. */
static struct node *
yaml_merge_append(const struct document_request *request, struct node *map, struct node *last,
                  const struct node *member)
{
    struct node *copy = arena_alloc(request->arena, sizeof(*copy));

    if (!copy)
        return NULL;
    *copy = *member;
    copy->next = NULL;
    map->len++;
    if (last)
        last->next = copy;
    else
        map->as.first = copy;
    return copy;
}

bool
yaml_merge(const struct document_request *request, struct node *map, struct node *last,
           const struct node *source)
{
    size_t written = map->len;
    struct yaml_candidates all = {0};

    all.items = arena_array(request->arena, written + yaml_merge_size(source), sizeof(*all.items));
    if (!all.items ||
        !arena_spend(request->arena, 16 * (uint64_t)(written + yaml_merge_size(source))))
        return false;
    yaml_merge_collect(&all, map);
    if (source->kind == NODE_MAP)
        yaml_merge_collect(&all, source);
    else
        for (NODE_EACH(item, source))
            yaml_merge_collect(&all, item);
    yaml_merge_choose(request, &all);
    for (size_t i = written; i < all.count; i++) {
        if (!all.items[i].wins)
            continue;
        last = yaml_merge_append(request, map, last, all.items[i].member);
        if (!last)
            return false;
    }
    return reader_within(request, GANG_LIMIT_MAP_KEYS, map->len,
                         (struct reader_mark){map->line, map->column}, map);
}
#endif
