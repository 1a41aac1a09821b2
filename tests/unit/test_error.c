/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

#include "unit/suite.h"

/* ---- error ---- */

/* One finding in front, as a function outside of any document makes it. */
static void
check_single(struct gang_error *error, int result, enum gang_code code, const char *message)
{
    const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, 0);

    ck_assert_int_eq(gang_error_get_code(error), result);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), (int)code);
    ck_assert_int_eq(gang_diagnostic_get_severity(finding), GANG_SEVERITY_ERROR);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_NONE);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), "");
    ck_assert_uint_eq(gang_diagnostic_get_line(finding), 0);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), message);
    ck_assert_ptr_null(gang_diagnostic_get_hint(finding));
    ck_assert_ptr_null(gang_error_get_diagnostic(error, 1));
    gang_error_free(error);
}

static const struct {
    int code;
    const char *message;
} misuses[] = {
    {GANG_ERROR_INVALID_ARGUMENT, "out is NULL"},
    {GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit"},
};

START_TEST(misuse_keeps_its_code)
{
    struct gang_error *error = NULL;

    ck_assert_int_eq(error_misuse(&error, misuses[_i].code, misuses[_i].message), misuses[_i].code);
    check_single(error, misuses[_i].code, GANG_CODE_API_MISUSE, misuses[_i].message);
    ck_assert_int_eq(error_misuse(NULL, misuses[_i].code, misuses[_i].message), misuses[_i].code);
}
END_TEST

START_TEST(limit_names_its_diagnostic)
{
    struct gang_error *error = NULL;

    ck_assert_int_eq(error_limit(&error, GANG_CODE_LIMIT_OUTPUT_BYTES, "too large"),
                     GANG_ERROR_LIMIT);
    check_single(error, GANG_ERROR_LIMIT, GANG_CODE_LIMIT_OUTPUT_BYTES, "too large");
    ck_assert_int_eq(error_limit(NULL, GANG_CODE_LIMIT_OUTPUT_BYTES, "too large"),
                     GANG_ERROR_LIMIT);
}
END_TEST

/* Needs no memory, and may be freed like any other, more than once. */
START_TEST(out_of_memory_error_is_static)
{
    struct gang_error *error = NULL;
    struct gang_error *again = NULL;

    ck_assert_int_eq(error_no_memory(&error), GANG_ERROR_NO_MEMORY);
    ck_assert_int_eq(error_no_memory(&again), GANG_ERROR_NO_MEMORY);
    ck_assert_int_eq(error_no_memory(NULL), GANG_ERROR_NO_MEMORY);
    ck_assert_ptr_eq(error, again);
    gang_error_free(error);
    check_single(again, GANG_ERROR_NO_MEMORY, GANG_CODE_OUT_OF_MEMORY,
                 "Internal error: out of memory");
}
END_TEST

/* The texts are copied: the report may go before the error. */
START_TEST(a_report_is_sorted_and_copied)
{
    struct arena *arena = arena_new(0);
    struct report_place late = {
        .document = GANG_DOCUMENT_TRAINJOB, .line = 9, .column = 3, .path = SLICE("spec.b")};
    struct report_place early = {
        .document = GANG_DOCUMENT_RUNTIME, .line = 9, .column = 3, .path = SLICE("spec.a")};
    struct gang_error *error = NULL;
    struct report report;

    report_init(&report, arena, &standard_limits);
    report_add(&report, GANG_CODE_WRONG_TYPE, &late, NULL, "second");
    report_add(&report, GANG_CODE_UNKNOWN_FIELD, &early, "remove it", "first");
    ck_assert_int_eq(error_from_report(&error, GANG_ERROR_INVALID, &report), GANG_ERROR_INVALID);
    ck_assert_int_eq(error_from_report(NULL, GANG_ERROR_SYNTAX, &report), GANG_ERROR_SYNTAX);
    arena_free(arena);

    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 2);
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)), "first");
    ck_assert_str_eq(gang_diagnostic_get_path(gang_error_get_diagnostic(error, 0)), "spec.a");
    ck_assert_str_eq(gang_diagnostic_get_hint(gang_error_get_diagnostic(error, 0)), "remove it");
    ck_assert_int_eq(gang_diagnostic_get_severity(gang_error_get_diagnostic(error, 0)),
                     GANG_SEVERITY_WARNING);
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 1)), "second");
    ck_assert_uint_eq(gang_diagnostic_get_line(gang_error_get_diagnostic(error, 1)), 9);
    ck_assert_uint_eq(gang_diagnostic_get_column(gang_error_get_diagnostic(error, 1)), 3);
    ck_assert_ptr_null(gang_diagnostic_get_hint(gang_error_get_diagnostic(error, 1)));
    ck_assert_ptr_null(gang_error_get_diagnostic(error, SIZE_MAX));
    gang_error_free(error);
}
END_TEST

