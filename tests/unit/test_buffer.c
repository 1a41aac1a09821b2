/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

START_TEST(grows_over_many_appends)
{
    struct buffer buffer = {0};

    for (int i = 0; i < 10000; i++)
        buffer_append_byte(&buffer, (char)('0' + i % 10));
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.len, 10000);
    ck_assert_int_eq(buffer.data[9999], '9');
    buffer_clear(&buffer);
    ck_assert_ptr_null(buffer.data);
}
END_TEST

/* At the limit, one byte over, and after the failure. */
START_TEST(limit_is_exact_and_failure_sticky)
{
    struct buffer buffer = {.limit = 4};

    buffer_append(&buffer, "abcd", 4);
    ck_assert(!buffer.failed);
    buffer_append_byte(&buffer, 'e');
    ck_assert(buffer.failed);
    ck_assert(buffer.hit_limit);
    ck_assert_uint_eq(buffer.len, 4);
    buffer_append(&buffer, "", 0);
    buffer_append_repeated(&buffer, 'x', 1);
    ck_assert_uint_eq(buffer.len, 4);
    buffer_clear(&buffer);
    ck_assert(!buffer.failed);
    ck_assert_uint_eq(buffer.limit, 4);
}
END_TEST

START_TEST(repeats_a_byte)
{
    struct buffer buffer = {0};

    buffer_append_repeated(&buffer, ' ', 3);
    buffer_append_slice(&buffer, SLICE("x"));
    ck_slice_eq(((struct slice){buffer.data, buffer.len}), "   x");
    buffer_clear(&buffer);
}
END_TEST

/* ---- blob ---- */

START_TEST(takes_ownership_of_the_bytes)
{
    struct buffer buffer = {.limit = 3};
    struct gang_blob *blob;
    size_t len = 0;

    buffer_append(&buffer, "abc", 3);
    blob = blob_take(&buffer);
    ck_assert_ptr_null(buffer.data);
    ck_assert_str_eq(gang_blob_get_data(blob, &len), "abc");
    ck_assert_uint_eq(len, 3);
    ck_assert_ptr_eq(gang_blob_ref(blob), blob);
    gang_blob_unref(blob);
    ck_assert_str_eq(gang_blob_get_data(blob, NULL), "abc");
    gang_blob_unref(blob);
}
END_TEST

START_TEST(empty_blobs_end_in_nul)
{
    struct buffer buffer = {0};
    struct gang_blob *blob = blob_take(&buffer);
    size_t len = 9;

    ck_assert_str_eq(gang_blob_get_data(blob, &len), "");
    ck_assert_uint_eq(len, 0);
    gang_blob_unref(blob);
}
END_TEST

/* A blob works at every length of its text. */
START_TEST(takes_texts_of_every_length)
{
    struct buffer buffer = {.limit = (size_t)_i};
    struct gang_blob *blob;
    char text[64];
    size_t len;

    for (int i = 0; i < _i; i++)
        text[i] = (char)('a' + i % 26);
    buffer_append(&buffer, text, (size_t)_i);
    blob = blob_take(&buffer);
    gang_blob_unref(gang_blob_ref(blob));
    ck_assert_mem_eq(gang_blob_get_data(blob, &len), text, (size_t)_i);
    ck_assert_uint_eq(len, (size_t)_i);
    ck_assert_int_eq(gang_blob_get_data(blob, NULL)[_i], '\0');
    gang_blob_unref(blob);
}
END_TEST

START_TEST(null_is_accepted)
{
    size_t len = 9;

    ck_assert_ptr_null(gang_blob_get_data(NULL, &len));
    ck_assert_uint_eq(len, 0);
    ck_assert_ptr_null(gang_blob_ref(NULL));
    gang_blob_unref(NULL);
}
END_TEST

START_TEST(failed_buffers_make_no_blob)
{
    struct buffer buffer = {.limit = 1};

    buffer_append(&buffer, "abc", 3);
    ck_assert_ptr_null(blob_take(&buffer));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, grows_over_many_appends);
    tcase_add_test(cases, limit_is_exact_and_failure_sticky);
    tcase_add_test(cases, repeats_a_byte);
    tcase_add_test(cases, takes_ownership_of_the_bytes);
    tcase_add_loop_test(cases, takes_texts_of_every_length, 0, 64);
    tcase_add_test(cases, empty_blobs_end_in_nul);
    tcase_add_test(cases, null_is_accepted);
    tcase_add_test(cases, failed_buffers_make_no_blob);
}
