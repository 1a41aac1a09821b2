/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include <stdio.h>

#include "unit/suite.h"
#include "unit/departure.h"
#include "unit/tree.h"

/* ---- schema ---- */

static const char *const modes[] = {"", "soft", "hard", NULL};
static const char *const by_name[] = {"name", NULL};
static const char *const by_port[] = {"port", "protocol", NULL};

static const struct schema text_of_schema = {.type = SCHEMA_STRING};
static const struct schema short_text = {.type = SCHEMA_STRING, .min_length = 2, .max_length = 4};
static const struct schema mode = {.type = SCHEMA_STRING, .enumeration = modes};
static const struct schema flag = {.type = SCHEMA_BOOLEAN};
static const struct schema narrow = {.type = SCHEMA_INT32};
static const struct schema wide = {.type = SCHEMA_INT64};
static const struct schema percent = {
    .type = SCHEMA_INT32, .has_minimum = true, .has_maximum = true, .minimum = 1, .maximum = 100};
static const struct schema natural = {.type = SCHEMA_INT32, .has_minimum = true};
static const struct schema debt = {.type = SCHEMA_INT32, .has_maximum = true, .maximum = -1};
static const struct schema seconds = {.type = SCHEMA_INT64, .has_minimum = true, .minimum = 1};
static const struct schema int_or_string = {.type = SCHEMA_INT_OR_STRING};
static const struct schema tier = {.type = SCHEMA_INT_OR_STRING, .has_minimum = true, .minimum = 1};
static const struct schema quantity = {.type = SCHEMA_QUANTITY};
static const struct schema nullable_text = {.type = SCHEMA_STRING, .nullable = true};
static const struct schema anything = {.type = SCHEMA_ANY};
static const struct schema empty = {.type = SCHEMA_OBJECT};
static const struct schema words = {.type = SCHEMA_MAP, .values = &text_of_schema, .max_length = 2};
static const struct schema nullable_words = {.type = SCHEMA_MAP, .values = &nullable_text};
static const struct schema set = {.type = SCHEMA_LIST,
                                  .values = &text_of_schema,
                                  .is_set = true,
                                  .min_length = 1,
                                  .max_length = 3};
static const struct schema tcp = {.type = SCHEMA_STRING, .default_text = "\"TCP\""};
static const struct schema_field port_fields[] = {SCHEMA_ROW("port", &narrow, true),
                                                  SCHEMA_ROW("protocol", &tcp, false)};
static const struct schema port = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(port_fields, 1)};
static const struct schema ports = {.type = SCHEMA_LIST, .values = &port, .keys = by_port};
static const struct schema_field role_fields[] = {SCHEMA_ROW("name", &text_of_schema, true),
                                                  SCHEMA_ROW("numNodes", &narrow, false)};
static const struct schema role = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(role_fields, 1)};
static const struct schema roles = {.type = SCHEMA_LIST, .values = &role, .keys = by_name};
static const struct schema open_role = {
    .type = SCHEMA_OBJECT, SCHEMA_FIELDS(role_fields, 1), .open = true, .min_length = 1};
static const struct schema_field fields[] = {
    SCHEMA_ROW("any", &anything, false),
    SCHEMA_ROW("debt", &debt, false),
    SCHEMA_ROW("empty", &empty, false),
    SCHEMA_ROW("flag", &flag, false),
    SCHEMA_ROW("intOrString", &int_or_string, false),
    SCHEMA_ROW("mode", &mode, false),
    SCHEMA_ROW("narrow", &narrow, false),
    SCHEMA_ROW("natural", &natural, false),
    SCHEMA_ROW("nullableWords", &nullable_words, false),
    SCHEMA_ROW("open", &open_role, false),
    SCHEMA_ROW("percent", &percent, false),
    SCHEMA_ROW("ports", &ports, false),
    SCHEMA_ROW("quantity", &quantity, false),
    SCHEMA_ROW("roles", &roles, false),
    SCHEMA_ROW("seconds", &seconds, false),
    SCHEMA_ROW("set", &set, false),
    SCHEMA_ROW("short", &short_text, false),
    SCHEMA_ROW("text", &text_of_schema, false),
    SCHEMA_ROW("tier", &tier, false),
    SCHEMA_ROW("wide", &wide, false),
    SCHEMA_ROW("words", &words, false),
};
static const struct schema root_of_schema = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(fields, 0)};

