/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "feed.h"

/* What is read ahead of a line to see what it is. */
enum { LINE_START_BYTES = 4096 };

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The start of the line at the reader's place. */
struct line_start {
    const char *data;
    size_t len;
    size_t indent;
};

static struct line_start
look(struct feed *feed)
{
    size_t len = feed_fill(feed, LINE_START_BYTES);
    struct line_start line = {.data = feed->window + feed->at};

    line.len = len < LINE_START_BYTES ? len : LINE_START_BYTES;
    while (line.indent < line.len && line.data[line.indent] == ' ')
        line.indent++;
    return line;
}

/* Whether the line is blank or a comment. */
static bool
is_idle(const struct line_start *line)
{
    size_t i = line->indent;

    while (i < line->len && is_blank(line->data[i]) && line->data[i] != '\n')
        i++;
    return i == line->len || line->data[i] == '\n' || line->data[i] == '#';
}

static bool
is_item(const struct line_start *line)
{
    size_t at = line->indent;

    return at < line->len && line->data[at] == '-' &&
           (at + 1 == line->len || is_blank(line->data[at + 1]));
}

bool
yaml_at_separator(struct feed *feed)
{
    size_t len = feed_fill(feed, 4);
    const char *at = feed->window + feed->at;

    return len >= 3 && (memcmp(at, "---", 3) == 0 || memcmp(at, "...", 3) == 0) &&
           (len == 3 || is_blank(at[3]));
}

/* Takes the rest of the line. Returns false at the end of the file. */
static bool
take_line(struct feed *feed, struct chunk *chunk)
{
    while (feed_fill(feed, 1)) {
        const char *at = feed->window + feed->at;
        size_t len = feed->end - feed->at;
        const char *newline = memchr(at, '\n', len);

        len = newline ? (size_t)(newline - at) + 1 : len;
        if (chunk)
            chunk_add(chunk, at, len);
        feed->at += len;
        feed->column += len;
        if (!newline)
            continue;
        feed->line++;
        feed->column = 0;
        return true;
    }
    return false;
}

/* Reads "TrainJob" after "kind:", also in quotes or before a comment. */
static void
read_kind(struct chunk *chunk, const struct line_start *line, size_t base)
{
    const char *at = line->data + base;
    const char *end = line->data + line->len;
    const char *from;

    if (chunk->kind[0] || line->indent != base || end - at < 6 || memcmp(at, "kind:", 5) != 0)
        return;
    for (from = at + 5; from < end && (is_blank(*from) || *from == '"' || *from == '\''); from++)
        if (*from == '\n')
            return;
    for (at = from; at < end && ((*at | 32) >= 'a' && (*at | 32) <= 'z');)
        at++;
    chunk_set_kind(chunk, from, (size_t)(at - from));
}

/* Whether the line is the key of the items, without a value behind it. */
static bool
is_items_key(const struct line_start *line)
{
    size_t at = 6;

    if (line->len < 6 || memcmp(line->data, "items:", 6) != 0)
        return false;
    while (at < line->len && is_blank(line->data[at]) && line->data[at] != '\n')
        at++;
    return at == line->len || line->data[at] == '\n' || line->data[at] == '#';
}

/* After the key of the items: whether a list in block style follows. */
static bool
find_items(struct feed *feed, struct chunk *chunk)
{
    struct line_start line = look(feed);

    while (line.len && is_idle(&line) && !yaml_at_separator(feed)) {
        if (!take_line(feed, chunk))
            return false;
        line = look(feed);
    }
    feed->indent = line.indent;
    return line.len && is_item(&line) && !yaml_at_separator(feed);
}

bool
yaml_split_document(struct feed *feed, struct chunk *chunk)
{
    size_t base = feed->column;
    struct line_start line;

    chunk_start_indented(chunk, feed);
    line = look(feed);
    line.indent = base;
    line.data -= base; /* the first line starts behind its indent; only this offset is used */
    line.len += base;
    read_kind(chunk, &line, base);
    while (take_line(feed, chunk) && feed_peek(feed) != EOF) {
        if (yaml_at_separator(feed))
            return true;
        line = look(feed);
        read_kind(chunk, &line, base);
        if (is_items_key(&line)) {
            take_line(feed, chunk);
            feed->in_yaml_list = find_items(feed, chunk);
            if (feed->in_yaml_list)
                return false;
            if (yaml_at_separator(feed))
                return true;
        }
    }
    return true;
}

/* The other keys of a list, after its items. */
static bool
end_list(struct feed *feed)
{
    feed->in_yaml_list = false;
    while (feed_peek(feed) != EOF && !yaml_at_separator(feed))
        take_line(feed, NULL);
    return false;
}

static bool
is_inside(const struct line_start *line, const struct feed *feed)
{
    return line->len && (is_idle(line) || line->indent > feed->indent);
}

/* The column of the first key behind the dash. */
static size_t
column_of_keys(const struct line_start *line)
{
    size_t at = line->indent + 1;

    while (at < line->len && line->data[at] == ' ')
        at++;
    return at;
}

/* A text that starts with a brace would be read as JSON. */
static void
keep_yaml(struct chunk *chunk)
{
    chunk_add(chunk, "#\n", 2);
    chunk->lines_before--;
}

bool
yaml_split_item(struct feed *feed, struct chunk *chunk)
{
    struct line_start line = look(feed);
    size_t dash;
    size_t base;

    if (!line.len || line.indent != feed->indent || !is_item(&line) || yaml_at_separator(feed))
        return end_list(feed);
    base = line.indent = column_of_keys(&line);
    chunk_start_indented(chunk, feed);
    read_kind(chunk, &line, base);
    if (base < line.len && line.data[base] == '{')
        keep_yaml(chunk);
    dash = chunk->text.len + feed->indent;
    take_line(feed, chunk);
    if (dash < chunk->text.len)
        chunk->text.data[dash] = ' ';
    for (line = look(feed); is_inside(&line, feed); line = look(feed)) {
        if (yaml_at_separator(feed))
            break;
        read_kind(chunk, &line, base);
        take_line(feed, chunk);
    }
    return true;
}
