/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

static const struct node *prune_value(struct arena *arena, const struct schema *schema,
                                      const struct node *value);

/* Returns the schema of a member or item; NULL if the container has no such field. */
static const struct schema *
prune_schema_below(const struct schema *schema, const struct node *child)
{
    const struct schema_field *field;

    if (schema->values)
        return schema->values;
    field = schema_find_field(schema, node_key(child));
    return field ? field->schema : NULL;
}

/* Returns the child itself, a pruned copy, or NULL. */
static const struct node *
prune_child(struct arena *arena, const struct schema *schema, const struct node *child)
{
    const struct schema *below = prune_schema_below(schema, child);

    if (below)
        return prune_value(arena, below, child);
    return schema->open ? child : NULL;
}

static const struct node *
prune_copy(struct arena *arena, const struct schema *schema, const struct node *container)
{
    struct node *copy = arena_alloc(arena, sizeof(*copy));
    struct node *last = NULL;

    if (!copy)
        return NULL;
    *copy = *container;
    copy->as.first = NULL;
    copy->len = 0;
    for (NODE_EACH(child, container)) {
        const struct node *kept = prune_child(arena, schema, child);
        struct node *header = kept ? arena_alloc(arena, sizeof(*header)) : NULL;

        if (!header)
            continue;
        *header = *kept;
        header->next = NULL;
        *(last ? &last->next : &copy->as.first) = header;
        last = header;
        copy->len++;
    }
    return copy;
}

/*
 * Whether a descendant of the container must be removed. Each level repeats the search of the level
 * above; the depth limit bounds the cost.
 */
static bool
prune_finds_unknown(const struct schema *schema, const struct node *value)
{
    bool is_list = schema->type == SCHEMA_LIST && value->kind == NODE_LIST;
    bool is_map = schema->type == SCHEMA_OBJECT && value->kind == NODE_MAP;

    if (!is_list && !is_map)
        return false;
    for (NODE_EACH(child, value)) {
        const struct schema *below = prune_schema_below(schema, child);

        if (below ? prune_finds_unknown(below, child) : !schema->open)
            return true;
    }
    return false;
}

/* Recursive. The depth limit of the readers bounds the recursion. */
static const struct node *
prune_value(struct arena *arena, const struct schema *schema, const struct node *value)
{
    return prune_finds_unknown(schema, value) ? prune_copy(arena, schema, value) : value;
}

const struct node *
prune_unknown(struct arena *arena, const struct schema *schema, const struct node *root)
{
    const struct node *pruned = node_is_absent(root) ? root : prune_value(arena, schema, root);

    return arena_failed(arena) ? NULL : pruned;
}
