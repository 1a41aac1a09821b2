/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

#include "unit/suite.h"

static struct arena *arena;
static struct report report;

static void
open_report(void)
{
    arena = arena_new(0);
    report_init(&report, arena, &standard_limits);
}

static void
close_report(void)
{
    arena_free(arena);
}

static void
add_at(enum gang_code code, enum gang_document_type document, uint32_t line, uint32_t column)
{
    struct report_place place = {
        .document = document, .line = line, .column = column, .path = SLICE("spec.x")};

    report_add(&report, code, &place, NULL, "m");
}

START_TEST(orders_by_document_position_code)
{
    static const struct {
        enum gang_code code;
        enum gang_document_type document;
        uint32_t line, column;
    } wanted[] = {
        {GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 2, 9},
        {GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, 3, 1},
        {GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 3, 1},
        {GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_TRAINJOB, 1, 1},
        {GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_POLICY, 0, 0},
    };

    for (int i = ITEMS_OF(wanted) - 1; i >= 0; i--)
        add_at(wanted[i].code, wanted[i].document, wanted[i].line, wanted[i].column);
    report_sort(&report);
    for (int i = 0; i < ITEMS_OF(wanted); i++) {
        ck_assert_int_eq(report.items[i].code, wanted[i].code);
        ck_assert_int_eq(report.items[i].document, wanted[i].document);
    }
}
END_TEST

START_TEST(removes_duplicates)
{
    add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 2, 9);
    add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 2, 9);
    add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 2, 10);
    report_sort(&report);
    ck_assert_uint_eq(report.count, 2);
}
END_TEST

/* Six findings at three places, in every order and with every number of doubles: 3^6 cases. */
START_TEST(result_is_independent_of_order_and_duplicates)
{
    bool is_there[3] = {false};
    size_t next = 0;

    for (int i = 0, rest = _i; i < 6; i++, rest /= 3) {
        add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 2, (uint32_t)(rest % 3));
        is_there[rest % 3] = true;
    }
    report_sort(&report);
    for (uint32_t column = 0; column < 3; column++)
        if (is_there[column]) {
            ck_assert_uint_lt(next, report.count);
            ck_assert_uint_eq(report.items[next++].column, column);
        }
    ck_assert_uint_eq(report.count, next);
}
END_TEST

/* UnknownField is a warning, an error when strict; SchedulerMismatch an error, a warning in
 * compatibility mode. */
START_TEST(severity_follows_the_mode)
{
    add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, 1, 1);
    add_at(GANG_CODE_SCHEDULER_MISMATCH, GANG_DOCUMENT_RUNTIME, 1, 1);
    report.strict = true;
    add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, 1, 1);
    report.strict = false;
    report.compatibility = true;
    add_at(GANG_CODE_SCHEDULER_MISMATCH, GANG_DOCUMENT_RUNTIME, 1, 1);
    ck_assert_int_eq(report.items[0].severity, GANG_SEVERITY_WARNING);
    ck_assert_int_eq(report.items[1].severity, GANG_SEVERITY_ERROR);
    ck_assert_int_eq(report.items[2].severity, GANG_SEVERITY_ERROR);
    ck_assert_int_eq(report.items[3].severity, GANG_SEVERITY_WARNING);
    ck_assert_uint_eq(report.errors, 2);
}
END_TEST

START_TEST(merging_applies_severities_again)
{
    struct report other;

    report_init(&other, arena, &standard_limits);
    other.compatibility = true;
    add_at(GANG_CODE_SCHEDULER_MISMATCH, GANG_DOCUMENT_RUNTIME, 1, 1);
    report_merge(&other, report.items, report.count);
    ck_assert_int_eq(other.items[0].severity, GANG_SEVERITY_WARNING);
    ck_assert(!report_has_errors(&other));
}
END_TEST

START_TEST(a_softened_finding_stays_softened)
{
    struct report next;

    report.strict = true;
    add_at(GANG_CODE_PRIORITIES_DISAGREE, GANG_DOCUMENT_RUNTIME, 1, 1);
    add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, 2, 1);
    report_soften(&report, GANG_CODE_PRIORITIES_DISAGREE);
    report_init(&next, arena, &standard_limits);
    report_continue(&next, &report);
    ck_assert_uint_eq(next.count, 2);
    ck_assert_int_eq(next.items[0].severity, GANG_SEVERITY_WARNING);
    ck_assert_int_eq(next.items[1].severity, GANG_SEVERITY_ERROR);
    ck_assert_uint_eq(next.errors, 1);
    ck_assert(next.strict);
}
END_TEST

