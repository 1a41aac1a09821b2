/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

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
    add_rows(cases, reads_a_duration, good, text);
    add_rows(cases, writes_a_duration, good, text);
    add_items(cases, refuses_invalid_durations, bad);
}