static const struct departure departures[] = {
    {"{}", 0, NULL, NULL, NULL},
    /* types */
    {"{\"text\":\"x\"}", 0, NULL, NULL, NULL},
    {"{\"text\":1}", GANG_CODE_WRONG_TYPE, "text",
     "Invalid value: 1: must be of type string: \"integer\"", QUOTE_IT},
    {"{\"text\":1.5}", GANG_CODE_WRONG_TYPE, "text",
     "Invalid value: 1.5: must be of type string: \"number\"", QUOTE_IT},
    {"{\"text\":true}", GANG_CODE_WRONG_TYPE, "text",
     "Invalid value: true: must be of type string: \"boolean\"", QUOTE_IT},
    {"{\"text\":[]}", GANG_CODE_WRONG_TYPE, "text",
     "Invalid value: [...]: must be of type string: \"array\"", NULL},
    {"{\"text\":{}}", GANG_CODE_WRONG_TYPE, "text",
     "Invalid value: {...}: must be of type string: \"object\"", NULL},
    {"{\"flag\":false}", 0, NULL, NULL, NULL},
    {"{\"flag\":\"true\"}", GANG_CODE_WRONG_TYPE, "flag",
     "Invalid value: \"true\": must be of type boolean: \"string\"", UNQUOTE_IT},
    {"{\"narrow\":\"2\"}", GANG_CODE_WRONG_TYPE, "narrow",
     "Invalid value: \"2\": must be of type integer: \"string\"", UNQUOTE_IT},
    {"{\"narrow\":2.5}", GANG_CODE_WRONG_TYPE, "narrow",
     "Invalid value: 2.5: must be of type integer: \"number\"", NULL},
    {"{\"narrow\":[1]}", GANG_CODE_WRONG_TYPE, "narrow",
     "Invalid value: [...]: must be of type integer: \"array\"", NULL},
    {"{\"roles\":{}}", GANG_CODE_WRONG_TYPE, "roles",
     "Invalid value: {...}: must be of type array: \"object\"", "write a list"},
    {"{\"words\":[]}", GANG_CODE_WRONG_TYPE, "words",
     "Invalid value: [...]: must be of type object: \"array\"", NULL},
    {"{\"words\":{\"a\":1}}", GANG_CODE_WRONG_TYPE, "words.a",
     "Invalid value: 1: must be of type string: \"integer\"", QUOTE_IT},
    {"{\"intOrString\":5}", 0, NULL, NULL, NULL},
    {"{\"intOrString\":\"5%\"}", 0, NULL, NULL, NULL},
    {"{\"intOrString\":1.5}", GANG_CODE_WRONG_TYPE, "intOrString",
     "Invalid value: 1.5: must be of type integer,string: \"number\"", NULL},
    {"{\"intOrString\":true}", GANG_CODE_WRONG_TYPE, "intOrString",
     "Invalid value: true: must be of type integer,string: \"boolean\"", NULL},
    {"{\"any\":[null,{\"a\":null}]}", 0, NULL, NULL, NULL},
    /* ranges */
    {"{\"narrow\":2147483647}", 0, NULL, NULL, NULL},
    {"{\"narrow\":-2147483648}", 0, NULL, NULL, NULL},
    {"{\"narrow\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "narrow",
     "Invalid value: 2147483648: must be between -2147483648 and 2147483647", NULL},
    {"{\"narrow\":-2147483649}", GANG_CODE_VALUE_OUT_OF_RANGE, "narrow",
     "Invalid value: -2147483649: must be between -2147483648 and 2147483647", NULL},
    {"{\"intOrString\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "intOrString",
     "Invalid value: 2147483648: must be between -2147483648 and 2147483647", NULL},
    {"{\"wide\":9223372036854775807}", 0, NULL, NULL, NULL},
    {"{\"percent\":1}", 0, NULL, NULL, NULL},
    {"{\"percent\":100}", 0, NULL, NULL, NULL},
    {"{\"percent\":0}", GANG_CODE_VALUE_OUT_OF_RANGE, "percent",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {"{\"percent\":101}", GANG_CODE_VALUE_OUT_OF_RANGE, "percent",
     "Invalid value: 101: must be less than or equal to 100", NULL},
    /* values outside the type get the bounds of the field, else those of the type */
    {"{\"percent\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "percent",
     "Invalid value: 2147483648: must be between 1 and 100", NULL},
    {"{\"percent\":-2147483649}", GANG_CODE_VALUE_OUT_OF_RANGE, "percent",
     "Invalid value: -2147483649: must be between 1 and 100", NULL},
    {"{\"natural\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "natural",
     "Invalid value: 2147483648: must be between 0 and 2147483647", NULL},
    {"{\"natural\":-2147483649}", GANG_CODE_VALUE_OUT_OF_RANGE, "natural",
     "Invalid value: -2147483649: must be between 0 and 2147483647", NULL},
    {"{\"natural\":-1}", GANG_CODE_VALUE_OUT_OF_RANGE, "natural",
     "Invalid value: -1: must be greater than or equal to 0", NULL},
    {"{\"debt\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "debt",
     "Invalid value: 2147483648: must be between -2147483648 and -1", NULL},
    {"{\"tier\":2147483648}", GANG_CODE_VALUE_OUT_OF_RANGE, "tier",
     "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {"{\"seconds\":9223372036854775808}", GANG_CODE_VALUE_OUT_OF_RANGE, "seconds",
     "Invalid value: 9223372036854775808: must be between 1 and 9223372036854775807", NULL},
    {"{\"wide\":9223372036854775808}", GANG_CODE_VALUE_OUT_OF_RANGE, "wide",
     "Invalid value: 9223372036854775808: must be between -9223372036854775808 and "
     "9223372036854775807",
     NULL},
    /* quantities */
    {"{\"quantity\":\"500m\"}", 0, NULL, NULL, NULL},
    {"{\"quantity\":2}", 0, NULL, NULL, NULL},
    {"{\"quantity\":0.5}", GANG_CODE_FRACTIONAL_NUMBER, "quantity",
     "Invalid value: 0.5: must be of type integer,string: \"number\"", "put the number in quotes"},
    {"{\"quantity\":true}", GANG_CODE_WRONG_TYPE, "quantity",
     "Invalid value: true: must be of type integer,string: \"boolean\"", NULL},
    /* enumerations and lengths */
    {"{\"mode\":\"\"}", 0, NULL, NULL, NULL},
    {"{\"mode\":\"hard\"}", 0, NULL, NULL, NULL},
    {"{\"mode\":\"Hard\"}", GANG_CODE_UNSUPPORTED_VALUE, "mode",
     "Unsupported value: \"Hard\": supported values: \"\", \"soft\", \"hard\"",
     "did you mean \"hard\"?"},
    {"{\"short\":\"abcd\"}", 0, NULL, NULL, NULL},
    {"{\"short\":\"\303\244\303\244\303\244\303\244\"}", 0, NULL, NULL, NULL},
    {"{\"short\":\"abcde\"}", GANG_CODE_VALUE_TOO_LONG, "short",
     "Too long: may not be more than 4 characters", NULL},
    {"{\"short\":\"\303\244\"}", GANG_CODE_REQUIRED_FIELD, "short",
     "Invalid value: \"\303\244\": must be at least 2 characters long", NULL},
    {"{\"short\":\"\360\220\215\210\"}", GANG_CODE_REQUIRED_FIELD, "short",
     "Invalid value: \"\360\220\215\210\": must be at least 2 characters long", NULL},
    {"{\"short\":\"\360\220\215\210a\"}", 0, NULL, NULL, NULL},
    {"{\"set\":[]}", GANG_CODE_TOO_FEW_ITEMS, "set", "Too few: 0: must have at least 1 item", NULL},
    {"{\"set\":[\"a\",\"b\",\"c\"]}", 0, NULL, NULL, NULL},
    {"{\"set\":[\"a\",\"b\",\"c\",\"d\"]}", GANG_CODE_TOO_MANY_ITEMS, "set",
     "Too many: 4: must have at most 3 items", NULL},
    {"{\"words\":{\"a\":\"\",\"b\":\"\",\"c\":\"\"}}", GANG_CODE_TOO_MANY_ITEMS, "words",
     "Too many: 3: must have at most 2 items", NULL},
    /* duplicates */
    {"{\"set\":[\"a\",\"b\",\"a\"]}", GANG_CODE_DUPLICATE_ITEM, "set[2]", "Duplicate value: \"a\"",
     "the first is set[0]"},
    {"{\"roles\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"a\"}]}", GANG_CODE_DUPLICATE_ITEM,
     "roles[2].name", "Duplicate value: \"a\"", "the first is roles[0]"},
    {"{\"ports\":[{\"port\":1},{\"port\":1,\"protocol\":\"UDP\"}]}", 0, NULL, NULL, NULL},
    {"{\"ports\":[{\"port\":1},{\"port\":1,\"protocol\":\"TCP\"}]}", GANG_CODE_DUPLICATE_ITEM,
     "ports[1].port", "Duplicate value: 1", "the first is ports[0]"},
    {"{\"roles\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"},{\"name\":\"d\"},{\"name\":"
     "\"e\"},{"
     "\"name\":\"f\"},"
     "{\"name\":\"g\"},{\"name\":\"h\"},{\"name\":\"c\"}]}",
     GANG_CODE_DUPLICATE_ITEM, "roles[8].name", "Duplicate value: \"c\"", "the first is roles[2]"},
    /* null */
    {"{\"text\":null,\"narrow\":null,\"roles\":null,\"percent\":null,\"mode\":null}", 0, NULL, NULL,
     NULL},
    {"{\"set\":[\"a\",null]}", GANG_CODE_NULL_ITEM, "set[1]",
     "Invalid value: null: must be of type string: \"null\"", NULL},
    {"{\"words\":{\"a\":null}}", GANG_CODE_NULL_VALUE, "words.a",
     "Invalid value: null: must be of type string: \"null\"", NULL},
    {"{\"nullableWords\":{\"a\":null}}", 0, NULL, NULL, NULL},
    /* required */
    {"{\"roles\":[{\"numNodes\":1}]}", GANG_CODE_REQUIRED_FIELD, "roles[0].name", "Required value",
     NULL},
    {"{\"roles\":[{\"name\":null}]}", GANG_CODE_REQUIRED_FIELD, "roles[0].name", "Required value",
     NULL},
    /* unknown fields */
    {"{\"roles\":[{\"name\":\"a\",\"numNode\":1}]}", GANG_CODE_UNKNOWN_FIELD, "roles[0].numNode",
     "unknown field \"roles[0].numNode\"", "did you mean \"numNodes\"?"},
    {"{\"roles\":[{\"name\":\"a\",\"NUMNODES\":1}]}", GANG_CODE_UNKNOWN_FIELD, "roles[0].NUMNODES",
     "unknown field \"roles[0].NUMNODES\"", "did you mean \"numNodes\"?"},
    {"{\"roles\":[{\"name\":\"a\",\"zebra\":null}]}", GANG_CODE_UNKNOWN_FIELD, "roles[0].zebra",
     "unknown field \"roles[0].zebra\"", NULL},
    {"{\"empty\":{\"x\":1}}", GANG_CODE_UNKNOWN_FIELD, "empty.x", "unknown field \"empty.x\"",
     NULL},
    {"{\"open\":{\"name\":\"a\",\"kai\":{}}}", 0, NULL, NULL, NULL},
};

START_TEST(reports_one_violation)
{
    check_departure(&root_of_schema, &departures[_i]);
}
END_TEST

START_TEST(reports_all_violations)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check(
        &root_of_schema,
        tree_of(
            arena,
            "{\"a\":1,\"text\":2,\"roles\":[{},{\"name\":3}],\"set\":[null,null],\"percent\":0}"),
        &report);
    ck_assert_uint_eq(report.count, 7);
    arena_free(arena);
}
END_TEST

/* A misspelt key is reported at the key, a wrong value at the value, a missing one at its map. */
static const struct {
    const char *document;
    uint32_t line;
    uint32_t column;
} marks[] = {
    {"{\n  \"roles\": [\n    {\"name\": \"a\",\n     \"numNode\": 1}]}", 4, 6},
    {"{\n  \"text\":   1}", 2, 13},
    {"{\"roles\": [\n  {\"numNodes\": 1}]}", 2, 3},
    {"{\"roles\": [{\"name\": \"a\"},\n {\"name\": \"a\"}]}", 2, 11},
};

START_TEST(marks_the_place)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check(&root_of_schema, tree_of(arena, marks[_i].document), &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_uint_eq(report.items[0].line, marks[_i].line);
    ck_assert_uint_eq(report.items[0].column, marks[_i].column);
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_TRAINJOB);
    arena_free(arena);
}
END_TEST

