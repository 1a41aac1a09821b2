/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

#include "unit/quantity_text.h"
#include "unit/suite.h"

/* Any arithmetic ends the kept text: these are the canonical forms. */
static const struct {
    const char *text;
    const char *canonical;
} canonicals[] = {
    {"0", "0"},
    {"0Ki", "0"},
    {"0e5", "0"},
    {"+1", "1"},
    {"005", "5"},
    {"007", "7"},
    {"1.", "1"},
    {"1.G", "1G"},
    {"0100m", "100m"},
    {"1.5", "1500m"},
    {"1.500", "1500m"},
    {"1000", "1k"},
    {"1500k", "1500k"},
    {"1000m", "1"},
    {"1E0", "1"},
    {"1E3", "1e3"},
    {"1e+3", "1e3"},
    {"1E-3", "1e-3"},
    {"1e+6", "1e6"},
    {"1e18", "1e18"},
    {"1.123456789", "1123456789n"},
    {"123456789.123456789", "123456789123456789n"},
    {"1u", "1u"},
    {"10n", "10n"},
    {"1.001001", "1001001u"},
    {"1.1234567", "1123456700n"},
    {"1k", "1k"},
    {"1T", "1T"},
    {"1P", "1P"},
    {"9E", "9E"},
    {"-2500m", "-2500m"},
    {"1Ki", "1Ki"},
    {"007Ki", "7Ki"},
    {"1.Ki", "1Ki"},
    {"1023Ki", "1023Ki"},
    {"7Ei", "7Ei"},
    {"1Pi", "1Pi"},
    {"1Ti", "1Ti"},
    {"-1Ki", "-1Ki"},
    {"-0.5Ki", "-512"},
    {"9223372036854775807", "9223372036854775807"},
    {"0.000000001", "1n"},
};

START_TEST(prints_the_canonical_form)
{
    struct quantity quantity = quantity_from(canonicals[_i].text);
    char text[QUANTITY_TEXT_SIZE];

    ck_assert(quantity_multiply(&quantity, 1));
    ck_slice_eq(quantity_print(&quantity, text), canonicals[_i].canonical);
}
END_TEST

/* Kubernetes' JSON round trip: the form that is printed decides the format that is read. */
static const struct {
    const char *text;
    enum quantity_format format; /* before */
    const char *printed;
    enum quantity_format reread_format;
    const char *reread;
} rereads[] = {
    {"1.5Gi", QUANTITY_BINARY_SI, "1536Mi", QUANTITY_BINARY_SI, "1536Mi"},
    {"0.5Ki", QUANTITY_BINARY_SI, "512", QUANTITY_DECIMAL_SI, "512"},
    {"1.0001Ki", QUANTITY_BINARY_SI, "1024102400u", QUANTITY_DECIMAL_SI, "1024102400u"},
    {"7.8125Ki", QUANTITY_BINARY_SI, "8000", QUANTITY_DECIMAL_SI, "8k"},
    {"15e2", QUANTITY_DECIMAL_EXPONENT, "1500", QUANTITY_DECIMAL_SI, "1500"},
    {"1e4", QUANTITY_DECIMAL_EXPONENT, "10e3", QUANTITY_DECIMAL_EXPONENT, "10e3"},
    {"0Ki", QUANTITY_BINARY_SI, "0", QUANTITY_DECIMAL_SI, "0"},
    {"1Ki", QUANTITY_BINARY_SI, "1Ki", QUANTITY_BINARY_SI, "1Ki"},
    {"+1", QUANTITY_DECIMAL_SI, "+1", QUANTITY_DECIMAL_SI, "+1"},
    {"8Ei", QUANTITY_BINARY_SI, "9223372036854775807", QUANTITY_DECIMAL_SI, "9223372036854775807"},
    {"1.5", QUANTITY_DECIMAL_SI, "1500m", QUANTITY_DECIMAL_SI, "1500m"},
    {"64Gi", QUANTITY_BINARY_SI, "64Gi", QUANTITY_BINARY_SI, "64Gi"},
    {"8Ki", QUANTITY_BINARY_SI, "8Ki", QUANTITY_BINARY_SI, "8Ki"},
    {"-8Ki", QUANTITY_BINARY_SI, "-8Ki", QUANTITY_BINARY_SI, "-8Ki"},
    {"8191Pi", QUANTITY_BINARY_SI, "8191Pi", QUANTITY_BINARY_SI, "8191Pi"},
    {"8184Pi", QUANTITY_BINARY_SI, "8184Pi", QUANTITY_BINARY_SI, "8184Pi"},
    {"9007199254740984Ki", QUANTITY_BINARY_SI, "9007199254740984Ki", QUANTITY_BINARY_SI,
     "9007199254740984Ki"},
    {"2.0078125Ki", QUANTITY_BINARY_SI, "2056", QUANTITY_DECIMAL_SI, "2056"},
};

START_TEST(rereads_what_it_prints)
{
    struct arena *arena = arena_new(0);
    struct quantity quantity;
    struct quantity again;
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_le(quantity_parse(slice_from_text(rereads[_i].text), &quantity), QUANTITY_CAPPED);
    ck_assert_int_eq(quantity.format, rereads[_i].format);
    ck_slice_eq(quantity_print(&quantity, text), rereads[_i].printed);
    again = quantity_reread(&quantity, arena);
    ck_assert_int_eq(again.format, rereads[_i].reread_format);
    ck_assert_int_eq(quantity_compare(&quantity, &again), 0);
    ck_slice_eq(quantity_print(&again, text), rereads[_i].reread);
    arena_free(arena);
}
END_TEST

/* The sum may be printed in another unit once the terms have gone through JSON. */
static const struct {
    const char *text;
    int64_t factor;
    const char *raw;
    const char *reread;
} factors[] = {
    {"0.5Ki", 4, "2Ki", "2048"},
    {"1.0001Ki", 10000, "10001Ki", "10241024"},
};

START_TEST(rereading_changes_how_multiples_print)
{
    struct arena *arena = arena_new(0);
    struct quantity raw = quantity_from(factors[_i].text);
    struct quantity again = quantity_reread(&raw, arena);
    char text[QUANTITY_TEXT_SIZE];

    ck_assert(quantity_multiply(&raw, factors[_i].factor));
    ck_slice_eq(quantity_print(&raw, text), factors[_i].raw);
    ck_assert(quantity_multiply(&again, factors[_i].factor));
    ck_slice_eq(quantity_print(&again, text), factors[_i].reread);
    arena_free(arena);
}
END_TEST

START_TEST(rereading_outlives_the_printed_text)
{
    struct arena *arena = arena_new(0);
    struct quantity quantity = quantity_from("1Ki");
    struct quantity again;
    char text[QUANTITY_TEXT_SIZE];

    ck_assert(quantity_multiply(&quantity, 3));
    again = quantity_reread(&quantity, arena);
    memset(text, 'x', sizeof(text));
    ck_slice_eq(quantity_print(&again, text), "3Ki");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, prints_the_canonical_form, canonicals, text);
    add_rows(cases, rereads_what_it_prints, rereads, text, format);
    add_rows(cases, rereading_changes_how_multiples_print, factors, text, factor);
    tcase_add_test(cases, rereading_outlives_the_printed_text);
}
