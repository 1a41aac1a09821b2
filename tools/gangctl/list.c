/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <string.h>

#include "text.h"

/* Flow style, which includes JSON: reads bytes and counts lines and columns. */

static void
flow_step(struct list_walk *walk)
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
flow_skip_line(struct list_walk *walk)
{
    while (walk->at < walk->end && *walk->at != '\n')
        flow_step(walk);
}

/* Skips blanks, and comments after them. */
static void
flow_skip_blanks(struct list_walk *walk)
{
    while (walk->at < walk->end && is_blank(*walk->at)) {
        flow_step(walk);
        if (walk->at < walk->end && *walk->at == '#')
            flow_skip_line(walk);
    }
}

static void
flow_skip_separators(struct list_walk *walk)
{
    for (flow_skip_blanks(walk); walk->at < walk->end && *walk->at == ','; flow_skip_blanks(walk))
        flow_step(walk);
}

/*
 * In single quotes a doubled quote is an escaped quote. Here one string ends there and the next
 * starts, with the same result.
 */
static void
flow_skip_quoted(struct list_walk *walk)
{
    const char quote = *walk->at;

    flow_step(walk);
    while (walk->at < walk->end && *walk->at != quote) {
        if (*walk->at == '\\' && quote == '"')
            flow_step(walk);
        if (walk->at < walk->end)
            flow_step(walk);
    }
    if (walk->at < walk->end)
        flow_step(walk);
}

/* Whether the colon separates key and value, and is not part of a plain scalar. */
static bool
flow_is_colon(const struct list_walk *walk)
{
    return *walk->at == ':' &&
           (walk->at + 1 == walk->end || is_blank(walk->at[1]) || strchr(",[]{}", walk->at[1]));
}

/* Skips one value with its content, to the next comma or bracket. */
static void
flow_skip_value(struct list_walk *walk)
{
    bool in_text = false; /* a plain scalar, in which quotes have no meaning */
    size_t depth = 0;

    for (flow_skip_blanks(walk); walk->at < walk->end; flow_skip_blanks(walk)) {
        char c = *walk->at;

        if (depth == 0 && (c == ',' || c == '}' || c == ']'))
            return;
        if (!in_text && (c == '"' || c == '\'')) {
            flow_skip_quoted(walk);
        } else if (!in_text && (c == '&' || c == '!')) {
            /* an anchor or a tag before the value */
            while (walk->at < walk->end && !is_blank(*walk->at) && !strchr(",[]{}", *walk->at))
                flow_step(walk);
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            in_text = !strchr(",[]{}", c) && !flow_is_colon(walk) && (in_text || c != ':');
            flow_step(walk);
        }
    }
}

/* A list without items: Go writes null for an empty list. */
static bool
open_nothing(struct list_walk *walk)
{
    walk->at = walk->end;
    return true;
}

static bool
flow_open_items(struct list_walk *walk)
{
    walk->is_flow = true;
    if (walk->at < walk->end && *walk->at == '[') {
        flow_step(walk);
        return true;
    }
    return walk->end - walk->at >= 4 && memcmp(walk->at, "null", 4) == 0 && open_nothing(walk);
}

/* Returns the length of the key of the items if it is at `at`; otherwise 0. */
static size_t
items_key_length(const char *at, const char *end)
{
    static const char *const keys[] = {"items", "\"items\"", "'items'"};

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        size_t len = strlen(keys[i]);

        if ((size_t)(end - at) > len && memcmp(at, keys[i], len) == 0 &&
            (is_blank(at[len]) || at[len] == ':'))
            return len;
    }
    return 0;
}

static void
flow_skip_key(struct list_walk *walk)
{
    if (*walk->at == '"' || *walk->at == '\'')
        flow_skip_quoted(walk);
    while (walk->at < walk->end && *walk->at != ':')
        flow_step(walk);
    if (walk->at < walk->end)
        flow_step(walk);
    flow_skip_blanks(walk);
}

