/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/suite.h"

static const char *
written(struct buffer *buffer)
{
    buffer_append_byte(buffer, '\0');
    ck_assert(!buffer->failed);
    return buffer->data;
}

/* XML 1.0, sections 2.2 and 2.4: a parser refuses the characters on the left as they are. */
static const struct {
    const char *text;
    const char *svg;
} escapes[] = {
    {"node", "node"},
    {"", ""},
    {"a<b", "a&lt;b"},
    {"]]>", "]]&gt;"},
    {"R&D", "R&amp;D"},
    {"\"x\"", "&quot;x&quot;"},
    {"grün", "grün"},
    {"训练", "训练"},
    {"a\x01z", "a\xef\xbf\xbdz"},
    {"a\x1b[31m", "a\xef\xbf\xbd[31m"},
    {"a\nb", "a\xef\xbf\xbd\x62"},
    {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xef\xbf\xbe", "\xef\xbf\xbd"}, /* U+FFFE is no XML character */
    {"\xe2\x80\xae"
     "evil",
     "\xef\xbf\xbd"
     "evil"}, /* a bidirectional mark */
    {"cut \xe8\xae", "cut \xef\xbf\xbd\xef\xbf\xbd"},
};

START_TEST(escapes_what_xml_refuses)
{
    struct buffer buffer = {0};

    svg_put_text(&buffer, slice_from_text(escapes[_i].text));
    ck_assert_str_eq(written(&buffer), escapes[_i].svg);
    buffer_clear(&buffer);
}
END_TEST

static const struct {
    const char *text;
    size_t most;
    const char *cut;
} cuts[] = {
    {"abc", 3, "abc"},       {"abc", 4, "abc"},      {"abc", 2, "ab"}, {"abc", 0, ""},
    {"训练任务", 2, "训练"}, {"a\xffz", 2, "a\xff"}, {"", 2, ""},
};

START_TEST(cuts_between_characters)
{
    struct slice cut = svg_cut(slice_from_text(cuts[_i].text), cuts[_i].most);

    ck_assert_uint_eq(cut.len, strlen(cuts[_i].cut));
    ck_assert_mem_eq(cut.data, cuts[_i].cut, cut.len);
}
END_TEST

static const struct {
    const char *text;
    size_t most;
    const char *lines; /* each with its y */
} wraps[] = {
    {"one two three", 20, "10:one two three "},
    {"one two three", 13, "10:one two three "},
    {"one two three", 12, "10:one two 28:three "},
    {"one two three", 7, "10:one two 28:three "},
    {"one two three", 3, "10:one 28:two 46:thr 64:ee "},
    {"abcdef", 4, "10:abcd 28:ef "},
    {"", 4, ""},
};

/* Reads the lines back. */
static void
add_line(char *lines, const char *element)
{
    const char *y = strstr(element, "y=\"") + 3;
    const char *text = strchr(element, '>') + 1;

    strncat(lines, y, strcspn(y, "\""));
    strcat(lines, ":");
    strncat(lines, text, strcspn(text, "<"));
    strcat(lines, " ");
}

START_TEST(wraps_at_spaces)
{
    struct buffer buffer = {0};
    char lines[256] = "";
    struct svg_point end = svg_put_wrapped(&buffer, (struct svg_point){0, 10}, "note",
                                           slice_from_text(wraps[_i].text), wraps[_i].most);
    const char *all = written(&buffer);
    int64_t count = 0;

    for (const char *at = strstr(all, "<text"); at; at = strstr(at + 1, "<text"), count++)
        add_line(lines, at);
    ck_assert_str_eq(lines, wraps[_i].lines);
    ck_assert_int_eq(end.y, 10 + count * SVG_LINE_HEIGHT);
    buffer_clear(&buffer);
}
END_TEST

START_TEST(marks_a_line_that_is_cut)
{
    struct buffer buffer = {0};

    svg_put_line(&buffer, (struct svg_point){3, 4}, "name", SLICE("abcdef"), 4);
    ck_assert_str_eq(written(&buffer), "<text class=\"name\" x=\"3\" y=\"4\">abc…</text>\n");
    buffer_clear(&buffer);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, escapes_what_xml_refuses, escapes, text);
    add_rows(cases, cuts_between_characters, cuts, text);
    add_rows(cases, wraps_at_spaces, wraps, text);
    tcase_add_test(cases, marks_a_line_that_is_cut);
}
