/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include "libgang/document/writer.h"
#include "unit/suite.h"

static const char *const modes[] = {"hard", "soft", NULL};
static const struct schema text = {.type = SCHEMA_STRING};
static const struct schema short_text = {
    .type = SCHEMA_STRING, .min_length = 1, .max_length = 4, SCHEMA_OWN(.pattern = "^a+$")};
static const struct schema mode = {.type = SCHEMA_STRING,
                                   .enumeration = modes,
                                   SCHEMA_OWN(.default_text = "\"hard\"", .description = "How.")};
static const struct schema flag = {.type = SCHEMA_BOOLEAN, .default_text = "false"};
static const struct schema yes = {.type = SCHEMA_BOOLEAN, .default_text = "true"};
static const struct schema number = {.type = SCHEMA_INT32, .default_text = "-3"};
static const struct schema bounded = {
    .type = SCHEMA_INT32, .has_minimum = true, .minimum = 1, .has_maximum = true, .maximum = 9};
static const struct schema wide = {.type = SCHEMA_INT64};
static const struct schema level = {
    .type = SCHEMA_INT_OR_STRING, .has_minimum = true, .minimum = 1};
static const struct schema quantity = {.type = SCHEMA_QUANTITY};
static const struct schema anything = {.type = SCHEMA_ANY, SCHEMA_OWN(.description = "Any.")};
static const struct schema list = {.type = SCHEMA_LIST,
                                   .values = &text,
                                   .is_set = true,
                                   .min_length = 1,
                                   .max_length = 3,
                                   SCHEMA_OWN(.empty = "omit it")};
static const struct schema labels = {.type = SCHEMA_MAP, .values = &text};
static const struct schema_field fields[] = {SCHEMA_ROW("kind", &text, true),
                                             SCHEMA_ROW("list", &list, false),
                                             SCHEMA_ROW("mode", &mode, true)};
static const struct schema_field open_fields[] = {SCHEMA_ROW("kind", &text, true)};
static const struct schema_field optional_fields[] = {SCHEMA_ROW("list", &list, false)};
static const struct schema closed = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(fields, 2)};
static const struct schema open = {
    .type = SCHEMA_OBJECT, SCHEMA_FIELDS(open_fields, 1), .open = true};
static const struct schema optional = {
    .type = SCHEMA_OBJECT, SCHEMA_FIELDS(optional_fields, 0), .min_length = 1};

/* https://json-schema.org/draft/2020-12/json-schema-validation */
static const struct {
    const struct schema *schema;
    const char *json;
} described[] = {
    {&text, "{\"type\":\"string\"}"},
    {&short_text, "{\"type\":\"string\",\"pattern\":\"^a+$\",\"minLength\":1,\"maxLength\":4}"},
    {&mode, "{\"description\":\"How.\",\"type\":\"string\",\"enum\":[\"hard\",\"soft\"],"
            "\"default\":\"hard\"}"},
    {&flag, "{\"type\":\"boolean\",\"default\":false}"},
    {&yes, "{\"type\":\"boolean\",\"default\":true}"},
    {&number,
     "{\"type\":\"integer\",\"default\":-3,\"minimum\":-2147483648,\"maximum\":2147483647}"},
    {&bounded, "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}"},
    {&wide, "{\"type\":\"integer\"}"},
    {&level, "{\"type\":[\"integer\",\"string\"],\"minimum\":1}"},
    {&quantity, "{\"type\":[\"integer\",\"string\"]}"},
    {&anything, "{\"description\":\"Any.\"}"},
    {&list,
     "{\"type\":\"array\",\"minItems\":1,\"maxItems\":3,\"uniqueItems\":true,\"items\":{\"type\":"
     "\"string\"}}"},
    {&labels, "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}"},
    {&closed,
     "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"list\":{\"type\":"
     "\"array\","
     "\"minItems\":1,\"maxItems\":3,\"uniqueItems\":true,\"items\":{\"type\":\"string\"}},"
     "\"mode\":{\"description\":\"How.\",\"type\":\"string\",\"enum\":[\"hard\",\"soft\"],"
     "\"default\":\"hard\"}},\"required\":[\"kind\",\"mode\"],\"additionalProperties\":false}"},
    {&open, "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"}},\"required\":["
            "\"kind\"]}"},
    {&optional, "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"list\":{\"type\":"
                "\"array\",\"minItems\":1,"
                "\"maxItems\":3,\"uniqueItems\":true,\"items\":{\"type\":\"string\"}}},"
                "\"additionalProperties\":false}"},
};

START_TEST(describes_schemas)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct buffer json = {0};

    schema_json_describe(described[_i].schema, &map);
    json_write(&json, map.node);
    buffer_append_byte(&json, '\0');
    ck_assert_str_eq(json.data, described[_i].json);
    buffer_clear(&json);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, describes_schemas, described, json);
}
