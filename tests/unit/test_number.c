/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/scalar.h"

#include "unit/suite.h"

/* What encoding/json prints for strconv.ParseFloat(token), where 15 digits are enough to tell. */
static const struct {
    const char *token;
    enum number_status status;
    enum node_kind kind;
    const char *text;
} decimals[] = {
    {"0", NUMBER_OK, NODE_INT, "0"},
    {"-0", NUMBER_OK, NODE_INT, "0"},
    {"-0.000", NUMBER_OK, NODE_INT, "0"},
    {"0e999999999999", NUMBER_OK, NODE_INT, "0"},
    {"100", NUMBER_OK, NODE_INT, "100"},
    {"1e18", NUMBER_OK, NODE_INT, "1000000000000000000"},
    {"9.2e18", NUMBER_OK, NODE_INT, "9200000000000000000"},
    {"9.3e18", NUMBER_OK, NODE_NUMBER, "9300000000000000000"},
    {"-1e19", NUMBER_OK, NODE_NUMBER, "-10000000000000000000"},
    {"999999999999999e6", NUMBER_OK, NODE_NUMBER, "999999999999999000000"},
    {"1e21", NUMBER_OK, NODE_NUMBER, "1e+21"},
    {"1000000000000000000000", NUMBER_OK, NODE_NUMBER, "1e+21"},
    {"1.5e300", NUMBER_OK, NODE_NUMBER, "1.5e+300"},
    {"0.000001", NUMBER_OK, NODE_NUMBER, "0.000001"},
    {"0.00000125", NUMBER_OK, NODE_NUMBER, "0.00000125"},
    {"0.0000001", NUMBER_OK, NODE_NUMBER, "1e-7"},
    {"1e-10", NUMBER_OK, NODE_NUMBER, "1e-10"},
    {"12.50", NUMBER_OK, NODE_NUMBER, "12.5"},
    {"1250e-2", NUMBER_OK, NODE_NUMBER, "12.5"},
    {"100.10", NUMBER_OK, NODE_NUMBER, "100.1"},
    {"-0.1", NUMBER_OK, NODE_NUMBER, "-0.1"},
    {"0.123456789012345", NUMBER_OK, NODE_NUMBER, "0.123456789012345"},
    {"0.1234567890123456", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"123456789012345.5", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"1234567890123456", NUMBER_OK, NODE_INT, "1234567890123456"},
    {"1234567890123456.0", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"18446744073709551615", NUMBER_OK, NODE_NUMBER, "18446744073709551615"},
    {"18446744073709551616", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"10000000000000000000000000000000000000001", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"1.79769313486231e308", NUMBER_OK, NODE_NUMBER, "1.79769313486231e+308"},
    {"1.79769313486232e308", NUMBER_TOO_LARGE, NODE_NUMBER, ""},
    {"1.8e308", NUMBER_TOO_LARGE, NODE_NUMBER, ""},
    {"1e309", NUMBER_TOO_LARGE, NODE_NUMBER, ""},
    {"1e99999999999999999999", NUMBER_TOO_LARGE, NODE_NUMBER, ""},
    {"2.3e-308", NUMBER_OK, NODE_NUMBER, "2.3e-308"},
    {"2.2e-308", NUMBER_IMPRECISE, NODE_NUMBER, ""},
    {"1e-400", NUMBER_IMPRECISE, NODE_NUMBER, ""},
};

START_TEST(spells_decimals)
{
    struct number number;

    number_from_decimal(slice_from_text(decimals[_i].token), &number);
    ck_assert_int_eq(number.status, decimals[_i].status);
    ck_assert_int_eq(number.kind, decimals[_i].kind);
    ck_assert_str_eq(number.text, decimals[_i].text);
    ck_assert_uint_eq(number.len, strlen(decimals[_i].text));
}
END_TEST

START_TEST(spells_magnitudes)
{
    struct number number;

    number_from_magnitude(UINT64_C(1) << 63, true, &number);
    ck_assert_int_eq(number.kind, NODE_INT);
    ck_assert_str_eq(number.text, "-9223372036854775808");
    number_from_magnitude(UINT64_C(1) << 63, false, &number);
    ck_assert_int_eq(number.kind, NODE_NUMBER);
    ck_assert_str_eq(number.text, "9223372036854775808");
    number_from_magnitude(UINT64_MAX, true, &number);
    ck_assert_int_eq(number.status, NUMBER_IMPRECISE);
    number_from_magnitude(0, true, &number);
    ck_assert_str_eq(number.text, "0");
}
END_TEST

START_TEST(keeps_floats_to_fifteen_digits)
{
    struct number number;

    number_from_float(SLICE("1234567890123456"), &number);
    ck_assert_int_eq(number.status, NUMBER_IMPRECISE);
    number_from_float(SLICE("08"), &number);
    ck_assert_str_eq(number.text, "8");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, spells_decimals, decimals, token, kind, text);
    tcase_add_test(cases, spells_magnitudes);
    tcase_add_test(cases, keeps_floats_to_fifteen_digits);
}