/* Severities follow the registry: an unknown field is a warning unless the caller is strict. */
START_TEST(unknown_fields_by_mode)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    report.strict = _i == 1;
    schema_check(&root_of_schema, tree_of(arena, "{\"x\":1}"), &report);
    ck_assert_int_eq(report.items[0].severity,
                     _i == 1 ? GANG_SEVERITY_ERROR : GANG_SEVERITY_WARNING);
    arena_free(arena);
}
END_TEST

START_TEST(counts_wide_integers)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check(&root_of_schema,
                 tree_of(arena, "{\"narrow\":2.0,\"wide\":1e3,\"quantity\":9223372036854775808}"),
                 &report);
    ck_assert_uint_eq(report.count, 0);
    schema_check(&root_of_schema, tree_of(arena, "{\"wide\":9223372036854775808,\"narrow\":1e30}"),
                 &report);
    ck_assert_uint_eq(report.count, 2);
    ck_assert_int_eq(report.items[0].code, GANG_CODE_VALUE_OUT_OF_RANGE);
    ck_assert_int_eq(report.items[1].code, GANG_CODE_VALUE_OUT_OF_RANGE);
    arena_free(arena);
}
END_TEST

START_TEST(keeps_nul_bytes_apart)
{
    char long_name[UINT8_MAX + 1 + 4] = "text"; /* the number of its bytes ends in that of "text" */

    ck_assert_ptr_null(schema_find(&root_of_schema, (struct slice){long_name, sizeof(long_name)}));
    ck_assert_ptr_null(schema_find(&root_of_schema, (struct slice){"text\0s", 6}));
    ck_assert_ptr_null(schema_find(&root_of_schema, (struct slice){"tex", 3}));
    ck_assert_ptr_null(schema_find(&root_of_schema, (struct slice){"", 0}));
}
END_TEST

