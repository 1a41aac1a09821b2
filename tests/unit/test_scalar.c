/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/reader.h"

#include "unit/suite.h"

/* ---- scalar ---- */

/* What gopkg.in/yaml.v2 makes of plain text, and sigs.k8s.io/yaml of that in JSON. A string keeps
 * its text. */
static const struct {
    const char *text;
    enum node_kind kind;
    const char *value;
} plain[] = {
    {"y", NODE_BOOL, "true"},
    {"Y", NODE_BOOL, "true"},
    {"yes", NODE_BOOL, "true"},
    {"Yes", NODE_BOOL, "true"},
    {"YES", NODE_BOOL, "true"},
    {"on", NODE_BOOL, "true"},
    {"On", NODE_BOOL, "true"},
    {"ON", NODE_BOOL, "true"},
    {"true", NODE_BOOL, "true"},
    {"True", NODE_BOOL, "true"},
    {"TRUE", NODE_BOOL, "true"},
    {"n", NODE_BOOL, "false"},
    {"N", NODE_BOOL, "false"},
    {"no", NODE_BOOL, "false"},
    {"No", NODE_BOOL, "false"},
    {"NO", NODE_BOOL, "false"},
    {"off", NODE_BOOL, "false"},
    {"Off", NODE_BOOL, "false"},
    {"OFF", NODE_BOOL, "false"},
    {"false", NODE_BOOL, "false"},
    {"False", NODE_BOOL, "false"},
    {"FALSE", NODE_BOOL, "false"},
    {"yEs", NODE_STRING, ""},
    {"tRUE", NODE_STRING, ""},
    {"oN", NODE_STRING, ""},
    {"nO", NODE_STRING, ""},
    {"", NODE_NULL, ""},
    {"~", NODE_NULL, ""},
    {"null", NODE_NULL, ""},
    {"Null", NODE_NULL, ""},
    {"NULL", NODE_NULL, ""},
    {"nULL", NODE_STRING, ""},
    {"~x", NODE_STRING, ""},
    {"0", NODE_INT, "0"},
    {"-0", NODE_INT, "0"},
    {"7", NODE_INT, "7"},
    {"-7", NODE_INT, "-7"},
    {"+1", NODE_INT, "1"},
    {"010", NODE_INT, "8"},
    {"0o10", NODE_INT, "8"},
    {"0O17", NODE_INT, "15"},
    {"0x1F", NODE_INT, "31"},
    {"0X1f", NODE_INT, "31"},
    {"-0x10", NODE_INT, "-16"},
    {"0b11", NODE_INT, "3"},
    {"-0b11", NODE_INT, "-3"},
    {"1_000", NODE_INT, "1000"},
    {"1__0", NODE_INT, "10"},
    {"1_", NODE_INT, "1"},
    {"0x_1F", NODE_INT, "31"},
    {"00", NODE_INT, "0"},
    {"08", NODE_INT, "8"},
    {"09.5", NODE_NUMBER, "9.5"},
    {"0b2", NODE_STRING, ""},
    {"0o8", NODE_STRING, ""},
    {"0x", NODE_STRING, ""},
    {"0xG", NODE_STRING, ""},
    {"_1", NODE_STRING, ""},
    {"+", NODE_STRING, ""},
    {"-", NODE_STRING, ""},
    {"1 2", NODE_STRING, ""},
    {"9223372036854775807", NODE_INT, "9223372036854775807"},
    {"-9223372036854775808", NODE_INT, "-9223372036854775808"},
    {"9223372036854775808", NODE_NUMBER, "9223372036854775808"},
    {"18446744073709551615", NODE_NUMBER, "18446744073709551615"},
    {"1.0", NODE_INT, "1"},
    {"1.", NODE_INT, "1"},
    {".5", NODE_NUMBER, "0.5"},
    {"-.5", NODE_NUMBER, "-0.5"},
    {"1e3", NODE_INT, "1000"},
    {"12e03", NODE_INT, "12000"},
    {"1e21", NODE_NUMBER, "1e+21"},
    {"1E+2", NODE_INT, "100"},
    {"1e-7", NODE_NUMBER, "1e-7"},
    {"-0.0", NODE_INT, "0"},
    {"+.5", NODE_NUMBER, "0.5"},
    {"1_0.5", NODE_NUMBER, "10.5"},
    {"2.50", NODE_NUMBER, "2.5"},
    {"685_230.15", NODE_NUMBER, "685230.15"},
    {"1e400", NODE_STRING, ""},
    {"1.5.2", NODE_STRING, ""},
    {"1e", NODE_STRING, ""},
    {".e3", NODE_STRING, ""},
    {".", NODE_STRING, ""},
    {"..5", NODE_STRING, ""},
    {"1e+", NODE_STRING, ""},
    /* what programs write for a float64 */
    {"0.30000000000000004", NODE_NUMBER, "0.30000000000000004"},
    {"33.333333333333336", NODE_NUMBER, "33.333333333333336"},
    {"1234567890.1234567", NODE_NUMBER, "1234567890.1234567"},
    {"-1.5000000000000002e-07", NODE_NUMBER, "-1.5000000000000002e-7"},
    {"2.2250738585072014e-308", NODE_NUMBER, "2.2250738585072014e-308"},
    {".5_0", NODE_NUMBER, "0.5"},
    {".7_37", NODE_NUMBER, "0.737"},
    {".5e1_0", NODE_INT, "5000000000"},
    {"._5", NODE_STRING, ""},
    {".1__", NODE_STRING, ""},
    {"1:30", NODE_STRING, ""},
    {"190:20:30", NODE_STRING, ""},
    {"2001-01-01", NODE_STRING, ""},
    {"2001-12-14t21:59:43.10-05:00", NODE_STRING, ""},
    {"1,000", NODE_STRING, ""},
    {"100%", NODE_STRING, ""},
    {"500m", NODE_STRING, ""},
    {"1_000Mi", NODE_STRING, ""},
    {"1Gi", NODE_STRING, ""},
    {"inf", NODE_STRING, ""},
    {"nan", NODE_STRING, ""},
    {"-inf", NODE_STRING, ""},
    {"<<", NODE_STRING, ""},
    {"=", NODE_STRING, ""},
};