/* At the limit all are kept; one more makes a closing entry, as grave as the gravest left out. */
START_TEST(keeps_as_many_as_the_limit)
{
    for (uint32_t i = 0; i < report.largest; i++)
        add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, i + 1, 1);
    ck_assert_uint_eq(report.count, standard_limits.value[GANG_LIMIT_DIAGNOSTICS]);
    add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, 900, 1);
    ck_assert_uint_eq(report.count, report.largest + 1);
    ck_assert_int_eq(report.items[report.count - 1].code, GANG_CODE_TOO_MANY_DIAGNOSTICS);
    ck_assert_int_eq(report.items[report.count - 1].severity, GANG_SEVERITY_WARNING);
    ck_assert(!report_has_errors(&report));
    add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 901, 1);
    ck_assert_uint_eq(report.count, report.largest + 1);
    ck_assert_int_eq(report.items[report.count - 1].severity, GANG_SEVERITY_WARNING);
    ck_assert(report_has_errors(&report));
    for (uint32_t i = 0; i < report.largest; i++)
        add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 1000 + i, 1);
    ck_assert_uint_eq(report.count, report.largest + 1);
    ck_assert_int_eq(report.items[report.count - 1].severity, GANG_SEVERITY_ERROR);
}
END_TEST

/* 511 bytes stay; the cut never splits a character. */
START_TEST(long_messages_are_cut_between_characters)
{
    struct report_place place = {
        .document = GANG_DOCUMENT_RUNTIME, .line = 1, .column = 1, .path = SLICE("")};
    char text[600];

    for (size_t i = 0; i < 298; i++)
        memcpy(text + 2 * i, "\xc3\xa9", 2);
    text[596] = '\0';
    report_add(&report, GANG_CODE_SYNTAX, &place, NULL, "%s", text);
    ck_assert_uint_eq(strlen(report.items[0].message), 510);
}
END_TEST

/* The text is written into 1023 bytes before it is cut. */
START_TEST(messages_of_every_length_are_cut)
{
    static const int lengths[] = {510, 511, 512, 1022, 1023, 1024, 1025};
    struct report_place place = {
        .document = GANG_DOCUMENT_RUNTIME, .line = 1, .column = 1, .path = SLICE("")};
    char text[1100];

    memset(text, 'x', sizeof(text));
    for (int i = 0; i < ITEMS_OF(lengths); i++) {
        report_add(&report, GANG_CODE_SYNTAX, &place, NULL, "%.*s", lengths[i], text);
        ck_assert_uint_eq(strlen(report.items[i].message), lengths[i] < 511 ? 510 : 511);
        ck_assert_ptr_null(report.items[i].hint);
    }
}
END_TEST

/* Each is cut alone: two names of 253 bytes in a message do not take its hint away. */
START_TEST(a_long_message_leaves_its_hint)
{
    struct report_place place = {
        .document = GANG_DOCUMENT_RUNTIME, .line = 1, .column = 1, .path = SLICE("")};
    char text[1100];

    memset(text, 'x', sizeof(text));
    report_add(&report, GANG_CODE_SYNTAX, &place, HINT_IN_MESSAGE, "%.*s" HINT_MARK "use %s", 600,
               text, "\xc3\xa9");
    ck_assert_uint_eq(strlen(report.items[0].message), 511);
    ck_assert_str_eq(report.items[0].hint, "use \xc3\xa9");
    report_add(&report, GANG_CODE_SYNTAX, &place, HINT_IN_MESSAGE, "%.*s" HINT_MARK "%.*s", 10,
               text, 600, text);
    ck_assert_uint_eq(strlen(report.items[1].message), 10);
    ck_assert_uint_eq(strlen(report.items[1].hint), 511);
}
END_TEST

