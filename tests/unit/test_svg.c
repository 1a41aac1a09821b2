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

/*
 * From the tables of DejaVu Sans: "a" is 1,255 of 2,048 units wide, "i" 569, "m" 1,995. Pixels are
 * rounded down, hundredths of the size up.
 */
static const struct {
    const char *class;
    const char *text;
    int64_t width;
} widths[] = {
    {"note", "", 0},    {"note", "a", 8},   {"note", "i", 3},     {"note", "m", 12},
    {"note", "aa", 16}, {"name", "aa", 18}, {"title", "aa", 22},  {"note", "\xe8\xae\xad", 13},
    {"note", "~", 10},  {"note", " ", 4},   {"note", "\xff", 13}, {"note", "\x1f", 13},
};

START_TEST(knows_the_width_of_text)
{
    ck_assert_int_eq(svg_width(widths[_i].class, slice_from_text(widths[_i].text)),
                     widths[_i].width);
}
END_TEST

static const struct {
    const char *text;
    int64_t width;
    const char *lines; /* each with its y */
} wraps[] = {
    /* "one" is 24.4 pixels wide, "two" 23.9, "three" 35.1, "thr" 19.0, a space 4.2 */
    {"one two three", 100, "10:one two three "},
    {"one two three", 92, "10:one two three "},
    {"one two three", 91, "10:one two 28:three "},
    {"one two three", 53, "10:one two 28:three "},
    {"one two three", 25, "10:one 28:two 46:thr 64:ee "},
    {"abcdef", 32, "10:abcd 28:ef "},
    {"训练任务", 30, "10:训练 28:任务 "},
    {"", 32, ""},
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
                                           slice_from_text(wraps[_i].text), wraps[_i].width);
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

    svg_put_line(&buffer, (struct svg_point){3, 4}, "name", SLICE("abc<def"), 45);
    ck_assert_str_eq(written(&buffer), "<text class=\"name\" x=\"3\" y=\"4\">abc…"
                                       "<title>abc&lt;def</title></text>\n");
    buffer_clear(&buffer);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, escapes_what_xml_refuses, escapes, text);
    add_rows(cases, knows_the_width_of_text, widths, class, text);
    add_rows(cases, wraps_at_spaces, wraps, text);
    tcase_add_test(cases, marks_a_line_that_is_cut);
}
