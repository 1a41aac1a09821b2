/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_READER_H
#define LIBGANG_DOCUMENT_READER_H

#include <stdint.h>

#include "libgang/document/document.h"

/* Returns the value of a digit with a base of at most 16; 16 for another character. */
unsigned reader_digit(char c);

enum number_status {
    NUMBER_OK,
    NUMBER_IMPRECISE, /* more digits than float64 keeps, or too close to zero */
    NUMBER_TOO_LARGE, /* above the largest float64 */
};

/*
 * The canonical form of a number: decimal for integers, else the form in which Go's encoding/json
 * prints the float64.
 */
struct number {
    enum number_status status;
    enum node_kind kind; /* NODE_INT if it is an integer within int64, else NODE_NUMBER */
    size_t len;
    char text[48];
};

/*
 * Reads a well-formed decimal number: sign, digits with at most one dot, exponent. Works on the
 * text without floating-point arithmetic. An integer without dot and exponent is exact up to
 * 2^64-1. A number with a fraction has up to 17 significant digits, the most that programs write
 * for a float64; all others have up to 15, which every float64 keeps.
 */
void number_from_decimal(struct slice token, bool is_float, struct number *out);

/* Whether a well-formed number has no more digits than every float64 keeps. */
bool number_is_exact(struct slice token);

/* Returns the number for the magnitude of a text with a base prefix. */
void number_from_magnitude(uint64_t magnitude, bool negative, struct number *out);

/*
 * The types of YAML's plain scalars in Kubernetes: YAML 1.1 in the dialect of gopkg.in/yaml.v2, the
 * parser that sigs.k8s.io/yaml uses.
 */

enum scalar_tag { SCALAR_UNTAGGED, SCALAR_STR, SCALAR_INT, SCALAR_FLOAT, SCALAR_BOOL, SCALAR_NULL };

enum scalar_status {
    SCALAR_OK,
    SCALAR_NON_FINITE,   /* .inf, .nan: not representable in JSON */
    SCALAR_IMPRECISE,    /* as NUMBER_IMPRECISE */
    SCALAR_TAG_MISMATCH, /* the text is not valid for the type of the tag */
};

struct scalar {
    enum scalar_status status;
    enum node_kind kind;
    bool is_float;        /* a number written as a float, even if it is integral */
    struct slice word;    /* of a NODE_BOOL, constant; not set for other kinds */
    struct number number; /* of a NODE_INT or NODE_NUMBER; not set for other kinds */
};

/* Resolves a plain scalar. A NODE_STRING keeps its text unchanged. */
void scalar_resolve(struct slice text, struct scalar *out);

/* False for a tag that is not accepted. `!` means a string. */
bool scalar_tag_of(struct slice name, enum scalar_tag *out);

/*
 * Resolves a scalar with a tag. A tag can also change the type of quoted text (`!!int "3"` is 3).
 */
void scalar_resolve_tagged(struct slice text, enum scalar_tag tag, struct scalar *out);

/* Shared by the JSON and the YAML reader: marks, findings about text, limits, duplicate keys. */

struct reader_mark {
    uint32_t line;
    uint32_t column;
};

/* The deepest nesting that a limit can allow. */
enum { READER_DEEPEST = 128 };

/*
 * Reports a finding at a mark. `inside` is the container that was being read; NULL if none. Always
 * returns false.
 */
LIKE_PRINTF(6, 7)
bool reader_fail(const struct document_request *request, enum gang_code code,
                 struct reader_mark mark, const struct node *inside, const char *hint,
                 const char *message, ...);

/* Reports a value above the limit. Always returns false. */
bool reader_report_limit(const struct document_request *request, enum gang_limit limit,
                         uint64_t value, struct reader_mark mark, const struct node *inside);

/* Whether `value` is within the limit; reports it otherwise. */
static inline bool
reader_within(const struct document_request *request, enum gang_limit limit, uint64_t value,
              struct reader_mark mark, const struct node *inside)
{
    return value <= limit_of(request->limits, limit) ||
           reader_report_limit(request, limit, value, mark, inside);
}