static bool
flow_find_items(struct list_walk *walk)
{
    flow_step(walk); /* the brace */
    for (flow_skip_separators(walk); walk->at < walk->end && *walk->at != '}';
         flow_skip_separators(walk)) {
        bool found = items_key_length(walk->at, walk->end) > 0;

        flow_skip_key(walk);
        if (found)
            return flow_open_items(walk);
        flow_skip_value(walk);
        if (walk->at < walk->end && *walk->at == ']')
            return false;
    }
    return false;
}

/*
 * In YAML, a document that starts with a brace is read as JSON. A line added before the item keeps
 * it YAML, and is subtracted from the line count.
 */
static void
begin_item(const struct list_walk *walk, struct text *text, struct list_item *item)
{
    item->lines_before = walk->line - walk->is_yaml;
    item->line = walk->line + 1;
    item->column = walk->is_flow ? (uint32_t)walk->column + 1 : 1;
    if (walk->is_yaml)
        text_add(text, "#\n");
}

static void
end_item(const struct text *text, struct list_item *item)
{
    item->text = text->data;
    item->len = text->len;
}

static bool
flow_next(struct list_walk *walk, struct list_item *item)
{
    struct text text = {0};
    const char *start;

    flow_skip_separators(walk);
    if (walk->at >= walk->end || *walk->at == ']')
        return false;
    begin_item(walk, &text, item);
    start = walk->at;
    flow_skip_value(walk);
    text_add_bytes(&text, start, (size_t)(walk->at - start));
    end_item(&text, item);
    return true;
}

/* Block style: reads lines. */

static size_t
line_length(const struct list_walk *walk)
{
    const char *newline = memchr(walk->at, '\n', (size_t)(walk->end - walk->at));

    return newline ? (size_t)(newline - walk->at) + 1 : (size_t)(walk->end - walk->at);
}

static void
skip_line(struct list_walk *walk)
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

/* Whether the line is blank or a comment. */
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

/* Reads the value of the key: a list in either style, or no value. */
static bool
block_open_items(struct list_walk *walk)
{
    const uint32_t line_of_key = walk->line;
    bool is_behind;

    flow_skip_key(walk);
    is_behind = walk->line == line_of_key;
    if (!is_behind && line_is_item(walk, 0)) {
        walk->indent = walk->column;
        walk->at -= walk->column;
        return true;
    }
    if (walk->at == walk->end || (!is_behind && walk->column == 0))
        return open_nothing(walk); /* the next key is on this line */
    return flow_open_items(walk);
}

static bool
block_find_items(struct list_walk *walk)
{
    for (; walk->at < walk->end; skip_line(walk)) {
        if (items_key_length(walk->at, walk->end) > 0)
            return block_open_items(walk);
    }
    return false;
}

static bool
block_next(struct list_walk *walk, struct list_item *item)
{
    struct text text = {0};
    size_t at_dash;

    if (walk->at >= walk->end || line_indent(walk) != walk->indent ||
        !line_is_item(walk, walk->indent))
        return false;
    begin_item(walk, &text, item);
    at_dash = text.len + walk->indent;
    do {
        text_add_bytes(&text, walk->at, line_length(walk));
        skip_line(walk);
    } while (walk->at < walk->end && (line_is_idle(walk) || line_indent(walk) > walk->indent));
    text.data[at_dash] = ' ';
    end_item(&text, item);
    return true;
}

bool
list_walk_start(struct list_walk *walk, const char *data, size_t len)
{
    *walk = (struct list_walk){.at = data, .end = data + len};
    /* Only YAML has comments. */
    while (walk->at < walk->end && (is_blank(*walk->at) || *walk->at == '#')) {
        walk->is_yaml |= *walk->at == '#';
        if (*walk->at == '#')
            flow_skip_line(walk);
        else
            flow_step(walk);
    }
    if (walk->at < walk->end && *walk->at == '{')
        return flow_find_items(walk);
    *walk = (struct list_walk){.at = data, .end = data + len, .is_yaml = true};
    return block_find_items(walk);
}

bool
list_walk_next(struct list_walk *walk, struct list_item *item)
{
    return walk->is_flow ? flow_next(walk, item) : block_next(walk, item);
}
