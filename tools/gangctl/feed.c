/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "input.h"
#include "tree.h"

/* More than the largest document of the library, which then reports its own limit. */
enum { MOST_BYTES_OF_CHUNK = 4 << 20, MOST_INDENT_KEPT = 1000 };

/* ---- bytes ---- */

/* Gives the chunk what was taken: before the window is filled again, and at the end of a value. */
static void
hand_over(struct feed *feed)
{
    if (feed->chunk) {
        const size_t room = MOST_BYTES_OF_CHUNK - feed->chunk->text.len;
        const size_t len = feed->at - feed->from;

        text_add_bytes(&feed->chunk->text, feed->window + feed->from, len < room ? len : room);
    }
    feed->from = feed->at;
}

/* Makes sure that `wanted` bytes can be read, unless the text ends. Returns how many there are. */
static size_t
feed_fill(struct feed *feed, size_t wanted)
{
    size_t left = feed->end - feed->at;

    if (left >= wanted || !feed->file)
        return left;
    hand_over(feed);
    memmove(feed->buffer, feed->buffer + feed->at, left);
    feed->from = feed->at = 0;
    feed->end = left;
    while (feed->end < wanted) {
        size_t got = fread(feed->buffer + feed->end, 1, WINDOW_BYTES - feed->end, feed->file);

        if (!got) {
            if (ferror(feed->file) && !feed->problem)
                feed->problem = errno;
            break;
        }
        feed->end += got;
    }
    return feed->end;
}

/* Returns a byte ahead without taking it; EOF behind the end. */
static int
feed_look(struct feed *feed, size_t ahead)
{
    if (feed->end - feed->at <= ahead && feed_fill(feed, ahead + 1) <= ahead)
        return EOF;
    return (unsigned char)feed->window[feed->at + ahead];
}

