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
    size_t depth;
    const struct node *open[JSON_WRITE_DEEPEST]; /* the child being written at each depth */
    char closing[JSON_WRITE_DEEPEST];
};

static void
json_write_scalar(struct buffer *out, const struct node *node)
{
    if (node->kind == NODE_STRING)
        text_escape_quoted(out, node_text(node));
    else if (node->kind == NODE_NULL)
        buffer_append(out, "null", 4);
    else
        buffer_append_slice(out, node_text(node));
}

static void
json_write_key(struct buffer *out, const struct node *member)
{
    text_escape_quoted(out, node_key(member));
    buffer_append_byte(out, ':');
}

/* Writes the value, or opens it if it has children. */
static void
json_write_value(struct json_walk *walk, const struct node *node)
{
    bool is_map = node->kind == NODE_MAP;

    if (node->kind < NODE_LIST) {
        json_write_scalar(walk->out, node);
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

static void
json_write_next(struct json_walk *walk)
{
    size_t level = walk->depth - 1;
    const struct node *child = walk->open[level];

    if (walk->closing[level] == '}')
        json_write_key(walk->out, child);
    walk->open[level] = child->next;
    json_write_value(walk, child);
}

/* After a value: closes complete containers and writes a separator. */
static void
json_write_close(struct json_walk *walk)
{
    while (walk->depth > 0 && !walk->open[walk->depth - 1])
        buffer_append_byte(walk->out, walk->closing[--walk->depth]);
}

void
json_write(struct buffer *out, const struct node *node)
{
    struct json_walk walk;
    size_t before;

    if (!node) {
        buffer_append(out, "null", 4);
        return;
    }
    walk.out = out; /* the walk writes an entry of the stack before it reads it */
    walk.depth = 0;
    json_write_value(&walk, node);
    while (walk.depth > 0 && !out->failed) {
        before = walk.depth;
        json_write_next(&walk);
        if (walk.depth > before)
            continue;
        json_write_close(&walk);
        if (walk.depth > 0)
            buffer_append_byte(out, ',');
    }
}
