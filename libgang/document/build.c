/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

/* Creates a member or item without content. */
static struct node *
build_append(struct builder *parent, struct slice key, enum node_kind kind)
{
    struct node *node = parent->node ? arena_alloc(parent->arena, sizeof(*node)) : NULL;

    if (!node)
        return NULL;
    node->parent = parent->node;
    node->key = key.data;
    node->key_len = (uint32_t)key.len;
    node->kind = (uint8_t)kind;
    node->index = parent->node->len++;
    if (parent->last)
        parent->last->next = node;
    else
        parent->node->as.first = node;
    parent->last = node;
    return node;
}

static struct builder
build_root(struct arena *arena, enum node_kind kind)
{
    struct node *node = arena_alloc(arena, sizeof(*node));

    if (node)
        node->kind = (uint8_t)kind;
    return (struct builder){.arena = arena, .node = node};
}

struct builder
build_map(struct arena *arena)
{
    return build_root(arena, NODE_MAP);
}

struct builder
build_list(struct arena *arena)
{
    return build_root(arena, NODE_LIST);
}

static struct builder
build_container(struct builder *parent, struct slice key, enum node_kind kind)
{
    return (struct builder){.arena = parent->arena, .node = build_append(parent, key, kind)};
}

struct builder
build_map_member(struct builder *map, struct slice key)
{
    return build_container(map, key, NODE_MAP);
}

struct builder
build_list_member(struct builder *map, struct slice key)
{
    return build_container(map, key, NODE_LIST);
}

static void
build_scalar(struct builder *parent, struct slice key, enum node_kind kind, struct slice text)
{
    struct node *node = build_append(parent, key, kind);

    if (!node)
        return;
    node->as.text = text.data;
    node->len = (uint32_t)text.len;
}

void
build_string(struct builder *map, struct slice key, struct slice value)
{
    build_scalar(map, key, NODE_STRING, slice_is_set(value) ? value : SLICE(""));
}

void
build_string_if_set(struct builder *map, struct slice key, struct slice value)
{
    if (slice_is_set(value))
        build_string(map, key, value);
}

void
build_int(struct builder *map, struct slice key, int64_t value)
{
    char text[INTEGER_TEXT_SIZE];

    build_scalar(map, key, NODE_INT, arena_copy(map->arena, integer_format(value, text)));
}

void
build_bool(struct builder *map, struct slice key, bool value)
{
    build_scalar(map, key, NODE_BOOL, value ? SLICE("true") : SLICE("false"));
}

void
build_node(struct builder *map, struct slice key, const struct node *value)
{
    struct node *node = value ? build_append(map, key, (enum node_kind)value->kind) : NULL;

    struct node place;

    if (!node)
        return;
    place = *node;
    *node = *value;
    node->parent = place.parent;
    node->next = NULL;
    node->key = place.key;
    node->key_len = place.key_len;
    node->index = place.index;
}

struct builder
build_map_item(struct builder *list)
{
    return build_container(list, NO_SLICE, NODE_MAP);
}

void
build_string_item(struct builder *list, struct slice value)
{
    build_string(list, NO_SLICE, value);
}

void
build_node_item(struct builder *list, const struct node *value)
{
    build_node(list, NO_SLICE, value);
}

static int
build_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

/*
 * Returns the members of both maps, sorted by key; among equal keys, the member of the first map
 * comes first.
 */
static const void **
build_sort_members(const struct node *first, const struct node *second, struct arena *arena)
{
    size_t count = node_count(first) + node_count(second);
    const void **members = arena_array(arena, count + 1, sizeof(*members));
    const void **scratch = arena_array(arena, count + 1, sizeof(*scratch));
    size_t used = 0;

    if (!members || !scratch)
        return NULL;
    for (NODE_EACH(member, first))
        members[used++] = member;
    for (NODE_EACH(member, second))
        members[used++] = member;
    stable_sort(members, scratch, count, build_compare_keys, NULL);
    return members;
}

const struct node *
build_merged(const struct node *first, const struct node *second, struct arena *arena)
{
    size_t count = node_count(first) + node_count(second);
    const void **members = count ? build_sort_members(first, second, arena) : NULL;
    struct builder merged;

    if (!members)
        return NULL;
    merged = build_map(arena);
    for (size_t i = 0; i < count; i++)
        if (!i || !slice_equal(node_key(members[i]), node_key(members[i - 1])))
            build_node(&merged, node_key(members[i]), members[i]);
    return merged.node;
}
