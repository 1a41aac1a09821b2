/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

static const struct bad_text bad_texts[] = {
    /* syntax: libyaml's own marks */
    {TEXT("a: b: c"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("a: - x"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("a: @x"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("a: `x"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("a: %x"), GANG_CODE_SYNTAX, 1, 4},
    {TEXT("\ta: 1"), GANG_CODE_SYNTAX, 1, 1},
    {TEXT("a:\n\tb: 1"), GANG_CODE_SYNTAX, 2, 1},
    {TEXT("a: [1,,2]"), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("a: [1"), GANG_CODE_SYNTAX, 2, 1},
    {TEXT("a: {b: 1"), GANG_CODE_SYNTAX, 2, 1},
    {TEXT("a: \"x"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("a: 'x"), GANG_CODE_SYNTAX, 1, 6},
    {TEXT("a: \"\\ud800\""), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("a: \"\\ud83d\\ude00\""), GANG_CODE_SYNTAX, 1, 7},
    {TEXT("a: \"\\q\""), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("a: |0\n  x\n"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("a: 1\n b: 2"), GANG_CODE_SYNTAX, 2, 3},
    {TEXT("# c\n# d\na: b: c"), GANG_CODE_SYNTAX, 3, 5},
    {TEXT("# c\r\n\r\na: b: c"), GANG_CODE_SYNTAX, 3, 5},
    {TEXT("\xC3\xA9: b: c"), GANG_CODE_SYNTAX, 1, 5},
    {TEXT("\xEF\xBB\xBF"
          "a: b: c"),
     GANG_CODE_SYNTAX, 1, 5},
    /* encoding */
    {TEXT("a: \xFF"), GANG_CODE_ENCODING, 1, 4},
    {TEXT("\xC3\xA9: x\nb: \xC0\x80"), GANG_CODE_ENCODING, 2, 4},
    {TEXT("\xC3\xA9 \xED\xA0\x80"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("a: \xF4\x90\x80\x80"), GANG_CODE_ENCODING, 1, 4},
    {TEXT("a: xxxxxxxxxxxxxxxxxx\xE2\x82"), GANG_CODE_ENCODING, 1, 22},
    {TEXT("# \xFF\na: 1"), GANG_CODE_ENCODING, 1, 3},
    {TEXT("a: \0"), GANG_CODE_ENCODING, 1, 4},
    {TEXT("a\0:\0 \0"), GANG_CODE_ENCODING, 1, 2},
    {TEXT("\xFF\xFE"
          "a\0:\0"),
     GANG_CODE_ENCODING, 1, 1},
    {TEXT("\xFE\xFF\0a\0:"), GANG_CODE_ENCODING, 1, 1},
    {TEXT("a: \x01"), GANG_CODE_CONTROL_CHARACTER, 1, 4},
    {TEXT("a: x\r\nb: \x1B[0m"), GANG_CODE_CONTROL_CHARACTER, 2, 4},
    {TEXT("a: x\rb: \x7F"), GANG_CODE_CONTROL_CHARACTER, 2, 4},
    {TEXT("a: \xC2\x80"), GANG_CODE_CONTROL_CHARACTER, 1, 4},
    {TEXT("a: \"\xC2\x9F\""), GANG_CODE_CONTROL_CHARACTER, 1, 5},
    {TEXT("# \x02\na: 1"), GANG_CODE_CONTROL_CHARACTER, 1, 3},
    /* documents and directives */
    {TEXT(""), GANG_CODE_EMPTY_DOCUMENT, 1, 1},
    {TEXT("# only\n\n  # comments"), GANG_CODE_EMPTY_DOCUMENT, 1, 1},
    {TEXT("a: 1\n---\nb: 2"), GANG_CODE_MULTIPLE_DOCUMENTS, 2, 1},
    {TEXT("# c\na: 1\n...\n---\nb: 2"), GANG_CODE_MULTIPLE_DOCUMENTS, 4, 1},
    {TEXT("a: 1\n---\n---\nb: 2"), GANG_CODE_MULTIPLE_DOCUMENTS, 3, 1},
    {TEXT("a: 1\n---\n''\n"), GANG_CODE_MULTIPLE_DOCUMENTS, 2, 1},
    {TEXT("a: 1\n---\n~\n"), GANG_CODE_MULTIPLE_DOCUMENTS, 2, 1},
    {TEXT("a: 1\n---\n{\n"), GANG_CODE_MULTIPLE_DOCUMENTS, 2, 1},
    {TEXT("a: 1\n...\nb: 2"), GANG_CODE_SYNTAX, 3, 1},
    {TEXT("%YAML 1.1\n---\na: 1"), GANG_CODE_DIRECTIVE, 1, 1},
    {TEXT("%YAML 1.2\n---\na: 1"), GANG_CODE_DIRECTIVE, 1, 1},
    {TEXT("%YAML 2.0\n---\na: 1"), GANG_CODE_DIRECTIVE, 1, 1},
    {TEXT("# c\n\n%FOO bar\n---\na: 1"), GANG_CODE_DIRECTIVE, 3, 1},
    {TEXT("%TAG ! tag:x,2000:\n---\na: !y 1"), GANG_CODE_DIRECTIVE, 1, 1},
    {TEXT("a: 1\n%TAG ! x\n---\nb: 1"), GANG_CODE_DIRECTIVE, 2, 1},
    {TEXT("a: 1\n...\n%TAG ! x\n---\nb: 1"), GANG_CODE_DIRECTIVE, 3, 1},
    /* tags */
    {TEXT("a: !!binary aGk="), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!timestamp 2001-01-01"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!python/object:os.system x"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !foo x"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !<tag:x> x"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!set {x}"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!map x"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!seq"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!map []"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!seq {}"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !map {}"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!omap [x: 1]"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!int 3.5"), GANG_CODE_TAG, 1, 4},
    {TEXT("a: !!bool 1"), GANG_CODE_TAG, 1, 4},
    {TEXT("!!binary a: 1"), GANG_CODE_TAG, 1, 1},
    /* anchors */
    {TEXT("a: &a [*a]"), GANG_CODE_ALIAS_CYCLE, 1, 8},
    {TEXT("a: &a\n  b: {c: *a}"), GANG_CODE_ALIAS_CYCLE, 2, 10},
    {TEXT("a: *nope"), GANG_CODE_ALIAS_UNKNOWN, 1, 4},
    {TEXT("a: *x\nb: &x 1"), GANG_CODE_ALIAS_UNKNOWN, 1, 4},
    /* merge keys */
    {TEXT("a: {<<: 5}"), GANG_CODE_MERGE_INVALID, 1, 9},
    {TEXT("<<: x"), GANG_CODE_MERGE_INVALID, 1, 5},
    {TEXT("<<: [{a: 1}, 5]"), GANG_CODE_MERGE_INVALID, 1, 5},
    {TEXT("<<:"), GANG_CODE_MERGE_INVALID, 1, 4},
    {TEXT("<<: {a: 1}\n<<: {b: 1}"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    /* duplicate keys */
    {TEXT("a: 1\na: 2"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    {TEXT("\"a\": 1\na: 2"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    {TEXT("yes: 1\ntrue: 2"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    {TEXT("1: 1\n\"1\": 2"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    {TEXT("0x10: 1\n16: 2"), GANG_CODE_DUPLICATE_KEY, 2, 1},
    {TEXT("a: {\"\\u0061\": 1, a: 2}"), GANG_CODE_DUPLICATE_KEY, 1, 18},
    {TEXT("k: &k x\n*k : 1\nx: 2"), GANG_CODE_DUPLICATE_KEY, 3, 1},
    /* keys */
    {TEXT("~: 1"), GANG_CODE_KEY_TYPE, 1, 1},
    {TEXT("null: 1"), GANG_CODE_KEY_TYPE, 1, 1},
    {TEXT("? ~\n: 1"), GANG_CODE_KEY_TYPE, 1, 3},
    {TEXT("? [a]\n: 1"), GANG_CODE_KEY_TYPE, 1, 3},
    {TEXT("? {a: 1}\n: 1"), GANG_CODE_KEY_TYPE, 1, 3},
    {TEXT("a: &a [1]\n*a : 1"), GANG_CODE_KEY_TYPE, 2, 1},
    {TEXT("\"a\\0b\": 1"), GANG_CODE_NUL_CHARACTER, 1, 1},
    {TEXT("k: &k \"a\\0b\"\n*k : 1"), GANG_CODE_NUL_CHARACTER, 2, 1},
    {TEXT(".nan: 1"), GANG_CODE_NON_FINITE_NUMBER, 1, 1},
    /* numbers */
    {TEXT("a: .inf"), GANG_CODE_NON_FINITE_NUMBER, 1, 4},
    {TEXT("a: [1, -.INF]"), GANG_CODE_NON_FINITE_NUMBER, 1, 8},
    {TEXT("a: 18446744073709551616"), GANG_CODE_NUMBER_PRECISION, 1, 4},
    {TEXT("a: 0.300000000000000044"), GANG_CODE_NUMBER_PRECISION, 1, 4},
};

START_TEST(refuses)
{
    check_bad_text(&bad_texts[_i], false);
}
END_TEST

/* Mistakes that libyaml describes in the terms of its scanner, or notices too late. */
static const struct {
    const char *yaml;
    unsigned line;
    unsigned column;
    const char *message;
    const char *hint; /* NULL: none */
} mistakes[] = {
    {"a:\n\tb: 1", 2, 1, "tabs are not allowed", "indent with spaces"},
    {"a:\n  - b\n\t- c", 3, 1, "tabs are not allowed", "indent with spaces"},
    {"a: [*]", 1, 6, "a plain text cannot start with *, which starts an alias",
     "put the text in quotes"},
    {"a: *.example", 1, 5, "a plain text cannot start with *, which starts an alias",
     "put the text in quotes"},
    {"a: & b", 1, 5, "a plain text cannot start with &, which starts an anchor",
     "put the text in quotes"},
    {"a: @x", 1, 4, "a plain text cannot start with @", "put the text in quotes"},
    {"a: %x", 1, 4, "a plain text cannot start with %", "put the text in quotes"},
    {"a\n  b: 1", 1, 2, "a colon is missing after \"a\"", NULL},
    {"x: 1\na 1\nb: 2", 2, 2, "a colon is missing after \"a\"", NULL},
    {"x:\n  a 1\n  b: 2", 2, 4, "a colon is missing after \"a\"", NULL},
    {"x:\n- name a\n  b: 2", 2, 7, "a colon is missing after \"name\"", NULL},
    {"x:\r\n  a\r\n  b: 2\r\n", 2, 4, "a colon is missing after \"a\"", NULL},
    {"a: b: c", 1, 5, "a colon is not allowed in a plain text, or the indentation is wrong",
     "put a text that has a colon in quotes"},
    {"a: 1\n b: 2", 2, 3, "a colon is not allowed in a plain text, or the indentation is wrong",
     "put a text that has a colon in quotes"},
    {"a: *x", 1, 4, "unknown anchor \"x\"",
     "put the text in quotes if it is not meant as an alias"},
};

START_TEST(names_the_mistake)
{
    struct reading reading;
    const struct gang_diagnostic *finding;

    reading_start(&reading);
    ck_assert_ptr_null(yaml_read(&reading.request, slice_from_text(mistakes[_i].yaml)));
    ck_assert_uint_eq(reading.report.count, 1);
    finding = &reading.report.items[0];
    ck_assert_str_eq(finding->message, mistakes[_i].message);
    ck_assert_pstr_eq(finding->hint, mistakes[_i].hint);
    ck_assert_uint_eq(finding->line, mistakes[_i].line);
    ck_assert_uint_eq(finding->column, mistakes[_i].column);
    reading_end(&reading);
}
END_TEST

static const struct {
    const char *yaml;
    const char *json;
} good_texts[] = {
    /* tags of collections, which go-yaml accepts where they say what it is */
    {"!!map\na: !!seq\n- !!map {b: 1}\nc: !<tag:yaml.org,2002:seq> []",
     "{\"a\":[{\"b\":1}],\"c\":[]}"},
    {"a: &x !!map {b: 1}\nc: *x\n<<: !!map {d: 2}", "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"d\":2}"},
    /* nothing but empty documents may follow */
    {"a: 1\n---\n", "{\"a\":1}"},
    {"a: 1\n---\n---\n", "{\"a\":1}"},
    {"a: 1\n---\n# end\n", "{\"a\":1}"},
    {"a: 1\n...\n---\n...\n", "{\"a\":1}"},
    {"a: 1\nb: [x, 'y', \"z\"]\n", "{\"a\":1,\"b\":[\"x\",\"y\",\"z\"]}"},
    {"a:\nb: ~\nc: ''", "{\"a\":null,\"b\":null,\"c\":\"\"}"},
    {"a: '1'\nb: \"yes\"\nc: 'null'", "{\"a\":\"1\",\"b\":\"yes\",\"c\":\"null\"}"},
    {"a:\t1", "{\"a\":1}"},
    {"a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}"},
    {"---\na: 1\n...\n", "{\"a\":1}"},
    {"# c\n--- # d\na: 1\n", "{\"a\":1}"},
    {"\xEF\xBB\xBF"
     "a: 1",
     "{\"a\":1}"},
    {"a: |\n  x\n  %y\nb: >-\n  p\n  q\n", "{\"a\":\"x\\n%y\\n\",\"b\":\"p q\"}"},
    {"a: |2\n    x\n", "{\"a\":\"  x\\n\"}"},
    {"a: |+\n\nb: 1", "{\"a\":\"\\n\",\"b\":1}"},
    {"a: \"x\\0y\\u00e9\\U0001F600\"", "{\"a\":\"x\\u0000y\xC3\xA9\xF0\x9F\x98\x80\"}"},
    {"a: {b, c}", "{\"a\":{\"b\":null,\"c\":null}}"},
    {"y: 1\n1: 2\n1.5: 3\n\"\": 4", "{\"true\":1,\"1\":2,\"1.5\":3,\"\":4}"},
    {"a.b/c[0]: 1", "{\"a.b/c[0]\":1}"},
    {"a: !!int \"3\"\nb: !!str 3\nc: !!bool \"yes\"\nd: !!float 3\ne: !!null ''",
     "{\"a\":3,\"b\":\"3\",\"c\":true,\"d\":3,\"e\":null}"},
    {"!!str yes: 1", "{\"yes\":1}"},
    {"a: ! 5\nb: ! 'x'", "{\"a\":\"5\",\"b\":\"x\"}"},
    {"a: x!y # ! no tag\nb: 5", "{\"a\":\"x!y\",\"b\":5}"},
    {"a: &x 1\nb: &x 2\nc: *x", "{\"a\":1,\"b\":2,\"c\":2}"},
    {"a: &x {p: [1]}\nb: *x\nc: [*x]", "{\"a\":{\"p\":[1]},\"b\":{\"p\":[1]},\"c\":[{\"p\":[1]}]}"},
    {"a: &x k\n*x : 1", "{\"a\":\"k\",\"k\":1}"},
    {"&x k: *x", "{\"k\":\"k\"}"},
    /* merge: a key below it wins, then the first mapping of a list; the order is the written one */
    {"m: &m {k: 1, l: 2}\na: {<<: *m, k: 9}", "{\"m\":{\"k\":1,\"l\":2},\"a\":{\"k\":9,\"l\":2}}"},
    /* go.yaml.in/yaml/v2:decode.go mapping()@v2.4.2: a merge replaces the members above it */
    {"m: &m {k: 1, l: 2}\na: {k: 9, <<: *m}", "{\"m\":{\"k\":1,\"l\":2},\"a\":{\"k\":1,\"l\":2}}"},
    {"m: &m {k: 1, l: 2}\na: {b: 3, k: 9, <<: *m, l: 4, c: 5}",
     "{\"m\":{\"k\":1,\"l\":2},\"a\":{\"b\":3,\"l\":4,\"c\":5,\"k\":1}}"},
    {"a: {k: {x: 0}, <<: [{k: 1}, {k: 2, l: 3}]}", "{\"a\":{\"k\":1,\"l\":3}}"},
    {"a: {k: 0, b: [1], <<: []}", "{\"a\":{\"k\":0,\"b\":[1]}}"},
    {"a: {<<: [{k: 1}, {k: 2, l: 3}]}", "{\"a\":{\"k\":1,\"l\":3}}"},
    {"a: {<<: []}", "{\"a\":{}}"},
    {"\"<<\": {a: 1}", "{\"<<\":{\"a\":1}}"},
    {"a: <<", "{\"a\":\"<<\"}"},
    {"m: &m {a: 1}\np: &p {<<: *m, b: 2}\no: {<<: *p}",
     "{\"m\":{\"a\":1},\"p\":{\"b\":2,\"a\":1},\"o\":{\"b\":2,\"a\":1}}"},
    {"a: 1:30\nb: 2001-01-01\nc: 1e400", "{\"a\":\"1:30\",\"b\":\"2001-01-01\",\"c\":\"1e400\"}"},
    {"a:x", "\"a:x\""},
    {"- 1\n- - 2\n  - {}\n", "[1,[2,{}]]"},
};

START_TEST(reads)
{
    struct reading reading;
    const struct node *root;

    reading_start(&reading);
    root = yaml_read(&reading.request, slice_from_text(good_texts[_i].yaml));
    ck_assert_msg(root != NULL, "refused (%s): %s",
                  reading.report.count ? reading.report.items[0].message : "", good_texts[_i].yaml);
    ck_assert_uint_eq(reading.report.count, 0);
    ck_assert_str_eq(reading_json(&reading, root), good_texts[_i].json);
    reading_end(&reading);
}
END_TEST

/* What only policies and the strict flag refuse. */
static const struct {
    const char *text;
    bool strict;
    bool policy;
    int code;
    unsigned line;
    unsigned column;
} stricter[] = {
    {"yes: 1", true, false, GANG_CODE_KEY_TYPE, 1, 1},
    {"a: {5: 1}", true, false, GANG_CODE_KEY_TYPE, 1, 5},
    {"a: {1.5: 1}", true, false, GANG_CODE_KEY_TYPE, 1, 5},
    {"<<: {a: 1}\na: 2", true, false, GANG_CODE_DUPLICATE_KEY, 2, 1},
    {"a: 2\n<<: {a: 1}", true, false, GANG_CODE_DUPLICATE_KEY, 1, 1},
    {"<<: [{a: 1}, {a: 2}]", true, false, GANG_CODE_DUPLICATE_KEY, 1, 7},
    {"<<: {a: 1}", false, true, GANG_CODE_MERGE_FORBIDDEN, 1, 1},
    {"a: &x 1", false, true, GANG_CODE_LIMIT_ANCHORS, 1, 4},
    {"a: [*x]", false, true, GANG_CODE_LIMIT_ALIASES, 1, 5},
};

START_TEST(is_stricter_when_asked)
{
    struct reading reading;

    reading_start(&reading);
    reading.report.strict = stricter[_i].strict;
    reading.request.allow_merge = reading.request.allow_aliases = !stricter[_i].policy;
    ck_assert_ptr_null(yaml_read(&reading.request, slice_from_text(stricter[_i].text)));
    ck_assert_uint_eq(reading.report.count, 1);
    ck_assert_int_eq(reading.report.items[0].code, stricter[_i].code);
    ck_assert_uint_eq(reading.report.items[0].line, stricter[_i].line);
    ck_assert_uint_eq(reading.report.items[0].column, stricter[_i].column);
    reading_end(&reading);
}
END_TEST

START_TEST(marks_keys_and_values)
{
    struct reading reading;
    const struct node *root;
    const struct node *c;

    reading_start(&reading);
    root = yaml_read(&reading.request,
                     SLICE("# one\n\xC3\xA9: &x {k: 1}\nb:\n- 7\n- \"\xC3\xA9\"\nc: *x\n"));
    ck_assert_ptr_nonnull(root);
    ck_assert_uint_eq(node_first(root)->key_line, 2);
    ck_assert_uint_eq(node_first(root)->column, 4);
    ck_assert_uint_eq(node_item(node_member(root, SLICE("b")), 1)->line, 5);
    ck_assert_uint_eq(node_item(node_member(root, SLICE("b")), 1)->column, 3);
    ck_assert(node_item(node_member(root, SLICE("b")), 1)->quoted);
    c = node_member(root, SLICE("c"));
    ck_assert_uint_eq(c->key_line, 6);
    ck_assert_uint_eq(c->line, 2);
    ck_assert_ptr_eq(c->parent, root);
    ck_assert_ptr_ne(node_first(c), node_first(node_first(root)));
    ck_assert(node_equal(c, node_first(root)));
    ck_assert_ptr_eq(node_first(c)->parent, c);
    ck_assert_uint_eq(node_first(c)->line, 2);
    ck_assert_uint_eq(node_first(c)->column, 11);
    reading_end(&reading);
}
END_TEST

/*
 * Memory grows with the text: 999 values of a list were written, and at its 69th alias there are 64
 * times as many copies as values that were written, 1,073 with the lists and the aliases.
 */
START_TEST(aliases_share_beyond_64_copies)
{
    enum { ITEMS = 999, COPIES = 68 };
    struct reading reading;
    struct buffer text = {0};
    const struct node *root, *written, *alias;

    reading_start(&reading);
    buffer_append_slice(&text, SLICE("a: &a ["));
    for (size_t i = 0; i < ITEMS; i++)
        buffer_append_slice(&text, SLICE("x,"));
    buffer_append_slice(&text, SLICE("]\nb: ["));
    for (size_t i = 0; i < COPIES + 1; i++)
        buffer_append_slice(&text, SLICE("*a,"));
    buffer_append_slice(&text, SLICE("]\n"));
    root = yaml_read(&reading.request, (struct slice){text.data, text.len});
    ck_assert_ptr_nonnull(root);
    written = node_first(root);
    alias = node_first(node_member(root, SLICE("b")));
    for (size_t i = 0; i < COPIES; i++, alias = alias->next) {
        ck_assert_ptr_ne(node_first(alias), node_first(written));
        ck_assert(node_equal(alias, written));
    }
    ck_assert_ptr_eq(node_first(alias), node_first(written));
    ck_assert(node_equal(alias, written));
    buffer_clear(&text);
    reading_end(&reading);
}
END_TEST

/* A finding about a value names the value, not the container around it. */
static const struct {
    const char *text;
    const char *path;
} paths[] = {
    {"a: {b: [1, .inf]}", "a.b[1]"},
    {"a: {b: 1e-400}", "a.b"},
    {"a: [{b: *x}]", "a[0].b"},
    {"a: {b: !x 1}", "a.b"},
    {"a: {b: !!set {}}", "a.b"},
    {"a: {? [1] : 2}", "a"},
    {".inf", ""},
};

START_TEST(names_the_path)
{
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(yaml_read(&reading.request, slice_from_text(paths[_i].text)));
    ck_assert_uint_eq(reading.report.count, 1);
    ck_assert_str_eq(reading.report.items[0].path, paths[_i].path);
    reading_end(&reading);
}
END_TEST

/* Each control character at each place of a text: the reader tests many bytes at once. */
START_TEST(finds_each_control_character)
{
    for (size_t at = 1; at < 40; at++) {
        for (int byte = 1; byte < 0x80; byte++) {
            const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
            const bool is_control = (byte < 0x20 && !is_blank) || byte == 0x7F;
            char text[] = "\"plain text of more than two times 16 by";
            const struct gang_diagnostic *first;
            struct reading reading;

            text[at] = (char)byte;
            reading_start(&reading);
            yaml_read(&reading.request, slice_from_text(text));
            first = reading.report.count ? &reading.report.items[0] : NULL;
            ck_assert_int_eq(first && first->code == GANG_CODE_CONTROL_CHARACTER, is_control);
            if (is_control)
                ck_assert_uint_eq(first->column, at + 1);
            reading_end(&reading);
        }
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses, bad_texts, text, len);
    add_rows(cases, names_the_mistake, mistakes, yaml);
    add_rows(cases, reads, good_texts, yaml);
    add_rows(cases, is_stricter_when_asked, stricter, text, policy);
    add_rows(cases, names_the_path, paths, text);
    tcase_add_test(cases, marks_keys_and_values);
    tcase_add_test(cases, aliases_share_beyond_64_copies);
    tcase_add_test(cases, finds_each_control_character);
}
