/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/path.h"

#include "libgang/base/integer.h"

enum { PATH_DEEPEST = 160 };

/* Maps whose keys are the user's own words: field.Path puts those in brackets. */
static const struct slice path_free_maps[] = {
    SLICE_INIT("labels"),   SLICE_INIT("annotations"), SLICE_INIT("matchLabels"), SLICE_INIT("nodeSelector"),
    SLICE_INIT("requests"), SLICE_INIT("limits"),      SLICE_INIT("overhead"),
};

static bool
path_is_field_name(struct slice key)
{
    for (size_t i = 0; i < key.len; i++) {
        char c = key.data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return key.len > 0;
}

static bool
path_is_free_map(const struct node *map)
{
    for (size_t i = 0; i < sizeof(path_free_maps) / sizeof(path_free_maps[0]); i++)
        if (slice_equal(node_key(map), path_free_maps[i]))
            return true;
    return false;
}

struct path_text {
    char *data;
    size_t len;
};

static void
path_put(struct path_text *out, struct slice text)
{
    if (text.len)
        memcpy(out->data + out->len, text.data, text.len);
    out->len += text.len;
}

static void
path_put_bracketed(struct path_text *out, struct slice text)
{
    path_put(out, SLICE("["));
    path_put(out, text);
    path_put(out, SLICE("]"));
}

static void
path_put_name(struct path_text *out, struct slice name)
{
    if (out->len)
        path_put(out, SLICE("."));
    path_put(out, name);
}

static void
path_put_step(struct path_text *out, const struct node *node)
{
    char number[INTEGER_TEXT_SIZE];

    if (!node->key)
        path_put_bracketed(out, integer_format(node->index, number));
    else if (path_is_free_map(node->parent) || !path_is_field_name(node_key(node)))
        path_put_bracketed(out, node_key(node));
    else
        path_put_name(out, node_key(node));
}

static size_t
path_collect(const struct node *steps[PATH_DEEPEST], const struct node *node)
{
    size_t depth = 0;

    for (; node && node->parent && depth < PATH_DEEPEST; node = node->parent)
        steps[depth++] = node;
    return depth;
}

static void
path_write(struct path_text *out, const struct node *parent, struct slice child)
{
    const struct node *steps[PATH_DEEPEST];

    for (size_t depth = path_collect(steps, parent); depth-- > 0;)
        path_put_step(out, steps[depth]);
    if (child.len)
        path_put_name(out, child);
}

/* Enough for the path, a NUL, and brackets or a dot for each step. */
static size_t
path_room(const struct node *node, struct slice child)
{
    size_t room = child.len + sizeof(".");

    for (; node && node->parent; node = node->parent)
        room += sizeof("[]") + (node->key ? node->key_len : INTEGER_TEXT_SIZE);
    return room;
}

struct slice
path_below(struct arena *arena, const struct node *parent, struct slice child)
{
    struct path_text text = {.data = arena_alloc(arena, path_room(parent, child))};

    if (!text.data)
        return SLICE("");
    path_write(&text, parent, child);
    return (struct slice){text.data, text.len};
}

struct slice
path_of(struct arena *arena, const struct node *node)
{
    return path_below(arena, node, SLICE(""));
}
