/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "suite.h"
#include "tree.h"

/* ---- document write ---- */

START_TEST(two_formats_are_known)
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

START_TEST(returns_the_written_bytes)
{
    struct buffer buffer = {.limit = documents[_i].limit};
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    document_write(&buffer, tree_of(test_arena, "{\"a\": [1]}"), documents[_i].format);
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

/* ---- text escape ---- */

enum { LONGEST = 26 };

/* RFC 8259 section 7, and what YAML would not read back as it is. */
static const struct {
    struct slice text;
    const char *escaped;
} texts[] = {
    {SLICE_INIT(""), ""},
    {SLICE_INIT("plain text, longer than eight bytes"), "plain text, longer than eight bytes"},
    {SLICE_INIT("\"\\"), "\\\"\\\\"},
    {SLICE_INIT("\b\f\n\r\t"), "\\b\\f\\n\\r\\t"},
    {SLICE_INIT("\x01\x1f\x7f"), "\\u0001\\u001f\\u007f"},
    {SLICE_INIT("a\0b"), "a\\u0000b"},
    {SLICE_INIT("1234567\"1234567\\12345678"), "1234567\\\"1234567\\\\12345678"},
    {SLICE_INIT("12345678\n"), "12345678\\n"},
    {SLICE_INIT("\xc3\xa9\xe2\x82\xac"), "\xc3\xa9\xe2\x82\xac"},
    {SLICE_INIT("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80"},
    {SLICE_INIT("\xc2\x80\xc2\x85\xc2\x9f"), "\\u0080\\u0085\\u009f"},
    {SLICE_INIT("\xc2\xa0"), "\xc2\xa0"},
    {SLICE_INIT("\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf"), "\\u2028\\u2029\\ufeff"},
    {SLICE_INIT("\xef\xbf\xbe\xef\xbf\xbf"), "\\ufffe\\uffff"},
    {SLICE_INIT("a\xff"
                "b\xc3"),
     "a\xef\xbf\xbd"
     "b\xef\xbf\xbd"},
};

START_TEST(escapes_special_characters)
{
    struct buffer out = {0};

    text_escape_quoted(&out, texts[_i].text);
    ck_assert_uint_eq(out.len, strlen(texts[_i].escaped) + 2);
    ck_assert_int_eq(out.data[0], '"');
    ck_assert_int_eq(out.data[out.len - 1], '"');
    ck_slice_eq(((struct slice){out.data + 1, out.len - 2}), texts[_i].escaped);
    buffer_clear(&out);
}
END_TEST

/* A text that is written again, behind another one and behind none. */
START_TEST(writes_a_long_text_again)
{
    char text[2 * TEXT_LONG];
    char wanted[4 * TEXT_LONG + 2];
    struct slice both[2] = {{text, (size_t)_i}, {text, (size_t)_i - 1}};
    const size_t order[] = {0, 0, 1, 0, 0, 1, 1};
    struct text_repeated last = {.text = NO_SLICE};
    struct buffer out = {0};
    size_t start = 0;

    for (size_t i = 0; i < (size_t)_i; i++) {
        text[i] = i % 3 ? '"' : 'x';
        start += (size_t)snprintf(wanted + start, sizeof(wanted) - start, i % 3 ? "\\\"" : "x");
    }
    start = 0;
    for (size_t i = 0; i < ITEMS_OF(order); i++) {
        const size_t len = both[order[i]].len;

        text_escape_repeated(&out, both[order[i]], &last);
        ck_assert_int_eq(out.data[start], '"');
        ck_assert_mem_eq(out.data + start + 1, wanted, out.len - start - 2);
        ck_assert_uint_eq(out.len - start - 2, len + (len - (len + 2) / 3));
        ck_assert_int_eq(out.data[out.len - 1], '"');
        start = out.len;
    }
    buffer_clear(&out);
}
END_TEST

/* Each byte at each place of texts of each length, since whole words are judged, and the last two
 * may overlap. */
START_TEST(quotes_text_that_yaml_reads_as_another_type)
{
    const size_t len = (size_t)_i;

    for (size_t place = 0; place < len; place++)
        for (int byte = 0; byte < 0x80; byte++) {
            bool plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
            struct buffer out = {0};
            char text[LONGEST];

            memset(text, 'x', len);
            text[place] = (char)byte;
            text_escape_quoted(&out, (struct slice){text, len});
            ck_assert_msg((out.len == len + 2) == plain, "byte %d at place %zu", byte, place);
            ck_assert(!plain || memcmp(out.data + 1, text, len) == 0);
            ck_assert_int_eq(out.data[out.len - 1], '"');
            buffer_clear(&out);
        }
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    tcase_add_test(cases, two_formats_are_known);
    add_rows(cases, returns_the_written_bytes, documents, written, format, limit);
    add_rows(cases, escapes_special_characters, texts, text);
    tcase_add_loop_test(cases, writes_a_long_text_again, TEXT_LONG - 2, TEXT_LONG + 3);
    tcase_add_loop_test(cases, quotes_text_that_yaml_reads_as_another_type, 0, LONGEST);
}
