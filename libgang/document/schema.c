/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include "libgang/document/document.h"

/* ---- schema items ---- */

enum { ITEMS_FEW = 8 }; /* up to which comparing every pair is faster than sorting */

/* Returns the text between the quotes of a JSON text, or the text itself. */
static struct slice
items_unquote(const char *json)
{
    struct slice text = slice_from_text(json);

    if (text.len >= 2 && text.data[0] == '"')
        return (struct slice){text.data + 1, text.len - 2};
    return text;
}

static struct slice
items_key(const struct schema *item_schema, const struct node *item, const char *name)
{
    struct slice key = slice_from_text(name);
    struct slice text = node_text(node_member(item, key));
    const struct schema_field *field;

    if (slice_is_set(text))
        return text;
    field = schema_find_field(item_schema, key);
    return field && field->schema->default_text ? items_unquote(field->schema->default_text)
                                                : NO_SLICE;
}

/* Compares the keys of two items of the list schema in `context`. */
static int
items_compare(const void *a, const void *b, const void *context)
{
    const struct schema *schema = context;

    if (!schema->keys)
        return slice_compare(node_text(a), node_text(b));
    for (const char *const *name = schema->keys; *name; name++) {
        int order =
            slice_compare(items_key(schema->values, a, *name), items_key(schema->values, b, *name));

        if (order)
            return order;
    }
    return 0;
}

/* Whether the item has the right type and all of its keys. */
static bool
items_is_identified(const struct schema *schema, const struct node *item)
{
    if (!schema->keys)
        return slice_is_set(node_text(item));
    for (const char *const *name = schema->keys; *name; name++)
        if (!slice_is_set(items_key(schema->values, item, *name)))
            return false;
    return true;
}

/* Marked at the item's first key, which the user must change. */
static void
items_find_duplicate(const struct schema *schema, const struct node *first, const struct node *item,
                     struct report *report)
{
    const struct node *key =
        schema->keys ? node_member(item, slice_from_text(schema->keys[0])) : NULL;
    const bool is_written = report_writes(report, GANG_CODE_DUPLICATE_ITEM);
    struct slice path = is_written ? path_of(report->arena, first) : SLICE("");

    find_duplicate(report, GANG_CODE_DUPLICATE_ITEM, key ? key : item,
                   arena_format(report->arena, "the first is %.*s", SLICE_ARG(path)));
}

static void
items_check_few(const struct schema *schema, const struct node *list, struct report *report)
{
    for (NODE_EACH(item, list)) {
        if (!items_is_identified(schema, item))
            continue;
        for (NODE_EACH(earlier, list)) {
            if (earlier == item)
                break;
            if (items_is_identified(schema, earlier) && items_compare(earlier, item, schema) == 0) {
                items_find_duplicate(schema, earlier, item, report);
                break;
            }
        }
    }
}

static void
items_check_many(const struct schema *schema, const struct node *list, struct report *report)
{
    const void **items = arena_array(report->arena, list->len, sizeof(*items));
    const void **scratch = arena_array(report->arena, list->len, sizeof(*scratch));
    size_t count = 0;

    if (!items || !scratch)
        return;
    for (NODE_EACH(item, list))
        if (items_is_identified(schema, item))
            items[count++] = item;
    stable_sort(items, scratch, count, items_compare, schema);
    for (size_t i = 1, first = 0; i < count; i++) {
        if (items_compare(items[first], items[i], schema) == 0)
            items_find_duplicate(schema, items[first], items[i], report);
        else
            first = i;
    }
}

/*
 * Reports every item of a map list whose keys an earlier item has, and every duplicate scalar in a
 * set. A missing key counts as its default. schema_check() reports items of a wrong type.
 */
static void
schema_check_unique(const struct schema *schema, const struct node *list, struct report *report)
{
    if (list->len <= ITEMS_FEW)
        items_check_few(schema, list, report);
    else
        items_check_many(schema, list, report);
}

/* ---- schema ---- */

enum { SCHEMA_STEPS = 2 }; /* to find the field of a member */

