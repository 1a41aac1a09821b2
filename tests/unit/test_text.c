/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

/* ---- ascii ---- */

static const struct {
    const char *members;
    unsigned classes;
} classes[] = {
    {"abcdefghijklmnopqrstuvwxyz", ASCII_LOWER},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", ASCII_UPPER},
    {"0123456789", ASCII_DIGIT},
    {"-", ASCII_DASH},
    {"_", ASCII_UNDERSCORE},
    {".", ASCII_DOT},
    {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ASCII_LETTER},
    {"0123456789-.", ASCII_DIGIT | ASCII_DASH | ASCII_DOT},
};

START_TEST(a_class_has_its_bytes_and_no_others)
{
    for (int byte = 0; byte < 256; byte++) {
        bool is_member = byte && strchr(classes[_i].members, byte);

        ck_assert_msg(ascii_is((char)byte, classes[_i].classes) == is_member, "byte %d", byte);
    }
    ck_assert(ascii_all(slice_from_text(classes[_i].members), classes[_i].classes));
}
END_TEST

START_TEST(one_other_byte_is_enough)
{
    ck_assert(ascii_all(SLICE(""), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("Abc"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("abC"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("a\0c"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("caf\xc3\xa9"), ASCII_LETTER));
}
END_TEST

/* ---- slices ---- */

/* Longer than all words that are compared at once. */
START_TEST(texts_differ_in_any_byte)
{
    char a[41];
    char b[41];

    memset(a, 'x', sizeof(a));
    for (size_t len = 0; len <= sizeof(a); len++) {
        memcpy(b, a, sizeof(a));
        ck_assert(slice_equal((struct slice){a, len}, (struct slice){b, len}));
        for (size_t at = 0; at < sizeof(a); at++) {
            b[at] = 'y';
            ck_assert_msg(slice_equal((struct slice){a, len}, (struct slice){b, len}) ==
                              (at >= len),
                          "byte %zu of %zu", at, len);
            b[at] = 'x';
        }
    }
}
END_TEST

/* ---- utf8 ---- */

/* RFC 3629: first and last of each length, and what must be refused. */
static const struct {
    const char *bytes;
    size_t length;
    uint32_t code_point;
} sequences[] = {
    {"A", 1, 'A'},
    {"\x7f", 1, 0x7f},
    {"\xc2\x80", 2, 0x80},
    {"\xdf\xbf", 2, 0x7ff},
    {"\xe0\xa0\x80", 3, 0x800},
    {"\xed\x9f\xbf", 3, 0xd7ff},
    {"\xee\x80\x80", 3, 0xe000},
    {"\xef\xbf\xbf", 3, 0xffff},
    {"\xf0\x90\x80\x80", 4, 0x10000},
    {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    {"\x80", 0, 0},
    {"\xbf", 0, 0},
    {"\xc0\x80", 0, 0},
    {"\xc1\xbf", 0, 0},
    {"\xe0\x9f\xbf", 0, 0},
    {"\xed\xa0\x80", 0, 0},
    {"\xed\xbf\xbf", 0, 0},
    {"\xf0\x8f\xbf\xbf", 0, 0},
    {"\xf4\x90\x80\x80", 0, 0},
    {"\xf5\x80\x80\x80", 0, 0},
    {"\xff", 0, 0},
    {"\xc2", 0, 0},
    {"\xe0\xa0", 0, 0},
    {"\xf0\x90\x80", 0, 0},
    {"\xc2\x41", 0, 0},
};

START_TEST(accepts_only_well_formed_sequences)
{
    const char *bytes = sequences[_i].bytes;
    uint32_t code_point = 0;

    ck_assert_uint_eq(utf8_sequence(bytes, bytes + strlen(bytes), &code_point),
                      sequences[_i].length);
    if (sequences[_i].length)
        ck_assert_uint_eq(code_point, sequences[_i].code_point);
}
END_TEST

START_TEST(encodes_what_it_decodes)
{
    char out[4];

    for (uint32_t code_point = 0; code_point <= 0x10ffff; code_point += 7) {
        uint32_t back = 0;
        size_t length;

        if (code_point >= 0xd800 && code_point < 0xe000)
            continue;
        length = utf8_encode(code_point, out);
        ck_assert_uint_eq(utf8_sequence(out, out + length, &back), length);
        ck_assert_uint_eq(back, code_point);
    }
}
END_TEST

START_TEST(counts_the_valid_prefix)
{
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xc3\xa9")), 4);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xff\x63")), 2);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xc3")), 2);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("")), 0);
}
END_TEST

/* ---- quote ---- */

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
    {SLICE_INIT("a\xe2\x80\xae"
                "b"),
     "\"a\\xe2\\x80\\xae"
     "b\""},
    {SLICE_INIT("\xf3\xa0\x81\xa1"), "\"\\xf3\\xa0\\x81\\xa1\""},
    {SLICE_INIT("a\xc2\xad"
                "b\xc2\xa0"),
     "\"a\\xc2\\xad"
     "b\\xc2\\xa0\""},
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

/* At every position of the control character, and every length of the text. */
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

/* The same of quotes: what is escaped is longer. */
START_TEST(quotes_plain_text_at_any_length)
{
    char text[64];
    struct quoted out;

    for (int at = 0; at < _i; at++) {
        for (int byte = 0; byte < 256; byte++) {
            const bool is_plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';

            memset(text, 'a', sizeof(text));
            text[at] = (char)byte;
            ck_assert_int_eq(quote_put_text(out.text, (struct slice){text, (size_t)_i}) ==
                                 (size_t)_i + 2,
                             is_plain);
            ck_assert(!is_plain || memcmp(out.text + 1, text, (size_t)_i) == 0);
        }
    }
}
END_TEST

/* The white space of ASCII in Go's unicode.IsSpace: '\t', '\n', '\v', '\f', '\r', ' '. */
static const struct {
    const char *text;
    const char *trimmed;
} trims[] = {
    {"", ""},           {"a", "a"},         {" \t\n\v\f\r", ""},  {" a b ", "a b"},
    {"\v\fa\r\n", "a"}, {"a\x08", "a\x08"}, {"\x0e a", "\x0e a"}, {"\x01", "\x01"},
};

START_TEST(trims_white_space_at_the_ends)
{
    ck_slice_eq(text_trim(slice_from_text(trims[_i].text)), trims[_i].trimmed);
}
END_TEST

/* ---- nearest words ---- */

#define SIXTY_LETTERS "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"

static const struct {
    const char *name, *word;
    bool is_near;
} nearest[] = {
    {"namespace", "nmaespace", true}, /* a swap is one mistake */
    {"namespace", "NAMESPACE", true},
    {"namespace", "namexxxce", true},  /* three of nine letters */
    {"namespace", "namxxxxce", false}, /* four */
    {"node", "noxx", true},            /* two of four */
    {"node", "nxxx", false},
    {"a", "b", true},
    {"a", "bcd", false},
    {SIXTY_LETTERS "abc", SIXTY_LETTERS "abd", true}, /* 63 letters, the most that are compared */
    {SIXTY_LETTERS "abcd", SIXTY_LETTERS "abce", false},
    {SIXTY_LETTERS "abc", SIXTY_LETTERS "abcd", false},
};

START_TEST(a_word_with_few_mistakes_is_near)
{
    struct nearest_search search = nearest_start(slice_from_text(nearest[_i].name));

    nearest_try(&search, slice_from_text(nearest[_i].word));
    if (nearest[_i].is_near)
        ck_assert_str_eq(search.found, nearest[_i].word);
    else
        ck_assert_ptr_null(search.found);
}
END_TEST

START_TEST(the_first_of_the_nearest_words_is_found)
{
    struct nearest_search search = nearest_start(SLICE("queue"));

    nearest_try(&search, SLICE("quxxe"));
    nearest_try(&search, SLICE("quexe"));
    nearest_try(&search, SLICE("quxue"));
    ck_assert_str_eq(search.found, "quexe");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_class_has_its_bytes_and_no_others, classes, members);
    add_rows(cases, trims_white_space_at_the_ends, trims, text);
    tcase_add_test(cases, one_other_byte_is_enough);
    tcase_add_test(cases, texts_differ_in_any_byte);
    add_rows(cases, accepts_only_well_formed_sequences, sequences, bytes, length);
    tcase_add_test(cases, encodes_what_it_decodes);
    tcase_add_test(cases, counts_the_valid_prefix);
    tcase_add_loop_test(cases, plain_text_is_printable_ascii, 0, 26);
    tcase_add_loop_test(cases, quotes_plain_text_at_any_length, 1, 50);
    tcase_add_loop_test(cases, printable_text_escapes_controls_anywhere, 1, 25);
    add_rows(cases, quotes_and_cuts, texts, text);
    tcase_add_test(cases, longest_escape_fits);
    add_rows(cases, a_word_with_few_mistakes_is_near, nearest, name, word);
    tcase_add_test(cases, the_first_of_the_nearest_words_is_found);
}
