/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

/*
 * Children may be shared, so `parent` does not lead back to the root of this tree; a stack keeps
 * the path. Readers allow a depth of at most 128, and objects that the library puts around a
 * document add less than 32.
 */
enum { JSON_WRITE_DEEPEST = 160 };

struct json_walk {
    struct buffer *out;
    struct text_repeated repeated;
    size_t depth;
    const struct node *open[JSON_WRITE_DEEPEST]; /* the child being written at each depth */
    char closing[JSON_WRITE_DEEPEST];
};

static inline void
json_write_scalar(struct json_walk *walk, const struct node *node)
{
    const struct slice text = node->kind == NODE_NULL ? SLICE("null") : node_text(node);
    char *place;

    if (node->kind == NODE_STRING) {
        text_escape_repeated(walk->out, text, &walk->repeated);
        return;
    }
    place = buffer_extend(walk->out, text.len);
    if (place)
        slice_copy_text(place, text);
}

/* Most keys need no escape, and are written with their colon. */
static inline void
json_write_key(struct buffer *out, const struct node *member)
{
    const struct slice key = node_key(member);
    char *place = buffer_extend(out, key.len + 3);

    if (!place)
        return;
    if (plain_copy(place + 1, key)) {
        place[0] = '"';
        memcpy(place + key.len + 1, "\":", 2);
        return;
    }
    out->len -= key.len + 3;
    text_escape_odd(out, key);
    buffer_append_byte(out, ':');
}

/* Writes the value, or opens it if it has children. Inline, because it is called in one place. */
static inline void
json_write_value(struct json_walk *walk, const struct node *node)
{
    bool is_map = node->kind == NODE_MAP;

    if (node->kind < NODE_LIST) {
        json_write_scalar(walk, node);
    } else if (node->len == 0) {
        buffer_append(walk->out, is_map ? "{}" : "[]", 2);
    } else if (walk->depth == JSON_WRITE_DEEPEST) {
        walk->out->failed = true;
    } else {
        buffer_append_byte(walk->out, is_map ? '{' : '[');
        walk->closing[walk->depth] = is_map ? '}' : ']';
        walk->open[walk->depth++] = node->as.first;
    }
}

/* After a value: closes complete containers and writes a separator. */
static inline void
json_write_close(struct json_walk *walk)
{
    while (walk->depth > 0 && !walk->open[walk->depth - 1])
        buffer_append_byte(walk->out, walk->closing[--walk->depth]);
    if (walk->depth > 0)
        buffer_append_byte(walk->out, ',');
}

/* Returns the child that is written next, after its key; NULL at the end. */
static inline const struct node *
json_write_next(struct json_walk *walk)
{
    const size_t level = walk->depth - 1;
    const struct node *child;

    if (!walk->depth || walk->out->failed)
        return NULL;
    child = walk->open[level];
    walk->open[level] = child->next;
    if (walk->closing[level] == '}')
        json_write_key(walk->out, child);
    return child;
}

void
json_write(struct buffer *out, const struct node *node)
{
    struct json_walk walk;

    if (!node)
        buffer_append(out, "null", 4);
    walk.out = out; /* the walk writes an entry of the stack before it reads it */
    walk.depth = 0;
    walk.repeated.text = NO_SLICE;
    while (node) {
        const size_t before = walk.depth;

        json_write_value(&walk, node);
        if (walk.depth == before)
            json_write_close(&walk);
        node = json_write_next(&walk);
    }
}
