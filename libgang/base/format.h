/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_FORMAT_H
#define LIBGANG_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "libgang/base/slice.h"

enum { INTEGER_TEXT_SIZE = 24 };

/*
 * Formats a decimal integer, independent of the locale. The slice points into `text`, which ends in
 * NUL.
 */
struct slice integer_format(int64_t value, char text[INTEGER_TEXT_SIZE]);

/* Writes decimal digits that end before `end`. Returns the first one. */
char *integer_put_digits(char *end, uint64_t value);

/* Returns the length of the decimal text. */
size_t integer_length(int64_t value);

/* Parses exactly `-?[0-9]+` within int64; false otherwise. */
bool integer_parse(struct slice text, int64_t *value);
/* The same with a plus sign, too: as Go's strconv.ParseInt and strconv.Atoi. */
bool integer_parse_signed(struct slice text, int64_t *value);

/* Returns the sum, or the nearest int64 on overflow. */
static inline int64_t
integer_add_capped(int64_t a, int64_t b)
{
    int64_t sum;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b > 0 ? INT64_MAX : INT64_MIN;
}

#ifdef __GNUC__
#define LIKE_PRINTF(position, first) __attribute__((format(printf, position, first)))
#else
#define LIKE_PRINTF(position, first)
#endif

/*
 * vsnprintf() for messages, at less than half of its cost and without a locale. Supports only %s,
 * %.*s, %d, %u, %lld, %llu, %zu and %%. Writes at most `size` bytes (not 0), including the NUL.
 * Returns the length of the complete text.
 */
LIKE_PRINTF(3, 0)
size_t format_text(char *out, size_t size, const char *format, va_list arguments);

#endif
