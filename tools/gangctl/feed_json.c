/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "feed.h"

/* The state of reading one value. Keys are read on the first level only. */
struct json_reader {
    struct feed *feed;
    struct chunk *chunk; /* NULL: the bytes are not needed */
    size_t depth;
    bool is_key; /* a string here is a key */
    char key[16];
    bool finds_items;
};

static int
take(struct json_reader *reader)
{
    int c = feed_take(reader->feed);
    char byte = (char)c;

    if (c != EOF && reader->chunk)
        chunk_add(reader->chunk, &byte, 1);
    return c;
}

/* Reads a string after its quote. Returns its length; `text` gets as much as there is room for. */
static size_t
take_string(struct json_reader *reader, char *text, size_t room)
{
    size_t len = 0;
    int c;

    while ((c = take(reader)) != EOF && c != '"') {
        if (c == '\\')
            c = take(reader);
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
take_value(struct json_reader *reader)
{
    int c;

    while ((c = take(reader)) != EOF) {
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

bool
json_split_value(struct feed *feed, struct chunk *chunk)
{
    struct json_reader reader = {.feed = feed, .chunk = chunk, .finds_items = true};

    chunk_start(chunk, feed);
    feed->in_json_list = !take_value(&reader);
    return !feed->in_json_list;
}

/* The other keys of a list, after its items. */
static bool
end_list(struct feed *feed)
{
    struct json_reader rest = {.feed = feed, .depth = 1};

    feed->in_json_list = false;
    take_value(&rest);
    return false;
}

bool
json_split_item(struct feed *feed, struct chunk *chunk)
{
    struct json_reader reader = {.feed = feed, .chunk = chunk};
    int c;

    while ((c = feed_peek(feed)) != '{') {
        if (c == EOF)
            return feed->in_json_list = false;
        feed_take(feed);
        if (c == ']')
            return end_list(feed);
    }
    chunk_start(chunk, feed);
    take_value(&reader);
    return true;
}
