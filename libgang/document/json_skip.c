/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/plain_run.h"
#include "libgang/document/reader.h"

/*
 * Goes over values that need no nodes, because no decision reads them. It knows only what a server
 * writes: maps, lists and short texts, no white space, the usual escapes. At anything else, which
 * may be a fault, it gives up. The reader then reads the values as nodes, and it alone reports.
 */
enum { SKIP_MOST_KEYS = 64, SKIP_LONGEST_TEXT = 512 };

struct skip {
    const struct limits *limits;
    uint64_t values;
    size_t num_keys;
    struct slice keys[SKIP_MOST_KEYS]; /* of all open maps, to find duplicates */
};

/*
 * With these escapes a text has one form, so that equal keys have equal bytes. Others, such as
 * `\/`, stand for what needs no escape.
 */
static bool
skip_knows_escape(char letter)
{
    return letter == '"' || letter == '\\' || letter == 'b' || letter == 'f' || letter == 'n' ||
           letter == 'r' || letter == 't';
}

/* `at` is behind the opening quote. Returns the closing one, or NULL, as all functions below. */
static inline const char *
skip_text(const char *at)
{
    const char *end = at + plain_count_to_stop(at);

    while (*end == '\\' && skip_knows_escape(end[1]))
        end += 2 + plain_count_to_stop(end + 2);
    return *end == '"' && end - at <= SKIP_LONGEST_TEXT ? end : NULL;
}

/* Goes to the value. `first` is the number of keys of the maps around this one. */
static inline const char *
skip_key(struct skip *skip, size_t first, const char *at)
{
    struct slice *key = &skip->keys[skip->num_keys];
    const char *end = *at == '"' && skip->num_keys < SKIP_MOST_KEYS ? skip_text(at + 1) : NULL;

    if (!end || end[1] != ':')
        return NULL;
    *key = (struct slice){at + 1, (size_t)(end - at - 1)};
    for (const struct slice *other = &skip->keys[first]; other < key; other++)
        if (slice_equal(*other, *key))
            return NULL;
    skip->num_keys++;
    return end + 2;
}

static const char *skip_children(struct skip *skip, char close, uint32_t depth, const char *at);

/* Goes to the last byte of the value. `depth` is the number of containers around it. */
static inline const char *
skip_value(struct skip *skip, uint32_t depth, const char *at)
{
    const char close = *at == '{' ? '}' : ']';

    if (*at == '"')
        return skip_text(at + 1);
    if ((*at != '{' && *at != '[') || depth == limit_of(skip->limits, GANG_LIMIT_DEPTH))
        return NULL;
    return at[1] == close ? at + 1 : skip_children(skip, close, depth + 1, at + 1);
}

/* Goes to the closing bracket. Recursive. The depth limit of the readers bounds the recursion. */
static const char *
skip_children(struct skip *skip, char close, uint32_t depth, const char *at)
{
    const size_t first = skip->num_keys;
    uint64_t count = 0;

    for (;; at++) {
        if (close == '}')
            at = skip_key(skip, first, at);
        if (!at || count++ == limit_of(skip->limits, GANG_LIMIT_LIST_ITEMS))
            return NULL;
        at = skip_value(skip, depth, at);
        if (!at)
            return NULL;
        if (*++at != ',')
            break;
    }
    skip->num_keys = first;
    skip->values += count;
    return *at == close ? at : NULL;
}

size_t
json_skip_items(const char *items, uint32_t depth, const struct limits *limits, uint32_t *nodes)
{
    struct skip skip;
    const char *end;

    if (limit_of(limits, GANG_LIMIT_SCALAR_BYTES) < SKIP_LONGEST_TEXT ||
        limit_of(limits, GANG_LIMIT_KEY_BYTES) < SKIP_LONGEST_TEXT ||
        limit_of(limits, GANG_LIMIT_MAP_KEYS) < SKIP_MOST_KEYS)
        return 0;
    skip.limits = limits;
    skip.values = *nodes;
    skip.num_keys = 0;
    end = skip_children(&skip, ']', depth, items);
    if (!end || skip.values > limit_of(limits, GANG_LIMIT_NODES))
        return 0;
    *nodes = (uint32_t)skip.values;
    return (size_t)(end - items);
}