START_TEST(errors_own_their_text)
{
    struct gang_error *error = NULL;
    const struct gang_diagnostic *finding;
    struct report_place place = {.document = GANG_DOCUMENT_TRAINJOB,
                                 .line = 12,
                                 .column = 7,
                                 .path = SLICE("spec.trainer.numNodes")};
    char name[] = "llama";

    place.identity = (struct document_identity){"TrainJob", NULL, name};
    report_add(&report, GANG_CODE_NUM_NODES_NOT_POSITIVE, &place, "ask for one",
               "Invalid value: %d", 0);
    ck_assert_int_eq(error_from_report(&error, GANG_ERROR_INVALID, &report), GANG_ERROR_INVALID);
    arena_free(arena);
    arena = NULL;
    name[0] = 'x';
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    finding = gang_error_get_diagnostic(error, 0);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), GANG_CODE_NUM_NODES_NOT_POSITIVE);
    ck_assert_str_eq(gang_diagnostic_get_id(finding), "GANG029");
    ck_assert_str_eq(gang_code_name(gang_diagnostic_get_code(finding)), "NumNodesNotPositive");
    ck_assert_int_eq(gang_diagnostic_get_severity(finding), GANG_SEVERITY_ERROR);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_TRAINJOB);
    ck_assert_str_eq(gang_diagnostic_get_kind(finding), "TrainJob");
    ck_assert_ptr_null(gang_diagnostic_get_namespace(finding));
    ck_assert_str_eq(gang_diagnostic_get_name(finding), "llama");
    ck_assert_ptr_null(gang_diagnostic_get_job(finding));
    ck_assert_str_eq(gang_diagnostic_get_path(finding), "spec.trainer.numNodes");
    ck_assert_uint_eq(gang_diagnostic_get_line(finding), 12);
    ck_assert_uint_eq(gang_diagnostic_get_column(finding), 7);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), "Invalid value: 0");
    ck_assert_str_eq(gang_diagnostic_get_hint(finding), "ask for one");
    ck_assert_ptr_null(gang_error_get_diagnostic(error, 1));
    gang_error_free(error);
}
END_TEST

/* Of two siblings at one place both findings stay, in the order of their names; so of two jobs. */
START_TEST(distinguishes_documents_and_jobs)
{
    static const char *const names[] = {"b", "a", "b"};

    for (size_t i = 0; i < 3; i++) {
        const struct report_place place = {.document = GANG_DOCUMENT_POLICY,
                                           .line = 1,
                                           .column = 1,
                                           .path = SLICE("spec"),
                                           .identity = {"K", "ns", names[i]}};

        report.job = (struct report_job){.name = SLICE("one")};
        report_add(&report, GANG_CODE_WRONG_TYPE, &place, NULL, "m");
    }
    report.job = (struct report_job){.namespace_ = SLICE("ns"), .name = SLICE("j\n")};
    report_add(&report, GANG_CODE_WRONG_TYPE,
               &(struct report_place){.document = GANG_DOCUMENT_POLICY,
                                      .line = 1,
                                      .column = 1,
                                      .path = SLICE("spec"),
                                      .identity = {"K", "ns", "a"}},
               NULL, "m");
    report_sort(&report);
    ck_assert_uint_eq(report.count, 3);
    ck_assert_str_eq(gang_diagnostic_get_job(&report.items[0]), "ns/j\\x0a");
    ck_assert_str_eq(gang_diagnostic_get_name(&report.items[0]), "a");
    ck_assert_str_eq(gang_diagnostic_get_job(&report.items[1]), "one");
    ck_assert_str_eq(gang_diagnostic_get_name(&report.items[1]), "a");
    ck_assert_str_eq(gang_diagnostic_get_name(&report.items[2]), "b");
    ck_assert_str_eq(gang_diagnostic_get_kind(&report.items[2]), "K");
    ck_assert_str_eq(gang_diagnostic_get_namespace(&report.items[2]), "ns");
}
END_TEST

START_TEST(only_policies_and_clusters_name_the_job)
{
    report.job = (struct report_job){.name = SLICE("j")};
    for (int type = GANG_DOCUMENT_NONE; type <= GANG_DOCUMENT_TOPOLOGYBINDING; type++) {
        const struct report_place place = {.document = (enum gang_document_type)type,
                                           .path = SLICE("")};
        bool has_job = type == GANG_DOCUMENT_POLICY || type == GANG_DOCUMENT_CLUSTER;

        report_add(&report, GANG_CODE_WRONG_TYPE, &place, NULL, "m");
        ck_assert_pstr_eq(gang_diagnostic_get_job(&report.items[type]), has_job ? "j" : NULL);
    }
}
END_TEST

