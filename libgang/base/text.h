/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_TEXT_H
#define LIBGANG_BASE_TEXT_H

#include <gang/gang.h>
#include <stdarg.h>
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

/*
 * Raises `low` to the first index below `count` of sorted items that is not before the wanted one:
 * `is_before` says so of the item at `middle`.
 */
#define SORTED_SEARCH(low, count, middle, is_before)                                               \
    for (size_t end_ = (count), middle; middle = (low) + (end_ - (low)) / 2, (low) < end_;)        \
        if (is_before)                                                                             \
            (low) = middle + 1;                                                                    \
        else                                                                                       \
            end_ = middle

/*
 * Returns the first of `count` structs whose text at `offset` is `text`; NULL if there is none.
 */
void *find_text(const void *items, size_t count, size_t size, size_t offset, struct slice text);
/* The same with the name of the member. */
#define FIND_TEXT(items, count, member, text)                                                      \
    find_text((items), (count), sizeof(*(items)), offsetof(__typeof__(*(items)), member), (text))

#define SLICE(literal) ((struct slice){(literal), sizeof(literal) - 1})
/* Like SLICE(), as a constant initializer. */
#define SLICE_INIT(literal)                                                                        \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }
/* Before a text in UTF-8; no character of it. */
#define BYTE_ORDER_MARK SLICE("\xEF\xBB\xBF")
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

inline uint64_t
slice_word(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof(word));
    return word;
}

inline uint32_t
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
    } else if (text.len) { /* up to three bytes: the first, the middle and the last one */
        to[0] = text.data[0];
        to[text.len / 2] = text.data[text.len / 2];
        to[text.len - 1] = text.data[text.len - 1];
    }
}

/*
 * Compares whole words, the last of which may overlap the one before. Needs no function call,
 * because names and keys are short.
 */
inline bool
slice_bytes_equal(const char *a, const char *b, size_t len)
{
    size_t at = 0;

    if (len >= sizeof(uint64_t)) {
        const size_t last = len - sizeof(uint64_t);

        if (slice_word(a + last) != slice_word(b + last))
            return false;
        do {
            if (slice_word(a + at) != slice_word(b + at))
                return false;
            at += sizeof(uint64_t);
        } while (at < last);
        return true;
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

inline bool
slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && slice_bytes_equal(a.data, b.data, b.len);
}

static inline bool
slice_is_among(struct slice s, const struct slice *items, size_t count)
{
    return find_text(items, count, sizeof(*items), 0, s) != NULL;
}

static inline bool
slice_has_prefix(struct slice s, struct slice prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.data, prefix.data, prefix.len) == 0);
}

/* Returns the text without its first bytes. */
static inline struct slice
slice_after(struct slice s, size_t bytes)
{
    return (struct slice){s.data + bytes, s.len - bytes};
}

static inline bool
slice_has_suffix(struct slice s, struct slice suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || slice_equal(slice_after(s, s.len - suffix.len), suffix));
}

/* Removes the prefix from a text that starts with it. */
static inline bool
slice_take(struct slice *s, struct slice prefix)
{
    const bool starts = slice_has_prefix(*s, prefix);

    if (starts && prefix.len)
        *s = slice_after(*s, prefix.len);
    return starts;
}

/* Returns the position of the byte; the length if it is absent. */
static inline size_t
slice_find(struct slice s, char byte)
{
    const char *at = s.len ? memchr(s.data, byte, s.len) : NULL;

    return at ? (size_t)(at - s.data) : s.len;
}

/* Returns what is before the first such byte; the whole text if there is none. */
static inline struct slice
slice_before(struct slice s, char byte)
{
    return (struct slice){s.data, slice_find(s, byte)};
}

/* Compares bytes, the order in which Kubernetes sorts the keys of maps. */
inline int
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

/* Character classes for names. Names are checked for each job, so a byte costs one table lookup. */
enum {
    ASCII_LOWER = 1 << 0,
    ASCII_UPPER = 1 << 1,
    ASCII_DIGIT = 1 << 2,
    ASCII_DASH = 1 << 3,
    ASCII_UNDERSCORE = 1 << 4,
    ASCII_DOT = 1 << 5,
    ASCII_SLASH = 1 << 6,
    ASCII_LETTER = ASCII_LOWER | ASCII_UPPER,
};

