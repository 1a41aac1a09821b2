/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/path.h"

#include "libgang/base/ascii.h"
#include "libgang/base/integer.h"

/* Maps whose keys are the user's own words: field.Path puts those in brackets. */
static const struct slice path_free_maps[] = {
    SLICE_INIT("labels"),   SLICE_INIT("annotations"), SLICE_INIT("matchLabels"), SLICE_INIT("nodeSelector"),
    SLICE_INIT("requests"), SLICE_INIT("limits"),      SLICE_INIT("overhead"),
};

static bool
path_is_field_name(struct slice key)
{
    return key.len && ascii_all(key, ASCII_LETTER | ASCII_DIGIT | ASCII_UNDERSCORE);
}

/* One bit for each length of those names, so that most others need no comparison. */
#define PATH_FREE_LENGTHS (1u << 6 | 1u << 8 | 1u << 11 | 1u << 12)

static bool
path_is_free_map(const struct node *map)
{
    if (map->key_len > 12 || !(PATH_FREE_LENGTHS >> map->key_len & 1))
        return false;
    for (size_t i = 0; i < sizeof(path_free_maps) / sizeof(path_free_maps[0]); i++)
        if (slice_equal(node_key(map), path_free_maps[i]))
            return true;
    return false;
}

/* Written from its last step to its first, as parents are found: `at` is the first byte so far. */
struct path_text {
    char *at;
};

static void
path_put(struct path_text *out, struct slice text)
{
    out->at -= text.len;
    slice_copy_text(out->at, text);
}

static void
path_put_bracketed(struct path_text *out, struct slice text)
{
    *--out->at = ']';
    path_put(out, text);
    *--out->at = '[';
}

/* The dot stands in front of every name but the first. */
static void
path_put_name(struct path_text *out, struct slice name, bool is_first)
{
    path_put(out, name);
    if (!is_first)
        *--out->at = '.';
}

static void
path_put_step(struct path_text *out, const struct node *node)
{
    char number[INTEGER_TEXT_SIZE];

    if (!node->key)
        path_put_bracketed(out, integer_format(node->index, number));
    else if (!path_is_field_name(node_key(node)) || path_is_free_map(node->parent))
        path_put_bracketed(out, node_key(node));
    else
        path_put_name(out, node_key(node), !node->parent->parent);
}

/* Enough for the path, and brackets or a dot for each step. */
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
    size_t room = path_room(parent, child);
    char *data = arena_take(arena, room + 1);
    struct path_text text;

    if (!data)
        return SLICE("");
    text.at = data + room;
    *text.at = '\0';
    if (child.len)
        path_put_name(&text, child, !parent || !parent->parent);
    for (const struct node *node = parent; node && node->parent; node = node->parent)
        path_put_step(&text, node);
    return (struct slice){text.at, (size_t)(data + room - text.at)};
}

struct slice
path_of(struct arena *arena, const struct node *node)
{
    return path_below(arena, node, SLICE(""));
}
