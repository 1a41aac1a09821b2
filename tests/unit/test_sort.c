/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

/* Sorted by the first letter; the second distinguishes equal ones. */
static int
compare_first_letters(const void *a, const void *b, const void *context)
{
    const char *left = a;
    const char *right = b;

    ++*(size_t *)(uintptr_t)context;
    return left[0] - right[0];
}

static const struct {
    const char *items[9];
    size_t count;
    const char *sorted;
} lists[] = {
    {{0}, 0, ""},
    {{"a1"}, 1, "a1"},
    {{"b1", "a1"}, 2, "a1b1"},
    {{"a2", "a1"}, 2, "a2a1"},
    {{"c1", "a1", "b1"}, 3, "a1b1c1"},
    {{"b1", "a1", "b2", "a2", "b3"}, 5, "a1a2b1b2b3"},
    {{"h1", "g1", "f1", "e1", "d1", "c1", "b1", "a1"}, 8, "a1b1c1d1e1f1g1h1"},
    {{"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2"}, 9, "a1a2b1c1d1e1f1g1h1"},
};

START_TEST(keeps_the_order_of_equals)
{
    const void *items[9] = {0};
    const void *scratch[9];
    char actual[32] = "";
    size_t compared = 0;

    for (size_t i = 0; i < lists[_i].count; i++)
        items[i] = lists[_i].items[i];
    stable_sort(items, scratch, lists[_i].count, compare_first_letters, &compared);
    for (size_t i = 0; i < lists[_i].count; i++)
        strcat(actual, items[i]);
    ck_assert_str_eq(actual, lists[_i].sorted);
}
END_TEST

/* No input may make it quadratic: n log2 n comparisons at most. */
START_TEST(compares_rarely)
{
    enum { COUNT = 10000, LOG2 = 14 };
    static const char *const patterns[] = {"a", "abcdefghijklmnopqrstuvwxyz",
                                           "zyxwvutsrqponmlkjihgfedcba", "azbycx"};
    const char *pattern = patterns[_i];
    const void **items = calloc(COUNT, sizeof(*items));
    const void **scratch = calloc(COUNT, sizeof(*scratch));
    size_t compared = 0;
    bool sorted = true;

    ck_assert(items && scratch);
    for (size_t i = 0; i < COUNT; i++)
        items[i] = pattern + i % strlen(pattern);
    stable_sort(items, scratch, COUNT, compare_first_letters, &compared);
    for (size_t i = 1; i < COUNT; i++)
        sorted = sorted && *(const char *)items[i - 1] <= *(const char *)items[i];
    ck_assert(sorted);
    ck_assert_uint_le(compared, (size_t)COUNT * LOG2);
    free(items);
    free(scratch);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, keeps_the_order_of_equals, lists, sorted, items[0], items[1]);
    tcase_add_loop_test(cases, compares_rarely, 0, 4);
}