/* The names in OpenAPI of the types of fields and of the kinds of values. */
static const char *const schema_type_names[] = {
    [SCHEMA_OBJECT] = "object",
    [SCHEMA_LIST] = "array",
    [SCHEMA_STRING] = "string",
    [SCHEMA_BOOLEAN] = "boolean",
    [SCHEMA_INT32] = "integer",
    [SCHEMA_INT64] = "integer",
    [SCHEMA_INT_OR_STRING] = "integer,string",
    [SCHEMA_QUANTITY] = "integer,string",
    [SCHEMA_ANY] = "any",
};

static const char *const schema_kind_names[] = {
    [NODE_NULL] = "null",     [NODE_BOOL] = "boolean",  [NODE_INT] = "integer",
    [NODE_NUMBER] = "number", [NODE_STRING] = "string", [NODE_LIST] = "array",
    [NODE_MAP] = "object",
};

static void schema_check_value(const struct schema *schema, const struct node *value,
                               struct report *report);
static void schema_check_fields(const struct schema *schema, const struct node *map,
                                const struct node **found, struct report *report);

/*
 * A linear search: names are sorted, but most of them differ in length, so it is faster than a
 * binary search.
 */
static inline const struct schema_field *
schema_find_field_between(const struct schema_field *field, const struct schema_field *end,
                          struct slice name)
{
    for (; field < end; field++)
        if (slice_equal(field->name, name))
            return field;
    return NULL;
}

const struct schema_field *
schema_find_field(const struct schema *schema, struct slice name)
{
    if (!schema->num_fields)
        return NULL; /* C defines no sum with a null pointer */
    return schema_find_field_between(schema->fields, schema->fields + schema->num_fields, name);
}

/*
 * Members are usually in alphabetical order, as the fields are, so the search starts after the
 * previous member.
 */
static inline const struct schema_field *
schema_find_next_field(const struct schema *schema, const struct schema_field *before,
                       struct slice name)
{
    const struct schema_field *field;

    if (!before)
        return schema_find_field(schema, name);
    field = schema_find_field_between(before + 1, schema->fields + schema->num_fields, name);
    return field ? field : schema_find_field_between(schema->fields, before + 1, name);
}

void
schema_members(const struct schema *schema, const struct node *map, const struct node **found)
{
    const struct schema_field *field = NULL;

    for (size_t i = 0; i < schema->num_fields; i++)
        found[i] = NULL;
    if (!node_is(map, NODE_MAP))
        return;
    for (NODE_EACH(member, map)) {
        field = schema_find_next_field(schema, field, node_key(member));
        if (field && !found[field - schema->fields] && !node_is_absent(member))
            found[field - schema->fields] = member;
    }
}

/* "15m" for a number of seconds: returns how to write it. NULL if it is no such duration. */
static const char *
schema_seconds_hint(const struct node *value, struct arena *arena)
{
    struct slice unit = SLICE("Seconds");
    struct slice name = node_key(value);
    int64_t nanoseconds;

    if (name.len < unit.len ||
        !slice_equal((struct slice){name.data + name.len - unit.len, unit.len}, unit) ||
        !duration_parse(node_string(value), &nanoseconds) || nanoseconds % 1000000000 != 0)
        return NULL;
    return arena_format(arena, "write %lld", (long long)(nanoseconds / 1000000000));
}

static const char *
schema_type_hint(const struct schema *schema, const struct node *value, struct arena *arena)
{
    enum schema_type wanted = schema->type;
    enum node_kind actual = (enum node_kind)value->kind;
    bool scalar = actual > NODE_NULL && actual < NODE_STRING;
    const char *seconds = actual == NODE_STRING ? schema_seconds_hint(value, arena) : NULL;

    if (seconds)
        return seconds;
    if (schema->form)
        return arena_format(arena, "write it as %s", schema->form);
    if (wanted == SCHEMA_STRING && scalar)
        return "put the value in quotes";
    if ((wanted == SCHEMA_INT32 || wanted == SCHEMA_INT64 || wanted == SCHEMA_BOOLEAN) &&
        actual == NODE_STRING)
        return "write the value without quotes";
    if (wanted == SCHEMA_LIST)
        return "write a list";
    return NULL;
}

