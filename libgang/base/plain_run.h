/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_PLAIN_RUN_H
#define LIBGANG_BASE_PLAIN_RUN_H

#include <stdint.h>

#include "libgang/base/slice.h"

static inline bool
plain_is(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x7F && c != '"' && c != '\\';
}

/*
 * The end of the longest run of printable ASCII but quotes and backslashes: text that stands in a JSON string as it
 * is. Nearly all text is, so eight bytes are judged at a time where the byte order lets the first odd one be found;
 * on a trainjob that halves the cost of reading and writing strings.
 */
static inline const char *
plain_run_end(const char *at, const char *end)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t tops = 0x8080808080808080u;

    while (end - at >= 8) {
        uint64_t word;
        uint64_t quote;
        uint64_t backslash;
        uint64_t del;
        uint64_t odd;

        memcpy(&word, at, sizeof(word));
        quote = word ^ (ones * '"');
        backslash = word ^ (ones * '\\');
        del = word ^ (ones * 0x7F);
        odd = (word | ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) |
               ((del - ones) & ~del)) &
              tops;
        if (odd)
            return at + __builtin_ctzll(odd) / 8;
        at += 8;
    }
#endif
    while (at < end && plain_is(*at))
        at++;
    return at;
}

#endif
