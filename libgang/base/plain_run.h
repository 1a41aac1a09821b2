/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_PLAIN_RUN_H
#define LIBGANG_BASE_PLAIN_RUN_H

#include <stdint.h>

#include "libgang/base/slice.h"

/* 1 for printable ASCII but the quote and the backslash. */
static const char plain_bytes[256] = {
    [0x20] = 1, 1, 0, 1, 1, 1, 1, 1, 1,          1, 1, 1, 1, 1, 1, 1, [0x30] = 1, 1, 1, 1, 1, 1, 1, 1,
    1,          1, 1, 1, 1, 1, 1, 1, [0x40] = 1, 1, 1, 1, 1, 1, 1, 1, 1,          1, 1, 1, 1, 1, 1, 1,
    [0x50] = 1, 1, 1, 1, 1, 1, 1, 1, 1,          1, 1, 1, 0, 1, 1, 1, [0x60] = 1, 1, 1, 1, 1, 1, 1, 1,
    1,          1, 1, 1, 1, 1, 1, 1, [0x70] = 1, 1, 1, 1, 1, 1, 1, 1, 1,          1, 1, 1, 1, 1, 1,
};

#define PLAIN_EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

#define PLAIN_ODD PLAIN_EACH_BYTE(0x80)

/*
 * Of its bits in PLAIN_ODD: the top bit of each byte below 0x20 or above 0x7E, of each quote and backslash. A borrow or
 * carry may set bits above such a byte, never below it: the lowest bit tells the truth.
 */
static inline uint64_t
plain_odd_bytes(uint64_t word)
{
    uint64_t quote = (word ^ PLAIN_EACH_BYTE('"')) - PLAIN_EACH_BYTE(1);
    uint64_t backslash = (word ^ PLAIN_EACH_BYTE('\\')) - PLAIN_EACH_BYTE(1);

    return word | (word + PLAIN_EACH_BYTE(1)) | (word - PLAIN_EACH_BYTE(0x20)) | quote | backslash;
}

/*
 * Copies the text where all of it is plain as above. False otherwise: then what was written means nothing. Words that
 * overlap take the text whatever its length is, and it does not matter which of their bytes is odd, nor where.
 */
static inline bool
plain_copy(char *out, struct slice text)
{
    uint64_t odd = 0;
    size_t at = 0;

    if (text.len >= sizeof(uint64_t)) {
        for (; at + sizeof(uint64_t) < text.len; at += sizeof(uint64_t))
            odd |= plain_odd_bytes(slice_copy_word(out + at, text.data + at));
        at = text.len - sizeof(uint64_t);
        odd |= plain_odd_bytes(slice_copy_word(out + at, text.data + at));
    } else if (text.len >= sizeof(uint32_t)) {
        at = text.len - sizeof(uint32_t);
        odd = plain_odd_bytes((uint64_t)slice_copy_half_word(out, text.data) << 32 |
                              slice_copy_half_word(out + at, text.data + at));
    } else {
        for (; at < text.len; at++) {
            out[at] = text.data[at];
            odd |= plain_bytes[(unsigned char)text.data[at]] ? 0 : PLAIN_ODD;
        }
    }
    return (odd & PLAIN_ODD) == 0;
}

/*
 * The end of the longest run of printable ASCII but quotes and backslashes: text that stands in a JSON string as it
 * is. Nearly all text is, so eight bytes are judged at a time where the byte order lets the first odd one be found.
 * What this saves stands in doc/performance.md.
 */
static inline const char *
plain_run_end(const char *at, const char *end)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t odd = plain_odd_bytes(slice_word(at)) & PLAIN_ODD;

        if (odd)
            return at + __builtin_ctzll(odd) / 8;
        at += 8;
    }
#endif
    while (at < end && plain_bytes[(unsigned char)*at])
        at++;
    return at;
}

#endif
