/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

/* ---- build ---- */

/* Creates a member or item without content. */
static struct node *
build_append(struct builder *parent, struct slice key, enum node_kind kind)
{
    struct node *node = parent->node ? arena_alloc(parent->arena, sizeof(*node)) : NULL;

    if (!node)
        return NULL;
    node->key = key.data;
    node->key_len = (uint32_t)key.len;
    node->kind = (uint8_t)kind;
    node_append(parent->node, parent->last, node);
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

void
build_end(struct builder *map, const struct node *first, uint32_t count)
{
    if (!map->last)
        return;
    map->last->next = first;
    map->node->len += count;
    *map = (struct builder){0};
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

SELDOM const struct node *
build_merged(const struct node *first, const struct node *second, struct arena *arena)
{
    size_t count = node_count(first) + node_count(second);
    const void **members = count ? arena_array(arena, count, sizeof(*members)) : NULL;
    struct builder merged;
    size_t used = 0;

    if (!members)
        return NULL;
    for (NODE_EACH(member, first))
        members[used++] = member;
    for (NODE_EACH(member, second))
        members[used++] = member;
    /* among equal keys, the member of the first map comes first */
    if (!stable_sort(members, count, node_compare_keys, NULL, arena))
        return NULL;
    merged = build_map(arena);
    for (size_t i = 0; i < count; i++)
        if (!i || !slice_equal(node_key(members[i]), node_key(members[i - 1])))
            build_node(&merged, node_key(members[i]), members[i]);
    return merged.node;
}

/* Recursive. The depth limit of the readers bounds the recursion. */
SELDOM const struct node *
build_sorted(const struct node *value, struct arena *arena)
{
    const bool is_map = node_is(value, NODE_MAP);
    struct builder copy;

    if (!is_map && !node_is(value, NODE_LIST))
        return value;
    if (is_map)
        value = build_merged(value, NULL, arena);
    copy = is_map ? build_map(arena) : build_list(arena);
    for (NODE_EACH(child, value))
        if (!is_map || !node_is_absent(child))
            build_node(&copy, node_key(child), build_sorted(child, arena));
    return copy.node;
}

/* ---- edit ---- */

struct edit_chain
edit_start(struct arena *arena, const struct node *like, enum node_kind kind)
{
    struct node *container = arena_alloc(arena, sizeof(*container));

    if (container && like)
        *container = *like;
    if (container) {
        container->kind = (uint8_t)kind;
        container->as.first = NULL;
        container->len = 0;
    }
    return (struct edit_chain){arena, container, container ? &container->as.first : NULL};
}

struct node *
edit_add(struct edit_chain *chain, const struct node *node)
{
    struct node *copy = chain->link ? arena_alloc(chain->arena, sizeof(*copy)) : NULL;

    if (!copy)
        return NULL;
    *copy = *node;
    copy->next = NULL;
    *chain->link = copy;
    chain->link = &copy->next;
    chain->container->len++;
    return copy;
}

static void
edit_add_member(struct edit_chain *chain, struct slice key, const struct node *value)
{
    struct node *member = edit_add(chain, value);

    if (!member)
        return;
    member->key = key.data;
    member->key_len = (uint32_t)key.len;
}

const struct node *
edit_end(const struct edit_chain *chain)
{
    return arena_failed(chain->arena) ? NULL : chain->container;
}

const struct node *
edit_member(struct arena *arena, const struct node *map, struct slice key, const struct node *value)
{
    struct edit_chain chain = edit_start(arena, map, NODE_MAP);
    bool is_new = value != NULL;

    for (NODE_EACH(member, map)) {
        if (!slice_equal(node_key(member), key)) {
            edit_add(&chain, member);
            continue;
        }
        if (value)
            edit_add_member(&chain, key, value);
        is_new = false;
    }
    if (is_new)
        edit_add_member(&chain, key, value);
    return edit_end(&chain);
}

const struct node *
edit_at(struct arena *arena, const struct node *map, const char *path, const struct node *value)
{
    const char *dot = strchr(path, '.');
    struct slice key = dot ? (struct slice){path, (size_t)(dot - path)} : slice_from_text(path);

    if (!value && !node_at(map, path))
        return map;
    if (dot)
        value = edit_at(arena, node_member(map, key), dot + 1, value);
    return edit_member(arena, map, key, value);
}

SELDOM const struct node *
edit_without_item(struct arena *arena, const struct node *list, const struct node *item)
{
    struct edit_chain chain = edit_start(arena, list, NODE_LIST);

    for (NODE_EACH(other, list))
        if (other != item)
            edit_add(&chain, other);
    return edit_end(&chain);
}

static int
edit_compare_exchanges(const void *a, const void *b, const void *context)
{
    const uintptr_t one = (uintptr_t)((const struct edit_exchange *)a)->from;
    const uintptr_t other = (uintptr_t)((const struct edit_exchange *)b)->from;

    (void)context;
    return (one > other) - (one < other);
}

void
edit_exchanges_sort(struct edit_exchange **exchanges, size_t count, struct arena *arena)
{
    stable_sort((const void **)exchanges, count, edit_compare_exchanges, NULL, arena);
}

/* Returns the node itself if nothing changes below it. */
SELDOM const struct node *
edit_exchange(struct arena *arena, const struct node *root, struct edit_exchange *const *sorted,
              size_t count)
{
    struct edit_chain chain;
    bool changes = false;
    size_t low = 0;

    SORTED_SEARCH(low, count, middle, (uintptr_t)sorted[middle]->from < (uintptr_t)root);
    if (low < count && sorted[low]->from == root) {
        sorted[low]->was_found = true;
        return sorted[low]->to;
    }
    if (!node_count(root))
        return root;
    chain = edit_start(arena, root, (enum node_kind)root->kind);
    for (NODE_EACH(child, root)) {
        const struct node *after = edit_exchange(arena, child, sorted, count);

        if (!after)
            return NULL;
        edit_add_member(&chain, node_key(child), after);
        changes |= after != child;
    }
    return changes ? edit_end(&chain) : root;
}

const struct node *
edit_string(struct arena *arena, struct slice text)
{
    struct node *node = arena_alloc(arena, sizeof(*node));

    if (node) {
        node->kind = NODE_STRING;
        node->as.text = text.data;
        node->len = (uint32_t)text.len;
    }
    return node;
}