START_TEST(finds_every_field)
{
    ck_assert_ptr_eq(schema_find(&root_of_schema, slice_from_text(fields[_i].name)),
                     fields[_i].schema);
}
END_TEST

/* Each value is the position of its field; a null member and an unknown one have no place. */
START_TEST(members_are_in_the_order_of_the_fields)
{
    struct arena *arena = arena_new(0);
    const struct node *map =
        tree_of(arena, "{\"wide\": 19, \"any\": 0, \"zebra\": 1, \"flag\": null,"
                       " \"text\": 17, \"debt\": 1, \"words\": 20}");
    const struct node *found[COUNT_OF(fields)];
    struct report report;
    size_t count = 0;

    report_init(&report, arena, &standard_limits);
    schema_check_members(&root_of_schema, map, found, &report);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        int64_t position;

        ck_assert_ptr_eq(found[i], node_member(map, slice_from_text(fields[i].name)));
        if (!found[i])
            continue;
        ck_assert(node_int(found[i], &position) && (size_t)position == i);
        count++;
    }
    ck_assert_uint_eq(count, 5);
    arena_free(arena);
}
END_TEST

START_TEST(an_absent_map_has_no_members)
{
    struct arena *arena = arena_new(0);
    const struct node *found[COUNT_OF(fields)] = {&(const struct node){0}};
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check_members(&root_of_schema, NULL, found, &report);
    ck_assert_ptr_null(found[0]);
    arena_free(arena);
}
END_TEST

