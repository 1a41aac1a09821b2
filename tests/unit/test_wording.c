/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/wait.h"

#include "unit/suite.h"

START_TEST(strings_names_together)
{
    struct wording words = {0};

    wording_add(&words, ", ", SLICE("a"));
    ck_assert_str_eq(words.text, "\"a\"");
    wording_add(&words, ", ", SLICE("b"));
    wording_add_text(&words, " (late)");
    wording_add(&words, ", ", SLICE("c"));
    ck_assert_str_eq(wording_end_list(&words), "\"a\", \"b\" (late), \"c\"");
}
END_TEST

/* Each name takes 12 bytes with its joint, so 24 of them pass 280 bytes. */
START_TEST(counts_names_beyond_what_is_readable)
{
    struct wording words = {0};

    for (int i = 0; i < 1024; i++)
        wording_add(&words, ", ", SLICE("12345678"));
    wording_end_list(&words);
    ck_assert_uint_eq(words.len, 24 * 12 - 2 + strlen(" and 1000 more"));
    ck_assert_ptr_nonnull(strstr(words.text, "\"12345678\" and 1000 more"));
}
END_TEST

START_TEST(always_shows_the_end_of_a_chain)
{
    struct wording words = {0};

    for (int i = 0; i < 1024; i++)
        wording_add(&words, " > ", SLICE("1234567"));
    wording_add_last(&words, " > ", SLICE("end"));
    ck_assert_ptr_nonnull(strstr(words.text, "\"1234567\" ... (1000 more) > \"end\""));
}
END_TEST

START_TEST(a_short_chain_leaves_nothing_out)
{
    struct wording words = {0};

    wording_add(&words, " > ", SLICE("a"));
    wording_add_last(&words, " > ", SLICE("b"));
    ck_assert_str_eq(words.text, "\"a\" > \"b\"");
}
END_TEST

/* Names of 64 bytes that are shown as \x01 are the longest possible. */
START_TEST(holds_the_longest_names)
{
    struct wording words = {0};
    char bytes[80];

    memset(bytes, 1, sizeof(bytes));
    for (int i = 0; i < 20; i++)
        wording_add(&words, " waits for ", (struct slice){bytes, sizeof(bytes)});
    wording_add_last(&words, " waits for ", (struct slice){bytes, sizeof(bytes)});
    ck_assert_uint_lt(words.len, WORDING_SIZE);
    ck_assert_uint_eq(strlen(words.text), words.len);
    ck_assert_int_eq(words.text[words.len - 1], '"');
}
END_TEST

START_TEST(never_writes_past_its_end)
{
    struct wording words = {0};

    for (int i = 0; i < 1000; i++)
        wording_add_text(&words, "0123456789");
    ck_assert_uint_eq(words.len, WORDING_SIZE - 1);
    ck_assert_uint_eq(strlen(words.text), WORDING_SIZE - 1);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, strings_names_together);
    tcase_add_test(cases, counts_names_beyond_what_is_readable);
    tcase_add_test(cases, always_shows_the_end_of_a_chain);
    tcase_add_test(cases, a_short_chain_leaves_nothing_out);
    tcase_add_test(cases, holds_the_longest_names);
    tcase_add_test(cases, never_writes_past_its_end);
}