static struct slice
value_of(const struct scalar *scalar)
{
    if (scalar->kind == NODE_BOOL)
        return scalar->word;
    if (scalar->kind == NODE_INT || scalar->kind == NODE_NUMBER)
        return (struct slice){scalar->number.text, scalar->number.len};
    return SLICE("");
}

START_TEST(types_plain_text)
{
    struct scalar scalar;

    scalar_resolve(slice_from_text(plain[_i].text), &scalar);
    ck_assert_int_eq(scalar.status, SCALAR_OK);
    ck_assert_msg(scalar.kind == plain[_i].kind, "%s is of kind %d", plain[_i].text,
                  (int)scalar.kind);
    ck_slice_eq(value_of(&scalar), plain[_i].value);
}
END_TEST

static const struct {
    const char *text;
    enum scalar_status status;
} refused[] = {
    {".inf", SCALAR_NON_FINITE},
    {".Inf", SCALAR_NON_FINITE},
    {"-.INF", SCALAR_NON_FINITE},
    {"+.inf", SCALAR_NON_FINITE},
    {".nan", SCALAR_NON_FINITE},
    {".NaN", SCALAR_NON_FINITE},
    {".NAN", SCALAR_NON_FINITE},
    {"18446744073709551616", SCALAR_IMPRECISE},
    {"-9223372036854775809", SCALAR_IMPRECISE},
    {"0.300000000000000044", SCALAR_IMPRECISE},
    {"12345678901234567.0", SCALAR_IMPRECISE},
    {"123456789012345678901234567890", SCALAR_IMPRECISE},
    {"+18446744073709551615", SCALAR_IMPRECISE},
    {"1e-400", SCALAR_IMPRECISE},
    {"2.2250738585072013e-308", SCALAR_IMPRECISE},
};

START_TEST(refuses_values_without_json_form)
{
    struct scalar scalar;

    scalar_resolve(slice_from_text(refused[_i].text), &scalar);
    ck_assert_int_eq(scalar.status, refused[_i].status);
}
END_TEST

static const struct {
    const char *text;
    enum scalar_tag tag;
    enum scalar_status status;
    enum node_kind kind;
    const char *value;
} tagged[] = {
    {"3", SCALAR_INT, SCALAR_OK, NODE_INT, "3"},
    {"3.5", SCALAR_INT, SCALAR_TAG_MISMATCH, NODE_NUMBER, "3.5"},
    {"x", SCALAR_INT, SCALAR_TAG_MISMATCH, NODE_STRING, ""},
    {"3", SCALAR_FLOAT, SCALAR_OK, NODE_INT, "3"},
    {"yes", SCALAR_BOOL, SCALAR_OK, NODE_BOOL, "true"},
    {"1", SCALAR_BOOL, SCALAR_TAG_MISMATCH, NODE_INT, "1"},
    {"~", SCALAR_NULL, SCALAR_OK, NODE_NULL, ""},
    {"x", SCALAR_NULL, SCALAR_TAG_MISMATCH, NODE_STRING, ""},
    {"yes", SCALAR_STR, SCALAR_OK, NODE_STRING, ""},
    {"", SCALAR_STR, SCALAR_OK, NODE_STRING, ""},
    {".inf", SCALAR_STR, SCALAR_OK, NODE_STRING, ""},
};

START_TEST(honours_tags)
{
    struct scalar scalar;

    scalar_resolve_tagged(slice_from_text(tagged[_i].text), tagged[_i].tag, &scalar);
    ck_assert_int_eq(scalar.status, tagged[_i].status);
    ck_assert_int_eq(scalar.kind, tagged[_i].kind);
    ck_slice_eq(value_of(&scalar), tagged[_i].value);
}
END_TEST

/* ---- number ---- */

/* What encoding/json prints for strconv.ParseFloat(token), where 15 digits are enough. */
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
    {"0.1234567890123456", NUMBER_OK, NODE_NUMBER, "0.1234567890123456"},
    {"123456789012345.5", NUMBER_OK, NODE_NUMBER, "123456789012345.5"},
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

    number_from_decimal(slice_from_text(decimals[_i].token), false, &number);
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

    number_from_decimal(SLICE("1234567890123456"), true, &number);
    ck_assert_int_eq(number.status, NUMBER_IMPRECISE);
    number_from_decimal(SLICE("08"), true, &number);
    ck_assert_str_eq(number.text, "8");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, types_plain_text, plain, text, kind, value);
    add_rows(cases, refuses_values_without_json_form, refused, text);
    add_rows(cases, honours_tags, tagged, text, kind, value);
    add_rows(cases, spells_decimals, decimals, token, kind, text);
    tcase_add_test(cases, spells_magnitudes);
    tcase_add_test(cases, keeps_floats_to_fifteen_digits);
}
