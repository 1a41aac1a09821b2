/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

#include "unit/suite.h"

static const struct {
    const char *text;
    uint32_t major, minor, patch;
} good[] = {
    {"1.36", 1, 36, 0},
    {"v1.36", 1, 36, 0},
    {"v0.14.2", 0, 14, 2},
    {"v2.3.0-rc.1", 2, 3, 0},
    {"v1.36.3+k3s1", 1, 36, 3},
    {"v1.33.5-gke.1162000", 1, 33, 5},
    {"v0.35.4-devel", 0, 35, 4},
    {"1.13.1-0.20251028023744-f1f10b49d8f0", 1, 13, 1},
    {"1.36-rc.1", 1, 36, 0},
    {"0.0.0", 0, 0, 0},
    {"999999999.999999999.999999999", 999999999, 999999999, 999999999},
};

START_TEST(reads_a_release)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(good[_i].text), &release));
    ck_assert(release.is_known);
    ck_assert_uint_eq(release.major, good[_i].major);
    ck_assert_uint_eq(release.minor, good[_i].minor);
    ck_assert_uint_eq(release.patch, good[_i].patch);
}
END_TEST

static const char *const bad[] = {
    "",
    "v",
    "1",
    "v1",
    "1.",
    "1.x",
    ".36",
    "1.36.",
    "1.36.x",
    "1..36",
    "vv1.36",
    "V1.36",
    "1.36-",
    "1.36+",
    "1.36 ",
    " 1.36",
    "1.36_1",
    "1.36.3.4",
    "01.36",
    "1.036",
    "-1.36",
    "1.-36",
    "1.36+a/",
    "latest",
    "1.36-r\xc3\xa9",
    "1,36",
    "1000000000.1",
    "1.1000000000",
    "1.1.1000000000",
    "1.36\n",
};

START_TEST(refuses_invalid_releases)
{
    struct release release = {.is_known = true, .major = 7};

    ck_assert_msg(!release_parse(slice_from_text(bad[_i]), &release), "accepted \"%s\"", bad[_i]);
    ck_assert(!release.is_known);
    ck_assert_uint_eq(release.major, 0);
}
END_TEST

START_TEST(nul_in_a_release_is_refused)
{
    struct release release;

    ck_assert(!release_parse((struct slice){"1.36\0", 5}, &release));
    ck_assert(!release_parse(NO_SLICE, &release));
}
END_TEST

static const struct {
    const char *a, *b;
    int order;
} pairs[] = {
    {"1.36", "1.36.0", 0},      {"v1.36", "1.36", 0},    {"1.9", "1.10", -1},
    {"2.0", "1.99.99", 1},      {"1.36.1", "1.36", 1},   {"1.36.2", "1.36.10", -1},
    {"2.3.0-rc.1", "2.3.0", 0}, {"0.12.0", "0.11.9", 1},
};

START_TEST(compares_number_by_number)
{
    struct release a;
    struct release b;

    ck_assert(release_parse(slice_from_text(pairs[_i].a), &a));
    ck_assert(release_parse(slice_from_text(pairs[_i].b), &b));
    ck_assert_int_eq(release_compare(&a, &b), pairs[_i].order);
    ck_assert_int_eq(release_compare(&b, &a), -pairs[_i].order);
}
END_TEST

static const struct {
    const char *text;
    uint32_t major, minor;
    bool reached;
} least[] = {
    {"1.36", 1, 36, true},    {"1.36.0", 1, 36, true},  {"1.36.3", 1, 36, true},
    {"1.35.9", 1, 36, false}, {"2.0", 1, 36, true},     {"0.99", 1, 0, false},
    {"0.16.0", 0, 16, true},  {"0.15.4", 0, 16, false},
};

START_TEST(reaches_a_release)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(least[_i].text), &release));
    ck_assert(release_at_least(&release, least[_i].major, least[_i].minor) == least[_i].reached);
}
END_TEST

START_TEST(unknown_release_reaches_no_version)
{
    struct release unknown = {0};

    ck_assert(!release_at_least(&unknown, 0, 0));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_a_release, good, text, major, minor);
    add_items(cases, refuses_invalid_releases, bad);
    tcase_add_test(cases, nul_in_a_release_is_refused);
    add_rows(cases, compares_number_by_number, pairs, a);
    add_rows(cases, reaches_a_release, least, text, major, minor);
    tcase_add_test(cases, unknown_release_reaches_no_version);
}
