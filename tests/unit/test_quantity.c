/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

#include <inttypes.h>
#include <stdio.h>

#include "unit/quantity_text.h"
#include "unit/random.h"
#include "unit/suite.h"

/* ---- quantity ---- */

#define D QUANTITY_DECIMAL_SI
#define B QUANTITY_BINARY_SI
#define E QUANTITY_DECIMAL_EXPONENT

/* Seen with Kubernetes' own Quantity.Add; NULL where the sum is above the largest amount. */
static const struct {
    const char *left;
    const char *right;
    const char *sum;
    enum quantity_format format;
} sums[] = {
    {"1", "1Ki", "1025", D},
    {"1Ki", "1", "1025", B},
    {"1Ki", "1k", "2024", B},
    {"1Gi", "100m", "1073741824100m", B},
    {"100m", "1Gi", "1073741824100m", D},
    {"1Gi", "1m", "1073741824001m", B},
    {"512Mi", "512Mi", "1Gi", B},
    {"1000Ki", "24Ki", "1Mi", B},
    {"1.5Gi", "512Mi", "2Gi", B},
    {"1G", "1Gi", "2073741824", D},
    {"1Gi", "1G", "2073741824", B},
    {"500m", "500m", "1", D},
    {"0.5", "0.25", "750m", D},
    {"1e3", "1", "1001", E},
    {"1", "1e3", "1001", D},
    {"1k", "1e3", "2k", D},
    {"1e3", "1k", "2e3", E},
    {"0", "1Gi", "1Gi", B},
    {"0Ki", "1k", "1k", D},
    {"0Ki", "0e3", "0", E},
    {"007", "0", "7", D},
    {"+1", "0", "1", D},
    {"1E3", "0", "1e3", E},
    {"-1", "1Ki", "1023", D},
    {"9223372036854775806", "1", "9223372036854775807", D},
    {"9223372036854775807", "1n", NULL, D},
    {"9Ei", "1", NULL, B},
    {"8Ei", "8Ei", NULL, B},
    {"7Ei", "7Ei", NULL, B},
    {"9E", "9E", NULL, D},
    {"1n", "1E", "1000000000000000000000000001n", D},
    {"-9223372036854775807", "-1n", NULL, D},
};

static bool
quantities_are_equal(const struct quantity *left, const struct quantity *right)
{
    return left->units == right->units && left->nanos == right->nanos;
}

START_TEST(adds)
{
    struct quantity left = quantity_from(sums[_i].left);
    const struct quantity before = left;
    struct quantity right = quantity_from(sums[_i].right);
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(quantity_add(&left, &right), sums[_i].sum != NULL);
    if (sums[_i].sum) {
        ck_slice_eq(quantity_print(&left, text), sums[_i].sum);
        ck_assert_int_eq(left.format, sums[_i].format);
    } else {
        ck_assert(quantities_are_equal(&left, &before) && left.format == before.format &&
                  left.text.data == before.text.data);
    }
}
END_TEST

static const struct {
    const char *left;
    const char *right;
    const char *difference;
    enum quantity_format format;
} differences[] = {
    {"1Gi", "1Gi", "0", B},     {"0", "1Gi", "-1Gi", B}, {"1Ki", "24", "1k", B},
    {"1", "1500m", "-500m", D}, {"+2", "0", "2", D},     {"-9223372036854775807", "1n", NULL, D},
};

START_TEST(subtracts)
{
    struct quantity left = quantity_from(differences[_i].left);
    struct quantity right = quantity_from(differences[_i].right);
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(quantity_subtract(&left, &right), differences[_i].difference != NULL);
    if (differences[_i].difference) {
        ck_slice_eq(quantity_print(&left, text), differences[_i].difference);
        ck_assert_int_eq(left.format, differences[_i].format);
    }
}
END_TEST

