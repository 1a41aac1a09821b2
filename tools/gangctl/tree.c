/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <stdlib.h>

#include "libgang/base/text.h"

struct json_object *
tree_must(struct json_object *made)
{
    if (!made)
        out_of_memory();
    return made;
}

struct json_object *
tree_map(void)
{
    return tree_must(json_object_new_object());
}

struct json_object *
tree_new_text(const char *text, size_t len)
{
    return tree_must(json_object_new_string_len(text, (int)len));
}

void
tree_put(struct json_object *map, const char *key, struct json_object *value)
{
    if (json_object_object_add(map, key, value))
        out_of_memory();
}

void
tree_share(struct json_object *map, const char *key, struct json_object *value)
{
    if (value)
        tree_put(map, key, json_object_get(value));
}

void
tree_put_text(struct json_object *map, const char *key, const char *text)
{
    if (text)
        tree_put(map, key, tree_new_text(text, strlen(text)));
}

struct json_object *
tree_map_in(struct json_object *map, const char *key)
{
    struct json_object *value = tree_member(map, key);

    if (!value) {
        value = tree_map();
        tree_put(map, key, value);
    }
    return value;
}

static int
compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **
tree_sorted_keys(struct json_object *map, size_t *count)
{
    const char **keys = must_allocate(((size_t)json_object_object_length(map) + 1) * sizeof(*keys));

    *count = 0;
    json_object_object_foreach(map, key, value)
    {
        (void)value;
        keys[(*count)++] = key;
    }
    qsort(keys, *count, sizeof(*keys), compare_keys);
    return keys;
}

struct json_object *
tree_sorted_values(struct json_object *map)
{
    struct json_object *list = tree_must(json_object_new_array());
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        json_object_array_add(list, json_object_get(tree_member(map, keys[i])));
    free(keys);
    return list;
}

struct json_object *
tree_sorted_names(struct json_object *map)
{
    struct json_object *list = tree_must(json_object_new_array());
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        json_object_array_add(list, tree_new_text(keys[i], strlen(keys[i])));
    free(keys);
    return list;
}

struct json_object *
tree_sorted_map(struct json_object *map)
{
    struct json_object *sorted = tree_map();
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        tree_share(sorted, keys[i], tree_member(map, keys[i]));
    free(keys);
    return sorted;
}

/* Adds one character as JSON has it within a string, and returns its length. */
static size_t
add_character(struct text *out, const char *at, const char *end)
{
    uint32_t code_point;
    size_t len = utf8_sequence(at, end, &code_point);

    if (len && !is_unprintable(code_point))
        text_add_bytes(out, at, len);
    else if (!len)
        text_add(out, "\\ufffd");
    else if (code_point < 0x10000)
        text_addf(out, "\\u%04x", (unsigned)code_point);
    else
        text_addf(out, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(code_point >> 10),
                  0xdc00 + (unsigned)(code_point & 0x3ff));
    return len ? len : 1;
}

void
tree_add_json(struct text *out, struct json_object *value, int style)
{
    size_t len;
    const char *at =
        json_object_to_json_string_length(value, style | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
    const char *end = at ? at + len : NULL;

    if (!at)
        out_of_memory();
    while (at < end) {
        const char *odd = at;

        while (odd < end && *odd >= 0 && *odd < 0x7f)
            odd++;
        text_add_bytes(out, at, (size_t)(odd - at));
        at = odd < end ? odd + add_character(out, odd, end) : end;
    }
}
