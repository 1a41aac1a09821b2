/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/finding.h"

#include "unit/suite.h"
#include "unit/tree.h"

#define TEN "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

/* Lines 2 to 8 hold one value each; its key stands in column 2. */
static const char text[] = "{\n"
                           " \"text\": \"wor\\\"d\",\n"
                           " \"long\": \"" SIXTY TEN "\",\n"
                           " \"number\": 1.25,\n"
                           " \"truth\": false,\n"
                           " \"map\": {\"a\": 1},\n"
                           " \"list\": [1],\n"
                           " \"nothing\": null}\n";

static struct arena *arena;
static struct report report;
static const struct node *root;

static void
open_report(void)
{
    arena = arena_new(0);
    report_init(&report, arena, &standard_limits);
    root = tree_of(arena, text);
}

static void
close_report(void)
{
    arena_free(arena);
}

/* The only finding. */
static void
check_found(enum gang_code code, const char *path, uint32_t line, uint32_t column,
            const char *message, const char *hint)
{
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.items[0].code, code);
    ck_assert_int_eq(report.items[0].document, line ? GANG_DOCUMENT_TRAINJOB : GANG_DOCUMENT_NONE);
    ck_assert_str_eq(report.items[0].path, path);
    ck_assert_uint_eq(report.items[0].line, line);
    ck_assert_uint_eq(report.items[0].column, column);
    ck_assert_str_eq(report.items[0].message, message);
    ck_assert_pstr_eq(report.items[0].hint, hint);
}

/* How k8s.io/apimachinery prints a value in field.Error, texts cut after 64 bytes. */
static const struct {
    const char *key, *shown;
    uint32_t line, column;
} values[] = {
    {"text", "\"wor\\\"d\"", 2, 10}, {"long", "\"" SIXTY "0123...\"", 3, 10},
    {"number", "1.25", 4, 12},       {"truth", "false", 5, 11},
    {"map", "{...}", 6, 9},          {"list", "[...]", 7, 10},
    {"nothing", "null", 8, 13},
};

static const struct node *
value_of(int row)
{
    return node_member_or_null(root, slice_from_text(values[row].key));
}

START_TEST(values_are_shown)
{
    struct finding_value value;

    ck_assert_str_eq(finding_value(&value, value_of(_i)), values[_i].shown);
}
END_TEST

START_TEST(an_invalid_value)
{
    find_invalid(&report, GANG_CODE_VALUE_OUT_OF_RANGE, value_of(_i), "smaller",
                 "must be %d or less", 4);
    check_found(GANG_CODE_VALUE_OUT_OF_RANGE, values[_i].key, values[_i].line, values[_i].column,
                arena_format(arena, "Invalid value: %s: must be 4 or less", values[_i].shown),
                "smaller");
}
END_TEST

START_TEST(an_unsupported_value)
{
    static const struct slice supported[] = {SLICE_INIT("None"), SLICE_INIT("Kube\"flow")};

    find_unsupported(&report, GANG_CODE_UNSUPPORTED_VALUE, value_of(_i), NULL, supported, 2);
    check_found(GANG_CODE_UNSUPPORTED_VALUE, values[_i].key, values[_i].line, values[_i].column,
                arena_format(arena,
                             "Unsupported value: %s: supported values: \"None\", \"Kube\\\"flow\"",
                             values[_i].shown),
                NULL);
}
END_TEST

START_TEST(a_duplicate_value)
{
    find_duplicate(&report, GANG_CODE_DUPLICATE_ITEM, value_of(_i), "rename it");
    check_found(GANG_CODE_DUPLICATE_ITEM, values[_i].key, values[_i].line, values[_i].column,
                arena_format(arena, "Duplicate value: %s", values[_i].shown), "rename it");
}
END_TEST

START_TEST(a_forbidden_value)
{
    find_forbidden(&report, GANG_CODE_UNKNOWN_FIELD, value_of(0), NULL, "a %s has no namespace",
                   "policy");
    check_found(GANG_CODE_UNKNOWN_FIELD, "text", 2, 10, "Forbidden: a policy has no namespace",
                NULL);
}
END_TEST

/* The mark is that of the map that lacks the value. */
static const struct {
    const char *member, *detail, *path, *message;
} required[] = {
    {"name", "", "map.name", "Required value"},
    {"name", "of the job", "map.name", "Required value: of the job"},
    {"", "", "map", "Required value"},
    {"a.b", "", "map.a.b", "Required value"},
};