static const struct {
    const char *value;
    int64_t factor;
    const char *product;
    enum quantity_format format;
} products[] = {
    {"1.5Gi", 3, "4608Mi", B},
    {"7.5Gi", 4, "30Gi", B},
    {"1.1Gi", 10, "11Gi", B},
    {"0.5Gi", 4, "2Gi", B},
    {"8Gi", 128, "1Ti", B},
    {"80Gi", 8, "640Gi", B},
    {"1023Ki", 1024, "1023Mi", B},
    {"2Mi", 512, "1Gi", B},
    {"64Gi", 100000, "6250Ti", B},
    {"4Gi", 1000000000, "3906250Ti", B},
    {"100m", 10, "1", D},
    {"333m", 3, "999m", D},
    {"500m", 3, "1500m", D},
    {"500m", 2, "1", D},
    {"1.5", 2147483647, "3221225470500m", D},
    {"8", 2147483647, "17179869176", D},
    {"1E", 9, "9E", D},
    {"1E", 10, NULL, D},
    {"1E", 1000, NULL, D},
    {"64Gi", 2147483647, NULL, B},
    {"1Gi", 8589934591, "8589934591Gi", B},
    {"1Gi", 8589934592, NULL, B},
    {"1Pi", 8191, "8191Pi", B},
    {"1Ei", 7, "7Ei", B},
    {"1Ei", 8, NULL, B},
    {"1Ei", 1024, NULL, B},
    {"100m", 100000000000000000, "10P", D},
    {"1n", 1000000000, "1", D},
    {"1", 0, "0", D},
    {"1Gi", 0, "0", B},
    {"0", INT64_MAX, "0", D},
    {"0", INT64_MIN, "0", D},
    {"9223372036854775807", 1, "9223372036854775807", D},
    {"9223372036854775807", -1, "-9223372036854775807", D},
    {"9223372036854775807", 2, NULL, D},
    {"9223372036854775807", INT64_MAX, NULL, D},
    {"9223372036854775807", INT64_MIN, NULL, D},
    {"1", INT64_MAX, "9223372036854775807", D},
    {"1", INT64_MIN, NULL, D},
    {"1n", INT64_MIN, "-9223372036854775808n", D},
    {"18446744073709551616n", INT64_MAX, NULL, D},
    {"+3", 1, "3", D},
    {"-2", -3, "6", D},
    {"-2", 3, "-6", D},
};

START_TEST(multiplies)
{
    struct quantity value = quantity_from(products[_i].value);
    const struct quantity before = value;
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(quantity_multiply(&value, products[_i].factor), products[_i].product != NULL);
    ck_assert_int_eq(value.format, products[_i].format);
    if (products[_i].product)
        ck_slice_eq(quantity_print(&value, text), products[_i].product);
    else
        ck_assert(quantities_are_equal(&value, &before) && value.text.data == before.text.data);
}
END_TEST

static const struct {
    const char *left;
    const char *right;
    int order;
} orders[] = {
    {"100m", "0.1", 0},
    {"1Gi", "1024Mi", 0},
    {"1Gi", "1G", 1},
    {"1k", "1Ki", -1},
    {"1e3", "1k", 0},
    {"0", "0Ki", 0},
    {"8Ei", "9Ei", 0},
    {"10000T", "100Gi", 1},
    {"-1", "1n", -1},
    {"-1", "-2", 1},
    {"9223372036854775807", "9223372036854775806.999999999", 1},
};

START_TEST(compares_by_value)
{
    struct quantity left = quantity_from(orders[_i].left);
    struct quantity right = quantity_from(orders[_i].right);

    ck_assert_int_eq(quantity_compare(&left, &right), orders[_i].order);
    ck_assert_int_eq(quantity_compare(&right, &left), -orders[_i].order);
}
END_TEST

/* Amounts of every length, with and without billionths, thousandths and factors of ten and two. */
static struct quantity
random_quantity(struct random *random)
{
    static const uint32_t steps[] = {1, 1000, 1000000, 1000000000};
    struct quantity quantity = {.format = (enum quantity_format)random_below(random, 3)};
    const uint32_t nanos = (uint32_t)random_below(random, 1000000000);
    const uint32_t step = steps[random_below(random, COUNT_OF(steps))];

    quantity.units = (int64_t)(random_next(random) >> (1 + random_below(random, 63)));
    if (random_below(random, 3) == 0)
        quantity.units = quantity.units >> 20 << 20;
    if (random_below(random, 3) == 0)
        quantity.units -= quantity.units % 1000000;
    if (random_below(random, 2))
        quantity.units = -quantity.units;
    quantity.nanos = quantity.units == INT64_MAX ? 0 : nanos / step * step;
    return quantity;
}

enum { PROPERTY_ROUNDS = 20000 };

