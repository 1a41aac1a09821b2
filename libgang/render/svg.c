/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

enum { SVG_ELEMENT_SIZE = 256 };

#define SVG_REPLACEMENT "\xef\xbf\xbd"
#define SVG_ELLIPSIS "\xe2\x80\xa6"

void
svg_put(struct buffer *out, const char *format, ...)
{
    char text[SVG_ELEMENT_SIZE];
    va_list arguments;
    size_t len;

    va_start(arguments, format);
    len = format_text(text, sizeof(text), format, arguments);
    va_end(arguments);
    buffer_append(out, text, len < sizeof(text) ? len : sizeof(text) - 1);
}

static const char *
svg_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

/* Returns the number of bytes of the first character. Invalid bytes count as one each. */
static size_t
svg_first_character(struct slice text, bool *is_shown)
{
    uint32_t code_point = 0;
    size_t len = utf8_sequence(text.data, text.data + text.len, &code_point);

    *is_shown = len && !is_unprintable(code_point);
    return len ? len : 1;
}

void
svg_put_text(struct buffer *out, struct slice text)
{
    while (text.len) {
        const char *entity = svg_entity(text.data[0]);
        bool is_shown;
        size_t len = svg_first_character(text, &is_shown);

        if (entity)
            buffer_append_slice(out, slice_from_text(entity));
        else if (is_shown)
            buffer_append(out, text.data, len);
        else
            buffer_append_slice(out, SLICE(SVG_REPLACEMENT));
        text = slice_after(text, len);
    }
}

/* Of ' ' to '~' in hundredths of the font size: DejaVu Sans, the widest that browsers use. */
static const unsigned char svg_widths[] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};

/* What a size of 13 pixels is with the style of a class; bold letters are up to 15 % wider. */
static int64_t
svg_size(const char *class)
{
    if (strcmp(class, "title") == 0)
        return 18;
    return strcmp(class, "name") == 0 || strcmp(class, "bad") == 0 ? 15 : 13;
}

/* Takes characters off the text while they fit into `width` pixels. Returns their width. */
static int64_t
svg_take(struct slice *text, const char *class, int64_t width)
{
    const int64_t size = svg_size(class);
    int64_t taken = 0;

    while (text->len) {
        unsigned char c = (unsigned char)text->data[0];
        int64_t hundredths = size * (c >= ' ' && c <= '~' ? svg_widths[c - ' '] : 100);
        bool is_shown;

        if (taken + hundredths > width * 100)
            break;
        taken += hundredths;
        *text = slice_after(*text, svg_first_character(*text, &is_shown));
    }
    return taken / 100;
}

int64_t
svg_width(const char *class, struct slice text)
{
    return svg_take(&text, class, INT32_MAX);
}

/* Returns the start of `text` that fits into `width` pixels, never a part of a character. */
static struct slice
svg_cut(struct slice text, const char *class, int64_t width)
{
    struct slice rest = text;

    svg_take(&rest, class, width);
    return (struct slice){text.data, text.len - rest.len};
}

void
svg_put_line(struct buffer *out, struct svg_point at, const char *class, struct slice text,
             int64_t width)
{
    bool is_cut = svg_cut(text, class, width).len < text.len;

    svg_put(out, "<text class=\"%s\" x=\"%lld\" y=\"%lld\">", class, (long long)at.x,
            (long long)at.y);
    svg_put_text(out, svg_cut(text, class, width - is_cut * svg_size(class)));
    if (is_cut) {
        buffer_append_slice(out, SLICE(SVG_ELLIPSIS "<title>"));
        svg_put_text(out, text);
        buffer_append_slice(out, SLICE("</title>"));
    }
    buffer_append_slice(out, SLICE("</text>\n"));
}

struct slice
svg_next_line(struct slice *text, const char *class, int64_t width)
{
    struct slice line = svg_cut(*text, class, width);
    size_t len = line.len;

    /* whole words, or a part of a word that is too long */
    while (len && len < text->len && text->data[len] != ' ')
        len--;
    line.len = len ? len : line.len;
    *text = slice_after(*text, line.len);
    while (text->len && text->data[0] == ' ')
        *text = slice_after(*text, 1);
    return line;
}

struct svg_point
svg_put_wrapped(struct buffer *out, struct svg_point at, const char *class, struct slice text,
                int64_t width)
{
    while (text.len) {
        svg_put_line(out, at, class, svg_next_line(&text, class, width), width);
        at.y += SVG_LINE_HEIGHT;
    }
    return at;
}