START_TEST(memory_errors_need_no_memory)
{
    struct gang_error *error = NULL;

    ck_assert_int_eq(error_no_memory(&error), GANG_ERROR_NO_MEMORY);
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_NO_MEMORY);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_OUT_OF_MEMORY);
    gang_error_free(error);
    gang_error_free(error);
    ck_assert_int_eq(error_no_memory(NULL), GANG_ERROR_NO_MEMORY);
}
END_TEST

START_TEST(getters_accept_null)
{
    ck_assert_int_eq(gang_error_get_code(NULL), GANG_OK);
    ck_assert_uint_eq(gang_error_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_error_get_diagnostic(NULL, 0));
    ck_assert_int_eq(gang_diagnostic_get_code(NULL), 0);
    ck_assert_ptr_null(gang_diagnostic_get_id(NULL));
    ck_assert_int_eq(gang_diagnostic_get_severity(NULL), GANG_SEVERITY_NONE);
    ck_assert_int_eq(gang_diagnostic_get_document(NULL), GANG_DOCUMENT_NONE);
    ck_assert_ptr_null(gang_diagnostic_get_kind(NULL));
    ck_assert_ptr_null(gang_diagnostic_get_namespace(NULL));
    ck_assert_ptr_null(gang_diagnostic_get_name(NULL));
    ck_assert_ptr_null(gang_diagnostic_get_job(NULL));
    ck_assert_ptr_null(gang_diagnostic_get_path(NULL));
    ck_assert_uint_eq(gang_diagnostic_get_line(NULL), 0);
    ck_assert_uint_eq(gang_diagnostic_get_column(NULL), 0);
    ck_assert_ptr_null(gang_diagnostic_get_message(NULL));
    ck_assert_ptr_null(gang_diagnostic_get_hint(NULL));
    gang_error_free(NULL);
}
END_TEST

START_TEST(an_error_takes_the_place_of_a_lesser_finding)
{
    for (uint32_t i = 0; i < report.largest; i++)
        add_at(i % 2 ? GANG_CODE_UNKNOWN_FIELD : GANG_CODE_DEFAULT_APPLIED, GANG_DOCUMENT_RUNTIME,
               i + 1, 1);
    ck_assert(!report_has_errors(&report));
    add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 1000, 1);
    ck_assert(report_has_errors(&report));
    ck_assert_uint_eq(report.count, report.largest + 1);
    ck_assert_int_eq(report.items[report.largest - 2].code, GANG_CODE_WRONG_TYPE);
    ck_assert_str_eq(report.items[report.largest - 2].message, "m");
    ck_assert_int_eq(report.items[report.largest].code, GANG_CODE_TOO_MANY_DIAGNOSTICS);
    ck_assert_int_eq(report.items[report.largest].severity, GANG_SEVERITY_INFO);
}
END_TEST

/* WrongType is an error, UnknownField a warning, DefaultApplied an info. */
START_TEST(says_what_it_keeps)
{
    for (uint32_t i = 0; i < report.largest; i++) {
        ck_assert(report_keeps(&report, GANG_CODE_DEFAULT_APPLIED));
        add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, i + 1, 1);
    }
    ck_assert(!report_keeps(&report, GANG_CODE_DEFAULT_APPLIED));
    ck_assert(!report_keeps(&report, GANG_CODE_UNKNOWN_FIELD));
    for (uint32_t i = 0; i < report.largest; i++) {
        ck_assert(report_keeps(&report, GANG_CODE_WRONG_TYPE));
        ck_assert(report_writes(&report, GANG_CODE_WRONG_TYPE));
        add_at(GANG_CODE_WRONG_TYPE, GANG_DOCUMENT_RUNTIME, 1000 + i, 1);
    }
    ck_assert(!report_keeps(&report, GANG_CODE_WRONG_TYPE));
    ck_assert(!report_writes(&report, GANG_CODE_WRONG_TYPE));
    report_soften(&report, GANG_CODE_WRONG_TYPE);
    ck_assert(!report_keeps(&report, GANG_CODE_UNKNOWN_FIELD));
    ck_assert(report_keeps(&report, GANG_CODE_WRONG_TYPE));
    report.count = report.largest - 1;
    ck_assert(report_keeps(&report, GANG_CODE_UNKNOWN_FIELD));
}
END_TEST