START_TEST(printed_text_reads_as_the_same_amount)
{
    struct random random = random_start();

    for (int i = 0; i < PROPERTY_ROUNDS; i++) {
        struct quantity quantity = random_quantity(&random);
        struct quantity read;
        char text[QUANTITY_TEXT_SIZE];
        struct slice printed = quantity_print(&quantity, text);

        ck_assert_msg(quantity_parse(printed, &read) == QUANTITY_OK, "%.*s", SLICE_ARG(printed));
        ck_assert_msg(quantities_are_equal(&read, &quantity), "%.*s", SLICE_ARG(printed));
    }
}
END_TEST

START_TEST(addition_commutes)
{
    struct random random = random_start();

    for (int i = 0; i < PROPERTY_ROUNDS; i++) {
        struct quantity a = random_quantity(&random);
        struct quantity b = random_quantity(&random);
        struct quantity ab = a;
        struct quantity ba = b;
        bool fits = quantity_add(&ab, &b);

        ck_assert_int_eq(quantity_add(&ba, &a), fits);
        if (fits)
            ck_assert(quantities_are_equal(&ab, &ba));
    }
}
END_TEST

START_TEST(multiplying_is_repeated_addition)
{
    struct random random = random_start();

    for (int i = 0; i < PROPERTY_ROUNDS; i++) {
        struct quantity value = random_quantity(&random);
        struct quantity product = value;
        struct quantity sum = {.format = value.format};
        int factor = (int)random_below(&random, 40);
        bool fits = true;

        for (int n = 0; n < factor && fits; n++)
            fits = quantity_add(&sum, &value);
        ck_assert_int_eq(quantity_multiply(&product, factor), fits);
        if (fits)
            ck_assert(quantities_are_equal(&product, &sum));
    }
}
END_TEST

START_TEST(comparison_agrees_with_subtraction)
{
    struct random random = random_start();

    for (int i = 0; i < PROPERTY_ROUNDS; i++) {
        struct quantity a = random_quantity(&random);
        struct quantity b = random_below(&random, 8) ? random_quantity(&random) : a;
        struct quantity difference = a;
        const struct quantity zero = {0};

        if (quantity_subtract(&difference, &b))
            ck_assert_int_eq(quantity_compare(&a, &b), quantity_compare(&difference, &zero));
        else
            ck_assert_int_eq(quantity_compare(&a, &b), a.units > 0 ? 1 : -1);
    }
}
END_TEST

#ifdef __SIZEOF_INT128__

/* Another model of an amount, where the processor has it: billionths in one number. */
__extension__ typedef __int128 wide;

static wide
wide_of(const struct quantity *quantity)
{
    return (wide)quantity->units * 1000000000 + quantity->nanos;
}

static bool
wide_fits(wide nanos)
{
    const wide largest = (wide)INT64_MAX * 1000000000;

    return nanos >= -largest && nanos <= largest;
}

static void
check_text(wide nanos)
{
    char text[QUANTITY_TEXT_SIZE] = {0};
    char *at = text + sizeof(text) - 1;
    wide size = nanos < 0 ? -nanos : nanos;
    struct quantity read;

    *--at = 'n';
    do
        *--at = (char)('0' + (int)(size % 10));
    while ((size /= 10) != 0);
    if (nanos < 0)
        *--at = '-';
    ck_assert_msg(quantity_parse(slice_from_text(at), &read) == QUANTITY_OK, "%s", at);
    ck_assert_msg(wide_of(&read) == nanos, "%s", at);
}

static void
check_pair(const struct quantity *a, const struct quantity *b)
{
    const wide left = wide_of(a);
    const wide right = wide_of(b);
    struct quantity sum = *a;
    struct quantity difference = *a;
    struct quantity product = *a;
    wide times;
    const bool is_product = !__builtin_mul_overflow(left, (wide)b->units, &times);

    ck_assert_int_eq(quantity_compare(a, b), (left > right) - (left < right));
    ck_assert_int_eq(quantity_is_positive(a), left > 0);
    ck_assert(!quantity_add(&sum, b) ? !wide_fits(left + right) : wide_of(&sum) == left + right);
    ck_assert(!quantity_subtract(&difference, b) ? !wide_fits(left - right)
                                                 : wide_of(&difference) == left - right);
    ck_assert(!quantity_multiply(&product, b->units) ? !is_product || !wide_fits(times)
                                                     : is_product && wide_of(&product) == times);
}