static void
schema_find_wrong_type(const struct schema *schema, enum gang_code code, const struct node *value,
                       struct report *report)
{
    find_invalid(report, code, value, schema_type_hint(schema, value, report->arena),
                 "must be of type %s: \"%s\"", schema_type_names[schema->type],
                 schema_kind_names[value->kind]);
}

static void
schema_find_unknown(const struct schema *schema, const struct node *member, struct report *report)
{
    const bool is_written = report_writes(report, GANG_CODE_UNKNOWN_FIELD);
    struct slice path = is_written ? path_of(report->arena, member) : SLICE("");
    const char *hint = NULL;

    if (is_written)
        hint = schema_did_you_mean(report->arena, schema_nearest_field(schema, node_key(member)));
    if (is_written && !hint && schema->free_keys)
        hint = arena_format(report->arena, "did you mean \"%s: {%.*s: ...}\"?", schema->free_keys,
                            SLICE_ARG(node_key(member)));

    find_note_at_key(report, GANG_CODE_UNKNOWN_FIELD, member, hint, "unknown field \"%.*s\"",
                     SLICE_ARG(path));
}

static void
schema_find_missing(const struct schema *schema, const struct node *map, struct report *report)
{
    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_field *field = &schema->fields[i];

        if (field->required && !node_member(map, field->name))
            find_required(report, GANG_CODE_REQUIRED_FIELD, map, field->name, NULL, "%s", "");
    }
}

static size_t
schema_count_required(const struct schema *schema)
{
    size_t count = 0;

    if (schema->is_counted)
        return schema->num_required;
    for (size_t i = 0; i < schema->num_fields; i++)
        count += schema->fields[i].required;
    return count;
}

static void
schema_check_count(const struct schema *schema, const struct node *container, size_t count,
                   struct report *report)
{
    if (!schema->min_length && !schema->max_length)
        return;
    if (count == 0 && schema->empty)
        find_required(report, GANG_CODE_REQUIRED_FIELD, container, SLICE(""), NULL, "%s",
                      schema->empty);
    else if (count < schema->min_length)
        find_note(report, GANG_CODE_TOO_FEW_ITEMS, container, NULL,
                  "Too few: %zu: must have at least %u %s", count, schema->min_length,
                  schema->min_length == 1 ? "item" : "items");
    if (schema->max_length && count > schema->max_length)
        find_note(report, schema->limit_code ? schema->limit_code : GANG_CODE_TOO_MANY_ITEMS,
                  container, NULL, "Too many: %zu: must have at most %u %s", count,
                  schema->max_length, schema->max_length == 1 ? "item" : "items");
}

/* Whether a text is within its bounds, however many bytes its characters have: one to four. */
static inline bool
schema_fits_in_bytes(const struct schema *schema, const struct node *text)
{
    return (text->len + 3) / 4 >= schema->min_length &&
           (!schema->max_length || text->len <= schema->max_length);
}

static inline bool
schema_is_free_text(const struct schema *schema, const struct node *value)
{
    return schema->type == SCHEMA_STRING && !schema->enumeration &&
           schema_fits_in_bytes(schema, value);
}

/* The fast path for most values: a quantity, a text within its bounds, or a map of fields. */
static inline void
schema_check_child(const struct schema *schema, const struct node *value, struct report *report)
{
    if (value->kind == NODE_STRING &&
        (schema->type == SCHEMA_QUANTITY || schema_is_free_text(schema, value)))
        return;
    if (value->kind == NODE_MAP && schema->type == SCHEMA_OBJECT && !schema->values)
        schema_check_fields(schema, value, NULL, report);
    else
        schema_check_value(schema, value, report);
}

static void
schema_check_free_keys(const struct schema *schema, const struct node *map, struct report *report)
{
    if (!arena_spend(report->arena, map->len))
        return;
    for (NODE_EACH(member, map)) {
        if (member->kind != NODE_NULL)
            schema_check_child(schema->values, member, report);
        else if (!schema->values->nullable &&
                 !(report->built_in && schema->values->type == SCHEMA_QUANTITY))
            schema_find_wrong_type(schema->values, GANG_CODE_NULL_VALUE, member, report);
    }
    schema_check_count(schema, map, map->len, report);
}

