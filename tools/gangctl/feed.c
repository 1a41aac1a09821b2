/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* More than the largest document of the library, which then reports its own limit. */
enum { MOST_BYTES_OF_CHUNK = 4 << 20, MOST_INDENT_KEPT = 1000 };

struct feed {
    FILE *file; /* borrowed */
    char window[WINDOW_BYTES];
    size_t at; /* in the window */
    size_t end;
    uint32_t line; /* lines before `at` */
    size_t column; /* characters before `at` on its line */
    bool in_yaml_list;
    bool in_json_list;
    size_t indent; /* of the dashes of a YAML list */
};

/* Makes sure that `wanted` bytes can be read, unless the file ends. Returns how many there are. */
static size_t
feed_fill(struct feed *feed, size_t wanted)
{
    size_t left = feed->end - feed->at;

    if (left >= wanted)
        return left;
    memmove(feed->window, feed->window + feed->at, left);
    feed->at = 0;
    feed->end = left;
    while (feed->end < wanted) {
        size_t got = fread(feed->window + feed->end, 1, WINDOW_BYTES - feed->end, feed->file);

        if (!got)
            break;
        feed->end += got;
    }
    return feed->end;
}

/* Returns the next byte without taking it; EOF at the end. */
static int
feed_peek(struct feed *feed)
{
    if (feed->at == feed->end && !feed_fill(feed, 1))
        return EOF;
    return (unsigned char)feed->window[feed->at];
}

static int
feed_take(struct feed *feed)
{
    int c = feed_peek(feed);

    if (c == EOF)
        return EOF;
    feed->at++;
    /* Whether a byte is not the continuation of a character. */
    feed->column += (c & 0xc0) != 0x80;
    if (c == '\n') {
        feed->line++;
        feed->column = 0;
    }
    return c;
}

/* Adds to the chunk, which never grows above what the library reads as one document. */
static void
chunk_add(struct chunk *chunk, const char *data, size_t len)
{
    size_t room = MOST_BYTES_OF_CHUNK - chunk->text.len;

    text_add_bytes(&chunk->text, data, len < room ? len : room);
}

/* Starts a chunk at the reader's line and column. */
static void
chunk_start(struct chunk *chunk, const struct feed *feed)
{
    chunk->text.len = 0;
    chunk->lines_before = feed->line;
    chunk->line = feed->line + 1;
    chunk->column = (uint32_t)feed->column + 1;
    chunk->kind[0] = '\0';
}

/* The same for a text in block style, whose first line keeps its indent. */
static void
chunk_start_indented(struct chunk *chunk, const struct feed *feed)
{
    chunk_start(chunk, feed);
    if (feed->column >= MOST_INDENT_KEPT)
        return;
    chunk->column = 1;
    for (size_t i = 0; i < feed->column; i++)
        chunk_add(chunk, " ", 1);
}

static void
chunk_set_kind(struct chunk *chunk, const char *kind, size_t len)
{
    if (len >= KIND_BYTES)
        len = 0;
    memcpy(chunk->kind, kind, len);
    chunk->kind[len] = '\0';
}

/* The state of reading one value. Keys are read on the first level only. */
struct json_reader {
    struct feed *feed;
    struct chunk *chunk; /* NULL: the bytes are not needed */
    size_t from;         /* of the window: what the chunk does not have yet */
    size_t depth;
    bool is_key; /* a string here is a key */
    char key[16];
    bool finds_items;
};

/* Gives the chunk what was read: before the window is filled again, and at the end of the value. */
static void
hand_over(struct json_reader *reader)
{
    const struct feed *feed = reader->feed;

    if (reader->chunk)
        chunk_add(reader->chunk, feed->window + reader->from, feed->at - reader->from);
}

static int
take_byte(struct json_reader *reader)
{
    struct feed *feed = reader->feed;

    if (feed->at == feed->end) {
        hand_over(reader);
        feed_fill(feed, 1);
        reader->from = feed->at;
    }
    return feed_take(feed);
}

/* Reads a string after its quote. Returns its length; `text` gets as much as there is room for. */
static size_t
take_string(struct json_reader *reader, char *text, size_t room)
{
    size_t len = 0;
    int c;

    while ((c = take_byte(reader)) != EOF && c != '"') {
        if (c == '\\')
            c = take_byte(reader);
        if (len + 1 < room)
            text[len] = (char)c;
        len++;
    }
    text[len < room ? len : 0] = '\0';
    return len;
}

static void
take_text(struct json_reader *reader)
{
    char text[KIND_BYTES];
    size_t len = take_string(reader, text, sizeof(text));

    if (reader->depth != 1)
        return;
    if (reader->is_key)
        strcpy(reader->key, len < sizeof(reader->key) ? text : "");
    else if (reader->chunk && strcmp(reader->key, "kind") == 0)
        chunk_set_kind(reader->chunk, text, len < sizeof(text) ? len : 0);
}

/* Whether the bracket that was read opens the items of a list. */
static bool
opens_items(const struct json_reader *reader, int c)
{
    return reader->finds_items && c == '[' && reader->depth == 1 && !reader->is_key &&
           strcmp(reader->key, "items") == 0;
}

