/* SPDX-License-Identifier: Apache-2.0 */
#include "list.h"

#include <string.h>

#include "text.h"

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* JSON: walks bytes, counting lines and columns. */

static void
json_step(struct list_walk *walk)
{
    if (*walk->at == '\n') {
        walk->line++;
        walk->column = 0;
    } else if (((unsigned char)*walk->at & 0xc0) != 0x80) {
        walk->column++;
    }
    walk->at++;
}

static void
json_skip_blanks(struct list_walk *walk)
{
    while (walk->at < walk->end && (is_blank(*walk->at) || *walk->at == ','))
        json_step(walk);
}

static void
json_skip_string(struct list_walk *walk)
{
    json_step(walk);
    while (walk->at < walk->end && *walk->at != '"') {
        if (*walk->at == '\\')
            json_step(walk);
        if (walk->at < walk->end)
            json_step(walk);
    }
    if (walk->at < walk->end)
        json_step(walk);
}

/* Over one value: a scalar, or a container with everything in it. */
static void
json_skip_value(struct list_walk *walk)
{
    size_t depth = 0;

    while (walk->at < walk->end) {
        char c = *walk->at;

        if (depth == 0 && (c == ',' || c == '}' || c == ']' || is_blank(c)))
            return;
        if (c == '"') {
            json_skip_string(walk);
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            json_step(walk);
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']'))
            return;
    }
}

static bool
json_find_items(struct list_walk *walk)
{
    static const char key[] = "\"items\"";

    json_step(walk); /* the brace */
    for (json_skip_blanks(walk); walk->at < walk->end && *walk->at == '"'; json_skip_blanks(walk)) {
        bool found =
            (size_t)(walk->end - walk->at) > sizeof(key) && memcmp(walk->at, key, sizeof(key) - 1) == 0;

        json_skip_string(walk);
        json_skip_blanks(walk);
        json_step(walk); /* the colon */
        json_skip_blanks(walk);
        if (found)
            break;
        json_skip_value(walk);
    }
    if (walk->at >= walk->end || *walk->at != '[')
        return false;
    json_step(walk);
    return true;
}

static bool
json_next(struct list_walk *walk, struct list_item *item)
{
    struct text text = {0};
    const char *start;

    json_skip_blanks(walk);
    if (walk->at >= walk->end || *walk->at == ']')
        return false;
    item->lines_before = walk->line;
    for (size_t i = 0; i < walk->column; i++)
        text_add(&text, " ");
    start = walk->at;
    json_skip_value(walk);
    text_add_bytes(&text, start, (size_t)(walk->at - start));
    item->text = text.data;
    item->len = text.len;
    return true;
}

/* YAML: walks lines. */

static size_t
line_length(const struct list_walk *walk)
{
    const char *newline = memchr(walk->at, '\n', (size_t)(walk->end - walk->at));

    return newline ? (size_t)(newline - walk->at) + 1 : (size_t)(walk->end - walk->at);
}

static void
yaml_step(struct list_walk *walk)
{
    walk->at += line_length(walk);
    walk->line++;
}

static size_t
line_indent(const struct list_walk *walk)
{
    size_t len = line_length(walk);
    size_t indent = 0;

    while (indent < len && walk->at[indent] == ' ')
        indent++;
    return indent;
}

/* Blank or a comment. */
static bool
line_is_idle(const struct list_walk *walk)
{
    size_t len = line_length(walk);
    size_t i = 0;

    while (i < len && is_blank(walk->at[i]))
        i++;
    return i == len || walk->at[i] == '#';
}

static bool
line_is_item(const struct list_walk *walk, size_t indent)
{
    return line_length(walk) > indent && walk->at[indent] == '-' &&
           (line_length(walk) == indent + 1 || is_blank(walk->at[indent + 1]));
}

/* "items:" with nothing behind it but blanks or a comment. */
static bool
line_is_items_key(const struct list_walk *walk)
{
    size_t len = line_length(walk);
    size_t i = 6;

    if (len < 6 || memcmp(walk->at, "items:", 6) != 0)
        return false;
    while (i < len && is_blank(walk->at[i]))
        i++;
    return i == len || walk->at[i] == '#';
}

static bool
line_is_empty_items(const struct list_walk *walk)
{
    return line_length(walk) >= 9 && memcmp(walk->at, "items: []", 9) == 0;
}

static bool
yaml_find_items(struct list_walk *walk)
{
    while (walk->at < walk->end && !line_is_items_key(walk)) {
        if (line_is_empty_items(walk)) {
            walk->at = walk->end;
            return true;
        }
        yaml_step(walk);
    }
    if (walk->at >= walk->end)
        return false;
    yaml_step(walk);
    while (walk->at < walk->end && line_is_idle(walk))
        yaml_step(walk);
    if (walk->at >= walk->end)
        return false;
    walk->indent = line_indent(walk);
    return line_is_item(walk, walk->indent);
}

static bool
line_is_inside(const struct list_walk *walk)
{
    return line_is_idle(walk) || line_indent(walk) > walk->indent;
}

static bool
yaml_next(struct list_walk *walk, struct list_item *item)
{
    struct text text = {0};

    if (walk->at >= walk->end || line_indent(walk) != walk->indent || !line_is_item(walk, walk->indent))
        return false;
    item->lines_before = walk->line;
    do {
        text_add_bytes(&text, walk->at, line_length(walk));
        yaml_step(walk);
    } while (walk->at < walk->end && line_is_inside(walk));
    text.data[walk->indent] = ' ';
    item->text = text.data;
    item->len = text.len;
    return true;
}

bool
list_walk_start(struct list_walk *walk, const char *data, size_t len)
{
    *walk = (struct list_walk){.at = data, .end = data + len};
    while (walk->at < walk->end && is_blank(*walk->at))
        json_step(walk);
    walk->is_json = walk->at < walk->end && *walk->at == '{';
    if (walk->is_json)
        return json_find_items(walk);
    *walk = (struct list_walk){.at = data, .end = data + len};
    return yaml_find_items(walk);
}

bool
list_walk_next(struct list_walk *walk, struct list_item *item)
{
    return walk->is_json ? json_next(walk, item) : yaml_next(walk, item);
}
