/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

#include "suite.h"
#include "tree.h"

static struct arena *arena;

static void
open_arena(void)
{
    arena = arena_new(0);
}

static void
close_arena(void)
{
    arena_free(arena);
}

START_TEST(knows_two_formats)
{
    ck_assert(document_format_is_known(GANG_FORMAT_JSON));
    ck_assert(document_format_is_known(GANG_FORMAT_YAML));
    ck_assert(!document_format_is_known((enum gang_format)0));
    ck_assert(!document_format_is_known((enum gang_format)3));
}
END_TEST

static const struct {
    enum gang_format format;
    size_t limit;
    int result;
    const char *written;
} documents[] = {
    {GANG_FORMAT_JSON, 0, GANG_OK, "{\"a\":[1]}\n"},  {GANG_FORMAT_YAML, 0, GANG_OK, "a:\n- 1\n"},
    {GANG_FORMAT_JSON, 10, GANG_OK, "{\"a\":[1]}\n"}, {GANG_FORMAT_JSON, 9, GANG_ERROR_LIMIT, NULL},
    {GANG_FORMAT_YAML, 7, GANG_OK, "a:\n- 1\n"},      {GANG_FORMAT_YAML, 6, GANG_ERROR_LIMIT, NULL},
};

START_TEST(hands_out_what_was_written)
{
    struct buffer buffer = {.limit = documents[_i].limit};
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    document_write(&buffer, tree_of(arena, "{\"a\": [1]}"), documents[_i].format);
    ck_assert_int_eq(document_hand_out(&buffer, &blob, &error), documents[_i].result);
    ck_assert_int_eq(gang_error_get_code(error), documents[_i].result);
    if (documents[_i].written)
        ck_assert_str_eq(gang_blob_get_data(blob, NULL), documents[_i].written);
    else
        ck_assert_ptr_null(blob);
    ck_assert_uint_eq(buffer.len, 0);
    gang_blob_unref(blob);
    gang_error_free(error);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    tcase_add_test(cases, knows_two_formats);
    add_rows(cases, hands_out_what_was_written, documents, written, format, limit);
}
