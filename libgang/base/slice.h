/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_SLICE_H
#define LIBGANG_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed bytes with a length. Text may contain NUL bytes until a check refuses them. */
struct slice {
    const char *data;
    size_t len;
};

/* The number of elements of an array. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define SLICE(literal) ((struct slice){(literal), sizeof(literal) - 1})
/* Like SLICE(), as a constant initializer. */
#define SLICE_INIT(literal)                                                                        \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }
#define NO_SLICE ((struct slice){NULL, 0})

/* Arguments for a "%.*s" conversion: `"%.*s", SLICE_ARG(name)`. */
#define SLICE_ARG(s) (int)(s).len, slice_text_or_empty(s)

static inline const char *
slice_text_or_empty(struct slice s)
{
    return s.data ? s.data : "";
}

static inline struct slice
slice_from_text(const char *text)
{
    return (struct slice){text, text ? strlen(text) : 0};
}

static inline bool
slice_is_set(struct slice s)
{
    return s.data != NULL;
}

static inline uint64_t
slice_word(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof(word));
    return word;
}

static inline uint32_t
slice_half_word(const char *at)
{
    uint32_t word;

    memcpy(&word, at, sizeof(word));
    return word;
}

/* Copies eight bytes and returns them as a number. */
static inline uint64_t
slice_copy_word(char *to, const char *from)
{
    uint64_t word = slice_word(from);

    memcpy(to, &word, sizeof(word));
    return word;
}

static inline uint32_t
slice_copy_half_word(char *to, const char *from)
{
    uint32_t word = slice_half_word(from);

    memcpy(to, &word, sizeof(word));
    return word;
}

/* Copies a text of any length without a function call, because names and keys are short. */
static inline void
slice_copy_text(char *to, struct slice text)
{
    size_t at = 0;

    if (text.len >= sizeof(uint64_t)) {
        for (; at + sizeof(uint64_t) < text.len; at += sizeof(uint64_t))
            slice_copy_word(to + at, text.data + at);
        at = text.len - sizeof(uint64_t);
        slice_copy_word(to + at, text.data + at);
    } else if (text.len >= sizeof(uint32_t)) {
        at = text.len - sizeof(uint32_t);
        slice_copy_half_word(to, text.data);
        slice_copy_half_word(to + at, text.data + at);
    } else {
        for (; at < text.len; at++)
            to[at] = text.data[at];
    }
}

/*
 * Compares whole words, the last of which may overlap the one before. Needs no function call,
 * because names and keys are short.
 */
static inline bool
slice_bytes_equal(const char *a, const char *b, size_t len)
{
    size_t at = 0;

    if (len >= sizeof(uint64_t)) {
        for (; at + sizeof(uint64_t) < len; at += sizeof(uint64_t))
            if (slice_word(a + at) != slice_word(b + at))
                return false;
        at = len - sizeof(uint64_t);
        return slice_word(a + at) == slice_word(b + at);
    }
    if (len >= sizeof(uint32_t)) {
        at = len - sizeof(uint32_t);
        return slice_half_word(a) == slice_half_word(b) &&
               slice_half_word(a + at) == slice_half_word(b + at);
    }
    while (at < len && a[at] == b[at])
        at++;
    return at == len;
}

static inline bool
slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && slice_bytes_equal(a.data, b.data, b.len);
}

static inline bool
slice_has_prefix(struct slice s, struct slice prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.data, prefix.data, prefix.len) == 0);
}

/* Compares bytes, the order in which Kubernetes sorts the keys of maps. */
static inline int
slice_compare(struct slice a, struct slice b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? (unsigned char)a.data[0] - (unsigned char)b.data[0] : 0;

    if (common && !order)
        order = memcmp(a.data, b.data, common);
    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

#endif