/* `found` as in schema_members(), all NULL before; NULL if the caller needs no member. */
static void
schema_check_fields(const struct schema *schema, const struct node *map, const struct node **found,
                    struct report *report)
{
    const struct schema_field *field = NULL;
    size_t present = 0;
    size_t required = 0;

    if (!arena_spend(report->arena, (uint64_t)map->len * SCHEMA_STEPS))
        return;
    for (NODE_EACH(member, map)) {
        field = schema_find_next_field(schema, field, node_key(member));
        if (!field && !schema->open)
            schema_find_unknown(schema, member, report);
        present += member->kind != NODE_NULL && (field || schema->open);
        if (!field || member->kind == NODE_NULL)
            continue;
        required += field->required;
        if (found && !found[field - schema->fields])
            found[field - schema->fields] = member;
        schema_check_child(field->schema, member, report);
    }
    schema_check_count(schema, map, present, report);
    if (required < schema_count_required(schema))
        schema_find_missing(schema, map, report);
}

static void
schema_check_list(const struct schema *schema, const struct node *list, struct report *report)
{
    if (!arena_spend(report->arena, list->len))
        return;
    for (NODE_EACH(item, list)) {
        if (item->kind != NODE_NULL)
            schema_check_child(schema->values, item, report);
        else if (!schema->values->nullable)
            schema_find_wrong_type(schema->values, GANG_CODE_NULL_ITEM, item, report);
    }
    schema_check_count(schema, list, list->len, report);
    if (list->len > 1 && (schema->keys || schema->is_set))
        schema_check_unique(schema, list, report);
}

static bool
schema_enumeration_has(const char *const *enumeration, struct slice text)
{
    for (; *enumeration; enumeration++)
        if (slice_equal(slice_from_text(*enumeration), text))
            return true;
    return false;
}

static void
schema_find_unsupported(const struct schema *schema, const struct node *value,
                        struct report *report)
{
    const char *nearest = report_writes(report, GANG_CODE_UNSUPPORTED_VALUE)
                              ? schema_nearest_word(schema->enumeration, node_text(value))
                              : NULL;
    size_t count = 0;
    struct slice *supported;

    while (schema->enumeration[count])
        count++;
    supported = arena_array(report->arena, count, sizeof(*supported));
    for (size_t i = 0; supported && i < count; i++)
        supported[i] = slice_from_text(schema->enumeration[i]);
    find_unsupported(report, GANG_CODE_UNSUPPORTED_VALUE, value,
                     schema_did_you_mean(report->arena, nearest), supported, supported ? count : 0);
}

static size_t
schema_count_characters(struct slice text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.data[i] & 0xC0u) != 0x80u;
    return count;
}

static void
schema_check_length(const struct schema *schema, const struct node *value, struct report *report)
{
    size_t length = schema_count_characters(node_text(value));

    if (length < schema->min_length)
        find_invalid(report, GANG_CODE_REQUIRED_FIELD, value, NULL, "must be at least %u %s long",
                     schema->min_length, schema->min_length == 1 ? "character" : "characters");
    if (schema->max_length && length > schema->max_length)
        find_note(report, schema->limit_code ? schema->limit_code : GANG_CODE_VALUE_TOO_LONG, value,
                  NULL, "Too long: may not be more than %u %s", schema->max_length,
                  schema->max_length == 1 ? "character" : "characters");
}

static void
schema_check_string(const struct schema *schema, const struct node *value, struct report *report)
{
    if (schema->enumeration && !schema_enumeration_has(schema->enumeration, node_text(value)))
        schema_find_unsupported(schema, value, report);
    if (!schema_fits_in_bytes(schema, value))
        schema_check_length(schema, value, report);
}

/*
 * Readers write a number outside int64 in Go's form, with a positive exponent only from 1e+21 on.
 */
