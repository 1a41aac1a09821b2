/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "unit/resource_text.h"
#include "unit/suite.h"

static struct arena *arena;
static struct report report;

static void
open_arena(void)
{
    arena = arena_new(0);
    report_init(&report, arena, &standard_limits);
}

static void
close_arena(void)
{
    ck_assert(!arena_failed(arena));
    arena_free(arena);
}

/* `spec: {requests: {NAME: VALUE}}` with the value on line 7, column 15. */
struct one_resource {
    struct node root;
    struct node map;
    struct node value;
};

static void
one_resource_init(struct one_resource *tree, const char *name, enum node_kind kind,
                  const char *text)
{
    *tree = (struct one_resource){
        .root = {.kind = NODE_MAP, .as.first = &tree->map, .len = 1},
        .map = {.kind = NODE_MAP, .parent = &tree->root, .key = "requests", .key_len = 8, .len = 1},
        .value = {.kind = (uint8_t)kind,
                  .parent = &tree->map,
                  .as.text = text,
                  .len = (uint32_t)strlen(text),
                  .key = name,
                  .key_len = (uint32_t)strlen(name),
                  .line = 7,
                  .column = 15,
                  .document = GANG_DOCUMENT_RUNTIME},
    };
    tree->map.as.first = &tree->value;
}

static const struct {
    enum node_kind kind;
    const char *text;
    const char *printed;
} taken[] = {
    {NODE_STRING, "1", "1"},
    {NODE_STRING, "0100m", "0100m"},
    {NODE_STRING, "1.5Gi", "1536Mi"},
    {NODE_STRING, "0", "0"},
    {NODE_STRING, "-0", "0"},
    {NODE_STRING, " 1Gi  ", "1Gi"},
    {NODE_STRING,
     "\xc2\xa0"
     "2\xe3\x80\x80",
     "2"},
    {NODE_STRING, "\xc2\x85\xe2\x80\x89+2\xe2\x80\x80 ", "+2"},
    {NODE_INT, "8", "8"},
    {NODE_INT, "1000", "1k"},
    {NODE_INT, "2147483648", "2147483648"},
    {NODE_NUMBER, "2.0", "2"},
    {NODE_NUMBER, "1e3", "1k"},
    {NODE_NUMBER, "1e1", "10"},
    {NODE_NUMBER, "1.5e3", "1500"},
};

START_TEST(takes_what_the_api_server_takes)
{
    struct one_resource tree;
    struct resource_list list;
    char text[QUANTITY_TEXT_SIZE];

    one_resource_init(&tree, "cpu", taken[_i].kind, taken[_i].text);
    list = resource_list_read(&tree.map, arena, &report);
    ck_assert_uint_eq(report.count, 0);
    ck_assert_uint_eq(list.count, 1);
    ck_slice_eq(list.items[0].name, "cpu");
    ck_slice_eq(quantity_print(&list.items[0].quantity, text), taken[_i].printed);
}
END_TEST

#define FORM                                                                                       \
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

