/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_PLAIN_RUN_H
#define LIBGANG_BASE_PLAIN_RUN_H

#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "libgang/base/text.h"

/* 1 for printable ASCII except the quote and the backslash. */
extern const char plain_bytes[256];

#define PLAIN_EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

#define PLAIN_ODD PLAIN_EACH_BYTE(0x80)

/*
 * Sets the top bit (PLAIN_ODD) of each byte that is below 0x20 or above 0x7F, a quote or a
 * backslash: what a reader of a JSON string must look at. A borrow may set wrong bits above such a
 * byte, but never below it, so the lowest set bit is correct.
 */
static inline uint64_t
plain_stops(uint64_t word)
{
    uint64_t quote = (word ^ PLAIN_EACH_BYTE('"')) - PLAIN_EACH_BYTE(1);
    uint64_t backslash = (word ^ PLAIN_EACH_BYTE('\\')) - PLAIN_EACH_BYTE(1);

    return word | (word - PLAIN_EACH_BYTE(0x20)) | quote | backslash;
}

/* The same, and the byte 0x7F; its carry is no problem either. */
static inline uint64_t
plain_odd_bytes(uint64_t word)
{
    return plain_stops(word) | (word + PLAIN_EACH_BYTE(1));
}

#if defined(__SSE2__)
enum { PLAIN_WIDE = 16 };

/* plain_odd_bytes() of so many bytes, exact. */
static inline __m128i
plain_odd_wide(__m128i bytes)
{
    const __m128i low = _mm_sub_epi8(bytes, _mm_set1_epi8(0x20));
    const __m128i delete = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));

    return _mm_or_si128(_mm_or_si128(_mm_or_si128(bytes, low), delete),
                        _mm_or_si128(quote, backslash));
}

/* Copies so many bytes and returns plain_odd_wide() of them. */
static inline __m128i
plain_copy_block(char *out, const char *text)
{
    const __m128i bytes = _mm_loadu_si128((const void *)text);

    _mm_storeu_si128((void *)out, bytes);
    return plain_odd_wide(bytes);
}

/* plain_copy() of at least so many bytes. */
static inline bool
plain_copy_wide(char *out, struct slice text)
{
    const size_t last = text.len - PLAIN_WIDE;
    __m128i odd = plain_copy_block(out + last, text.data + last);

    for (size_t at = 0; at < last; at += PLAIN_WIDE)
        odd = _mm_or_si128(odd, plain_copy_block(out + at, text.data + at));
    return _mm_movemask_epi8(odd) == 0;
}

/* plain_copy() of 8 to 15 bytes: two words, which overlap, are tested together. */
static inline bool
plain_copy_words(char *out, struct slice text)
{
    const size_t last = text.len - sizeof(uint64_t);
    const uint64_t first_word = slice_copy_word(out, text.data);
    const uint64_t last_word = slice_copy_word(out + last, text.data + last);
    const __m128i bytes = _mm_set_epi64x((long long)last_word, (long long)first_word);

    return _mm_movemask_epi8(plain_odd_wide(bytes)) == 0;
}

/* Whether all bytes, of which there are at least PLAIN_WIDE, are printable ASCII. */
static inline bool
plain_is_printable_wide(struct slice text)
{
    const size_t last = text.len - PLAIN_WIDE;
    __m128i least = _mm_loadu_si128((const void *)(text.data + last));
    __m128i greatest = least;

    for (size_t at = 0; at < last; at += PLAIN_WIDE) {
        const __m128i bytes = _mm_loadu_si128((const void *)(text.data + at));

        least = _mm_min_epu8(least, bytes);
        greatest = _mm_max_epu8(greatest, bytes);
    }
    least = _mm_sub_epi8(least, _mm_set1_epi8(0x20));
    greatest = _mm_or_si128(greatest, _mm_add_epi8(greatest, _mm_set1_epi8(1)));
    return _mm_movemask_epi8(_mm_or_si128(least, greatest)) == 0;
}

/* Bits of the bytes that are neither printable ASCII nor a line feed. */
static inline unsigned
plain_odd_in_lines(__m128i bytes)
{
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)); /* or above 0x7F */
    const __m128i line_feed = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
    const __m128i delete = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));

    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_xor_si128(low, line_feed), delete));
}
#endif

/*
 * Copies the text if all of its bytes are plain as defined above. Otherwise returns false, and the
 * output must be ignored. Overlapping words cover texts of any length, and the position of the
 * bytes that are not plain does not matter.
 */