START_TEST(too_many_warnings_are_no_error)
{
    struct report other;

    for (uint32_t i = 0; i < report.largest + 6; i++)
        add_at(GANG_CODE_UNKNOWN_FIELD, GANG_DOCUMENT_RUNTIME, i + 1, 1);
    ck_assert(!report_has_errors(&report));
    report_init(&other, arena, &standard_limits);
    report_merge(&other, report.items, report.count);
    ck_assert(!report_has_errors(&other));
    ck_assert_uint_eq(other.count, other.largest + 1);
    ck_assert_int_eq(other.items[other.largest].code, GANG_CODE_TOO_MANY_DIAGNOSTICS);
    ck_assert_int_eq(other.items[other.largest].severity, GANG_SEVERITY_WARNING);
}
END_TEST

START_TEST(texts_are_one_line_without_control_characters)
{
    struct report_place place = {.document = GANG_DOCUMENT_TRAINJOB,
                                 .line = 1,
                                 .column = 1,
                                 .path = SLICE("spec[a\nb\033[2J\0]")};

    report_add(&report, GANG_CODE_WRONG_TYPE, &place, "write \r", "%s",
               "\302\233 \342\200\256 \"\303\251\"\n");
    ck_assert_str_eq(report.items[0].path, "spec[a\\x0ab\\x1b[2J\\x00]");
    ck_assert_str_eq(report.items[0].message, "\\xc2\\x9b \\xe2\\x80\\xae \"\303\251\"\\x0a");
    ck_assert_str_eq(report.items[0].hint, "write \\x0d");
}
END_TEST

/* WrongType is an error. DefaultApplied is an info, UnknownField a warning: also an error if the
 * report is strict. */
START_TEST(in_brief_only_errors_have_text)
{
    static const struct {
        enum gang_code code;
        bool strict;
        const char *text;
    } wanted[] = {
        {GANG_CODE_WRONG_TYPE, false, "m"},
        {GANG_CODE_DEFAULT_APPLIED, false, ""},
        {GANG_CODE_UNKNOWN_FIELD, false, ""},
        {GANG_CODE_UNKNOWN_FIELD, true, "m"},
    };

    report.is_brief = true;
    for (size_t i = 0; i < ITEMS_OF(wanted); i++) {
        report.strict = wanted[i].strict;
        ck_assert(report_writes(&report, wanted[i].code) == (*wanted[i].text != '\0'));
        add_at(wanted[i].code, GANG_DOCUMENT_RUNTIME, (uint32_t)i + 1, 1);
        ck_assert_int_eq(report.items[i].code, wanted[i].code);
        ck_assert_str_eq(report.items[i].message, wanted[i].text);
        ck_assert_str_eq(report.items[i].path, *wanted[i].text ? "spec.x" : "");
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_report, close_report);
    tcase_add_test(cases, orders_by_document_position_code);
    tcase_add_test(cases, removes_duplicates);
    tcase_add_loop_test(cases, result_is_independent_of_order_and_duplicates, 0, 729);
    tcase_add_test(cases, severity_follows_the_mode);
    tcase_add_test(cases, merging_applies_severities_again);
    tcase_add_test(cases, a_softened_finding_stays_softened);
    tcase_add_test(cases, keeps_as_many_as_the_limit);
    tcase_add_test(cases, an_error_takes_the_place_of_a_lesser_finding);
    tcase_add_test(cases, says_what_it_keeps);
    tcase_add_test(cases, too_many_warnings_are_no_error);
    tcase_add_test(cases, texts_are_one_line_without_control_characters);
    tcase_add_test(cases, long_messages_are_cut_between_characters);
    tcase_add_test(cases, messages_of_every_length_are_cut);
    tcase_add_test(cases, a_long_message_leaves_its_hint);
    tcase_add_test(cases, errors_own_their_text);
    tcase_add_test(cases, distinguishes_documents_and_jobs);
    tcase_add_test(cases, only_policies_and_clusters_name_the_job);
    tcase_add_test(cases, memory_errors_need_no_memory);
    tcase_add_test(cases, getters_accept_null);
    tcase_add_test(cases, in_brief_only_errors_have_text);
}