START_TEST(a_required_value)
{
    find_required(&report, GANG_CODE_REQUIRED_FIELD, node_at(root, "map"),
                  slice_from_text(required[_i].member), NULL, "%s", required[_i].detail);
    check_found(GANG_CODE_REQUIRED_FIELD, required[_i].path, 6, 9, required[_i].message, NULL);
}
END_TEST

START_TEST(a_note_at_the_value)
{
    find_note(&report, GANG_CODE_LATE_MEMBERS, value_of(3), NULL, "%d of %d", 1, 2);
    check_found(GANG_CODE_LATE_MEMBERS, "truth", 5, 11, "1 of 2", NULL);
}
END_TEST

START_TEST(a_note_at_the_key)
{
    find_note_at_key(&report, GANG_CODE_UNKNOWN_FIELD, value_of(3), NULL, "unknown");
    check_found(GANG_CODE_UNKNOWN_FIELD, "truth", 5, 2, "unknown", NULL);
}
END_TEST

/* The root has no key. */
START_TEST(a_note_at_no_key)
{
    find_note_at_key(&report, GANG_CODE_UNKNOWN_FIELD, root, NULL, "unknown");
    check_found(GANG_CODE_UNKNOWN_FIELD, "", 1, 1, "unknown", NULL);
}
END_TEST

START_TEST(a_note_below)
{
    find_note_below(&report, GANG_CODE_DEFAULT_APPLIED, node_at(root, "map"), SLICE("replicas"),
                    NULL, "defaults to 1");
    check_found(GANG_CODE_DEFAULT_APPLIED, "map.replicas", 6, 9, "defaults to 1", NULL);
}
END_TEST

START_TEST(a_note_below_several_that_are_missing)
{
    find_note_below(&report, GANG_CODE_DEFAULT_APPLIED, root, SLICE("map.replicas.of"), NULL,
                    "none");
    check_found(GANG_CODE_DEFAULT_APPLIED, "map.replicas.of", 6, 9, "none", NULL);
}
END_TEST

START_TEST(a_note_about_nothing_in_particular)
{
    find_note(&report, GANG_CODE_EMPTY_GANG, NULL, NULL, "empty");
    check_found(GANG_CODE_EMPTY_GANG, "", 0, 0, "empty", NULL);
}
END_TEST

START_TEST(a_note_about_a_document)
{
    find_in_document(&report, GANG_CODE_NO_OWNER_UID, GANG_DOCUMENT_POLICY, "hint", "of %s", "it");
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_POLICY);
    ck_assert_str_eq(report.items[0].path, "");
    ck_assert_uint_eq(report.items[0].line, 0);
    ck_assert_str_eq(report.items[0].message, "of it");
    ck_assert_str_eq(report.items[0].hint, "hint");
}
END_TEST

/* A number of any length is cut; so is a detail. */
START_TEST(long_texts_are_cut)
{
    static const char digits[] = "0." SIXTY TEN TEN;
    const struct node number = {.kind = NODE_NUMBER, .as.text = digits, .len = sizeof(digits) - 1};
    struct finding_value value;
    char detail[2000];

    ck_assert_uint_eq(strlen(finding_value(&value, &number)), 64);
    memset(detail, 'x', sizeof(detail) - 1);
    detail[sizeof(detail) - 1] = '\0';
    find_invalid(&report, GANG_CODE_VALUE_OUT_OF_RANGE, value_of(0), NULL, "%s", detail);
    ck_assert_uint_lt(strlen(report.items[0].message), 600);
    ck_assert_uint_gt(strlen(report.items[0].message), 400);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_report, close_report);
    add_rows(cases, values_are_shown, values, key);
    add_rows(cases, an_invalid_value, values, key);
    add_rows(cases, an_unsupported_value, values, key);
    add_rows(cases, a_duplicate_value, values, key);
    tcase_add_test(cases, a_forbidden_value);
    add_rows(cases, a_required_value, required, member);
    tcase_add_test(cases, a_note_at_the_value);
    tcase_add_test(cases, a_note_at_the_key);
    tcase_add_test(cases, a_note_at_no_key);
    tcase_add_test(cases, a_note_below);
    tcase_add_test(cases, a_note_below_several_that_are_missing);
    tcase_add_test(cases, a_note_about_nothing_in_particular);
    tcase_add_test(cases, a_note_about_a_document);
    tcase_add_test(cases, long_texts_are_cut);
}
