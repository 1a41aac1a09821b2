/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

/* RFC 8259, and what Kubernetes refuses beyond it: duplicate keys, lost precision, NUL in keys. */
static const struct bad_text bad_texts[] = {
    {TEXT("{\"a\":1,}"), GANG_CODE_SYNTAX, 1, 8},
    {TEXT("[1,]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[,1]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[1,,2]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("{\"a\":1 \"b\":2}"), GANG_CODE_SYNTAX, 1, 8},
    {TEXT("[1 2]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("{\"a\" 1}"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("{\"a\":}"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("{\"a\"}"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("{,}"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{'a':1}"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{a:1}"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{1:1}"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{\"a\":'b'}"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("// c\n{}"), GANG_CODE_SYNTAX, 1, 1},
    {TEXT("{/* c */}"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{} # c"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[NaN]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[Infinity]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[-Infinity]"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[1.]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[.5]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[01]"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[-01]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[+1]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[1e]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[1e+]"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("[1.e1]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[0x1]"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[1_000]"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[-]"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[TRUE]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[tru]"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[truex]"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("[nul"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("{}x"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("{} {}"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("1 2"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("{"), GANG_CODE_SYNTAX, 1, 2},
    {TEXT("[1"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("[1\n\n"), GANG_CODE_SYNTAX, 3, 1},
    {TEXT("{\"a\":1]"), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("[1}"), GANG_CODE_SYNTAX, 1, 3},
    {TEXT("]"), GANG_CODE_SYNTAX, 1, 1},
    {TEXT("\"abc"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("[\"a\\"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("[\"\\x\"]"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("[\"\\u12g4\"]"), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("[\"\\u12\"]"), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("\xEF\xBB\xBF{}"), GANG_CODE_SYNTAX, 1, 1},
    {TEXT("   "), GANG_CODE_SYNTAX, 1, 4},
    {TEXT(""), GANG_CODE_EMPTY_DOCUMENT, 1, 1},
    /* positions: characters, and every kind of line end */
    {TEXT("[\"\xC3\xA9\xC3\xA9\",x]"), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("[\"\xF0\x9F\x98\x80\",x]"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("{\n \"a\": [\n  x]}"), GANG_CODE_SYNTAX, 3, 3},
    {TEXT("{\r\n \"a\": [\r\n  x]}"), GANG_CODE_SYNTAX, 3, 3},
    {TEXT("{\r \"a\": [\r  x]}"), GANG_CODE_SYNTAX, 3, 3},
    {TEXT("{\n\t\"a\": x}"), GANG_CODE_SYNTAX, 2, 7},
    /* encoding */
    {TEXT("[\"\xFF\"]"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("[\"\xC0\x80\"]"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("[\"\xED\xA0\x80\"]"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("[\"\xF4\x90\x80\x80\"]"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("[\"a\xE2\x82"), GANG_CODE_ENCODING, 1, 4},
    {TEXT("{\"\x80\":1}"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("[\xFF]"), GANG_CODE_ENCODING, 1, 2},
    {TEXT("[\"a\0b\"]"), GANG_CODE_ENCODING, 1, 4},
    {TEXT("[\0]"), GANG_CODE_ENCODING, 1, 2},
    {TEXT("{\0\"\0a\0"), GANG_CODE_ENCODING, 1, 2},
    {TEXT("[\"a\tb\"]"), GANG_CODE_CONTROL_CHARACTER, 1, 4},
    {TEXT("[\"a\nb\"]"), GANG_CODE_CONTROL_CHARACTER, 1, 4},
    {TEXT("[\"\x1F\"]"), GANG_CODE_CONTROL_CHARACTER, 1, 3},
    {TEXT("[\x01]"), GANG_CODE_CONTROL_CHARACTER, 1, 2},
    {TEXT("[1,\f2]"), GANG_CODE_CONTROL_CHARACTER, 1, 4},
    {TEXT("[\"\\ud800\"]"), GANG_CODE_LONE_SURROGATE, 1, 3},
    {TEXT("[\"a\\udc00\"]"), GANG_CODE_LONE_SURROGATE, 1, 4},
    {TEXT("[\"\\ud83d\\u0041\"]"), GANG_CODE_LONE_SURROGATE, 1, 3},
    {TEXT("[\"\\ud83dx\"]"), GANG_CODE_LONE_SURROGATE, 1, 3},
    {TEXT("{\"a\\u0000b\":1}"), GANG_CODE_NUL_CHARACTER, 1, 2},
    /* duplicates are reported at the second key */
    {TEXT("{\"a\":1,\"a\":2}"), GANG_CODE_DUPLICATE_KEY, 1, 8},
    {TEXT("{\"a\":1,\n \"\\u0061\":2}"), GANG_CODE_DUPLICATE_KEY, 2, 2},
    {TEXT("[{\"\":1,\"b\":1,\"\":2}]"), GANG_CODE_DUPLICATE_KEY, 1, 14},
    {TEXT("{\"a\":{\"x\":1},\"a\":{\"y\":2}}"), GANG_CODE_DUPLICATE_KEY, 1, 14},
    /* numbers */
    {TEXT("[1e400]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[-1e309]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[1e-400]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[0.300000000000000044]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[ 18446744073709551616]"), GANG_CODE_NUMBER_PRECISION, 1, 3},
    {TEXT("[-9223372036854775809]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[1234567890123456789012345678901234567890]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
    {TEXT("[9007199254740993.0]"), GANG_CODE_NUMBER_PRECISION, 1, 2},
};

START_TEST(refuses)
{
    check_bad_text(&bad_texts[_i], true);
}
END_TEST

static const struct {
    const char *text;
    const char *json;
} good_texts[] = {
    {"{}", "{}"},
    {" [ ] ", "[]"},
    {"null", "null"},
    {"\"x\"", "\"x\""},
    {"[true,false,null]", "[true,false,null]"},
    {"[0,-0,-0.0,0e9,0.000]", "[0,0,0,0,0]"},
    {"[2.0,1e3,1E+2,12e03,100e-2]", "[2,1000,100,12000,1]"},
    {"[0.5,-2.5,1e-7,1e21,1e20,1.50]", "[0.5,-2.5,1e-7,1e+21,100000000000000000000,1.5]"},
    {"[9223372036854775807,-9223372036854775808]", "[9223372036854775807,-9223372036854775808]"},
    {"[9223372036854775808,18446744073709551615]", "[9223372036854775808,18446744073709551615]"},
    {"[0.000001,0.0000001,1.25e-9]", "[0.000001,1e-7,1.25e-9]"},
    {"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"]", "[\"\\\"\\\\/\\b\\f\\n\\r\\tA\"]"},
    {"[\"\\ud83d\\ude00\"]", "[\"\xF0\x9F\x98\x80\"]"},
    {"[\"a\\u0000b\"]", "[\"a\\u0000b\"]"},
    {"[\"\xC2\x85\x7F\"]", "[\"\\u0085\\u007f\"]"},
    {"{\"a\":{\"b\":[{\"c\":[]}]},\"d\":\"\"}", "{\"a\":{\"b\":[{\"c\":[]}]},\"d\":\"\"}"},
    {"\t{ \"a\" :\r\n1 }\n", "{\"a\":1}"},
};

START_TEST(reads)
{
    struct reading reading;
    const struct node *root;

    reading_start(&reading);
    root = json_read(&reading.request, slice_from_text(good_texts[_i].text));
    ck_assert_msg(root != NULL, "refused: %s", good_texts[_i].text);
    ck_assert_str_eq(reading_json(&reading, root), good_texts[_i].json);
    reading_end(&reading);
}
END_TEST

/* Each is one character in the tree; its text shows how far it moves what follows to the left. */
static const struct {
    const char *text;
    const char *json;
} pieces[] = {
    {"\\n", "\\n"},      {"\\u0041", "A"},        {"\xC3\xA9", "\xC3\xA9"},
    {"\x7F", "\\u007f"}, {"\\u00e9", "\xC3\xA9"}, {"\\\"", "\\\""},
    {"\\/", "/"},
};

static void
append_plain(char *text, size_t count)
{
    size_t len = strlen(text);

    for (size_t i = 0; i < count; i++)
        text[len + i] = (char)('a' + i % 26);
    text[len + count] = '\0';
}

/* Runs of every length up to three words after pieces of every kind, which move them by 0 to 10
 * bytes. */
START_TEST(moves_runs_of_every_length)
{
    for (size_t run = 0; run <= 24; run++) {
        char text[512] = "[\"";
        char json[512] = "[\"";
        struct reading reading;

        for (size_t repeat = 0; repeat < 5; repeat++) {
            strcat(text, pieces[_i].text);
            append_plain(text, run);
            strcat(json, pieces[_i].json);
            append_plain(json, run);
        }
        strcat(text, "\"]");
        strcat(json, "\"]");
        reading_start(&reading);
        ck_assert_str_eq(reading_json(&reading, json_read(&reading.request, slice_from_text(text))),
                         json);
        reading_end(&reading);
    }
}
END_TEST

START_TEST(marks_keys_and_values)
{
    struct reading reading;
    const struct node *root;
    const struct node *b;

    reading_start(&reading);
    root = json_read(&reading.request, SLICE("{\"\xC3\xA9\": 1,\r\n  \"b\" : [ \"x\",\n 7 ]}"));
    ck_assert_ptr_nonnull(root);
    b = node_member(root, SLICE("b"));
    ck_assert_uint_eq(node_first(root)->line, 1);
    ck_assert_uint_eq(node_first(root)->column, 7);
    ck_assert_uint_eq(b->key_line, 2);
    ck_assert_uint_eq(b->key_column, 3);
    ck_assert_uint_eq(b->line, 2);
    ck_assert_uint_eq(b->column, 9);
    ck_assert_uint_eq(node_item(b, 0)->column, 11);
    ck_assert_uint_eq(node_item(b, 1)->line, 3);
    ck_assert_uint_eq(node_item(b, 1)->column, 2);
    ck_assert_uint_eq(node_item(b, 1)->index, 1);
    ck_assert_ptr_eq(node_item(b, 1)->parent, b);
    ck_assert_int_eq(b->document, GANG_DOCUMENT_TRAINJOB);
    reading_end(&reading);
}
END_TEST

START_TEST(reports_every_duplicate)
{
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(
        json_read(&reading.request, SLICE("{\"a\":1,\"b\":{\"c\":1,\"c\":2},\"a\":2,\"a\":3}")));
    ck_assert_uint_eq(reading.report.count, 3);
    ck_assert_str_eq(reading.report.items[0].path, "b.c");
    ck_assert_ptr_nonnull(strstr(reading.report.items[2].message, "line 1, column 2"));
    reading_end(&reading);
}
END_TEST

/* More than sixteen keys take the sorting way. */
START_TEST(finds_duplicates_among_many_keys)
{
    struct reading reading;
    struct buffer text = {0};
    char item[32];

    for (int i = 0; i < 40; i++) {
        snprintf(item, sizeof(item), "%s\"k%02d\":1\n", i ? "," : "{", i == 39 ? 3 : i);
        buffer_append(&text, item, strlen(item));
    }
    buffer_append_byte(&text, '}');
    reading_start(&reading);
    ck_assert_ptr_null(json_read(&reading.request, (struct slice){text.data, text.len}));
    ck_assert_uint_eq(reading.report.count, 1);
    ck_assert_int_eq(reading.report.items[0].code, GANG_CODE_DUPLICATE_KEY);
    ck_assert_uint_eq(reading.report.items[0].line, 40);
    ck_assert_uint_eq(reading.report.items[0].column, 2);
    ck_assert_ptr_nonnull(strstr(reading.report.items[0].message, "line 4, column 2"));
    buffer_clear(&text);
    reading_end(&reading);
}
END_TEST

/*
 * Reads a text in memory of its own size, so that a sanitizer sees a read beyond its end: a tree,
 * or an error within the text.
 */
static void
check_any_text(const char *start, const char *rest, size_t len)
{
    const size_t all = strlen(start) + len;
    char *text = malloc(all ? all : 1);
    struct reading reading;
    bool is_read;

    ck_assert_ptr_nonnull(text);
    memcpy(text, start, all - len);
    memcpy(text + all - len, rest, len);
    reading_start(&reading);
    is_read = json_read(&reading.request, (struct slice){text, all}) != NULL;
    ck_assert_msg(is_read == (reading.report.count == 0), "%.*s", (int)all, text);
    for (size_t i = 0; i < reading.report.count; i++)
        ck_assert_uint_le(reading.report.items[i].column, all + 1);
    reading_end(&reading);
    free(text);
}

static const struct {
    const char *text;
    unsigned longest;
} starts[] = {
    {"", 3}, {"[1", 3}, {"{\"a\":", 3}, {"[\"0123456", 3}, {"[\"\\u00", 3}, {"[\"\xC3", 3},
};

/* Every text out of this alphabet, behind the starts of longer ones. */
START_TEST(reads_or_refuses_any_short_text)
{
    static const char alphabet[] = "{}[]:,\"\\u01-+.eEtfn /\n\x01\x7F\x80\xA9\xC3\xE2\xFF";
    const unsigned base = sizeof(alphabet) - 1;
    unsigned count = 1;

    for (unsigned len = 0; len <= starts[_i].longest; len++, count *= base) {
        for (unsigned code = 0; code < count; code++) {
            char rest[3];

            for (unsigned at = 0, digits = code; at < len; at++, digits /= base)
                rest[at] = alphabet[digits % base];
            check_any_text(starts[_i].text, rest, len);
        }
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses, bad_texts, text, len);
    add_rows(cases, reads, good_texts, text);
    add_rows(cases, moves_runs_of_every_length, pieces, text);
    tcase_add_test(cases, marks_keys_and_values);
    tcase_add_test(cases, reports_every_duplicate);
    tcase_add_test(cases, finds_duplicates_among_many_keys);
    add_rows(cases, reads_or_refuses_any_short_text, starts, text);
}