/* The same findings as of schema_check(), and the members. */
static const struct {
    const char *document;
    const char *findings;
    size_t members;
} checked_members[] = {
    {"{\"flag\":true,\"zebra\":1,\"wide\":\"x\",\"debt\":null}", "GANG301 GANG302 ", 2},
    {"{\"flag\":1}", "GANG302 ", 1},
    {"{}", "", 0},
    {"[1]", "GANG302 ", 0},
    {"null", "", 0},
};

START_TEST(members_are_checked_in_the_same_walk)
{
    struct arena *arena = arena_new(0);
    const struct node *map = tree_of(arena, checked_members[_i].document);
    const struct node *found[COUNT_OF(fields)] = {map};
    char findings[128] = "";
    size_t members = 0;
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check_members(&root_of_schema, map, found, &report);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        ck_assert_ptr_eq(found[i], node_member(map, slice_from_text(fields[i].name)));
        members += found[i] != NULL;
    }
    for (size_t i = 0; i < report.count; i++) {
        strcat(findings, gang_diagnostic_get_id(&report.items[i]));
        strcat(findings, " ");
    }
    ck_assert_uint_eq(members, checked_members[_i].members);
    ck_assert_str_eq(findings, checked_members[_i].findings);
    arena_free(arena);
}
END_TEST

/* ---- schema items ---- */

static const char *const by_name_of_schema_items[] = {"name", NULL};
static const char *const by_port_of_schema_items[] = {"port", "protocol", NULL};
static const struct schema word = {.type = SCHEMA_STRING};
static const struct schema number = {.type = SCHEMA_INT32};
static const struct schema tcp_of_schema_items = {.type = SCHEMA_STRING, .default_text = "\"TCP\""};
static const struct schema set_of_schema_items = {
    .type = SCHEMA_LIST, .values = &word, .is_set = true};
