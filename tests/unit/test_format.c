/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/format.h"

#include <limits.h>
#include <stdio.h>

#include "unit/suite.h"

/* What the C library writes for the same arguments. */
LIKE_PRINTF(2, 3)
static void
check_like_printf(size_t size, const char *format, ...)
{
    char expected[256];
    char written[256];
    va_list arguments;
    int wanted;
    size_t len;

    memset(written, '#', sizeof(written));
    va_start(arguments, format);
    wanted = vsnprintf(expected, size, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    len = format_text(written, size, format, arguments);
    va_end(arguments);
    ck_assert_str_eq(written, expected);
    ck_assert_uint_eq(len, (size_t)wanted);
    ck_assert_int_eq(written[size], '#');
}

START_TEST(every_directive_writes_what_printf_writes)
{
    check_like_printf(200, "%s", "text");
    check_like_printf(200, "a %s b %s", "", "text");
    check_like_printf(200, "%.*s|", 3, "cut here");
    check_like_printf(200, "%.*s|", 30, "ends at its NUL");
    check_like_printf(200, "%.*s|", 0, "");
    check_like_printf(200, "%d %d %d", 0, INT_MIN, INT_MAX);
    check_like_printf(200, "%u %u", 0u, UINT_MAX);
    check_like_printf(200, "%lld %lld", LLONG_MIN, LLONG_MAX);
    check_like_printf(200, "%llu %llu", 0ull, ULLONG_MAX);
    check_like_printf(200, "%zu", (size_t)-1);
    check_like_printf(200, "100%% of %s%%", "it");
}
END_TEST

START_TEST(text_is_cut_at_the_size)
{
    for (size_t size = 1; size < 40; size++)
        check_like_printf(size, "%s has %d of %.*s", "somebody", -1234567, 6, "things!");
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, every_directive_writes_what_printf_writes);
    tcase_add_test(cases, text_is_cut_at_the_size);
}