static const struct {
    enum node_kind kind;
    const char *text;
    enum gang_code code;
    const char *message;
    const char *printed; /* NULL: no amount */
} noted[] = {
    {NODE_STRING, "1K", GANG_CODE_QUANTITY_SYNTAX,
     "Invalid value: \"1K\": unable to parse quantity's suffix", NULL},
    {NODE_STRING, "1_000Mi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1_000Mi\": " FORM, NULL},
    {NODE_STRING, "", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"\": " FORM, NULL},
    {NODE_STRING, "  ", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"  \": " FORM, NULL},
    {NODE_STRING, "\t1", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"\\t1\": " FORM, NULL},
    {NODE_STRING, "1\n", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1\\n\": " FORM, NULL},
    {NODE_STRING, "1 Gi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1 Gi\": " FORM, NULL},
    {NODE_STRING, "Gi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"Gi\": " FORM, NULL},
    {NODE_STRING, "1e65", GANG_CODE_QUANTITY_RANGE,
     "Invalid value: \"1e65\": exponent must be between -64 and 64", NULL},
    {NODE_STRING, "10E", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: \"10E\": must be less than or equal to 9223372036854775807", NULL},
    {NODE_STRING, "8Ei", GANG_CODE_QUANTITY_CAPPED,
     "Invalid value: \"8Ei\": is above 9223372036854775807 and read as that",
     "9223372036854775807"},
    {NODE_STRING, "-1", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-1\": must be greater than or equal to 0", "-1"},
    {NODE_STRING, "-0.1n", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-0.1n\": must be greater than or equal to 0", "-1n"},
    {NODE_INT, "-1", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: -1: must be greater than or equal to 0", "-1"},
    {NODE_NUMBER, "18446744073709551615", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: 18446744073709551615: must be less than or equal to 9223372036854775807",
     NULL},
    {NODE_NUMBER, "1e21", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: 1e21: must be less than or equal to 9223372036854775807", NULL},
    {NODE_NUMBER, "0.5", GANG_CODE_FRACTIONAL_NUMBER,
     "the API server refuses the fractional number 0.5 here; in quotes it takes it", "500m"},
    {NODE_NUMBER, "1.5", GANG_CODE_FRACTIONAL_NUMBER,
     "the API server refuses the fractional number 1.5 here; in quotes it takes it", "1500m"},
    {NODE_STRING, "00000000000000000000000000000000000000000000000000000000000000001",
     GANG_CODE_QUANTITY_TOO_LONG,
     "Invalid value: \"0000000000000000000000000000000000000000000000000000000000000000...\": must "
     "be no "
     "more than 64 "
     "bytes",
     NULL},
};

START_TEST(says_what_is_wrong_and_where)
{
    struct one_resource tree;
    struct resource_list list;
    char text[QUANTITY_TEXT_SIZE];

    one_resource_init(&tree, "nvidia.com/gpu", noted[_i].kind, noted[_i].text);
    list = resource_list_read(&tree.map, arena, &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.items[0].code, noted[_i].code);
    ck_assert_str_eq(report.items[0].message, noted[_i].message);
    ck_assert_str_eq(report.items[0].path, "requests[nvidia.com/gpu]");
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_RUNTIME);
    ck_assert_uint_eq(report.items[0].line, 7);
    ck_assert_uint_eq(report.items[0].column, 15);
    ck_assert_ptr_nonnull(report.items[0].hint);
    ck_assert_uint_eq(list.count, noted[_i].printed != NULL);
    if (noted[_i].printed)
        ck_slice_eq(quantity_print(&list.items[0].quantity, text), noted[_i].printed);
}
END_TEST

START_TEST(a_capital_k_gets_its_own_hint)
{
    struct one_resource tree;

    one_resource_init(&tree, "memory", NODE_STRING, "512K");
    resource_list_read(&tree.map, arena, &report);
    ck_assert_str_eq(report.items[0].hint, "write k for thousands or Ki for 1024s");
}
END_TEST

/* Null is an absent key; what is no scalar is the schema check's to report. */
START_TEST(leaves_out_what_is_no_amount)
{
    static const enum node_kind kinds[] = {NODE_NULL, NODE_BOOL, NODE_LIST, NODE_MAP};
    struct one_resource tree;

    one_resource_init(&tree, "cpu", kinds[_i], "true");
    if (kinds[_i] >= NODE_LIST) {
        tree.value.as.first = NULL;
        tree.value.len = 0;
    }
    ck_assert_uint_eq(resource_list_read(&tree.map, arena, &report).count, 0);
    ck_assert_uint_eq(report.count, 0);
}
END_TEST

START_TEST(reads_nothing_from_nothing)
{
    struct one_resource tree;

    one_resource_init(&tree, "cpu", NODE_STRING, "1");
    tree.map.len = 0;
    tree.map.as.first = NULL;
    ck_assert_uint_eq(resource_list_read(NULL, arena, &report).count, 0);
    ck_assert_uint_eq(resource_list_read(&tree.map, arena, &report).count, 0);
    ck_assert_uint_eq(resource_list_read(&tree.value, arena, &report).count, 0);
    ck_assert_uint_eq(report.count, 0);
}
END_TEST

START_TEST(sorts_by_name_and_reports_every_bad_one)
{
    struct builder map = build_map(arena);
    struct resource_list list;
    struct resources_text text;

    text_build_resources(&map, SLICE("pods=3,memory=1K,cpu=+1,a=-1,hugepages-2Mi=4Mi,Cpu=2"));
    list = resource_list_read(map.node, arena, &report);
    ck_assert_str_eq(resources_print(&text, &list), "Cpu=2,a=-1,cpu=+1,hugepages-2Mi=4Mi,pods=3");
    ck_assert_uint_eq(report.count, 2);
    ck_assert_uint_eq(report.errors, 2);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, takes_what_the_api_server_takes, taken, kind, text);
    add_rows(cases, says_what_is_wrong_and_where, noted, kind, text);
    tcase_add_test(cases, a_capital_k_gets_its_own_hint);
    tcase_add_loop_test(cases, leaves_out_what_is_no_amount, 0, 4);
    tcase_add_test(cases, reads_nothing_from_nothing);
    tcase_add_test(cases, sorts_by_name_and_reports_every_bad_one);
}
