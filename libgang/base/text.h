/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_TEXT_H
#define LIBGANG_BASE_TEXT_H

#include <stdint.h>

#include "libgang/base/slice.h"

/* Character classes for names. Names are checked for each job, so a byte costs one table lookup. */
enum {
    ASCII_LOWER = 1 << 0,
    ASCII_UPPER = 1 << 1,
    ASCII_DIGIT = 1 << 2,
    ASCII_DASH = 1 << 3,
    ASCII_UNDERSCORE = 1 << 4,
    ASCII_DOT = 1 << 5,
    ASCII_LETTER = ASCII_LOWER | ASCII_UPPER,
};

extern const unsigned char ascii_classes[256];

static inline bool
ascii_is(char c, unsigned classes)
{
    return (ascii_classes[(unsigned char)c] & classes) != 0;
}

/* Returns the text without the ASCII white space at its ends, as of Go's strings.TrimSpace. */
struct slice text_trim(struct slice text);

/*
 * Whether every byte belongs to one of the classes; true for an empty text. Tests four bytes at a
 * time, which halves the cost.
 */
static inline bool
ascii_all(struct slice text, unsigned classes)
{
    const char *at = text.data;
    size_t left = text.len;

    for (; left >= 4; left -= 4, at += 4)
        if (!ascii_is(at[0], classes) || !ascii_is(at[1], classes) || !ascii_is(at[2], classes) ||
            !ascii_is(at[3], classes))
            return false;
    for (; left > 0; left--, at++)
        if (!ascii_is(*at, classes))
            return false;
    return true;
}

/*
 * Returns the length in bytes (1 to 4) of the well-formed UTF-8 sequence at `at`; 0 if it is
 * overlong, a surrogate, above U+10FFFF, truncated or not a first byte. `code_point` may be NULL.
 */
size_t utf8_sequence(const char *at, const char *end, uint32_t *code_point);

/* Writes 1 to 4 bytes; the code point must be a Unicode scalar value. */
size_t utf8_encode(uint32_t code_point, char out[4]);

/* Returns the number of leading bytes of `text` that are well-formed UTF-8. */
size_t utf8_valid_prefix(struct slice text);

/* Room for 64 bytes, each escaped as \x00 in the worst case, two quotes and an ellipsis. */
enum { QUOTED_SIZE = 64 * 4 + 2 + 3 + 1 };

struct quoted {
    char text[QUOTED_SIZE];
};

/*
 * Quotes user text for a message, as Go's %q does: in double quotes, with what is unprintable and
 * invalid UTF-8 escaped, cut after 64 bytes. Returns `out->text`.
 */
const char *quote(struct quoted *out, struct slice text);

/* Like quote(), but writes into a buffer of the caller. Returns the length without the NUL. */
size_t quote_put_text(char out[QUOTED_SIZE], struct slice text);

/* Whether the text is printable ASCII only. Nearly every text is. */
bool quote_is_plain(struct slice text);

/*
 * Makes text that may contain bytes of a document safe for people, as one line: the bytes of code
 * points that are unprintable, and of invalid UTF-8, become \xHH; all other bytes stay.
 * Returns the length. If `out` is NULL, only computes the length.
 */
size_t quote_printable(struct slice text, char *out);

#endif