static const struct schema_field role_fields_of_schema_items[] = {SCHEMA_ROW("name", &word, true)};
static const struct schema role_of_schema_items = {.type = SCHEMA_OBJECT,
                                                   SCHEMA_FIELDS(role_fields_of_schema_items, 1)};
static const struct schema roles_of_schema_items = {
    .type = SCHEMA_LIST, .values = &role_of_schema_items, .keys = by_name_of_schema_items};
static const struct schema_field port_fields_of_schema_items[] = {
    SCHEMA_ROW("port", &number, true), SCHEMA_ROW("protocol", &tcp_of_schema_items, false)};
static const struct schema port_of_schema_items = {.type = SCHEMA_OBJECT,
                                                   SCHEMA_FIELDS(port_fields_of_schema_items, 1)};
static const struct schema ports_of_schema_items = {
    .type = SCHEMA_LIST, .values = &port_of_schema_items, .keys = by_port_of_schema_items};
static const struct schema_field fields_of_schema_items[] = {
    SCHEMA_ROW("ports", &ports_of_schema_items, false),
    SCHEMA_ROW("roles", &roles_of_schema_items, false),
    SCHEMA_ROW("set", &set_of_schema_items, false)};
static const struct schema root_of_schema_items = {.type = SCHEMA_OBJECT,
                                                   SCHEMA_FIELDS(fields_of_schema_items, 0)};

/* Which items repeat an earlier one, as the paths of the findings. */
static const struct {
    const char *document;
    const char *paths;
} lists[] = {
    {"{\"set\":[\"a\",\"b\",\"c\"]}", ""},
    {"{\"set\":[\"a\",\"a\",\"a\"]}", "set[1] set[2]"},
    {"{\"set\":[\"\",\"a\",\"\"]}", "set[2]"},
    {"{\"set\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"]}", ""},
    {"{\"set\":[\"i\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"b\",\"i\",\"i\"]}",
     "set[7] set[8] set[9]"},
    {"{\"roles\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"a\"},{\"name\":\"b\"}]}",
     "roles[2].name roles[3].name"},
    {"{\"ports\":[{\"port\":1},{\"port\":2},{\"port\":1,\"protocol\":\"TCP\"}]}", "ports[2].port"},
    {"{\"ports\":[{\"port\":1,\"protocol\":\"UDP\"},{\"port\":1},{\"port\":1,\"protocol\":\"UDP\"}]"
     "}",
     "ports[2].port"},
    {"{\"ports\":[{\"port\":1,\"protocol\":null},{\"port\":1}]}", "ports[1].port"},
};

START_TEST(finds_duplicates)
{
    struct arena *arena = arena_new(0);
    struct report report;
    char paths[256] = "";

    report_init(&report, arena, &standard_limits);
    schema_check(&root_of_schema_items, tree_of(arena, lists[_i].document), &report);
    report_sort(&report);
    for (size_t i = 0; i < report.count; i++) {
        ck_assert_int_eq(report.items[i].code, GANG_CODE_DUPLICATE_ITEM);
        strcat(strcat(paths, i ? " " : ""), report.items[i].path);
    }
    ck_assert_str_eq(paths, lists[_i].paths);
    arena_free(arena);
}
END_TEST

/* An item without its keys, or of a wrong type, is no duplicate; it has a finding of its own. */
static const char *const unidentified[] = {
    "{\"roles\":[{},{}]}",
    "{\"roles\":[1,1]}",
    "{\"set\":[[],[]]}",
    "{\"set\":[null,null]}",
    "{\"ports\":[{\"protocol\":\"TCP\"},{\"protocol\":\"TCP\"}]}",
};

START_TEST(leaves_items_without_keys_alone)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check(&root_of_schema_items, tree_of(arena, unidentified[_i]), &report);
    ck_assert_uint_eq(report.count, 2);
    ck_assert_int_ne(report.items[0].code, GANG_CODE_DUPLICATE_ITEM);
    ck_assert_int_ne(report.items[1].code, GANG_CODE_DUPLICATE_ITEM);
    arena_free(arena);
}
END_TEST

static void
write_roles(char *out, size_t count, bool twice)
{
    size_t len = (size_t)sprintf(out, "{\"roles\":[");

    for (size_t i = 0; i < count; i++)
        len += (size_t)sprintf(out + len, "%s{\"name\":\"r%zu\"}", i ? "," : "",
                               twice && i + 1 == count ? 0 : i);
    sprintf(out + len, "]}");
}