static bool
schema_is_fractional(const struct node *number)
{
    struct slice text = node_text(number);
    const char *exponent = memchr(text.data, 'e', text.len);

    return exponent ? exponent[1] == '-' : memchr(text.data, '.', text.len) != NULL;
}

static void
schema_check_bounds(const struct schema *schema, const struct node *value, int64_t number,
                    struct report *report)
{
    if (schema->has_minimum && number < schema->minimum)
        find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, value, NULL,
                     "must be greater than or equal to %lld", (long long)schema->minimum);
    if (schema->has_maximum && number > schema->maximum)
        find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, value, NULL,
                     "must be less than or equal to %lld", (long long)schema->maximum);
}

static void
schema_check_integer(const struct schema *schema, const struct node *value, struct report *report)
{
    bool is_narrow = schema->type != SCHEMA_INT64;
    int64_t least = is_narrow ? INT32_MIN : INT64_MIN;
    int64_t most = is_narrow ? INT32_MAX : INT64_MAX;
    int64_t number;

    if (!node_int(value, &number) || number < least || number > most)
        find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, value, NULL,
                     "must be between %lld and %lld",
                     (long long)(schema->has_minimum ? schema->minimum : least),
                     (long long)(schema->has_maximum ? schema->maximum : most));
    else if (schema->has_minimum || schema->has_maximum)
        schema_check_bounds(schema, value, number, report);
}

static void
schema_check_quantity(const struct node *value, struct report *report)
{
    if (!report->built_in && value->kind == NODE_NUMBER && schema_is_fractional(value))
        find_invalid(report, GANG_CODE_FRACTIONAL_NUMBER, value, "put the number in quotes",
                     "must be of type integer,string: \"number\"");
}

/* The kinds of value that each type accepts, one bit per node kind. */
#define SCHEMA_TAKES(kind) (1u << (kind))
static const uint8_t schema_kinds[] = {
    [SCHEMA_OBJECT] = SCHEMA_TAKES(NODE_MAP),
    [SCHEMA_LIST] = SCHEMA_TAKES(NODE_LIST),
    [SCHEMA_STRING] = SCHEMA_TAKES(NODE_STRING),
    [SCHEMA_BOOLEAN] = SCHEMA_TAKES(NODE_BOOL),
    [SCHEMA_INT32] = SCHEMA_TAKES(NODE_INT),
    [SCHEMA_INT64] = SCHEMA_TAKES(NODE_INT),
    [SCHEMA_INT_OR_STRING] = SCHEMA_TAKES(NODE_INT) | SCHEMA_TAKES(NODE_STRING),
    [SCHEMA_QUANTITY] =
        SCHEMA_TAKES(NODE_INT) | SCHEMA_TAKES(NODE_NUMBER) | SCHEMA_TAKES(NODE_STRING),
    [SCHEMA_ANY] = 0x7F,
};

static bool
schema_takes(const struct schema *schema, const struct node *value)
{
    bool is_wide = value->kind == NODE_NUMBER && !schema_is_fractional(value);

    return schema_kinds[schema->type] & SCHEMA_TAKES(is_wide ? NODE_INT : value->kind);
}

/* Recursive. The depth limit of the readers bounds the recursion. */
static void
schema_check_value(const struct schema *schema, const struct node *value, struct report *report)
{
    if (!schema_takes(schema, value)) {
        schema_find_wrong_type(schema, GANG_CODE_WRONG_TYPE, value, report);
        return;
    }
    switch (schema->type) {
    case SCHEMA_OBJECT:
        if (schema->values)
            schema_check_free_keys(schema, value, report);
        else
            schema_check_fields(schema, value, NULL, report);
        break;
    case SCHEMA_LIST:
        schema_check_list(schema, value, report);
        break;
    case SCHEMA_STRING:
        schema_check_string(schema, value, report);
        break;
    case SCHEMA_INT32:
    case SCHEMA_INT64:
        schema_check_integer(schema, value, report);
        break;
    case SCHEMA_INT_OR_STRING:
        if (value->kind != NODE_STRING)
            schema_check_integer(schema, value, report);
        break;
    case SCHEMA_QUANTITY:
        schema_check_quantity(value, report);
        break;
    case SCHEMA_BOOLEAN:
    case SCHEMA_ANY:
        break;
    }
}

