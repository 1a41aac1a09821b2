/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <string.h>

static bool
is_part_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-_./", c));
}

/* Returns what follows the key and its colon; NULL if the text has no such key. */
static const char *
find_key(const char *at, const char *end, const char *start, const char *key)
{
    size_t len = strlen(key);

    for (; (size_t)(end - at) > len; at++) {
        const char *after = at + len;

        if (memcmp(at, key, len) != 0 || (at > start && is_part_of_word(at[-1])))
            continue;
        after += after < end && (*after == '"' || *after == '\'');
        while (after < end && *after == ' ')
            after++;
        if (after < end && *after == ':')
            return after + 1;
    }
    return NULL;
}

static const char *
end_of_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline + 1 : end;
}

/* Whether a line is an item at this column; blank lines and comments are part of the item before.
 */
static bool
is_item_at(const char *line, const char *end, size_t column)
{
    return (size_t)(end - line) > column && line[column] == '-' && strspn(line, " ") == column &&
           ((size_t)(end - line) == column + 1 || line[column + 1] == ' ' ||
            line[column + 1] == '\n' || line[column + 1] == '\r');
}

/* Returns the line of the item at a column that follows `at`; the end if there is none. */
static const char *
next_item(const char *at, const char *end, size_t column)
{
    while (at < end && !is_item_at(at, end, column))
        at = end_of_line(at, end);
    return at;
}

struct span
find_item(const struct document *document, const char *key, size_t index)
{
    const char *end = document->data + document->len;
    struct span all = {document->data, end};
    const char *at = find_key(document->data, end, document->data, key);
    size_t column;

    at = at ? end_of_line(at, end) : end;
    while (at < end && (at[strspn(at, " ")] == '#' || at[strspn(at, " \r")] == '\n'))
        at = end_of_line(at, end);
    if (at == end)
        return all;
    column = strspn(at, " ");
    for (at = next_item(at, end, column); at < end && index > 0; index--)
        at = next_item(end_of_line(at, end), end, column);
    if (at == end)
        return all;
    return (struct span){at, next_item(end_of_line(at, end), end, column)};
}

uint32_t
line_of_key(const struct document *document, const struct span *span, const char *key)
{
    const char *at = *key ? find_key(span->start, span->end, document->data, key) : NULL;
    uint32_t line = 1;

    if (!at)
        at = span->start;
    for (const char *c = document->data; c < at; c++)
        line += *c == '\n';
    return line;
}

struct place
find_value(const struct document *document, const char *parent, const char *key)
{
    const char *start = document->data;
    const char *end = start + document->len;
    const char *at = find_key(start, end, start, parent);
    struct place place = {1, 1};

    at = at ? find_key(at, end, start, key) : NULL;
    if (!at)
        return (struct place){0};
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    for (; start < at; start++) {
        if (*start == '\n')
            place = (struct place){place.line + 1, 1};
        else if (((unsigned char)*start & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}
