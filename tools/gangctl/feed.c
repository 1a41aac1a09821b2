/* SPDX-License-Identifier: Apache-2.0 */
#include "feed.h"

#include <string.h>

/* More than the largest document of the library, which then reports its own limit. */
enum { MOST_BYTES_OF_CHUNK = 4 << 20, MOST_INDENT_KEPT = 1000 };

void
feed_start(struct feed *feed, FILE *file)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */

    *feed = (struct feed){.file = file};
    if (feed_fill(feed, 3) >= 3 && memcmp(feed->window, mark, 3) == 0)
        feed->at += 3;
}

size_t
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

int
feed_peek(struct feed *feed)
{
    if (feed->at == feed->end && !feed_fill(feed, 1))
        return EOF;
    return (unsigned char)feed->window[feed->at];
}

/* Whether a byte is not the continuation of a character. */
static bool
is_character(int byte)
{
    return (byte & 0xc0) != 0x80;
}

int
feed_take(struct feed *feed)
{
    int c = feed_peek(feed);

    if (c == EOF)
        return EOF;
    feed->at++;
    feed->column += is_character(c);
    if (c == '\n') {
        feed->line++;
        feed->column = 0;
    }
    return c;
}

void
chunk_add(struct chunk *chunk, const char *data, size_t len)
{
    size_t room = MOST_BYTES_OF_CHUNK - chunk->text.len;

    text_add_bytes(&chunk->text, data, len < room ? len : room);
}

void
chunk_start(struct chunk *chunk, const struct feed *feed)
{
    chunk->text.len = 0;
    chunk->lines_before = feed->line;
    chunk->line = feed->line + 1;
    chunk->column = (uint32_t)feed->column + 1;
    chunk->kind[0] = '\0';
}

void
chunk_start_indented(struct chunk *chunk, const struct feed *feed)
{
    chunk_start(chunk, feed);
    if (feed->column >= MOST_INDENT_KEPT)
        return;
    chunk->column = 1;
    for (size_t i = 0; i < feed->column; i++)
        chunk_add(chunk, " ", 1);
}

void
chunk_set_kind(struct chunk *chunk, const char *kind, size_t len)
{
    if (len >= KIND_BYTES)
        len = 0;
    memcpy(chunk->kind, kind, len);
    chunk->kind[len] = '\0';
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
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            feed_take(feed);
        else if (feed->column == 0 && yaml_at_separator(feed))
            for (int i = 0; i < 3; i++)
                feed_take(feed);
        else
            return true;
    }
}

bool
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