/* GANG_TEST_ROUNDS=10000000: more than a usual run */
START_TEST(arithmetic_agrees_with_128_bits)
{
    struct random random = random_start();
    const char *text = getenv("GANG_TEST_ROUNDS");
    const unsigned long rounds = text ? strtoul(text, NULL, 10) : PROPERTY_ROUNDS;

    for (unsigned long i = 0; i < rounds; i++) {
        const struct quantity a = random_quantity(&random);
        const struct quantity b = random_quantity(&random);

        check_pair(&a, &b);
        check_text(wide_of(&a));
    }
}
END_TEST

#endif

/* ---- quantity parse ---- */

/* What Kubernetes' own code (apimachinery 0.36, ParseQuantity and String) was seen to do with each
 * text. */
static const struct {
    const char *text;
    const char *printed;
    enum quantity_format format;
} accepted[] = {
    /* zero */
    {"0", "0", D},
    {"00", "0", D},
    {"0n", "0", D},
    {"0Ki", "0", B},
    {"0Ei", "0", B},
    {"-0", "0", D},
    {"+0", "0", D},
    {"-0m", "0", D},
    {"0.Ki", "0", B},
    {"0e5", "0", E},
    {"0.0", "0", D},
    {".0", "0", D},
    {"0.", "0", D},
    /* kept as written */
    {"+1", "+1", D},
    {"1.", "1.", D},
    {"007", "007", D},
    {"005", "005", D},
    {"0100m", "0100m", D},
    {"1.G", "1.G", D},
    {"1E0", "1E0", E},
    {"1E3", "1E3", E},
    {"1e+3", "1e+3", E},
    {"1e+6", "1e+6", E},
    {"1E-3", "1E-3", E},
    {"1e-0", "1e-0", E},
    {"1e03", "1e03", E},
    {"1E+03", "1E+03", E},
    {"2e0", "2e0", E},
    {"1.500", "1.500", D},
    {"1.123456789", "1.123456789", D},
    {"123456789.123456789", "123456789.123456789", D},
    {"1500m", "1500m", D},
    {"-2500m", "-2500m", D},
    {"1500k", "1500k", D},
    {"1048576k", "1048576k", D},
    {"1e18", "1e18", E},
    {"+1Ki", "+1Ki", B},
    {"007Ki", "007Ki", B},
    {"1.Ki", "1.Ki", B},
    /* at the edges of what is kept */
    {"99999999999999999.9", "99999999999999999900m", D},
    {"+123456789012345678", "+123456789012345678", D},
    {"+1234567890123456789", "1234567890123456789", D},
    {"+12345678901Ki", "+12345678901Ki", B},
    {"+123456789011Ki", "123456789011Ki", B},
    {"+12345679Mi", "+12345679Mi", B},
    {"+123456789Mi", "123456789Mi", B},
    {"+12345Gi", "+12345Gi", B},
    {"+123457Gi", "123457Gi", B},
    {"+11Ti", "+11Ti", B},
    {"+111Ti", "111Ti", B},
    {"+1Pi", "1Pi", B},
    {"+8Ki", "8Ki", B},
    {"+10.001", "+10.001", D},
    {"+10.000", "10", D},
    {"+1.000000000", "1", D},
    {"+1.000000001", "+1.000000001", D},
    {"+1.0000000001", "1000000001n", D},
    /* decimal, computed */
    {".5", "500m", D},
    {"-.5", "-500m", D},
    {"+.5", "500m", D},
    {"0.5", "500m", D},
    {"1.0", "1", D},
    {"1.5", "1500m", D},
    {"1.50", "1500m", D},
    {"2.50", "2500m", D},
    {"0.001", "1m", D},
    {"0.0005k", "500m", D},
    {"0.0001", "100u", D},
    {"0.1", "100m", D},
    {"0.100", "100m", D},
    {"10.0", "10", D},
    {"100.000", "100", D},
    {"1024", "1024", D},
    {"17179869184", "17179869184", D},
    {"1000000000000", "1T", D},
    {"-1000", "-1k", D},
    {"-1.5", "-1500m", D},
    {"1000", "1k", D},
    {"100000", "100k", D},
    {"100001", "100001", D},
    {"1000000", "1M", D},
    {"1234567", "1234567", D},
    {"123456000", "123456k", D},
    {"999999999", "999999999", D},
    {"1000000000", "1G", D},
    {"1234567890", "1234567890", D},
    {"1000m", "1", D},
    {"10000m", "10", D},
    {"123456m", "123456m", D},
    {"1000u", "1m", D},
    {"1000n", "1u", D},
    {"0.1m", "100u", D},
    {"0.5m", "500u", D},
    {"2.5m", "2500u", D},
    {"1.0m", "1m", D},
    {"1000k", "1M", D},
    {"1.5k", "1500", D},
    {"12.5k", "12500", D},
    {"0.1P", "100T", D},
    {"1.5E", "1500P", D},
    {"1000000000000000000", "1E", D},
    /* finer than nano: away from zero */
    {"0.1n", "1n", D},
    {"0.5n", "1n", D},
    {"0.9n", "1n", D},
    {"1.1n", "2n", D},
    {"3.001n", "4n", D},
    {"-3.001n", "-4n", D},
    {"-0.1n", "-1n", D},
    {"-0.0001n", "-1n", D},
    {"0.0000000001", "1n", D},
    {"0.00000012345", "124n", D},
    {"0.1234567891", "123456790n", D},
    {"1.1234567891", "1123456790n", D},
    {"1.1234567890", "1123456789n", D},
    {"1.00000000000000000000000000001", "1000000001n", D},
    {"0.000000000001Ki", "2n", D},
    {"0.00000000000000000000000000001E", "1n", D},
    {"0.30000000000000004", "300000001n", D},
    {"0.5e-9", "1e-9", E},
    /* exponents */
    {"1.5e3", "1500", E},
    {"15e2", "1500", E},
    {"12e4", "120e3", E},
    {"12e5", "1200e3", E},
    {"1e1", "10", E},
    {"1e2", "100", E},
    {"1e3", "1e3", E},
    {"1e4", "10e3", E},
    {"1e5", "100e3", E},
    {"1e7", "10e6", E},
    {"1e10", "10e9", E},
    {"1e-1", "100e-3", E},
    {"1e-2", "10e-3", E},
    {"1e-4", "100e-6", E},
    {".1e-3", "100e-6", E},
    {"1e-8", "10e-9", E},
    {"1e-10", "1e-9", E},
    {"5e-10", "1e-9", E},
    {"1e-18", "1e-9", E},
    {"1e-64", "1e-9", E},
    {"0e64", "0", E},
    {"100e-2", "1", E},
    {"0.1e1", "1", E},
    {"1.0E0", "1", E},
    /* binary */
    {"1Ki", "1Ki", B},
    {"8Ki", "8Ki", B},
    {"1000Ki", "1000Ki", B},
    {"1023Ki", "1023Ki", B},
    {"1024Ki", "1Mi", B},
    {"1024Mi", "1Gi", B},
    {"2048Mi", "2Gi", B},
    {"4096Mi", "4Gi", B},
    {"1000Mi", "1000Mi", B},
    {"999Mi", "999Mi", B},
    {"250Mi", "250Mi", B},
    {"1536Mi", "1536Mi", B},
    {"1.5Gi", "1536Mi", B},
    {"1.25Gi", "1280Mi", B},
    {"0.5Gi", "512Mi", B},
    {"0.5Mi", "512Ki", B},
    {"1024Pi", "1Ei", B},
    {"0.5Ki", "512", B},
    {"0.25Mi", "256Ki", B},
    {"1.0Gi", "1Gi", B},
    {"0.1Ki", "102400m", B},
    {".001Ki", "1024m", B},
    {"0.0001Ki", "102400u", D},
    {"1.0001Ki", "1024102400u", B},
    {"1.1Gi", "1181116006400m", B},
    {"0.05Gi", "53687091200m", B},
    {"0.3Gi", "322122547200m", B},
    {"0.025Ti", "27487790694400m", B},
    {"100.035Ki", "102435840m", B},
    {"1.000000001Gi", "1073741825073741824n", B},
    {"0.5Ei", "512Pi", B},
    {"1.5Ei", "1536Pi", B},
    {"-1Ki", "-1Ki", B},
    {"-0.5Ki", "-512", B},
    /* bounds */
    {"7Ei", "7Ei", B},
    {"8191Pi", "8191Pi", B},
    {"7.999Ei", "9222219115350168961024m", B},
    {"9223372036854775807", "9223372036854775807", D},
    {"-9223372036854775807", "-9223372036854775807", D},
    {"9223372036854775806.999999999", "9223372036854775806999999999n", D},
    {"9E", "9E", D},
    {"9.223372036854775807E", "9223372036854775807", D},
};