void
schema_check(const struct schema *schema, const struct node *root, struct report *report)
{
    if (!node_is_absent(root))
        schema_check_value(schema, root, report);
}

void
schema_check_members(const struct schema *schema, const struct node *map, const struct node **found,
                     struct report *report)
{
    for (size_t i = 0; i < schema->num_fields; i++)
        found[i] = NULL;
    if (node_is(map, NODE_MAP))
        schema_check_fields(schema, map, found, report);
    else
        schema_check(schema, map, report);
}

/* ---- schema read ---- */

int
schema_word(const char *const *words, const struct node *word)
{
    for (int i = 0; words[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(words[i])))
            return i;
    return 0;
}

static int
schema_compare_items(const void *a, const void *b, const void *sorted_by)
{
    int order = 0;

    for (const char *const *name = sorted_by; *name && !order; name++)
        order = slice_compare(node_string(node_member(a, slice_from_text(*name))),
                              node_string(node_member(b, slice_from_text(*name))));
    return order;
}

/* Returns the items of the list in the order in which they are read; NULL if out of memory. */
static const void **
schema_order_items(const struct schema *schema, const struct node *list, struct arena *arena)
{
    const void **items = arena_array(arena, node_count(list), sizeof(*items));
    const void **scratch = arena_array(arena, node_count(list), sizeof(*scratch));
    size_t count = 0;

    if (!items || !scratch)
        return NULL;
    for (NODE_EACH(item, list))
        items[count++] = item;
    if (schema->sorted_by)
        stable_sort(items, scratch, count, schema_compare_items, schema->sorted_by);
    return items;
}

static void
schema_read_list(const struct schema *schema, const struct node *list, char *record,
                 struct schema_reader *reader)
{
    const struct schema *of_item = schema->values;
    const void **items = schema_order_items(schema, list, reader->arena);
    char *structs = arena_array(reader->arena, node_count(list), schema->item_size);

    if (!items || !structs)
        return;
    *(char **)(void *)(record + schema->at - 1) = structs;
    *(size_t *)(void *)(record + schema->count_at - 1) = node_count(list);
    for (size_t i = 0; i < node_count(list); i++) {
        char *place = structs + schema->item_size * i;

        if (of_item->source_at)
            *(const struct node **)(void *)(place + of_item->source_at - 1) = items[i];
        if (of_item->read)
            of_item->read(of_item, items[i], place, reader);
        else
            schema_read(of_item, items[i], place, reader);
    }
}

static void
schema_read_value(const struct schema *schema, const struct node *source, void *value,
                  struct schema_reader *reader)
{
    if (schema->read)
        schema->read(schema, source, value, reader);
    else if (schema->enumeration)
        *(int *)value = schema_word(schema->enumeration, source);
    else if (schema->type == SCHEMA_STRING)
        *(struct slice *)value = node_string(source);
    else if (schema->type == SCHEMA_INT32 || schema->type == SCHEMA_INT64)
        node_int(source, value);
    else if (schema->type == SCHEMA_BOOLEAN)
        *(bool *)value = node_is_true(source);
    else if (schema->fields)
        schema_read(schema, source, value, reader);
    else
        *(const struct node **)value = source;
}

void
schema_read(const struct schema *schema, const struct node *map, void *record,
            struct schema_reader *reader)
{
    const struct schema_field *field = NULL;
    char *base = record;

    if (!node_is(map, NODE_MAP))
        return;
    for (NODE_EACH(member, map)) {
        const struct schema *of_field;

        field = schema_find_next_field(schema, field, node_key(member));
        if (!field || node_is_absent(member))
            continue;
        of_field = field->schema;
        if (of_field->source_at)
            *(const struct node **)(void *)(base + of_field->source_at - 1) = member;
        if (of_field->count_at)
            schema_read_list(of_field, member, base, reader);
        else if (of_field->at)
            schema_read_value(of_field, member, base + of_field->at - 1, reader);
    }
}