/* Whether the size of the document is within the limit; reports it otherwise. */
bool reader_size_ok(const struct document_request *request, struct slice text);

/*
 * Draws the steps of a text. The text of live objects has as many budgets as objects, and a limit
 * of its own.
 */
static inline bool
reader_spend(const struct document_request *request, uint64_t steps)
{
    return request->taker || arena_spend(request->arena, steps);
}

/* Reports "the document is empty". */
void reader_report_empty(const struct document_request *request);

/*
 * Returns the line and column of the byte at `offset`. Only for the end of a failed read, because
 * it counts from the start.
 */
struct reader_mark reader_mark_of(struct slice text, size_t offset);

/* Returns the place behind a text in quotes that starts at `at`. */
const char *json_behind_text(const char *at, const char *end);

/* Up to this number of keys every pair is compared; for more keys sorting is faster. */
enum { READER_FEW_KEYS = 16 };

/* Reports every duplicate key of a map, with both places. */
void reader_report_duplicates(const struct document_request *request, const struct node *map);

/*
 * Whether two keys are equal. Most differ in length or in the last byte. The map must not be empty.
 */
static inline bool
reader_has_equal_keys(const struct node *map)
{
    for (const struct node *member = map->as.first->next; member; member = member->next)
        for (const struct node *first = map->as.first; first != member; first = first->next)
            if (first->key_len == member->key_len &&
                (!member->key_len ||
                 (first->key[member->key_len - 1] == member->key[member->key_len - 1] &&
                  memcmp(first->key, member->key, member->key_len) == 0)))
                return true;
    return false;
}

/* The same in a few instructions for most maps. */
static inline void
reader_check_duplicates(const struct document_request *request, const struct node *map)
{
    if (map->len > READER_FEW_KEYS || (map->len > 1 && reader_has_equal_keys(map)))
        reader_report_duplicates(request, map);
}

/*
 * Behind the opening bracket of a JSON list whose items need no nodes: returns how many bytes come
 * before the closing one, and adds the values in them to `nodes`. Returns 0 if something is unusual
 * or wrong, and the reader must read them. `depth` is the number of open containers. PLAIN_PADDING
 * bytes must be readable behind the text, and the first must be NUL.
 */
size_t json_skip_items(const char *items, uint32_t depth, const struct limits *limits,
                       uint32_t *nodes);

/*
 * Reads the number of a node, sets the node's kind, and reports a number that a float64 does not
 * keep.
 */
bool reader_read_decimal(const struct document_request *request, struct slice token,
                         struct node *node, struct number *number);

/* The list whose items a taker gets. */
struct reader_items {
    struct node *list; /* NULL before the list is open */
    struct node taken; /* has the place of the item before, which is released */
    struct arena_mark mark;
    uint32_t nodes; /* values outside of the items */
};

/*
 * Called for every list of a request with a taker, before its first item is read. `depth` is the
 * number of containers around it. This function and the next are not inline, which keeps the loops
 * of the readers small.
 */
void reader_items_open(struct reader_items *items, const struct document_request *request,
                       struct node *list, uint32_t depth, uint32_t nodes);

/*
 * Called after every value in a list, once `items->list` is set: at the latest before the next
 * value, or at the end of the list. If `*last`, the newest child of the container, is an item for
 * the taker, gives it away and releases it: `taken` becomes the last child, and its values are no
 * longer counted. False if the read must end.
 */
bool reader_items_pass(struct reader_items *items, const struct document_request *request,
                       const struct node *container, struct node **last, uint32_t *nodes);

/* The limit on the number of items of a list. */
static inline enum gang_limit
reader_items_limit(const struct reader_items *items, const struct node *list)
{
    return list == items->list ? GANG_LIMIT_LIVE_OBJECTS : GANG_LIMIT_LIST_ITEMS;
}

#endif
