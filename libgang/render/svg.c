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

static struct slice
svg_after(struct slice text, size_t len)
{
    return (struct slice){text.data + len, text.len - len};
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
        text = svg_after(text, len);
    }
}

struct slice
svg_cut(struct slice text, size_t most)
{
    struct slice rest = text;

    for (size_t i = 0; i < most && rest.len; i++) {
        bool is_shown;

        rest = svg_after(rest, svg_first_character(rest, &is_shown));
    }
    return (struct slice){text.data, text.len - rest.len};
}

void
svg_put_line(struct buffer *out, struct svg_point at, const char *class, struct slice text,
             size_t most)
{
    struct slice shown = svg_cut(text, most);

    svg_put(out, "<text class=\"%s\" x=\"%lld\" y=\"%lld\">", class, (long long)at.x,
            (long long)at.y);
    if (shown.len < text.len) {
        svg_put_text(out, svg_cut(text, most - 1));
        buffer_append_slice(out, SLICE(SVG_ELLIPSIS));
    } else {
        svg_put_text(out, shown);
    }
    buffer_append_slice(out, SLICE("</text>\n"));
}

/* Returns the length of the first line: whole words, or a part of a word that is too long. */
static size_t
svg_line_length(struct slice text, size_t most)
{
    struct slice line = svg_cut(text, most);
    size_t len = line.len;

    if (len == text.len)
        return len;
    while (len && text.data[len] != ' ')
        len--;
    return len ? len : line.len;
}

struct slice
svg_next_line(struct slice *text, size_t most)
{
    struct slice line = {text->data, text->len ? svg_line_length(*text, most) : 0};

    *text = svg_after(*text, line.len);
    while (text->len && text->data[0] == ' ')
        *text = svg_after(*text, 1);
    return line;
}

struct svg_point
svg_put_wrapped(struct buffer *out, struct svg_point at, const char *class, struct slice text,
                size_t most)
{
    while (text.len) {
        svg_put_line(out, at, class, svg_next_line(&text, most), most);
        at.y += SVG_LINE_HEIGHT;
    }
    return at;
}
