/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

#define TEN "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

/* As fmt.Sprintf("%q") prints in Go, cut after 64 bytes. */
static const struct {
    struct slice text;
    const char *quoted;
} texts[] = {
    {SLICE_INIT(""), "\"\""},
    {{NULL, 0}, "\"\""},
    {SLICE_INIT("abc"), "\"abc\""},
    {SLICE_INIT("a\"b\\c"), "\"a\\\"b\\\\c\""},
    {SLICE_INIT("line\nnext\ttab\r"), "\"line\\nnext\\ttab\\r\""},
    {SLICE_INIT("\x01\x7f"), "\"\\x01\\x7f\""},
    {SLICE_INIT("a\0b"), "\"a\\x00b\""},
    {SLICE_INIT("M\xc4\x81ori"), "\"M\xc4\x81ori\""},
    {SLICE_INIT("\xff\xc3"), "\"\\xff\\xc3\""},
    {SLICE_INIT(SIXTY "0123"), "\"" SIXTY "0123\""},
    {SLICE_INIT(SIXTY "01234"), "\"" SIXTY "0123...\""},
};

START_TEST(quotes_and_cuts)
{
    struct quoted out;

    ck_assert_str_eq(quote(&out, texts[_i].text), texts[_i].quoted);
    ck_assert_uint_eq(quote_put_text(out.text, texts[_i].text), strlen(texts[_i].quoted));
    ck_assert_str_eq(out.text, texts[_i].quoted);
}
END_TEST

/* The worst text fits into the buffer. */
START_TEST(longest_escape_fits)
{
    struct quoted out;
    char worst[65];

    memset(worst, 1, sizeof(worst));
    ck_assert_uint_lt(strlen(quote(&out, (struct slice){worst, sizeof(worst)})), sizeof(out.text));
}
END_TEST

/* Wherever the one control stands, and however long the text is. */
START_TEST(printable_text_escapes_controls_anywhere)
{
    for (size_t at = 0; at < (size_t)_i; at++) {
        char text[32];
        char out[64];
        size_t len;

        memset(text, 'a', sizeof(text));
        text[at] = (char)(at % 2 ? 0x1b : 0x7f);
        len = quote_printable((struct slice){text, (size_t)_i}, out);
        ck_assert_uint_eq(len, (size_t)_i + 3);
        ck_assert_uint_eq(quote_printable((struct slice){text, (size_t)_i}, NULL), len);
        ck_assert_mem_eq(out + at, at % 2 ? "\\x1b" : "\\x7f", 4);
        ck_assert_mem_eq(out, text, at);
        ck_assert_mem_eq(out + at + 4, text + at + 1, (size_t)_i - at - 1);
    }
}
END_TEST

/* Each byte alone at each place of a text of each length, up to some words and a rest. */
START_TEST(plain_text_is_printable_ascii)
{
    for (int at = 0; at < _i; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[32];

            memset(text, 'a', sizeof(text));
            ck_assert(quote_is_plain((struct slice){text, (size_t)_i}));
            text[at] = (char)byte;
            ck_assert_int_eq(quote_is_plain((struct slice){text, (size_t)_i}),
                             byte >= 0x20 && byte < 0x7f);
        }
    }
    ck_assert(quote_is_plain(NO_SLICE));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, plain_text_is_printable_ascii, 0, 26);
    tcase_add_loop_test(cases, printable_text_escapes_controls_anywhere, 1, 25);
    add_rows(cases, quotes_and_cuts, texts, text);
    tcase_add_test(cases, longest_escape_fits);
}
