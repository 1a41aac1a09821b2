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

/* As Go's %q, of which printf has no directive. */
START_TEST(a_quoted_text_is_escaped)
{
    char text[64];

    format_into(text, sizeof(text), "role %-.*s has %-.*s", 4, "a\nbc", 0, "-");
    ck_assert_str_eq(text, "role \"a\\nbc\" has \"\"");
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

/* ---- duration ---- */

/* Source: golang/go:src/time/time_test.go, parseDurationTests and durationTests. */
static const struct {
    const char *text;
    int64_t nanoseconds;
    const char *formatted;
} good[] = {
    {"0", 0, "0s"},
    {"-0", 0, "0s"},
    {"5s", 5000000000, "5s"},
    {"30s", 30000000000, "30s"},
    {"1478s", 1478000000000, "24m38s"},
    {"-5s", -5000000000, "-5s"},
    {"+5s", 5000000000, "5s"},
    {"5.0s", 5000000000, "5s"},
    {"5.6s", 5600000000, "5.6s"},
    {"5.s", 5000000000, "5s"},
    {".5s", 500000000, "500ms"},
    {"1.004s", 1004000000, "1.004s"},
    {"100.00100s", 100001000000, "1m40.001s"},
    {"10ns", 10, "10ns"},
    {"11us", 11000, "11\xc2\xb5s"},
    {"12\xc2\xb5s", 12000, "12\xc2\xb5s"},
    {"12\xce\xbcs", 12000, "12\xc2\xb5s"},
    {"13ms", 13000000, "13ms"},
    {"14s", 14000000000, "14s"},
    {"15m", 900000000000, "15m0s"},
    {"16h", 57600000000000, "16h0m0s"},
    {"3h30m", 12600000000000, "3h30m0s"},
    {"10.5s4m", 250500000000, "4m10.5s"},
    {"-2m3.4s", -123400000000, "-2m3.4s"},
    {"1h2m3s4ms5us6ns", 3723004005006, "1h2m3.004005006s"},
    {"39h9m14.425s", 140954425000000, "39h9m14.425s"},
    {"9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s"},
    {"9223372036854775.807us", INT64_MAX, "2562047h47m16.854775807s"},
    {"-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s"},
    {"0.3333333333333333333h", 1199999999999, "19m59.999999999s"},
    {"0.100000000000000000000h", 360000000000, "6m0s"},
    {"1100ns", 1100, "1.1\xc2\xb5s"},
    {"2200us", 2200000, "2.2ms"},
};

/* No unit, no number, a sign alone, an unknown unit, a space, too long. */
static const char *const bad[] = {
    "",
    "3",
    "-",
    "s",
    ".",
    "-.",
    ".s",
    "+.s",
    "1d",
    "5 s",
    "abc",
    "--1s",
    "1.2.3s",
    "3000000h",
    "9223372036854775808ns",
    "9223372036854775.808us",
    "-9223372036854775809ns",
    "99999999999999999999s",
    "9223372036854775807ns1ns",
    "1s2",
};

START_TEST(reads_a_duration)
{
    int64_t nanoseconds = 7;

    ck_assert_msg(duration_parse(slice_from_text(good[_i].text), &nanoseconds), "%s",
                  good[_i].text);
    ck_assert_int_eq(nanoseconds, good[_i].nanoseconds);
}
END_TEST

START_TEST(writes_a_duration)
{
    char text[DURATION_TEXT_SIZE];

    ck_slice_eq(duration_format(good[_i].nanoseconds, text), good[_i].formatted);
}
END_TEST

START_TEST(refuses_invalid_durations)
{
    int64_t nanoseconds;

    ck_assert_msg(!duration_parse(slice_from_text(bad[_i]), &nanoseconds), "%s", bad[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, directives_agree_with_printf);
    tcase_add_test(cases, a_quoted_text_is_escaped);
    tcase_add_test(cases, text_is_cut_at_the_size);
    tcase_add_test(cases, the_length_is_that_of_the_text);
    tcase_add_test(cases, digit_pairs_agree_with_printf);
    add_rows(cases, parses_exactly_int64, integers, text, value);
    add_rows(cases, parses_a_plus_sign, signed_integers, text, value);
    add_rows(cases, prints_decimal, printed, value, text);
    add_rows(cases, adds_up_to_the_ends_of_int64, additions, a);
    add_rows(cases, reads_a_duration, good, text);
    add_rows(cases, writes_a_duration, good, text);
    add_items(cases, refuses_invalid_durations, bad);
}
