/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/java_size.h"

#include "unit/suite.h"

/* Source: JavaUtilsSuite and UtilsSuite of apache/spark; powers of 1024 in every unit. */
static const struct {
    const char *text;
    int64_t bytes; /* -1: refused */
} sizes[] = {
    {"1g", INT64_C(1) << 30},
    {"1G", INT64_C(1) << 30},
    {"1gb", INT64_C(1) << 30},
    {"1Gb", INT64_C(1) << 30},
    {"512m", INT64_C(512) << 20},
    {"512mb", INT64_C(512) << 20},
    {"900000k", INT64_C(900000) << 10},
    {"3kb", 3072},
    {"2t", INT64_C(2) << 40},
    {"2tb", INT64_C(2) << 40},
    {"1p", INT64_C(1) << 50},
    {"1pb", INT64_C(1) << 50},
    {"7b", 7},
    {"0", 0},
    {"384", INT64_C(384) << 20},
    {"8191p", INT64_C(8191) << 50},
    {"8192p", -1},
    {"99999999999999999999", -1},
    {"1Gi", -1},
    {"1.5g", -1},
    {"-1g", -1},
    {"g", -1},
    {"", -1},
    {"1 g", -1},
    {"1gg", -1},
    {"1kg", -1},
};

START_TEST(sizes_of_the_jvm)
{
    int64_t bytes = -1;

    ck_assert_int_eq(java_size_parse(slice_from_text(sizes[_i].text), JAVA_MEBIBYTE, &bytes),
                     sizes[_i].bytes >= 0);
    ck_assert_int_eq(bytes, sizes[_i].bytes);
}
END_TEST

START_TEST(a_number_has_the_unit_of_its_setting)
{
    int64_t bytes = 0;

    ck_assert(java_size_parse(SLICE("300"), 1, &bytes));
    ck_assert_int_eq(bytes, 300);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, sizes_of_the_jvm, sizes, text);
    tcase_add_test(cases, a_number_has_the_unit_of_its_setting);
}
