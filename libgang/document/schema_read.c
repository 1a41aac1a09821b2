/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

/* ---- schema read ---- */

int
schema_word(const char *const *words, const struct node *word)
{
    for (int i = 0; words[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(words[i])))
            return i;
    return 0;
}

SELDOM static int
schema_compare_items(const void *a, const void *b, const void *sorted_by)
{
    int order = 0;

    for (const char *const *name = sorted_by; *name && !order; name++)
        order = slice_compare(node_string(node_member(a, slice_from_text(*name))),
                              node_string(node_member(b, slice_from_text(*name))));
    return order;
}

static void
schema_read_list(const struct schema *schema, const struct node *list, char *record,
                 struct schema_reader *reader)
{
    const struct schema *of_item = schema->values;
    const char *const *sorted_by = schema_own(schema)->sorted_by;
    const void **items =
        sorted_by ? node_sort(list, schema_compare_items, sorted_by, reader->arena) : NULL;
    char *structs = arena_array(reader->arena, node_count(list), schema->item_size);
    char *place = structs;

    if ((sorted_by && !items) || !structs)
        return;
    *(char **)(void *)(record + schema->at - 1) = structs;
    *(size_t *)(void *)(record + schema->count_at - 1) = node_count(list);
    for (NODE_EACH(item, list)) {
        const struct node *source = items ? *items++ : item;

        if (of_item->source_at)
            *(const struct node **)(void *)(place + of_item->source_at - 1) = source;
        if (schema_own(of_item)->read)
            of_item->own->read(of_item, source, place, reader);
        else
            schema_read(of_item, source, place, reader);
        place += schema->item_size;
    }
}

void
schema_read(const struct schema *schema, const struct node *map, void *record,
            struct schema_reader *reader)
{
    struct schema_search search = schema_search_in(schema);
    char *base = record;

    if (!node_is(map, NODE_MAP))
        return;
    for (NODE_EACH(member, map)) {
        const struct schema_row *field = schema_search_next(&search, node_key(member));
        const struct schema *of_field;

        if (!field || node_is_absent(member))
            continue;
        of_field = schema_of(schema, field);
        if (of_field->source_at)
            *(const struct node **)(void *)(base + of_field->source_at - 1) = member;
        if (of_field->type == SCHEMA_LIST && of_field->count_at) {
            schema_read_list(of_field, member, base, reader);
        } else if (of_field->at) {
            void *value = base + of_field->at - 1;

            if (schema_own(of_field)->read)
                of_field->own->read(of_field, member, value, reader);
            else if (schema_enumeration(of_field))
                *(int *)value = schema_word(of_field->enumeration, member);
            else if (of_field->type == SCHEMA_STRING)
                *(struct slice *)value = node_string(member);
            else if (of_field->type == SCHEMA_INT32 || of_field->type == SCHEMA_INT64)
                node_int(member, value);
            else if (of_field->type == SCHEMA_BOOLEAN)
                *(bool *)value = node_is_true(member);
            else if (of_field->num_fields)
                schema_read(of_field, member, value, reader);
            else
                *(const struct node **)value = member;
        }
    }
}

/* ---- prune ---- */

/* Returns the schema of a member or item; NULL if the container has no such field. */
SELDOM static const struct schema *
prune_schema_below(const struct schema *schema, const struct node *child)
{
    const struct schema *values = schema_values(schema);

    return values ? values : schema_find(schema, node_key(child));
}

/*
 * Whether a descendant of the container must be removed. Each level repeats the search of the level
 * above; the depth limit bounds the cost.
 */
SELDOM static bool
prune_finds_unknown(const struct schema *schema, const struct node *value)
{
    bool is_list = schema->type == SCHEMA_LIST && value->kind == NODE_LIST;
    bool is_map = schema->type < SCHEMA_LIST && value->kind == NODE_MAP;

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
    struct edit_chain chain;

    if (!prune_finds_unknown(schema, value))
        return value;
    chain = edit_start(arena, value, (enum node_kind)value->kind);
    for (NODE_EACH(child, value)) {
        const struct schema *below = prune_schema_below(schema, child);
        const struct node *kept = below          ? prune_value(arena, below, child)
                                  : schema->open ? child
                                                 : NULL;

        if (kept)
            edit_add(&chain, kept);
    }
    return edit_end(&chain);
}

