/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include <stdio.h>

#include "unit/departure.h"

static const char *const by_name[] = {"name", NULL};
static const char *const by_port[] = {"port", "protocol", NULL};
static const struct schema word = {.type = SCHEMA_STRING};
static const struct schema number = {.type = SCHEMA_INT32};
static const struct schema tcp = {.type = SCHEMA_STRING, .default_text = "\"TCP\""};
static const struct schema set = {.type = SCHEMA_LIST, .values = &word, .is_set = true};
static const struct schema_field role_fields[] = {{SLICE_INIT("name"), &word, true}};
static const struct schema role = {.type = SCHEMA_OBJECT, .fields = role_fields, .num_fields = 1};
static const struct schema roles = {.type = SCHEMA_LIST, .values = &role, .keys = by_name};
static const struct schema_field port_fields[] = {{SLICE_INIT("port"), &number, true},
                                                  {SLICE_INIT("protocol"), &tcp, false}};
static const struct schema port = {.type = SCHEMA_OBJECT, .fields = port_fields, .num_fields = 2};
static const struct schema ports = {.type = SCHEMA_LIST, .values = &port, .keys = by_port};
static const struct schema_field fields[] = {{SLICE_INIT("ports"), &ports, false},
                                             {SLICE_INIT("roles"), &roles, false},
                                             {SLICE_INIT("set"), &set, false}};
static const struct schema root = {.type = SCHEMA_OBJECT, .fields = fields, .num_fields = 3};

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

START_TEST(finds_what_stands_twice)
{
    struct arena *arena = arena_new(0);
    struct report report;
    char paths[256] = "";

    report_init(&report, arena, &standard_limits);
    schema_check(&root, tree_of(arena, lists[_i].document), &report);
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
    schema_check(&root, tree_of(arena, unidentified[_i]), &report);
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
    schema_check(&root, tree_of(arena, text_of_roles), &report);
    ck_assert_uint_eq(report.count, (size_t)_i);
    if (_i == 1)
        ck_assert_str_eq(report.items[0].path, "roles[9999].name");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, finds_what_stands_twice, lists, document);
    add_items(cases, leaves_items_without_keys_alone, unidentified);
    tcase_add_loop_test(cases, finds_duplicates_in_the_longest_list, 0, 2);
}