START_TEST(finds_duplicates_in_the_longest_list)
{
    struct arena *arena = arena_new(0);
    char *text_of_roles = arena_alloc(arena, 10000 * 24 + 32);
    struct report report;

    report_init(&report, arena, &standard_limits);
    write_roles(text_of_roles, 10000, _i == 1);
    schema_check(&root_of_schema_items, tree_of(arena, text_of_roles), &report);
    ck_assert_uint_eq(report.count, (size_t)_i);
    if (_i == 1)
        ck_assert_str_eq(report.items[0].path, "roles[9999].name");
    arena_free(arena);
}
END_TEST

/* ---- schema nearest ---- */

static const struct schema any = {.type = SCHEMA_ANY};
static const struct schema_field fields_of_schema_nearest[] = {
    SCHEMA_ROW("intOrString", &any, false),   SCHEMA_ROW("mode", &any, false),
    SCHEMA_ROW("nullableWords", &any, false), SCHEMA_ROW("numNodes", &any, false),
    SCHEMA_ROW("open", &any, false),          SCHEMA_ROW("percent", &any, false),
    SCHEMA_ROW("ports", &any, false),         SCHEMA_ROW("roles", &any, false),
    SCHEMA_ROW("set", &any, false),           SCHEMA_ROW("text", &any, false),
};
static const struct schema root_of_schema_nearest = {.type = SCHEMA_OBJECT,
                                                     SCHEMA_FIELDS(fields_of_schema_nearest, 0)};

static const struct {
    const char *written;
    const char *nearest;
} misspelt[] = {
    {"roels", "roles"},
    {"Roles", "roles"},
    {"role", "roles"},
    {"intorString", "intOrString"},
    {"nulableWord", "nullableWords"},
    {"xyzzy", NULL},
    {"", NULL},
    {"entirelyElse", NULL},
    {"precent", "percent"},
    {"t", NULL},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     NULL},
};

START_TEST(suggests_the_nearest_field)
{
    ck_assert_pstr_eq(
        schema_nearest_field(&root_of_schema_nearest, slice_from_text(misspelt[_i].written)),
        misspelt[_i].nearest);
}
END_TEST

static const char *const words_of_schema_nearest[] = {"Honor", "Require", "Ignore", NULL};
static const struct slice texts[] = {SLICE_INIT("volcano"), SLICE_INIT("kai")};

static const struct {
    const char *written;
    const char *word;
    const char *text;
} misspelt_words[] = {
    {"Honour", "Honor", NULL}, {"honor", "Honor", NULL}, {"ignored", "Ignore", NULL},
    {"Allow", NULL, NULL},     {"", NULL, NULL},         {"vulcano", NULL, "volcano"},
    {"KAI", NULL, "kai"},      {"kia", NULL, "kai"},
};

START_TEST(suggests_the_nearest_value)
{
    struct slice written = slice_from_text(misspelt_words[_i].written);

    ck_assert_pstr_eq(schema_nearest_word(words_of_schema_nearest, written),
                      misspelt_words[_i].word);
    ck_assert_pstr_eq(schema_nearest_text(texts, 2, written), misspelt_words[_i].text);
}
END_TEST

START_TEST(hint_has_the_suggestion)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(schema_did_you_mean(arena, "roles"), "did you mean \"roles\"?");
    ck_assert_ptr_null(schema_did_you_mean(arena, NULL));
    arena_free(arena);
}
END_TEST

/* ---- prune ---- */

static const struct schema text_of_prune = {.type = SCHEMA_STRING};
static const struct schema anything_of_prune = {.type = SCHEMA_ANY};
static const struct schema words_of_prune = {.type = SCHEMA_MAP, .values = &text_of_prune};
static const struct schema_field item_fields[] = {SCHEMA_ROW("labels", &words_of_prune, false),
                                                  SCHEMA_ROW("name", &text_of_prune, false)};
static const struct schema item = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(item_fields, 0)};
static const struct schema items = {.type = SCHEMA_LIST, .values = &item};
static const struct schema open_item = {
    .type = SCHEMA_OBJECT, SCHEMA_FIELDS(item_fields, 0), .open = true};
static const struct schema empty_of_prune = {.type = SCHEMA_OBJECT};
static const struct schema_field fields_of_prune[] = {
    SCHEMA_ROW("any", &anything_of_prune, false),
    SCHEMA_ROW("empty", &empty_of_prune, false),
    SCHEMA_ROW("item", &item, false),
    SCHEMA_ROW("items", &items, false),
    SCHEMA_ROW("open", &open_item, false),
};
static const struct schema root_of_prune = {.type = SCHEMA_OBJECT,
                                            SCHEMA_FIELDS(fields_of_prune, 0)};

