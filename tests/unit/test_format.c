/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <limits.h>
#include <stdio.h>

#include "unit/suite.h"

/* ---- format ---- */

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

START_TEST(directives_agree_with_printf)
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

/* ---- integer ---- */

static const struct {
    const char *text;
    bool accepted;
    int64_t value;
} integers[] = {
    {"0", true, 0},
    {"-0", true, 0},
    {"007", true, 7},
    {"-1", true, -1},
    {"9223372036854775807", true, INT64_MAX},
    {"9223372036854775808", false, 0},
    {"-9223372036854775808", true, INT64_MIN},
    {"-9223372036854775809", false, 0},
    {"99999999999999999999", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"+1", false, 0},
    {"1 ", false, 0},
    {"1.0", false, 0},
};

START_TEST(parses_exactly_int64)
{
    int64_t value = 0;

    ck_assert_int_eq(integer_parse(slice_from_text(integers[_i].text), &value),
                     integers[_i].accepted);
    if (integers[_i].accepted)
        ck_assert(value == integers[_i].value);
}
END_TEST

/* As strconv.ParseInt of Go reads them. */
static const struct {
    const char *text;
    bool accepted;
    int64_t value;
} signed_integers[] = {
    {"1", true, 1},
    {"+1", true, 1},
    {"-1", true, -1},
    {"+9223372036854775807", true, INT64_MAX},
    {"+9223372036854775808", false, 0},
    {"", false, 0},
    {"+", false, 0},
    {"++1", false, 0},
    {"+-1", false, 0},
    {"-+1", false, 0},
};

START_TEST(parses_a_plus_sign)
{
    int64_t value = 0;

    ck_assert_int_eq(integer_parse_signed(slice_from_text(signed_integers[_i].text), &value),
                     signed_integers[_i].accepted);
    if (signed_integers[_i].accepted)
        ck_assert(value == signed_integers[_i].value);
}
END_TEST

static const struct {
    int64_t value;
    const char *text;
} printed[] = {
    {0, "0"},
    {7, "7"},
    {-1, "-1"},
    {INT64_MAX, "9223372036854775807"},
    {INT64_MIN, "-9223372036854775808"},
};

START_TEST(prints_decimal)
{
    char text[INTEGER_TEXT_SIZE];

    ck_slice_eq(integer_format(printed[_i].value, text), printed[_i].text);
}
END_TEST

static const struct {
    int64_t a;
    int64_t b;
    int64_t sum;
} additions[] = {
    {1, 2, 3},
    {-1, 1, 0},
    {INT64_MAX, 0, INT64_MAX},
    {INT64_MAX, 1, INT64_MAX},
    {INT64_MAX, INT64_MAX, INT64_MAX},
    {INT64_MAX, INT64_MIN, -1},
    {INT64_MIN, -1, INT64_MIN},
    {-1, INT64_MIN, INT64_MIN},
};

START_TEST(adds_up_to_the_ends_of_int64)
{
    ck_assert(integer_add_capped(additions[_i].a, additions[_i].b) == additions[_i].sum);
}
END_TEST

/* Each count of digits from both ends. */
START_TEST(the_length_is_that_of_the_text)
{
    char text[INTEGER_TEXT_SIZE];
    int64_t power = 1;

    for (int digits = 1; digits < 19; digits++, power *= 10) {
        ck_assert_uint_eq(integer_length(power), (size_t)digits);
        ck_assert_uint_eq(integer_length(-power), (size_t)digits + 1);
        ck_assert_uint_eq(integer_length(power * 9), (size_t)digits);
        ck_assert_uint_eq(integer_format(power, text).len, (size_t)digits);
        ck_assert_uint_eq(integer_format(-9 * power, text).len, (size_t)digits + 1);
    }
    ck_assert_uint_eq(integer_length(0), 1);
    ck_assert_uint_eq(integer_length(INT64_MIN), 20);
}
END_TEST

START_TEST(digit_pairs_agree_with_printf)
{
    for (int value = 0; value < 20000; value++) {
        char text[INTEGER_TEXT_SIZE];
        char expected[16];

        snprintf(expected, sizeof(expected), "%d", value);
        ck_assert_str_eq(integer_format(value, text).data, expected);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, directives_agree_with_printf);
    tcase_add_test(cases, text_is_cut_at_the_size);
    tcase_add_test(cases, the_length_is_that_of_the_text);
    tcase_add_test(cases, digit_pairs_agree_with_printf);
    add_rows(cases, parses_exactly_int64, integers, text, value);
    add_rows(cases, parses_a_plus_sign, signed_integers, text, value);
    add_rows(cases, prints_decimal, printed, value, text);
    add_rows(cases, adds_up_to_the_ends_of_int64, additions, a);
}
