/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <string.h>

static bool
is_part_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-_./", c));
}

/* Returns what follows the key and its colon; NULL if the text has no such key. */
static const char *
find_key(const char *at, const char *end, const char *start, const char *key)
{
    size_t len = strlen(key);

    for (; (size_t)(end - at) > len; at++) {
        const char *after = at + len;

        if (memcmp(at, key, len) != 0 || (at > start && is_part_of_word(at[-1])))
            continue;
        after += after < end && (*after == '"' || *after == '\'');
        while (after < end && *after == ' ')
            after++;
        if (after < end && *after == ':')
            return after + 1;
    }
    return NULL;
}

struct place
find_value(const struct document *document, const char *parent, const char *key)
{
    const char *start = document->data;
    const char *end = start + document->len;
    const char *at = find_key(start, end, start, parent);
    struct place place = {1, 1};

    at = at ? find_key(at, end, start, key) : NULL;
    if (!at)
        return (struct place){0};
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    for (; start < at; start++) {
        if (*start == '\n')
            place = (struct place){place.line + 1, 1};
        else if (((unsigned char)*start & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}