static const struct {
    const char *written;
    const char *pruned; /* NULL when the tree itself comes back */
} trees[] = {
    {"{}", NULL},
    {"{\"item\":{\"name\":\"a\",\"labels\":{\"any\":\"thing\"}}}", NULL},
    {"{\"any\":{\"x\":[{\"y\":1}]}}", NULL},
    {"{\"open\":{\"x\":1,\"name\":\"a\"}}", NULL},
    {"{\"item\":[1],\"items\":{\"x\":1}}", NULL},
    {"{\"x\":1}", "{}"},
    {"{\"x\":1,\"item\":{\"name\":\"a\"},\"y\":2}", "{\"item\":{\"name\":\"a\"}}"},
    {"{\"item\":{\"y\":2,\"name\":\"a\",\"x\":1}}", "{\"item\":{\"name\":\"a\"}}"},
    {"{\"empty\":{\"name\":\"a\"}}", "{\"empty\":{}}"},
    {"{\"items\":[{\"name\":\"a\"},{\"x\":1},null]}", "{\"items\":[{\"name\":\"a\"},{},null]}"},
    {"{\"open\":{\"x\":1,\"labels\":1},\"any\":{\"x\":1},\"x\":null}",
     "{\"open\":{\"x\":1,\"labels\":1},\"any\":{\"x\":1}}"},
};

START_TEST(drops_unknown_fields)
{
    struct arena *arena = arena_new(0);
    const struct node *tree = tree_of(arena, trees[_i].written);
    const struct node *pruned = prune_unknown(arena, &root_of_prune, tree);

    if (trees[_i].pruned)
        ck_assert(node_equal(pruned, tree_of(arena, trees[_i].pruned)));
    else
        ck_assert_ptr_eq(pruned, tree);
    ck_assert(node_equal(tree, tree_of(arena, trees[_i].written)));
    arena_free(arena);
}
END_TEST

START_TEST(shares_unchanged_subtrees)
{
    struct arena *arena = arena_new(0);
    const struct node *tree = tree_of(
        arena, "{\"x\":1,\"item\":{\"name\":\"a\"},\"items\":[{\"x\":1},{\"name\":\"b\"}]}");
    const struct node *pruned = prune_unknown(arena, &root_of_prune, tree);

    ck_assert_ptr_eq(node_at(pruned, "item")->as.first, node_at(tree, "item")->as.first);
    ck_assert_ptr_eq(node_item(node_at(pruned, "items"), 1)->as.first,
                     node_item(node_at(tree, "items"), 1)->as.first);
    ck_assert_ptr_eq(node_at(pruned, "item")->parent, tree);
    ck_assert_uint_eq(node_at(pruned, "item")->index, 1);
    arena_free(arena);
}
END_TEST

START_TEST(accepts_an_absent_tree)
{
    struct arena *arena = arena_new(0);

    ck_assert_ptr_null(prune_unknown(arena, &root_of_prune, NULL));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_one_violation, departures, document);
    tcase_add_test(cases, reports_all_violations);
    add_rows(cases, marks_the_place, marks, document);
    tcase_add_loop_test(cases, unknown_fields_by_mode, 0, 2);
    tcase_add_test(cases, counts_wide_integers);
    tcase_add_test(cases, keeps_nul_bytes_apart);
    add_rows(cases, finds_every_field, fields, name);
    tcase_add_test(cases, members_are_in_the_order_of_the_fields);
    tcase_add_test(cases, an_absent_map_has_no_members);
    add_rows(cases, members_are_checked_in_the_same_walk, checked_members, document);
    add_rows(cases, finds_duplicates, lists, document);
    add_items(cases, leaves_items_without_keys_alone, unidentified);
    tcase_add_loop_test(cases, finds_duplicates_in_the_longest_list, 0, 2);
    add_rows(cases, suggests_the_nearest_value, misspelt_words, written, word, text);
    tcase_add_test(cases, hint_has_the_suggestion);
    add_rows(cases, suggests_the_nearest_field, misspelt, written);
    add_rows(cases, drops_unknown_fields, trees, written);
    tcase_add_test(cases, shares_unchanged_subtrees);
    tcase_add_test(cases, accepts_an_absent_tree);
}