extern const unsigned char ascii_classes[256];

static inline bool
ascii_is(char c, unsigned classes)
{
    return (ascii_classes[(unsigned char)c] & classes) != 0;
}

static inline char
ascii_lower(char c)
{
    return ascii_is(c, ASCII_UPPER) ? (char)(c - 'A' + 'a') : c;
}

/*
 * Whether the texts are equal but for the case of ASCII letters. Compares from their ends, because
 * the names of one list often start alike.
 */
static inline bool
ascii_equal(struct slice one, struct slice other)
{
    size_t rest = one.len;

    if (one.len != other.len)
        return false;
    while (rest && ascii_lower(one.data[rest - 1]) == ascii_lower(other.data[rest - 1]))
        rest--;
    return !rest;
}

/* Returns the text without the ASCII white space at its ends, as of Go's strings.TrimSpace. */
struct slice text_trim(struct slice text);

/* Finds a text that is not empty, and sets what is behind it; false if it is not there. */
bool text_find(struct slice text, struct slice wanted, struct slice *rest);

/* Returns the place behind the white space of JSON. */
const char *json_behind_space(const char *at, const char *end);

/* The same behind comments of YAML, too. */
const char *json_behind_comments(const char *at, const char *end);

/*
 * Whether the text is read as JSON: behind its brace is a text in double quotes or another brace.
 * The keys of a mapping of YAML need no quotes. kubectl tries JSON behind each brace, and then
 * YAML.
 */
bool json_starts_object(struct slice text);

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

enum { INTEGER_TEXT_SIZE = 24 };

/*
 * Formats a decimal integer, independent of the locale. The slice points into `text`, which ends in
 * NUL.
 */
struct slice integer_format(int64_t value, char text[INTEGER_TEXT_SIZE]);

/* Writes decimal digits that end before `end`. Returns the first one. */
char *integer_put_digits(char *end, uint64_t value);

/* All that 64 bits hold. */
extern const uint64_t integer_powers_of_ten[20];

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

