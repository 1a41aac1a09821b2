/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

START_TEST(grows_over_many_appends)
{
    struct buffer buffer = {0};

    for (int i = 0; i < 10000; i++)
        buffer_append_byte(&buffer, (char)('0' + i % 10));
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.len, 10000);
    ck_assert_int_eq(buffer.data[9999], '9');
    buffer_clear(&buffer);
    ck_assert_ptr_null(buffer.data);
}
END_TEST

/* At the limit, one byte over, and after the failure. */
START_TEST(limit_is_exact_and_failure_sticky)
{
    struct buffer buffer = {.limit = 4};

    buffer_append(&buffer, "abcd", 4);
    ck_assert(!buffer.failed);
    buffer_append_byte(&buffer, 'e');
    ck_assert(buffer.failed);
    ck_assert(buffer.hit_limit);
    ck_assert_uint_eq(buffer.len, 4);
    buffer_append(&buffer, "", 0);
    buffer_append_repeated(&buffer, 'x', 1);
    ck_assert_uint_eq(buffer.len, 4);
    buffer_clear(&buffer);
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.limit, 4);
}
END_TEST

START_TEST(repeats_a_byte)
{
    struct buffer buffer = {0};

    buffer_append_repeated(&buffer, ' ', 3);
    buffer_append_slice(&buffer, SLICE("x"));
    ck_slice_eq(((struct slice){buffer.data, buffer.len}), "   x");
    buffer_clear(&buffer);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, grows_over_many_appends);
    tcase_add_test(cases, limit_is_exact_and_failure_sticky);
    tcase_add_test(cases, repeats_a_byte);
}
