/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "libgang/base/plain_run.h"

/* For the callers that are compiled for size: one function for all of them. */
extern inline uint64_t slice_word(const char *at);
extern inline uint32_t slice_half_word(const char *at);
extern inline bool slice_bytes_equal(const char *a, const char *b, size_t len);
extern inline bool slice_equal(struct slice a, struct slice b);
extern inline int slice_compare(struct slice a, struct slice b);

void *
find_text(const void *items, size_t count, size_t size, size_t offset, struct slice text)
{
    for (const char *item = items; count > 0; count--, item += size)
        if (slice_equal(*(const struct slice *)(const void *)(item + offset), text))
            return (void *)item;
    return NULL;
}

/* ---- ascii ---- */

#define ASCII_TEN(class) class, class, class, class, class, class, class, class, class, class
#define ASCII_LETTERS(class)                                                                       \
    ASCII_TEN(class), ASCII_TEN(class), class, class, class, class, class, class

const unsigned char ascii_classes[256] = {
    ['-'] = ASCII_DASH,
    ['_'] = ASCII_UNDERSCORE,
    ['.'] = ASCII_DOT,
    ['/'] = ASCII_SLASH,
    ['0'] = ASCII_TEN(ASCII_DIGIT),
    ['A'] = ASCII_LETTERS(ASCII_UPPER),
    ['a'] = ASCII_LETTERS(ASCII_LOWER),
};

static bool
ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct slice
text_trim(struct slice text)
{
    while (text.len && ascii_is_space(text.data[0]))
        text = slice_after(text, 1);
    while (text.len && ascii_is_space(text.data[text.len - 1]))
        text.len--;
    return text;
}

/* ---- json ---- */

bool
text_find(struct slice text, struct slice wanted, struct slice *rest)
{
    const char *at = text.len >= wanted.len ? text.data : NULL;
    const char *end = at ? text.data + text.len - wanted.len + 1 : NULL;

    while (at && at < end && (at = memchr(at, wanted.data[0], (size_t)(end - at)))) {
        if (memcmp(at, wanted.data, wanted.len) == 0) {
            at += wanted.len;
            *rest = (struct slice){at, (size_t)(text.data + text.len - at)};
            return true;
        }
        at++;
    }
    return false;
}

const char *
json_behind_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

const char *
json_behind_comments(const char *at, const char *end)
{
    for (at = json_behind_space(at, end); at < end && *at == '#'; at = json_behind_space(at, end))
        while (at < end && *at != '\n' && *at != '\r')
            at++;
    return at;
}

bool
json_starts_object(struct slice text)
{
    const char *end = text.data + text.len;
    const char *at = json_behind_space(text.data, end);

    if (at == end || *at != '{')
        return false;
    at = json_behind_space(at + 1, end);
    return at == end || *at == '"' || *at == '}';
}

/* ---- utf8 ---- */

/* The smallest code point that needs this number of bytes; a smaller one is overlong. */
static const uint32_t smallest_of_length[5] = {0, 0, 0x80, 0x800, 0x10000};

static size_t
length_from_first_byte(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return 2;
    if (first >= 0xE0 && first < 0xF0)
        return 3;
    if (first >= 0xF0 && first < 0xF5)
        return 4;
    return 0;
}

size_t
utf8_sequence(const char *at, const char *end, uint32_t *code_point)
{
    unsigned char first = (unsigned char)*at;
    size_t length = length_from_first_byte(first);
    uint32_t value = length == 1 ? first : first & (0x7Fu >> length);

    if (length == 0 || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)at[i];

        if ((byte & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (byte & 0x3Fu);
    }
    if (value < smallest_of_length[length] || value > 0x10FFFF ||
        (value >= 0xD800 && value < 0xE000))
        return 0;
    if (code_point)
        *code_point = value;
    return length;
}

SELDOM size_t
utf8_encode(uint32_t code_point, char out[4])
{
    size_t length = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0x00, 0xC0, 0xE0, 0xF0};

    for (size_t i = length; i-- > 1; code_point >>= 6)
        out[i] = (char)(0x80 | (code_point & 0x3F));
    out[0] = (char)(lead[length] | code_point);
    return length;
}