/* The same for the product. */
static inline int64_t
integer_multiply_capped(int64_t a, int64_t b)
{
    int64_t product;

    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

/* On Windows, gcc's own name for printf is Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define LIKE_PRINTF(position, first) __attribute__((format(gnu_printf, position, first)))
#elif defined(__GNUC__)
#define LIKE_PRINTF(position, first) __attribute__((format(printf, position, first)))
#else
#define LIKE_PRINTF(position, first)
#endif
/* A parameter of a function with a given type. */
#ifdef __GNUC__
#define MAY_BE_UNUSED __attribute__((unused))
#else
#define MAY_BE_UNUSED
#endif
/* A function that few jobs call: compiled for size, also in a file that is compiled for speed. */
#if defined(__clang__)
#define SELDOM __attribute__((cold, noinline, minsize))
#elif defined(__GNUC__)
#define SELDOM __attribute__((cold, noinline))
#else
#define SELDOM
#endif

/*
 * vsnprintf() for messages, at less than half of its cost and without a locale. Supports only %s,
 * %.*s, %d, %u, %lld, %llu, %zu, %%, and "%%\v", which ends a part of the text with a NUL. %-.*s is
 * the text as quote() writes it. Writes at most `size` bytes (not 0), including the NUL. Returns
 * the length of the complete text.
 */
LIKE_PRINTF(3, 0)
size_t format_text(char *out, size_t size, const char *format, va_list arguments);
LIKE_PRINTF(3, 4)
size_t format_into(char *out, size_t size, const char *format, ...);

/*
 * A growable buffer for output. A failure is sticky: append without checks, and check once at the
 * end. The capacity never exceeds the limit.
 */
struct buffer {
    char *data;
    size_t len;
    size_t capacity;
    size_t limit;                /* in bytes; 0 means unlimited */
    struct workspace *workspace; /* whose memory it has; NULL: none */
    bool failed;
    bool hit_limit;
};

void buffer_append(struct buffer *buffer, const void *data, size_t len);
void buffer_append_repeated(struct buffer *buffer, char byte, size_t count);
/* Makes room for `extra` more bytes. False after the buffer has failed. */
bool buffer_reserve(struct buffer *buffer, size_t extra);

/*
 * `capacity` never exceeds the limit and is equal to `len` after a failure, so free room implies
 * that the buffer has not failed.
 */
static inline void
buffer_append_byte(struct buffer *buffer, char byte)
{
    if (buffer->len < buffer->capacity)
        buffer->data[buffer->len++] = byte;
    else
        buffer_append(buffer, &byte, 1);
}

/*
 * Appends `len` bytes (not 0) and returns their address. The caller must write all of them. Returns
 * NULL after the buffer has failed.
 */
static inline char *
buffer_extend(struct buffer *buffer, size_t len)
{
    if (len > buffer->capacity - buffer->len && !buffer_reserve(buffer, len))
        return NULL;
    buffer->len += len;
    return buffer->data + buffer->len - len;
}

static inline void
buffer_append_slice(struct buffer *buffer, struct slice s)
{
    buffer_append(buffer, s.data, s.len);
}

/* Frees the memory. The buffer may be used again. */
void buffer_clear(struct buffer *buffer);

/*
 * Takes ownership of the bytes of the buffer, which is empty afterwards. Returns NULL if out of
 * memory.
 */
struct gang_blob *blob_take(struct buffer *buffer);

enum { DURATION_TEXT_SIZE = 32 };

/*
 * Parses a duration in Go's form ("1h30m", "-1.5s") as time.ParseDuration does. False if the text
 * is invalid or the value overflows int64.
 */
SELDOM bool duration_parse(struct slice text, int64_t *nanoseconds);

/* time.Duration.String: "1h30m0s". The slice points into `text`. */
SELDOM struct slice duration_format(int64_t nanoseconds, char text[DURATION_TEXT_SIZE]);

/*
 * Whether a reader does not see the code point as a character of its own: controls, format
 * characters (bidirectional marks, zero-width and tag characters, soft hyphens, byte order marks),
 * variation selectors and fillers, separators other than the space, and private, unassigned and
 * surrogate code points. Go's strconv.Quote, which the API server's messages use, escapes the same
 * but for the selectors and fillers.
 */
bool is_unprintable(uint32_t code_point);

/* ---- hashes ---- */

/* 64-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/. The hash of no text is FNV1A_START. */
#define FNV1A_START 14695981039346656037u

/* Returns the hash of what `hash` is of, followed by the text. */
uint64_t fnv1a_add(uint64_t hash, struct slice text);

/* The same with 32 bits, as in Go's hash/fnv, for short parts of names. Not for security. */
#define FNV1A_32_START 2166136261u
uint32_t fnv1a_32_add(uint32_t hash, struct slice text);

enum { SHA1_BYTES = 20, SHA_BLOCK = 64 };

/* The state of SHA-1 or SHA-256. */
struct sha {
    uint32_t state[8]; /* SHA-1 has five */
    uint64_t len;
    unsigned char block[SHA_BLOCK];
    void (*take_block)(struct sha *hash);
};

/* SHA-1 (RFC 3174), for names that other controllers compute with it. Not for security. */
void sha1_begin(struct sha *hash);
void sha_add(struct sha *hash, struct slice text);
void sha1_end(struct sha *hash, unsigned char out[SHA1_BYTES]);

enum { SHA256_TEXT_SIZE = 64 + 1 };

/*
 * SHA-256 (FIPS 180-4) in lower-case hexadecimal, for names that must be equal to those of other
 * controllers. Returns `out`.
 */
const char *sha256_text(struct slice data, char out[SHA256_TEXT_SIZE]);

/* The word that is nearest to a misspelt one so far; NULL while none is near. */
struct nearest_search {
    struct slice name;
    unsigned tolerance;
    unsigned best;
    const char *found;
};

struct nearest_search nearest_start(struct slice name);
/* `word` must end in NUL. */
SELDOM void nearest_try(struct nearest_search *search, struct slice word);

#endif
