/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

#include <inttypes.h>
#include <stdio.h>

#include "unit/quantity_text.h"
#include "unit/random.h"
#include "unit/suite.h"

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
        ck_assert(left.nano == before.nano && left.format == before.format &&
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
        ck_assert(value.nano == before.nano && value.text.data == before.text.data);
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

static struct quantity
random_quantity(struct random *random)
{
    static const quantity_nano largest = (quantity_nano)INT64_MAX * 1000000000;
    struct quantity quantity = {.format = (enum quantity_format)random_below(random, 3)};
    unsigned bits = (unsigned)random_below(random, 94);
    quantity_nano wide =
        ((quantity_nano)(random_next(random) >> 2) << 64) | (quantity_nano)random_next(random);

    quantity.nano = wide & (((quantity_nano)1 << bits) - 1);
    if (random_below(random, 3) == 0)
        quantity.nano -= quantity.nano % 1000000000;
    if (random_below(random, 3) == 0)
        quantity.nano = (quantity.nano >> 40 << 40) * 125;
    if (quantity.nano > largest)
        quantity.nano %= largest;
    if (random_below(random, 2))
        quantity.nano = -quantity.nano;
    return quantity;
}

enum { PROPERTY_ROUNDS = 20000 };

START_TEST(what_is_printed_reads_as_the_same_amount)
{
    struct random random = random_start();

    for (int i = 0; i < PROPERTY_ROUNDS; i++) {
        struct quantity quantity = random_quantity(&random);
        struct quantity read;
        char text[QUANTITY_TEXT_SIZE];
        struct slice printed = quantity_print(&quantity, text);

        ck_assert_msg(quantity_parse(printed, &read) == QUANTITY_OK, "%.*s", SLICE_ARG(printed));
        ck_assert_msg(read.nano == quantity.nano, "%.*s", SLICE_ARG(printed));
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
            ck_assert(ab.nano == ba.nano && ab.nano == a.nano + b.nano);
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
            ck_assert(product.nano == sum.nano);
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
            ck_assert_int_eq(quantity_compare(&a, &b), a.nano > 0 ? 1 : -1);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, adds, sums, left, right, format);
    add_rows(cases, subtracts, differences, left, right, format);
    add_rows(cases, multiplies, products, value, factor, format);
    add_rows(cases, compares_by_value, orders, left, right);
    tcase_add_test(cases, what_is_printed_reads_as_the_same_amount);
    tcase_add_test(cases, addition_commutes);
    tcase_add_test(cases, multiplying_is_repeated_addition);
    tcase_add_test(cases, comparison_agrees_with_subtraction);
}