static inline bool
plain_copy(char *out, struct slice text)
{
    uint64_t odd = 0;
    size_t at = 0;

#if defined(__SSE2__)
    if (text.len >= PLAIN_WIDE)
        return plain_copy_wide(out, text);
    if (text.len >= sizeof(uint64_t))
        return plain_copy_words(out, text);
#endif
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

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PLAIN_RUN_HAS_WORDS 1

/* How many bytes of a word come before the first one that is marked as odd: 0 to 8. */
static inline size_t
plain_count(uint64_t odd_bytes)
{
    uint64_t odd = odd_bytes & PLAIN_ODD;

    return odd ? (size_t)__builtin_ctzll(odd) / 8 : 8;
}
#endif

/*
 * A block of a JSON text: how many of its bytes come before one that plain_stops() marks, and
 * whether one of them is below 0x20. SSE2, which every x86-64 has, tests 16 bytes in fewer
 * instructions than a word takes.
 */
#if defined(__SSE2__)
typedef __m128i plain_block;

static inline size_t
plain_block_count(plain_block block)
{
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    const __m128i low = _mm_sub_epi8(block, _mm_set1_epi8(0x20));
    const __m128i stops = _mm_or_si128(_mm_or_si128(block, low), _mm_or_si128(quote, backslash));

    return (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(stops) | 1u << sizeof(block));
}

static inline bool
plain_block_has_control(plain_block block)
{
    const __m128i least = _mm_min_epu8(block, _mm_set1_epi8(0x1F));

    return _mm_movemask_epi8(_mm_cmpeq_epi8(least, block)) != 0;
}
#elif defined(PLAIN_RUN_HAS_WORDS)
typedef uint64_t plain_block;

static inline size_t
plain_block_count(plain_block block)
{
    return plain_count(plain_stops(block));
}

/* Exact: a borrow starts at such a byte. */
static inline bool
plain_block_has_control(plain_block block)
{
    return ((block - PLAIN_EACH_BYTE(0x20)) & ~block & PLAIN_ODD) != 0;
}
#else
typedef char plain_block; /* 0x7F stops, too, and costs its reader only time */

static inline size_t
plain_block_count(plain_block block)
{
    return plain_bytes[(unsigned char)block] ? 1 : 0;
}

static inline bool
plain_block_has_control(plain_block block)
{
    return (unsigned char)block < 0x20;
}
#endif

/* Whether a complete block comes before `end`, without a byte below 0x20. */
static inline bool
plain_block_is_in_line(const char *at, const char *end)
{
    plain_block block;

    if (end - at < (ptrdiff_t)sizeof(block))
        return false;
    memcpy(&block, at, sizeof(block));
    return !plain_block_has_control(block);
}

/* Behind a JSON text so many bytes must be readable. */
enum { PLAIN_PADDING = 16 };

/*
 * Returns how many bytes come before one that plain_stops() marks. Some must follow, and the
 * padding behind it.
 */
static inline size_t
plain_count_to_stop(const char *text)
{
    plain_block block;
    size_t len = 0;
    size_t more;

    do {
        memcpy(&block, text + len, sizeof(block));
        more = plain_block_count(block);
        len += more;
    } while (more == sizeof(block));
    return len;
}

/*
 * The same, and moves these bytes down to `to`, which must be below `text`: a block at once where
 * it cannot reach an unread byte.
 */
static inline size_t
plain_move_to_stop(char *to, const char *text)
{
    plain_block block;
    size_t len = 0;
    size_t more;

    if (text - to < (ptrdiff_t)sizeof(block)) {
        len = plain_count_to_stop(text);
        for (size_t i = 0; i < len; i++)
            to[i] = text[i];
        return len;
    }
    do {
        memcpy(&block, text + len, sizeof(block));
        memcpy(to + len, &block, sizeof(block));
        more = plain_block_count(block);
        len += more;
    } while (more == sizeof(block));
    return len;
}

/*
 * Returns the end of the longest run of printable ASCII without quotes and backslashes, which a
 * JSON string holds unescaped. Nearly all text is plain, so eight bytes are tested at a time if the
 * byte order allows to find the first byte that is not. For measurements see doc/performance.md.
 */
static inline const char *
plain_run_end(const char *at, const char *end)
{
#if defined(__SSE2__)
    for (; end - at >= PLAIN_WIDE; at += PLAIN_WIDE) {
        const int odd = _mm_movemask_epi8(plain_odd_wide(_mm_loadu_si128((const void *)at)));

        if (odd)
            return at + __builtin_ctz((unsigned)odd);
    }
#endif
#ifdef PLAIN_RUN_HAS_WORDS
    while (end - at >= 8) {
        size_t len = plain_count(plain_odd_bytes(slice_word(at)));

        at += len;
        if (len < 8)
            return at;
    }
#endif
    while (at < end && plain_bytes[(unsigned char)*at])
        at++;
    return at;
}

/* Returns the end of the longest run of printable ASCII and line feeds. */
static inline const char *
plain_lines_end(const char *at, const char *end)
{
#if defined(__SSE2__)
    for (; end - at >= PLAIN_WIDE; at += PLAIN_WIDE) {
        const unsigned odd = plain_odd_in_lines(_mm_loadu_si128((const void *)at));

        if (odd)
            return at + __builtin_ctz(odd);
    }
#endif
    while ((at = plain_run_end(at, end)) < end && (*at == '"' || *at == '\\' || *at == '\n'))
        at++;
    return at;
}

#endif
