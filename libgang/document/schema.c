/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include "libgang/document/document.h"

/* ---- schema items ---- */

enum { ITEMS_FEW = 8 }; /* up to which comparing every pair is faster than sorting */

static struct slice
items_key(const struct schema *item_schema, const struct node *item, const char *name)
{
    struct slice key = slice_from_text(name);
    struct slice text = node_text(node_member(item, key));
    const struct schema *schema;

    if (slice_is_set(text))
        return text;
    schema = schema_find(item_schema, key);
    text = slice_from_text(schema ? schema_default(schema) : NULL);
    if (text.len >= 2 && text.data[0] == '"') /* the default is JSON */
        text = (struct slice){text.data + 1, text.len - 2};
    return text;
}

/* Compares the keys of two items of the list schema in `context`. */
static int
items_compare(const void *a, const void *b, const void *context)
{
    const struct schema *schema = context;

    if (!SCHEMA_OR_OWN(schema, keys))
        return slice_compare(node_text(a), node_text(b));
    for (const char *const *name = SCHEMA_OR_OWN(schema, keys); *name; name++) {
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
    if (!SCHEMA_OR_OWN(schema, keys))
        return slice_is_set(node_text(item));
    for (const char *const *name = SCHEMA_OR_OWN(schema, keys); *name; name++)
        if (!slice_is_set(items_key(schema->values, item, *name)))
            return false;
    return true;
}

/* Marked at the item's first key, which the user must change. */
SELDOM static void
items_find_duplicate(const struct schema *schema, const struct node *first, const struct node *item,
                     struct report *report)
{
    const char *const *keys = SCHEMA_OR_OWN(schema, keys);
    const struct node *key = keys ? node_member(item, slice_from_text(*keys)) : NULL;
    const bool is_written = report_writes(report, GANG_CODE_DUPLICATE_ITEM);
    struct slice path = is_written ? path_of(report->arena, first) : SLICE("");

    find_duplicate(report, key ? key : item, GANG_CODE_DUPLICATE_ITEM,
                   arena_format(report->arena, "the first is %.*s", SLICE_ARG(path)));
}

static void
items_check_many(const struct schema *schema, const struct node *list, struct report *report)
{
    const void **items = arena_array(report->arena, list->len, sizeof(*items));
    size_t count = 0;

    if (!items)
        return;
    for (NODE_EACH(item, list))
        if (items_is_identified(schema, item))
            items[count++] = item;
    if (!stable_sort(items, count, items_compare, schema, report->arena))
        return;
    for (size_t i = 1, first = 0; i < count; i++) {
        if (items_compare(items[first], items[i], schema) == 0)
            items_find_duplicate(schema, items[first], items[i], report);
        else
            first = i;
    }
}

/* ---- schema ---- */

enum { SCHEMA_STEPS = 2 }; /* to find the field of a member */

enum {
    TAKES_BOOLEAN = 1 << NODE_BOOL,
    TAKES_INTEGER = 1 << NODE_INT,
    TAKES_NUMBER = TAKES_INTEGER | 1 << NODE_NUMBER,
    TAKES_STRING = 1 << NODE_STRING,
    TAKES_LIST = 1 << NODE_LIST,
    TAKES_MAP = 1 << NODE_MAP,
};

const struct schema_type_row schema_types[] = {
    [SCHEMA_OBJECT] = {"object", {"object"}, {"minProperties", "maxProperties"}, TAKES_MAP},
    [SCHEMA_MAP] = {"object", {"object"}, {"minProperties", "maxProperties"}, TAKES_MAP},
    [SCHEMA_LIST] = {"array", {"array"}, {"minItems", "maxItems"}, TAKES_LIST},
    [SCHEMA_STRING] = {"string", {"string"}, {"minLength", "maxLength"}, TAKES_STRING},
    [SCHEMA_BOOLEAN] = {"boolean", {"boolean"}, {NULL}, TAKES_BOOLEAN},
    [SCHEMA_INT32] = {"integer", {"integer"}, {NULL}, TAKES_INTEGER},
    [SCHEMA_INT64] = {"integer", {"integer"}, {NULL}, TAKES_INTEGER},
    [SCHEMA_INT_OR_STRING] = {.name = "integer,string",
                              .json = {"integer", "string"},
                              .kinds = TAKES_INTEGER | TAKES_STRING},
    [SCHEMA_QUANTITY] = {.name = "integer,string",
                         .json = {"integer", "string"},
                         .kinds = TAKES_NUMBER | TAKES_STRING},
    [SCHEMA_ANY] = {.name = "any", .kinds = 0x7F},
};

static const char *const schema_kind_names[] = {
    [NODE_NULL] = "null",     [NODE_BOOL] = "boolean",  [NODE_INT] = "integer",
    [NODE_NUMBER] = "number", [NODE_STRING] = "string", [NODE_LIST] = "array",
    [NODE_MAP] = "object",
};

const struct schema *
schema_find(const struct schema *schema, struct slice name)
{
    struct schema_search search = schema_search_in(schema);
    const struct schema_row *row = schema_search_next(&search, name);

    return row ? schema_of(schema, row) : NULL;
}

static void schema_check_value(const struct schema *schema, const struct node *value,
                               struct report *report);
static void schema_check_fields(const struct schema *schema, const struct node *map,
                                const struct node **found, struct report *report);

SELDOM static const char *
schema_type_hint(const struct schema *schema, const struct node *value, struct arena *arena)
{
    enum schema_type wanted = schema->type;
    enum node_kind actual = (enum node_kind)value->kind;
    bool scalar = actual > NODE_NULL && actual < NODE_STRING;
    int64_t nanoseconds;

    /* "15m" for a number of seconds */
    if (actual == NODE_STRING && slice_has_suffix(node_key(value), SLICE("Seconds")) &&
        duration_parse(node_string(value), &nanoseconds) && nanoseconds % 1000000000 == 0)
        return arena_format(arena, "write %lld", (long long)(nanoseconds / 1000000000));
    if (wanted != SCHEMA_STRING && !(wanted == SCHEMA_LIST && schema->min_length) &&
        schema_own(schema)->form)
        return arena_format(arena, "write it as %s", schema_own(schema)->form);
    if (wanted == SCHEMA_STRING && scalar)
        return "put the value in quotes";
    if ((wanted == SCHEMA_INT32 || wanted == SCHEMA_INT64 || wanted == SCHEMA_BOOLEAN) &&
        actual == NODE_STRING)
        return "write the value without quotes";
    if (wanted == SCHEMA_LIST)
        return "write a list";
    return NULL;
}

SELDOM static void
schema_find_wrong_type(const struct schema *schema, enum gang_code code, const struct node *value,
                       struct report *report)
{
    find_invalid(report, value, code, schema_type_hint(schema, value, report->arena),
                 "must be of type %s: \"%s\"", schema_types[schema->type].name,
                 schema_kind_names[value->kind]);
}

static void
schema_check_count(const struct schema *schema, const struct node *container, size_t count,
                   struct report *report)
{
    if (!schema->min_length && !schema->max_length)
        return;
    if (schema->type == SCHEMA_LIST && count < schema->min_length && schema_own(schema)->empty)
        find_required(report, container, SLICE(""), GANG_CODE_REQUIRED_FIELD, NULL, "%s",
                      schema_own(schema)->empty);
    else if (count < schema->min_length)
        find_note(report, container, MESSAGE_TOO_FEW_ITEMS_ITEMS, count, schema->min_length,
                  schema->min_length == 1 ? "item" : "items");
    if (schema->max_length && count > schema->max_length)
        find_note(report, container,
                  schema->limit_code ? schema->limit_code : GANG_CODE_TOO_MANY_ITEMS, NULL,
                  "Too many: %zu: must have at most %u %s", count, schema->max_length,
                  schema->max_length == 1 ? "item" : "items");
}

/* Whether a text is within its bounds, however many bytes its characters have: one to four. */
static inline bool
schema_fits_in_bytes(const struct schema *schema, const struct node *text)
{
    return (text->len + 3) / 4 >= schema->min_length &&
           (!schema->max_length || text->len <= schema->max_length);
}

/* Whether a number is within its bounds, because it is from 1 to 999,999,999, as most are. */
static inline bool
schema_fits_in_digits(const struct schema *schema, const struct node *number)
{
    return (schema->type == SCHEMA_INT32 || schema->type == SCHEMA_INT64) && number->len < 10 &&
           number->as.text[0] > '0' && schema->minimum <= 1 && !schema->has_maximum;
}

/* The fast path for most values: a quantity, a text or number within bounds, a map of fields. */
static inline void
schema_check_child(const struct schema *schema, const struct node *value, struct report *report)
{
    if (value->kind == NODE_STRING && (schema->type == SCHEMA_QUANTITY ||
                                       (schema->type == SCHEMA_STRING && !schema->enumeration &&
                                        schema_fits_in_bytes(schema, value))))
        return;
    if (value->kind == NODE_INT && schema_fits_in_digits(schema, value))
        return;
    if (value->kind == NODE_MAP && schema->type == SCHEMA_OBJECT)
        schema_check_fields(schema, value, NULL, report);
    else
        schema_check_value(schema, value, report);
}

/* Checks the values of a map with free keys, or the items of a list. */
static inline void
schema_check_children(const struct schema *schema, const struct node *container,
                      enum gang_code null_code, struct report *report)
{
    if (!arena_spend(report->arena, container->len))
        return;
    for (NODE_EACH(child, container)) {
        if (child->kind != NODE_NULL)
            schema_check_child(schema->values, child, report);
        else if (!schema->values->nullable &&
                 !(report->built_in && schema->values->type == SCHEMA_QUANTITY))
            schema_find_wrong_type(schema->values, null_code, child, report);
    }
    schema_check_count(schema, container, container->len, report);
}

/*
 * Whether a type of Kubernetes has the field, in this or another release. The schemas of its pods
 * and of what is in them are those of CRDs, which keep a part of ObjectMeta.
 */
static bool
schema_has_more(const struct schema *schema, const struct node *member, const struct report *report)
{
    const struct slice key = node_key(member);

    if (!report->more)
        return false;
    if (report->more->metadata && schema_find(report->more->metadata, key))
        return schema_find(schema, SLICE("finalizers"));
    for (const struct report_more_field *field = report->more->fields; field->name; field++)
        if (slice_equal(key, slice_from_text(field->name)) &&
            schema_find(schema, slice_from_text(field->beside)))
            return true;
    return false;
}

static void
schema_find_unknown(const struct schema *schema, const struct node *member, struct report *report)
{
    const bool is_written = report_writes(report, GANG_CODE_UNKNOWN_FIELD);
    struct slice path = is_written ? path_of(report->arena, member) : SLICE("");
    const char *hint = NULL;

    if (schema_has_more(schema, member, report))
        return;
    report->has_unknown_field = true;
    if (is_written)
        hint = schema_did_you_mean(report->arena, schema_nearest_field(schema, node_key(member)));
    if (is_written && !hint && schema_own(schema)->free_keys)
        hint = arena_format(report->arena, "did you mean \"%s: {%.*s: ...}\"?",
                            schema_own(schema)->free_keys, SLICE_ARG(node_key(member)));
    find_note_at_key(report, member, GANG_CODE_UNKNOWN_FIELD, hint, "unknown field \"%.*s\"",
                     SLICE_ARG(path));
}

/* Counts the members that are known and not null. */
static size_t
schema_count_present(const struct schema *schema, const struct node *map)
{
    size_t count = 0;

    for (NODE_EACH(member, map))
        count +=
            member->kind != NODE_NULL && (schema->open || schema_find(schema, node_key(member)));
    return count;
}

/* `found` as in schema_check_members(), all NULL before; NULL if the caller needs no member. */
static void
schema_check_fields(const struct schema *schema, const struct node *map, const struct node **found,
                    struct report *report)
{
    struct schema_search search = schema_search_in(schema);
    size_t required = 0;

    if (!arena_spend(report->arena, (uint64_t)map->len * SCHEMA_STEPS))
        return;
    for (NODE_EACH(member, map)) {
        const struct schema_row *field = schema_search_next(&search, node_key(member));

        if (!field && !schema->open)
            schema_find_unknown(schema, member, report);
        if (!field || member->kind == NODE_NULL)
            continue;
        required += field->required;
        if (found) {
            const struct node **place = found + schema_row_number(schema, field);

            *place = *place ? *place : member;
        }
        schema_check_child(schema_of(schema, field), member, report);
    }
    if (schema->min_length || schema->max_length)
        schema_check_count(schema, map, schema_count_present(schema, map), report);
    if (required < schema->num_required) {
        for (size_t i = 0; i < schema->num_fields; i++) {
            const struct schema_row *field = schema_row(schema, i);
            const struct slice name = schema_row_name(field);

            if (field->required && !node_member(map, name))
                find_missing(report, map, name);
        }
    }
}

static void
schema_check_list(const struct schema *schema, const struct node *list, struct report *report)
{
    schema_check_children(schema, list, GANG_CODE_NULL_ITEM, report);
    /* equal keys of a map list, whose missing keys count as their defaults, and values of a set */
    if (list->len > 1 && (SCHEMA_OR_OWN(schema, keys) || schema->is_set)) {
        if (list->len <= ITEMS_FEW) {
            for (NODE_EACH(item, list)) {
                if (!items_is_identified(schema, item))
                    continue;
                for (NODE_EACH(earlier, list)) {
                    if (earlier == item)
                        break;
                    if (items_is_identified(schema, earlier) &&
                        items_compare(earlier, item, schema) == 0) {
                        items_find_duplicate(schema, earlier, item, report);
                        break;
                    }
                }
            }
        } else {
            items_check_many(schema, list, report);
        }
    }
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
    find_unsupported(report, value, GANG_CODE_UNSUPPORTED_VALUE,
                     schema_did_you_mean(report->arena, nearest), supported, supported ? count : 0);
}

static void
schema_check_length(const struct schema *schema, const struct node *value, struct report *report)
{
    const struct slice text = node_text(value);
    size_t length = 0; /* in characters */

    for (size_t i = 0; i < text.len; i++)
        length += ((unsigned char)text.data[i] & 0xC0u) != 0x80u;
    if (length < schema->min_length)
        find_invalid(report, value, MESSAGE_REQUIRED_FIELD_SHORT, schema->min_length,
                     schema->min_length == 1 ? "character" : "characters");
    if (schema->max_length && length > schema->max_length)
        find_note(report, value, schema->limit_code ? schema->limit_code : GANG_CODE_VALUE_TOO_LONG,
                  NULL, "Too long: may not be more than %u %s", schema->max_length,
                  schema->max_length == 1 ? "character" : "characters");
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
schema_check_integer(const struct schema *schema, const struct node *value, struct report *report)
{
    bool is_narrow = schema->type != SCHEMA_INT64;
    int64_t least = is_narrow ? INT32_MIN : INT64_MIN;
    int64_t most = is_narrow ? INT32_MAX : INT64_MAX;
    int64_t number;

    if (!node_int(value, &number) || number < least || number > most)
        find_invalid(report, value, MESSAGE_VALUE_OUT_OF_RANGE_BETWEEN,
                     (long long)(schema->has_minimum ? schema->minimum : least),
                     (long long)(schema->has_maximum ? schema->maximum : most));
    else if (schema->has_minimum || schema->has_maximum) {
        if (schema->has_minimum && number < schema->minimum)
            find_invalid(report, value, MESSAGE_VALUE_OUT_OF_RANGE_BELOW,
                         (long long)schema->minimum);
        if (schema->has_maximum && number > schema->maximum)
            find_invalid(report, value, MESSAGE_VALUE_OUT_OF_RANGE_ABOVE,
                         (long long)schema->maximum);
    }
}

/* Recursive. The depth limit of the readers bounds the recursion. */
static void
schema_check_value(const struct schema *schema, const struct node *value, struct report *report)
{
    const bool is_wide = value->kind == NODE_NUMBER && !schema_is_fractional(value);

    if (!(schema_types[schema->type].kinds >> (is_wide ? NODE_INT : value->kind) & 1)) {
        schema_find_wrong_type(schema, GANG_CODE_WRONG_TYPE, value, report);
        return;
    }
    switch (schema->type) {
    case SCHEMA_OBJECT:
        schema_check_fields(schema, value, NULL, report);
        break;
    case SCHEMA_MAP:
        schema_check_children(schema, value, GANG_CODE_NULL_VALUE, report);
        break;
    case SCHEMA_LIST:
        schema_check_list(schema, value, report);
        break;
    case SCHEMA_STRING:
        if (schema->enumeration && !schema_enumeration_has(schema->enumeration, node_text(value)))
            schema_find_unsupported(schema, value, report);
        if (!schema_fits_in_bytes(schema, value))
            schema_check_length(schema, value, report);
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
        if (!report->built_in && value->kind == NODE_NUMBER && schema_is_fractional(value))
            find_invalid(report, value, MESSAGE_FRACTIONAL_NUMBER);
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

/* ---- nearest names ---- */

const char *
schema_nearest_field(const struct schema *schema, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (size_t i = 0; i < schema->num_fields; i++)
        nearest_try(&search, schema_row_name(schema_row(schema, i)));
    return search.found;
}

SELDOM const char *
schema_nearest_word(const char *const *words, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (; *words; words++)
        nearest_try(&search, slice_from_text(*words));
    return search.found;
}

const char *
schema_nearest_text(const struct slice *texts, size_t count, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (size_t i = 0; i < count; i++)
        nearest_try(&search, texts[i]);
    return search.found;
}

const char *
schema_did_you_mean(struct arena *arena, const char *nearest)
{
    return nearest ? arena_format(arena, "did you mean \"%s\"?", nearest) : NULL;
}