static int
feed_peek(struct feed *feed)
{
    return feed_look(feed, 0);
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

/* Starts a chunk at the reader's line and column. */
static void
chunk_start(struct feed *feed, struct chunk *chunk)
{
    chunk->text.len = 0;
    chunk->lines_before = feed->line;
    chunk->line = feed->line + 1;
    chunk->column = (uint32_t)feed->column + 1;
    chunk->kind[0] = '\0';
    feed->chunk = chunk;
    feed->from = feed->at;
}

/*
 * An item of YAML that starts as JSON does is read as JSON. A line added before the item keeps it
 * YAML, and is subtracted from the line count.
 */
static void
chunk_keep_yaml(struct chunk *chunk)
{
    text_add(&chunk->text, "#\n");
    chunk->lines_before--;
}

/* The same for a text in block style, whose first line keeps its indent. */
static void
chunk_start_indented(struct feed *feed, struct chunk *chunk)
{
    chunk_start(feed, chunk);
    if (feed->column >= MOST_INDENT_KEPT)
        return;
    chunk->column = 1;
    text_addf(&chunk->text, "%*s", (int)feed->column, "");
}

static void
chunk_end(struct feed *feed)
{
    hand_over(feed);
    feed->chunk = NULL;
}

static void
chunk_set_kind(struct chunk *chunk, const char *kind, size_t len)
{
    if (len >= KIND_BYTES)
        len = 0;
    memcpy(chunk->kind, kind, len);
    chunk->kind[len] = '\0';
}

/* ---- flow style, which includes JSON ---- */

static bool
is_one_of(int c, const char *bytes)
{
    return c != EOF && c && strchr(bytes, c);
}

static void
skip_line(struct feed *feed)
{
    int c;

    while ((c = feed_peek(feed)) != EOF && c != '\n')
        feed_take(feed);
}

/* Skips blanks, and comments after them. */
static void
skip_blanks(struct feed *feed)
{
    while (is_one_of(feed_peek(feed), " \t\r\n")) {
        feed_take(feed);
        if (feed_peek(feed) == '#')
            skip_line(feed);
    }
}

static void
skip_separators(struct feed *feed)
{
    for (skip_blanks(feed); feed_peek(feed) == ','; skip_blanks(feed))
        feed_take(feed);
}

/* A doubled quote in single quotes ends one string and starts another, with the same result. */
static void
skip_quoted(struct feed *feed)
{
    const int quote = feed_take(feed);
    int c;

    while ((c = feed_take(feed)) != EOF && c != quote)
        if (c == '\\' && quote == '"')
            feed_take(feed);
}

/* Whether the colon separates key and value, and is not part of a plain scalar. */
static bool
is_colon(struct feed *feed)
{
    const int next = feed_look(feed, 1);

    return feed_peek(feed) == ':' && (next == EOF || is_one_of(next, " \t\r\n,[]{}"));
}

/* Skips one value with its content, to the next comma or bracket. */
static void
skip_value(struct feed *feed)
{
    bool in_text = false; /* a plain scalar, in which quotes have no meaning */
    size_t depth = 0;
    int c;

    for (skip_blanks(feed); (c = feed_peek(feed)) != EOF; skip_blanks(feed)) {
        if (depth == 0 && is_one_of(c, ",}]"))
            return;
        if (!in_text && (c == '"' || c == '\'')) {
            skip_quoted(feed);
        } else if (!in_text && (c == '&' || c == '!')) {
            /* an anchor or a tag before the value */
            while (!is_one_of(c = feed_peek(feed), " \t\r\n,[]{}") && c != EOF)
                feed_take(feed);
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            in_text = !is_one_of(c, ",[]{}") && !is_colon(feed) && (in_text || c != ':');
            feed_take(feed);
        }
    }
}

/* Whether a key is next, also in quotes. */
static bool
is_at_key(struct feed *feed, const char *key)
{
    const int quote = feed_peek(feed);
    const size_t quoted = quote == '"' || quote == '\'';
    const size_t len = strlen(key);

    if (feed_fill(feed, len + 2 * quoted + 1) <= len + 2 * quoted ||
        memcmp(feed->window + feed->at + quoted, key, len) != 0 ||
        (quoted && feed_look(feed, len + 1) != quote))
        return false;
    return is_one_of(feed_look(feed, len + 2 * quoted), " \t\r\n:");
}

/* Skips a key and its colon, to the value. */
static void
skip_key(struct feed *feed)
{
    int c = feed_peek(feed);

    if (c == '"' || c == '\'')
        skip_quoted(feed);
    while (!is_one_of(c = feed_peek(feed), ":,}") && c != EOF)
        feed_take(feed);
    if (c == ':')
        feed_take(feed);
    skip_blanks(feed);
}

/* Opens the value of `items`. Of one list it may be null, as Go writes an empty one. */
static bool
open_flow(struct feed *feed)
{
    if (feed_peek(feed) == '[') {
        feed_take(feed);
        feed->list = FLOW_LIST;
    } else if (feed->is_one_list && feed_fill(feed, 4) >= 4 &&
               memcmp(feed->window + feed->at, "null", 4) == 0) {
        feed->list = EMPTY_LIST;
    }
    return feed->list != NO_LIST;
}

/* Reads members of a map up to its closing brace; with `finds_items`, up to those of a list. */
static void
read_members(struct feed *feed, bool finds_items)
{
    int c;

    for (skip_separators(feed); (c = feed_peek(feed)) != EOF && !is_one_of(c, "}]");
         skip_separators(feed)) {
        const bool is_key = feed->is_one_list || feed->is_yaml || feed_peek(feed) == '"';
        const bool is_items = is_key && finds_items && is_at_key(feed, "items");
        const bool is_kind = is_key && feed->chunk && is_at_key(feed, "kind");

        skip_key(feed);
        if (is_items && open_flow(feed))
            return;
        if (is_kind) {
            size_t len = 1; /* of a text in double quotes, which stays in the window */

            while ((c = feed_look(feed, len)) != EOF && c != '"' && c != '\\' && len < KIND_BYTES)
                len++;
            if (feed_peek(feed) == '"' && c == '"')
                chunk_set_kind(feed->chunk, feed->window + feed->at + 1, len - 1);
        }
        skip_value(feed);
    }
    feed_take(feed);
}

static bool
next_flow_item(struct feed *feed, struct chunk *chunk)
{
    skip_separators(feed);
    while (!feed->is_one_list && feed_peek(feed) != EOF && !is_one_of(feed_peek(feed), "{]"))
        feed_take(feed); /* no document */
    if (feed_peek(feed) == EOF || is_one_of(feed_peek(feed), "}]"))
        return false;
    chunk_start(feed, chunk);
    if (feed->is_yaml)
        chunk_keep_yaml(chunk);
    if (!feed->is_one_list && feed_peek(feed) == '{') {
        feed_take(feed);
        read_members(feed, false);
    } else {
        skip_value(feed);
    }
    chunk_end(feed);
    return true;
}

/* ---- block style: lines ---- */

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

/* Whether the line has only blanks or a comment from an offset on. */
static bool
is_idle_from(const struct line_start *line, size_t i)
{
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
is_at_separator(struct feed *feed)
{
    size_t len = feed_fill(feed, 4);
    const char *at = feed->window + feed->at;

    return len >= 3 && (memcmp(at, "---", 3) == 0 || memcmp(at, "...", 3) == 0) &&
           (len == 3 || is_blank(at[3]));
}

/* Takes the rest of the line. Returns false at the end of the text. */
static bool
take_line(struct feed *feed)
{
    while (feed_fill(feed, 1)) {
        const char *at = feed->window + feed->at;
        size_t len = feed->end - feed->at;
        const char *newline = memchr(at, '\n', len);

        len = newline ? (size_t)(newline - at) + 1 : len;
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
    for (at = from; at < end && ascii_is(*at, ASCII_LETTER);)
        at++;
    chunk_set_kind(chunk, from, (size_t)(at - from));
}

/* After the key of the items: whether a list in block style follows. */
static bool
open_block(struct feed *feed)
{
    struct line_start line = look(feed);

    while (line.len && is_idle_from(&line, line.indent) && !is_at_separator(feed)) {
        if (!take_line(feed))
            return false;
        line = look(feed);
    }
    feed->indent = line.indent;
    if (line.len && is_item(&line) && !is_at_separator(feed))
        feed->list = BLOCK_LIST;
    return feed->list != NO_LIST;
}

static bool
next_block_item(struct feed *feed, struct chunk *chunk)
{
    struct line_start line = look(feed);
    size_t base;
    size_t dash;

    if (!line.len || line.indent != feed->indent || !is_item(&line) || is_at_separator(feed))
        return false;
    base = line.indent + 1; /* the column of the first key behind the dash */
    while (base < line.len && line.data[base] == ' ')
        base++;
    line.indent = base;
    chunk_start_indented(feed, chunk);
    read_kind(chunk, &line, base);
    if (feed->is_one_list || (base < line.len && line.data[base] == '{'))
        chunk_keep_yaml(chunk);
    dash = chunk->text.len + feed->indent;
    take_line(feed);
    for (line = look(feed);
         line.len && (is_idle_from(&line, line.indent) || line.indent > feed->indent ||
                      /* the end of a map or list in flow style: yq writes it at the margin */
                      (line.indent < line.len && is_one_of(line.data[line.indent], "]}")));
         line = look(feed)) {
        if (is_at_separator(feed))
            break;
        read_kind(chunk, &line, base);
        take_line(feed);
    }
    chunk_end(feed);
    if (dash < chunk->text.len)
        chunk->text.data[dash] = ' ';
    return true;
}

/* ---- documents ---- */

/* Reads a document in block style, or of a list all before its items. */
static void
read_block(struct feed *feed, struct chunk *chunk)
{
    const size_t base = feed->column;
    struct line_start line;

    chunk_start_indented(feed, chunk);
    line = look(feed);
    line.indent = base;
    line.data -= base; /* the first line starts behind its indent; only this offset is used */
    line.len += base;
    read_kind(chunk, &line, base);
    while (take_line(feed) && feed_peek(feed) != EOF && !is_at_separator(feed)) {
        line = look(feed);
        read_kind(chunk, &line, base);
        if (line.len < 6 || memcmp(line.data, "items:", 6) != 0 || !is_idle_from(&line, 6))
            continue; /* no key of the items without a value behind it */
        take_line(feed);
        if (open_block(feed) || is_at_separator(feed))
            return;
    }
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
        else if (feed->column == 0 && is_at_separator(feed))
            for (int i = 0; i < 3; i++)
                feed_take(feed);
        else
            return true;
    }
}

bool
list_next(struct feed *feed, struct chunk *chunk)
{
    return (feed->list == FLOW_LIST && next_flow_item(feed, chunk)) ||
           (feed->list == BLOCK_LIST && next_block_item(feed, chunk));
}

/* Returns false at the end. */
static bool
feed_next(struct feed *feed, struct chunk *chunk)
{
    for (;;) {
        struct json_object *head;

        if (list_next(feed, chunk)) {
            const char *kind =
                chunk->kind[0] ? NULL
                               : item_inherit(&chunk->text, feed->list_kind, feed->list_version);

            if (kind)
                chunk_set_kind(chunk, kind, strlen(kind));
            return true;
        }
        /* The other keys of a list, after its items. */
        if (feed->list == FLOW_LIST) {
            feed_take(feed); /* the bracket */
            read_members(feed, false);
        }
        while (feed->list == BLOCK_LIST && feed_peek(feed) != EOF && !is_at_separator(feed))
            take_line(feed);
        feed->list = NO_LIST;
        if (!find_document(feed))
            return false;
        if (feed_peek(feed) == '{') {
            chunk_start(feed, chunk);
            feed_take(feed);
            skip_blanks(feed);
            feed->is_yaml = !is_one_of(feed_peek(feed), "\"}"); /* as json_starts_object() */
            read_members(feed, true);
        } else {
            feed->is_yaml = true;
            read_block(feed, chunk);
        }
        chunk_end(feed);
        if (feed->list == NO_LIST)
            return true;
        /* the keys before the items, which are the text of the chunk */
        if (feed->list == FLOW_LIST)
            text_add(&chunk->text, "]}");
        head = document_tree(chunk->text.data, chunk->text.len);
        feed->list_kind = tree_text(head, "kind");
        feed->list_version = tree_text(head, "apiVersion");
    }
}

static void
feed_all(struct feed *feed, const char *title, take_chunk take, void *context)
{
    const struct origin whole = {.file = title, .is_place = true};
    struct slice start = {feed->window, feed_fill(feed, BYTE_ORDER_MARK.len)};
    struct chunk chunk = {0};

    if (slice_take(&start, BYTE_ORDER_MARK))
        feed->at += BYTE_ORDER_MARK.len;
    while (feed_next(feed, &chunk)) {
        const struct origin origin =
            origin_within(&whole, chunk.lines_before, chunk.line, chunk.column);

        take(context, &chunk, &origin);
    }
    give_back(chunk.text.data);
}

int
feed_file(FILE *file, const char *title, take_chunk take, void *context)
{
    char *buffer = must_reallocate(NULL, WINDOW_BYTES, 1);
    struct feed feed = {.file = file, .buffer = buffer, .window = buffer};

    feed_all(&feed, title, take, context);
    give_back(buffer);
    return feed.problem;
}

void
feed_source(const struct source *source, take_chunk take, void *context)
{
    struct feed feed = {.window = source->data, .end = source->len};

    feed_all(&feed, source->name, take, context);
}

/* ---- the items of one list ---- */

/* Opens the list at the key of its items in block style: in either style, or empty. */
static bool
open_items(struct feed *feed)
{
    const uint32_t line_of_key = feed->line;
    const size_t column_of_key = feed->column;
    bool is_behind;

    skip_key(feed);
    is_behind = feed->line == line_of_key;
    if (!is_behind && feed_peek(feed) == '-' &&
        (feed_look(feed, 1) == EOF || is_one_of(feed_look(feed, 1), " \t\r\n"))) {
        feed->list = BLOCK_LIST;
        feed->indent = feed->column;
        feed->at -= feed->column;
        feed->column = 0;
        return true;
    }
    if (feed_peek(feed) != EOF && (is_behind || feed->column > column_of_key))
        return open_flow(feed);
    feed->list = EMPTY_LIST; /* the next key is on this line */
    return true;
}

bool
list_start(struct feed *feed, const char *data, size_t len)
{
    size_t column;

    *feed = (struct feed){.window = data, .end = len, .is_one_list = true};
    feed->is_yaml = !json_starts_object((struct slice){data, len});
    while (is_one_of(feed_peek(feed), " \t\r\n#"))
        if (feed_peek(feed) == '#')
            skip_line(feed);
        else
            feed_take(feed);
    if (feed_peek(feed) == '{') {
        feed_take(feed);
        read_members(feed, true);
        return feed->list != NO_LIST;
    }
    column = feed->column;
    *feed = (struct feed){.window = data, .end = len, .is_one_list = true, .is_yaml = true};
    do { /* goes to the key of the items of a map in block style, whose keys are in this column */
        while (feed->column < column && feed_peek(feed) == ' ')
            feed_take(feed);
        if (feed->column == column && is_at_key(feed, "items"))
            return open_items(feed);
    } while (take_line(feed));
    return false;
}
