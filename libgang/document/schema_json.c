/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

/* The types that a value may have, at most two. */
static const char *const schema_json_types[][2] = {
    [SCHEMA_OBJECT] = {"object"},
    [SCHEMA_LIST] = {"array"},
    [SCHEMA_STRING] = {"string"},
    [SCHEMA_BOOLEAN] = {"boolean"},
    [SCHEMA_INT32] = {"integer"},
    [SCHEMA_INT64] = {"integer"},
    [SCHEMA_INT_OR_STRING] = {"integer", "string"},
    [SCHEMA_QUANTITY] = {"number", "string"},
    [SCHEMA_ANY] = {NULL},
};

/* The JSON Schema keywords for the minimum and maximum length of each type; NULL if it has none. */
static const char *const schema_json_lengths[][2] = {
    [SCHEMA_OBJECT] = {"minProperties", "maxProperties"},
    [SCHEMA_LIST] = {"minItems", "maxItems"},
    [SCHEMA_STRING] = {"minLength", "maxLength"},
    [SCHEMA_BOOLEAN] = {NULL},
    [SCHEMA_INT32] = {NULL},
    [SCHEMA_INT64] = {NULL},
    [SCHEMA_INT_OR_STRING] = {NULL},
    [SCHEMA_QUANTITY] = {NULL},
    [SCHEMA_ANY] = {NULL},
};

static void
schema_json_text(struct builder *out, struct slice key, const char *text)
{
    if (text)
        build_string(out, key, slice_from_text(text));
}

static void
schema_json_type(const struct schema *schema, struct builder *out)
{
    const char *const *types = schema_json_types[schema->type];
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
schema_json_enumeration(const char *const *words, struct builder *out)
{
    struct builder list;

    if (!words)
        return;
    list = build_list_member(out, SLICE("enum"));
    for (; *words; words++)
        build_string_item(&list, slice_from_text(*words));
}

/* The table holds the JSON text of a scalar. */
static void
schema_json_default(const char *json, struct builder *out)
{
    struct slice text = slice_from_text(json);
    int64_t number;

    if (!json)
        return;
    if (integer_parse(text, &number))
        build_int(out, SLICE("default"), number);
    else if (text.data[0] == '"')
        build_string(out, SLICE("default"), (struct slice){text.data + 1, text.len - 2});
    else
        build_bool(out, SLICE("default"), slice_equal(text, SLICE("true")));
}

static void
schema_json_bounds(const struct schema *schema, struct builder *out)
{
    const char *const *lengths = schema_json_lengths[schema->type];

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
        struct builder property = build_map_member(&properties, schema->fields[i].name);

        schema_json_describe(schema->fields[i].schema, &property);
    }
    for (size_t i = 0; i < schema->num_fields; i++) {
        if (!schema->fields[i].required)
            continue;
        if (!required.node)
            required = build_list_member(out, SLICE("required"));
        build_string_item(&required, schema->fields[i].name);
    }
    if (!schema->open)
        build_bool(out, SLICE("additionalProperties"), false);
}

static void
schema_json_children(const struct schema *schema, struct builder *out)
{
    struct builder child;

    if (schema->type == SCHEMA_OBJECT && !schema->values) {
        schema_json_properties(schema, out);
        return;
    }
    if (!schema->values)
        return;
    child = build_map_member(out, schema->type == SCHEMA_LIST ? SLICE("items")
                                                              : SLICE("additionalProperties"));
    schema_json_describe(schema->values, &child);
}

void
schema_json_describe(const struct schema *schema, struct builder *out)
{
    schema_json_text(out, SLICE("description"), schema->description);
    schema_json_type(schema, out);
    schema_json_enumeration(schema->enumeration ? schema->enumeration : schema->words, out);
    schema_json_default(schema->default_text, out);
    schema_json_text(out, SLICE("pattern"), schema->pattern);
    schema_json_bounds(schema, out);
    schema_json_children(schema, out);
}