const struct node *
prune_unknown(struct arena *arena, const struct schema *schema, const struct node *root)
{
    const struct node *pruned = node_is_absent(root) ? root : prune_value(arena, schema, root);

    return arena_failed(arena) ? NULL : pruned;
}

/* ---- JSON Schema ---- */

static void
schema_json_text(struct builder *out, struct slice key, const char *text)
{
    if (text)
        build_string(out, key, slice_from_text(text));
}

static void
schema_json_type(const struct schema *schema, struct builder *out)
{
    const char *const *types = schema_types[schema->type].json;
    struct builder list;

    if (!types[1]) {
        schema_json_text(out, SLICE("type"), types[0]);
        return;
    }
    list = build_list_member(out, SLICE("type"));
    build_string_item(&list, slice_from_text(types[0]));
    build_string_item(&list, slice_from_text(types[1]));
}

static void
schema_json_bounds(const struct schema *schema, struct builder *out)
{
    const char *const *lengths = schema_types[schema->type].lengths;

    if (schema->has_minimum)
        build_int(out, SLICE("minimum"), schema->minimum);
    else if (schema->type == SCHEMA_INT32)
        build_int(out, SLICE("minimum"), INT32_MIN);
    if (schema->has_maximum)
        build_int(out, SLICE("maximum"), schema->maximum);
    else if (schema->type == SCHEMA_INT32)
        build_int(out, SLICE("maximum"), INT32_MAX);
    if (lengths[0] && schema->min_length)
        build_int(out, slice_from_text(lengths[0]), schema->min_length);
    if (lengths[1] && schema->max_length)
        build_int(out, slice_from_text(lengths[1]), schema->max_length);
    if (schema->is_set)
        build_bool(out, SLICE("uniqueItems"), true);
}

static void
schema_json_properties(const struct schema *schema, struct builder *out)
{
    struct builder properties = build_map_member(out, SLICE("properties"));
    struct builder required = {0};

    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_row *field = schema_row(schema, i);
        struct builder property = build_map_member(&properties, schema_row_name(field));

        schema_json_describe(schema_of(schema, field), &property);
    }
    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_row *field = schema_row(schema, i);

        if (!field->required)
            continue;
        if (!required.node)
            required = build_list_member(out, SLICE("required"));
        build_string_item(&required, schema_row_name(field));
    }
    if (!schema->open)
        build_bool(out, SLICE("additionalProperties"), false);
}

void
schema_json_describe(const struct schema *schema, struct builder *out)
{
    struct builder list;
    const struct schema_own *own = schema_own(schema);
    const char *const *words = schema_enumeration(schema);
    struct builder child;
    struct slice text = slice_from_text(schema_default(schema));
    int64_t number;

    schema_json_text(out, SLICE("description"), own->description);
    schema_json_type(schema, out);
    if (!words && schema->type == SCHEMA_STRING)
        words = own->words;
    if (words) {
        list = build_list_member(out, SLICE("enum"));
        for (; *words; words++)
            build_string_item(&list, slice_from_text(*words));
    }
    /* The table holds the JSON text of a scalar. */
    if (text.data) {
        if (integer_parse(text, &number))
            build_int(out, SLICE("default"), number);
        else if (text.data[0] == '"')
            build_string(out, SLICE("default"), (struct slice){text.data + 1, text.len - 2});
        else
            build_bool(out, SLICE("default"), slice_equal(text, SLICE("true")));
    }
    if (schema->type == SCHEMA_STRING)
        schema_json_text(out, SLICE("pattern"), own->pattern);
    schema_json_bounds(schema, out);
    if (schema->type == SCHEMA_OBJECT) {
        schema_json_properties(schema, out);
        return;
    }
    if (!schema_values(schema))
        return;
    child = build_map_member(out, schema->type == SCHEMA_LIST ? SLICE("items")
                                                              : SLICE("additionalProperties"));
    schema_json_describe(schema->values, &child);
}