/* Reads up to the closing brace, or to the bracket of a list's items: then returns false. */
static bool
take_to_end(struct json_reader *reader)
{
    int c;

    while ((c = take_byte(reader)) != EOF) {
        if (opens_items(reader, c))
            return false;
        if (c == '"') {
            take_text(reader);
        } else if (c == '{' || c == '[') {
            reader->depth++;
            reader->is_key = c == '{';
        } else if (c == '}' || c == ']') {
            if (reader->depth <= 1)
                return true;
            reader->depth--;
        } else if (c == ',' || c == ':') {
            reader->is_key = c == ',';
        }
    }
    return true;
}

static bool
take_value(struct json_reader *reader)
{
    bool is_complete;

    reader->from = reader->feed->at;
    is_complete = take_to_end(reader);
    hand_over(reader);
    return is_complete;
}

/*
 * Both start at an opening brace. The first reads a value, and returns false if it is a list, whose
 * items follow; the second reads an item, and returns false at the end of the list.
 */
static bool
json_split_value(struct feed *feed, struct chunk *chunk)
{
    struct json_reader reader = {.feed = feed, .chunk = chunk, .finds_items = true};

    chunk_start(chunk, feed);
    feed->in_json_list = !take_value(&reader);
    return !feed->in_json_list;
}

/* The other keys of a list, after its items. */
static bool
end_json_list(struct feed *feed)
{
    struct json_reader rest = {.feed = feed, .depth = 1};

    feed->in_json_list = false;
    take_value(&rest);
    return false;
}

static bool
json_split_item(struct feed *feed, struct chunk *chunk)
{
    struct json_reader reader = {.feed = feed, .chunk = chunk};
    int c;

    while ((c = feed_peek(feed)) != '{') {
        if (c == EOF)
            return feed->in_json_list = false;
        feed_take(feed);
        if (c == ']')
            return end_json_list(feed);
    }
    chunk_start(chunk, feed);
    take_value(&reader);
    return true;
}

/* What is read ahead of a line to see what it is. */
enum { LINE_START_BYTES = 4096 };

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

/* Whether a line "---" or "..." starts here. */
static bool
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

/* The same for a document in block style, which starts at the reader's place. */
static bool
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
end_yaml_list(struct feed *feed)
{
    feed->in_yaml_list = false;
    while (feed_peek(feed) != EOF && !yaml_at_separator(feed))
        take_line(feed, NULL);
    return false;
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

static bool
yaml_split_item(struct feed *feed, struct chunk *chunk)
{
    struct line_start line = look(feed);
    size_t dash;
    size_t base;

    if (!line.len || line.indent != feed->indent || !is_item(&line) || yaml_at_separator(feed))
        return end_yaml_list(feed);
    base = line.indent = column_of_keys(&line);
    chunk_start_indented(chunk, feed);
    read_kind(chunk, &line, base);
    if (base < line.len && line.data[base] == '{') {
        /* A text that starts with a brace would be read as JSON. */
        chunk_add(chunk, "#\n", 2);
        chunk->lines_before--;
    }
    dash = chunk->text.len + feed->indent;
    take_line(feed, chunk);
    if (dash < chunk->text.len)
        chunk->text.data[dash] = ' ';
    for (line = look(feed); line.len && (is_idle(&line) || line.indent > feed->indent);
         line = look(feed)) {
        if (yaml_at_separator(feed))
            break;
        read_kind(chunk, &line, base);
        take_line(feed, chunk);
    }
    return true;
}

static void
skip_line(struct feed *feed)
{
    int c;

    while ((c = feed_peek(feed)) != EOF && c != '\n')
        feed_take(feed);
}

/* Skips blanks, comments and separators before a document. */
static bool
find_document(struct feed *feed)
{
    for (;;) {
        int c = feed_peek(feed);

        if (c == EOF)
            return false;
        if (c == '#')
            skip_line(feed);
        else if (is_blank((char)c))
            feed_take(feed);
        else if (feed->column == 0 && yaml_at_separator(feed))
            for (int i = 0; i < 3; i++)
                feed_take(feed);
        else
            return true;
    }
}

/* Returns false at the end. */
static bool
feed_next(struct feed *feed, struct chunk *chunk)
{
    for (;;) {
        if (feed->in_json_list && json_split_item(feed, chunk))
            return true;
        if (feed->in_yaml_list && yaml_split_item(feed, chunk))
            return true;
        if (!find_document(feed))
            return false;
        if (feed_peek(feed) == '{' ? json_split_value(feed, chunk)
                                   : yaml_split_document(feed, chunk))
            return true;
    }
}

void
feed_file(FILE *file, const char *title, take_chunk take, void *context)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    const struct origin whole = {.file = title, .is_place = true};
    struct feed *feed = must_allocate(sizeof(*feed));
    struct chunk chunk = {0};

    *feed = (struct feed){.file = file};
    if (feed_fill(feed, 3) >= 3 && memcmp(feed->window, mark, 3) == 0)
        feed->at += 3;
    while (feed_next(feed, &chunk)) {
        const struct origin origin =
            origin_within(&whole, chunk.lines_before, chunk.line, chunk.column);

        take(context, &chunk, &origin);
    }
    give_back(chunk.text.data);
    give_back(feed);
}

void
feed_source(const struct source *source, take_chunk take, void *context)
{
    FILE *file = source->len ? fmemopen(source->data, source->len, "r") : NULL;

    if (source->len && !file)
        out_of_memory();
    if (file) {
        feed_file(file, source->name, take, context);
        fclose(file);
    }
}