/* A report whose arena is full cannot be trusted: the error is the limit, with any findings. */
START_TEST(out_of_memory_replaces_the_report)
{
    struct arena *arena = arena_new(8192);
    struct report_place place = {
        .document = GANG_DOCUMENT_RUNTIME, .line = 1, .column = 1, .path = SLICE("")};
    struct gang_error *error = NULL;
    struct report report;

    report_init(&report, arena, &standard_limits);
    report_add(&report, GANG_CODE_WRONG_TYPE, &place, NULL, "m");
    ck_assert_ptr_null(arena_alloc(arena, 100000));
    ck_assert_int_eq(error_from_report(&error, GANG_ERROR_INVALID, &report), GANG_ERROR_LIMIT);
    check_single(error, GANG_ERROR_LIMIT, GANG_CODE_LIMIT_MEMORY,
                 "the input needs more memory than the limit for one handle allows");
    ck_assert_int_eq(error_from_arena(NULL, arena), GANG_ERROR_LIMIT);
    arena_free(arena);
}
END_TEST

START_TEST(null_is_no_error)
{
    ck_assert_int_eq(gang_error_get_code(NULL), GANG_OK);
    ck_assert_uint_eq(gang_error_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_error_get_diagnostic(NULL, 0));
    gang_error_free(NULL);
}
END_TEST

/* ---- diagnostic ---- */

START_TEST(codes_ascend_and_are_found)
{
    for (size_t i = 0; i < diagnostic_table_size; i++) {
        ck_assert_ptr_eq(diagnostic_entry_of(diagnostic_table[i].code), &diagnostic_table[i]);
        if (i)
            ck_assert_int_gt((int)diagnostic_table[i].code, (int)diagnostic_table[i - 1].code);
    }
}
END_TEST

START_TEST(unknown_codes_yield_the_first_row)
{
    ck_assert_ptr_eq(diagnostic_entry_of((enum gang_code)0), &diagnostic_table[0]);
    ck_assert_ptr_eq(diagnostic_entry_of((enum gang_code)99999), &diagnostic_table[0]);
    for (int number = 0; number < 1000; number++) {
        const struct diagnostic_entry *entry = diagnostic_entry_of((enum gang_code)number);

        ck_assert((int)entry->code == number || entry == &diagnostic_table[0]);
    }
}
END_TEST

START_TEST(published_codes_keep_their_meaning)
{
    ck_assert_str_eq(diagnostic_entry_of(GANG_CODE_STRUCTURAL_DEADLOCK)->id, "GANG012");
    ck_assert_str_eq(diagnostic_entry_of(GANG_CODE_STRUCTURAL_DEADLOCK)->reason,
                     "StructuralDeadlock");
    ck_assert_str_eq(diagnostic_entry_of(GANG_CODE_SCHEDULER_NAME_SET)->id, "GANG004");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, misuse_keeps_its_code, misuses, message, code);
    tcase_add_test(cases, limit_names_its_diagnostic);
    tcase_add_test(cases, out_of_memory_error_is_static);
    tcase_add_test(cases, a_report_is_sorted_and_copied);
    tcase_add_test(cases, out_of_memory_replaces_the_report);
    tcase_add_test(cases, null_is_no_error);
    tcase_add_test(cases, codes_ascend_and_are_found);
    tcase_add_test(cases, unknown_codes_yield_the_first_row);
    tcase_add_test(cases, published_codes_keep_their_meaning);
}