SELDOM size_t
utf8_valid_prefix(struct slice text)
{
    const char *at = text.data;
    const char *end = at + text.len;

    while (at < end) {
        size_t length = (unsigned char)*at < 0x80 ? 1 : utf8_sequence(at, end, NULL);

        if (length == 0)
            break;
        at += length;
    }
    return (size_t)(at - text.data);
}

/* ---- plain run ---- */

const char plain_bytes[256] = {
    [0x20] = 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [0x30] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [0x40] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [0x50] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,
    [0x60] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [0x70] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

/* ---- quote ---- */

enum { QUOTE_LARGEST_ECHO = 64 };

/* Returns the place behind it, as the next function does. */
static char *
quote_put_hex(char *to, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    *to++ = '\\';
    *to++ = 'x';
    *to++ = digits[byte >> 4];
    *to++ = digits[byte & 15];
    return to;
}

static char
quote_short_escape(char byte)
{
    static const char pairs[] = "\"\"\\\\\nn\tt\rr\aa\bb\ff\vv";

    for (size_t i = 0; pairs[i]; i += 2)
        if (pairs[i] == byte)
            return pairs[i + 1];
    return '\0';
}

/* Adds one character, or one byte of no character, to the `len` bytes of `out`. Returns its size.
 */
static size_t
quote_put_character(const char *at, const char *end, char *out, size_t *len)
{
    uint32_t code_point = 0;
    const size_t found = utf8_sequence(at, end, &code_point);
    const size_t sequence = found ? found : 1;
    const bool is_plain = found && !is_unprintable(code_point);
    char *to = out ? out + *len : NULL;

    if (to && is_plain)
        memcpy(to, at, sequence);
    for (size_t i = 0; to && !is_plain && i < sequence; i++)
        to = quote_put_hex(to, (unsigned char)at[i]);
    *len += is_plain ? sequence : sequence * (sizeof("\\xHH") - 1);
    return sequence;
}

/* Quotes a text that is long or needs escapes. */
static size_t
quote_put_odd_text(char out[QUOTED_SIZE], struct slice text)
{
    /* an unset text has no address for pointer arithmetic */
    const char *at = text.data ? text.data : "";
    const char *stop = at + (text.len < QUOTE_LARGEST_ECHO ? text.len : QUOTE_LARGEST_ECHO);
    size_t len = 0;

    out[len++] = '"';
    while (at < stop) {
        const char *run = at;
        char escape;

        at = plain_run_end(at, stop);
        memcpy(out + len, run, (size_t)(at - run));
        len += (size_t)(at - run);
        escape = at < stop ? quote_short_escape(*at) : '\0';
        if (escape) {
            out[len++] = '\\';
            out[len++] = escape;
            at++;
        } else if (at < stop) {
            at += quote_put_character(at, stop, out, &len);
        }
    }
    for (int i = 0; text.len > QUOTE_LARGEST_ECHO && i < 3; i++)
        out[len++] = '.';
    out[len++] = '"';
    out[len] = '\0';
    return len;
}

size_t
quote_put_text(char out[QUOTED_SIZE], struct slice text)
{
    if (text.len > QUOTE_LARGEST_ECHO || !plain_copy(out + 1, text))
        return quote_put_odd_text(out, text);
    out[0] = '"';
    memcpy(out + 1 + text.len, "\"", 2);
    return text.len + 2;
}

const char *
quote(struct quoted *out, struct slice text)
{
    quote_put_text(out->text, text);
    return out->text;
}

#define QUOTE_EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101u)

/* Sets the top bit of some byte if one of the eight bytes is not ASCII or not printable. */
static inline uint64_t
quote_odd_bytes(uint64_t word)
{
    return word | (word - QUOTE_EACH_BYTE(0x20)) | (word + QUOTE_EACH_BYTE(1));
}

bool
quote_is_plain(struct slice text)
{
    uint64_t odd = 0;
    size_t at = 0;

#if defined(__SSE2__)
    if (text.len >= PLAIN_WIDE)
        return plain_is_printable_wide(text);
#endif
    if (text.len >= sizeof(uint64_t)) {
        for (; at + sizeof(uint64_t) < text.len; at += sizeof(uint64_t))
            odd |= quote_odd_bytes(slice_word(text.data + at));
        odd |= quote_odd_bytes(slice_word(text.data + text.len - sizeof(uint64_t)));
        return (odd & QUOTE_EACH_BYTE(0x80)) == 0;
    }
    while (at < text.len && text.data[at] >= 0x20 && text.data[at] < 0x7f)
        at++;
    return at == text.len;
}

SELDOM size_t
quote_printable(struct slice text, char *out)
{
    const char *end = text.data + text.len;
    size_t len = 0;

    for (const char *at = text.data; at < end;) {
        size_t ascii = 0; /* nearly all text is of these bytes */

        while (at + ascii < end && at[ascii] >= ' ' && at[ascii] <= '~')
            ascii++;
        if (out && ascii)
            memcpy(out + len, at, ascii);
        len += ascii;
        at += ascii;
        if (at < end)
            at += quote_put_character(at, end, out, &len);
    }
    return len;
}

/* ---- nearest words ---- */

enum { NEAREST_LONGEST = 63 };

/* One row of the table of edit distances between two words. */
struct nearest_row {
    uint8_t at[NEAREST_LONGEST + 1];
};

static uint8_t
nearest_least(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;

    return (uint8_t)(least < c ? least : c);
}

/*
 * Returns the number of insertions, deletions, replacements and swaps of neighbours between two
 * words (the Damerau-Levenshtein distance), regardless of letter case. Both words must have at most
 * NEAREST_LONGEST bytes.
 */
static unsigned
nearest_distance(struct slice a, struct slice b)
{
    struct nearest_row rows[3];

    for (size_t j = 0; j <= b.len; j++)
        rows[0].at[j] = (uint8_t)j;
    for (size_t i = 1; i <= a.len; i++) {
        struct nearest_row *row = &rows[i % 3];
        const struct nearest_row *above = &rows[(i + 2) % 3];
        const struct nearest_row *higher = &rows[(i + 1) % 3];

        row->at[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned replaced =
                above->at[j - 1] +
                (ascii_lower(a.data[i - 1]) == ascii_lower(b.data[j - 1]) ? 0u : 1u);

            row->at[j] = nearest_least(above->at[j] + 1u, row->at[j - 1] + 1u, replaced);
            if (i > 1 && j > 1 && ascii_lower(a.data[i - 1]) == ascii_lower(b.data[j - 2]) &&
                ascii_lower(a.data[i - 2]) == ascii_lower(b.data[j - 1]) &&
                higher->at[j - 2] + 1u < row->at[j])
                row->at[j] = (uint8_t)(higher->at[j - 2] + 1u);
        }
    }
    return rows[a.len % 3].at[b.len];
}

struct nearest_search
nearest_start(struct slice name)
{
    /* errors in a third of the letters, at most three */
    unsigned tolerance = name.len >= 9 ? 3 : (unsigned)((name.len + 2) / 3);

    return (struct nearest_search){.name = name, .tolerance = tolerance, .best = tolerance + 1};
}

void
nearest_try(struct nearest_search *search, struct slice word)
{
    size_t tolerance = search->tolerance;
    unsigned distance;

    if (search->name.len > NEAREST_LONGEST || word.len > NEAREST_LONGEST ||
        word.len > search->name.len + tolerance || search->name.len > word.len + tolerance)
        return;
    distance = nearest_distance(search->name, word);
    if (distance >= search->best)
        return;
    search->best = distance;
    search->found = word.data;
}