START_TEST(reads_like_kubernetes)
{
    struct quantity quantity;
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(quantity_parse(slice_from_text(accepted[_i].text), &quantity), QUANTITY_OK);
    ck_assert_int_eq(quantity.format, accepted[_i].format);
    ck_slice_eq(quantity_print(&quantity, text), accepted[_i].printed);
}
END_TEST

/* A binary amount above the largest one becomes the largest one, at any size. */
static const struct {
    const char *text;
    const char *printed;
} capped[] = {
    {"8Ei", "9223372036854775807"},
    {"9Ei", "9223372036854775807"},
    {"16Ei", "9223372036854775807"},
    {"100Ei", "9223372036854775807"},
    {"8192Pi", "9223372036854775807"},
    {"16384Pi", "9223372036854775807"},
    {"9223372036854775807Ki", "9223372036854775807"},
    {"99999999999999999999999999999999999999999999999999999999999999Ki", "9223372036854775807"},
    {"-9Ei", "-9223372036854775807"},
    {"9007199254740992Ki", "9223372036854775807"},
    {"7.9999999999999999999999999999999999Ei", "9223372036854775807"},
};

START_TEST(caps_binary_amounts)
{
    struct quantity quantity;
    char text[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(quantity_parse(slice_from_text(capped[_i].text), &quantity), QUANTITY_CAPPED);
    ck_assert_int_eq(quantity.format, B);
    ck_slice_eq(quantity_print(&quantity, text), capped[_i].printed);
}
END_TEST

static const struct {
    const char *text;
    enum quantity_result result;
} refused[] = {
    {"1K", QUANTITY_BAD_SUFFIX},
    {"1i", QUANTITY_BAD_SUFFIX},
    {"1.1i", QUANTITY_BAD_SUFFIX},
    {"1mi", QUANTITY_BAD_SUFFIX},
    {"1ki", QUANTITY_BAD_SUFFIX},
    {"1e", QUANTITY_BAD_SUFFIX},
    {"1e-", QUANTITY_BAD_SUFFIX},
    {"1e+", QUANTITY_BAD_SUFFIX},
    {"1Ee3", QUANTITY_BAD_SUFFIX},
    {"1eKi", QUANTITY_BAD_SUFFIX},
    {"1Ei3", QUANTITY_BAD_SUFFIX},
    {"1Mi1", QUANTITY_BAD_SUFFIX},
    {"1Mi5", QUANTITY_BAD_SUFFIX},
    {"1Mi+", QUANTITY_BAD_SUFFIX},
    {"1Kim", QUANTITY_BAD_SUFFIX},
    {"1iK", QUANTITY_BAD_SUFFIX},
    {"1n5", QUANTITY_BAD_SUFFIX},
    {"5m5", QUANTITY_BAD_SUFFIX},
    {"1m5", QUANTITY_BAD_SUFFIX},
    {"1u5", QUANTITY_BAD_SUFFIX},
    {"1nn", QUANTITY_BAD_SUFFIX},
    {"1m-", QUANTITY_BAD_SUFFIX},
    {"1k+", QUANTITY_BAD_SUFFIX},
    {"1-", QUANTITY_BAD_SUFFIX},
    {"--1", QUANTITY_BAD_SUFFIX},
    {"+-1", QUANTITY_BAD_SUFFIX},
    {"eE3", QUANTITY_BAD_SUFFIX},
    {"1e9223372036854775808", QUANTITY_BAD_SUFFIX},
    {"", QUANTITY_BAD_FORMAT},
    {" 1", QUANTITY_BAD_FORMAT},
    {"1 ", QUANTITY_BAD_FORMAT},
    {"1 Gi", QUANTITY_BAD_FORMAT},
    {" 1 Gi", QUANTITY_BAD_FORMAT},
    {"1Gi ", QUANTITY_BAD_FORMAT},
    {"1g", QUANTITY_BAD_FORMAT},
    {"1gi", QUANTITY_BAD_FORMAT},
    {"1KI", QUANTITY_BAD_FORMAT},
    {"1GB", QUANTITY_BAD_FORMAT},
    {"1Gib", QUANTITY_BAD_FORMAT},
    {"1_000", QUANTITY_BAD_FORMAT},
    {"1,5", QUANTITY_BAD_FORMAT},
    {"0x10", QUANTITY_BAD_FORMAT},
    {"NaN", QUANTITY_BAD_FORMAT},
    {"inf", QUANTITY_BAD_FORMAT},
    {"1.1.M", QUANTITY_BAD_FORMAT},
    {"..", QUANTITY_BAD_FORMAT},
    {"1.5.", QUANTITY_BAD_FORMAT},
    {"1Mi.", QUANTITY_BAD_FORMAT},
    {"1+1.0M", QUANTITY_BAD_FORMAT},
    {"0.1am", QUANTITY_BAD_FORMAT},
    {"1e1.5", QUANTITY_BAD_FORMAT},
    {"1e3.5", QUANTITY_BAD_FORMAT},
    {"1e3Ki", QUANTITY_BAD_FORMAT},
    {"1e3Ei", QUANTITY_BAD_FORMAT},
    {"1E1Ki", QUANTITY_BAD_FORMAT},
    {"\xef\xbc\x91", QUANTITY_BAD_FORMAT},
    /* Kubernetes reads these as zero, for want of a digit; its own API schema refuses them, and so
       do we. */
    {".", QUANTITY_BAD_FORMAT},
    {"-.", QUANTITY_BAD_FORMAT},
    {"+", QUANTITY_BAD_FORMAT},
    {"-", QUANTITY_BAD_FORMAT},
    {"Ki", QUANTITY_BAD_FORMAT},
    {"-Ki", QUANTITY_BAD_FORMAT},
    {"Gi", QUANTITY_BAD_FORMAT},
    {"m", QUANTITY_BAD_FORMAT},
    {"k", QUANTITY_BAD_FORMAT},
    {"e3", QUANTITY_BAD_FORMAT},
    {".e3", QUANTITY_BAD_FORMAT},
    /* Exponents that Kubernetes truncates or hangs on. */
    {"1e65", QUANTITY_BAD_RANGE},
    {"1e-65", QUANTITY_BAD_RANGE},
    {"1e100", QUANTITY_BAD_RANGE},
    {"0e2147483647", QUANTITY_BAD_RANGE},
    {"1e4294967296", QUANTITY_BAD_RANGE},
    {"1e4294967297", QUANTITY_BAD_RANGE},
    {"1e2147483648", QUANTITY_BAD_RANGE},
    {"1e-2147483647", QUANTITY_BAD_RANGE},
    {"1e99999999999", QUANTITY_BAD_RANGE},
    {"1e9223372036854775807", QUANTITY_BAD_RANGE},
    /* Amounts that wrap in Kubernetes, or lose their exponent. */
    {"9223372036854775808", QUANTITY_OVERFLOW},
    {"-9223372036854775808", QUANTITY_OVERFLOW},
    {"-9223372036854775809", QUANTITY_OVERFLOW},
    {"9223372036854775807.1", QUANTITY_OVERFLOW},
    {"9223372036854775807.0000000001", QUANTITY_OVERFLOW},
    {"99999999999999999999", QUANTITY_OVERFLOW},
    {"10E", QUANTITY_OVERFLOW},
    {"12E", QUANTITY_OVERFLOW},
    {"999E", QUANTITY_OVERFLOW},
    {"1000E", QUANTITY_OVERFLOW},
    {"1500E", QUANTITY_OVERFLOW},
    {"1000000E", QUANTITY_OVERFLOW},
    {"1000000000000000000000", QUANTITY_OVERFLOW},
    {"1e19", QUANTITY_OVERFLOW},
    {"1e21", QUANTITY_OVERFLOW},
    {"1e30", QUANTITY_OVERFLOW},
    {"1e64", QUANTITY_OVERFLOW},
    {"99999999999999999999999999999999999999999999999999999999999999e1", QUANTITY_OVERFLOW},
    {"10000000000000000000000000000000000000000000000000000000000000000", QUANTITY_TOO_LONG},
};

START_TEST(refuses)
{
    struct quantity quantity;

    ck_assert_int_eq(quantity_parse(slice_from_text(refused[_i].text), &quantity),
                     refused[_i].result);
    ck_assert(quantity_is_zero(&quantity));
}
END_TEST

START_TEST(reads_sixty_four_bytes)
{
    char text[66];
    struct quantity quantity;

    memset(text, '0', sizeof(text));
    text[63] = text[64] = '7';
    ck_assert_int_eq(quantity_parse((struct slice){text, 64}, &quantity), QUANTITY_OK);
    ck_assert(quantity.units == 7 && quantity.nanos == 0);
    ck_assert_int_eq(quantity_parse((struct slice){text, 65}, &quantity), QUANTITY_TOO_LONG);
}
END_TEST

START_TEST(refuses_a_nul_character)
{
    struct quantity quantity;

    ck_assert_int_eq(quantity_parse(SLICE("1\0"), &quantity), QUANTITY_BAD_FORMAT);
    ck_assert_int_eq(quantity_parse(SLICE("1\0Gi"), &quantity), QUANTITY_BAD_FORMAT);
}
END_TEST

/* Every text of up to five bytes out of this alphabet: no read beyond the end, and never a made-up
 * amount. */
START_TEST(reads_or_refuses_any_short_text)
{
    static const char alphabet[] = "01.+-eEiKm ";
    const unsigned base = sizeof(alphabet) - 1;
    unsigned count = 1;

    for (unsigned len = 0; len <= 5; len++, count *= base) {
        for (unsigned code = 0; code < count; code++) {
            char *text = malloc(len ? len : 1);
            unsigned rest = code;
            struct quantity quantity;

            ck_assert_ptr_nonnull(text);
            for (unsigned i = 0; i < len; i++, rest /= base)
                text[i] = alphabet[rest % base];
            if (quantity_parse((struct slice){text, len}, &quantity) > QUANTITY_CAPPED)
                ck_assert(quantity_is_zero(&quantity));
            free(text);
        }
    }
}
END_TEST

static const struct {
    enum quantity_result result;
    const char *words;
} problems[] = {
    {QUANTITY_BAD_FORMAT,
     "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {QUANTITY_BAD_SUFFIX, "unable to parse quantity's suffix"},
    {QUANTITY_BAD_RANGE, "exponent must be between -64 and 64"},
    {QUANTITY_OVERFLOW, "must be less than or equal to 9223372036854775807"},
    {QUANTITY_TOO_LONG, "must be no more than 64 bytes"},
    {QUANTITY_CAPPED, "is above 9223372036854775807 and read as that"},
};

START_TEST(exact_messages)
{
    ck_assert_str_eq(quantity_problem(problems[_i].result), problems[_i].words);
    ck_assert_ptr_null(quantity_problem(QUANTITY_OK));
}
END_TEST

/* ---- quantity print ---- */

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
    add_rows(cases, adds, sums, left, right, format);
    add_rows(cases, subtracts, differences, left, right, format);
    add_rows(cases, multiplies, products, value, factor, format);
    add_rows(cases, compares_by_value, orders, left, right);
    tcase_add_test(cases, printed_text_reads_as_the_same_amount);
    tcase_add_test(cases, addition_commutes);
    tcase_add_test(cases, multiplying_is_repeated_addition);
    tcase_add_test(cases, comparison_agrees_with_subtraction);
#ifdef __SIZEOF_INT128__
    tcase_add_test(cases, arithmetic_agrees_with_128_bits);
#endif
    add_rows(cases, reads_like_kubernetes, accepted, text, format);
    add_rows(cases, caps_binary_amounts, capped, text);
    add_rows(cases, refuses, refused, text);
    tcase_add_test(cases, reads_sixty_four_bytes);
    tcase_add_test(cases, refuses_a_nul_character);
    tcase_add_test(cases, reads_or_refuses_any_short_text);
    add_rows(cases, exact_messages, problems, words, result);
    add_rows(cases, prints_the_canonical_form, canonicals, text);
    add_rows(cases, rereads_what_it_prints, rereads, text, format);
    add_rows(cases, rereading_changes_how_multiples_print, factors, text, factor);
    tcase_add_test(cases, rereading_outlives_the_printed_text);
}
