/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/diagnostic_table.h"

#include "unit/suite.h"

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
    tcase_add_test(cases, codes_ascend_and_are_found);
    tcase_add_test(cases, unknown_codes_yield_the_first_row);
    tcase_add_test(cases, published_codes_keep_their_meaning);
}
