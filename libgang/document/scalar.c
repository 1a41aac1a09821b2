/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/reader.h"

/* ---- number ---- */

/*
 * DBL_DIG, the digits that every float64 keeps, and DBL_DECIMAL_DIG, the most that programs write
 * for one, as 0.30000000000000004; then its largest value, and the smallest with full precision.
 * The exponent saturates where no text within the limits can bring it back into range.
 */
enum {
    NUMBER_DIGITS = 15,
    NUMBER_FRACTION_DIGITS = 17,
    NUMBER_LARGEST_POWER = 308,
    NUMBER_POWER_CAP = 100000000,
    NUMBER_UINT64_DIGITS = 20
};

/* encoding/json, floatEncoder: the powers of ten that it prints without an exponent. */
enum { NUMBER_PLAIN_FROM = -6, NUMBER_PLAIN_BELOW = 21 };

static const char number_largest_digits[] = "17976931348623157";
static const char number_smallest_digits[] = "22250738585072014";

/* 0.DIGITS * 10^point; the digits have no leading or trailing zeros. */
struct number_parts {
    bool negative;
    bool is_integer; /* no dot, no exponent */
    bool too_long;
    int digits_len;
    int64_t point;
    char digits[24];
};

static void
number_add_digit(struct number_parts *parts, char digit, int64_t *pending_zeros, bool behind_dot)
{
    if (digit == '0' && parts->digits_len == 0) {
        parts->point -= behind_dot;
        return;
    }
    parts->point += !behind_dot;
    if (digit == '0') {
        ++*pending_zeros;
        return;
    }
    if (*pending_zeros + parts->digits_len + 1 > (int64_t)sizeof(parts->digits)) {
        parts->too_long = true;
        return;
    }
    for (; *pending_zeros; --*pending_zeros)
        parts->digits[parts->digits_len++] = '0';
    parts->digits[parts->digits_len++] = digit;
}

static int64_t
number_exponent(const char *at, const char *end)
{
    bool negative = at < end && *at == '-';
    int64_t exponent = 0;

    for (at += at < end && (*at == '-' || *at == '+'); at < end; at++)
        if (exponent < NUMBER_POWER_CAP)
            exponent = exponent * 10 + (*at - '0');
    return negative ? -exponent : exponent;
}

SELDOM static void
number_split(struct slice token, struct number_parts *parts)
{
    const char *at = token.data;
    const char *end = at + token.len;
    int64_t pending_zeros = 0;
    bool behind_dot = false;

    *parts = (struct number_parts){.negative = *at == '-', .is_integer = true};
    for (at += *at == '-' || *at == '+'; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            behind_dot = true;
        else
            number_add_digit(parts, *at, &pending_zeros, behind_dot);
    }
    parts->is_integer = !behind_dot && at == end;
    if (at < end)
        parts->point += number_exponent(at + 1, end);
}

static void
number_put(struct number *out, const char *data, size_t len)
{
    memcpy(out->text + out->len, data, len);
    out->len += len;
    out->text[out->len] = '\0';
}

static void
number_put_zeros(struct number *out, int64_t count)
{
    for (; count > 0; count--)
        number_put(out, "0", 1);
}

/*
 * Go's format: with exponent below 1e-6 and from 1e21 on, without leading zeros in the exponent;
 * otherwise without exponent.
 */
static void
number_put_scientific(struct number *out, const struct number_parts *parts)
{
    char text[INTEGER_TEXT_SIZE];
    int64_t power = parts->point - 1;
    struct slice exponent = integer_format(power, text);

    number_put(out, parts->digits, 1);
    if (parts->digits_len > 1) {
        number_put(out, ".", 1);
        number_put(out, parts->digits + 1, (size_t)parts->digits_len - 1);
    }
    number_put(out, power < 0 ? "e" : "e+", power < 0 ? 1 : 2);
    number_put(out, exponent.data, exponent.len);
}

static void
number_put_plain(struct number *out, const struct number_parts *parts)
{
    int64_t whole = parts->point < parts->digits_len ? parts->point : parts->digits_len;

    if (whole <= 0) {
        number_put(out, "0.", 2);
        number_put_zeros(out, -parts->point);
        number_put(out, parts->digits, (size_t)parts->digits_len);
        return;
    }
    number_put(out, parts->digits, (size_t)whole);
    number_put_zeros(out, parts->point - parts->digits_len);
    if (whole < parts->digits_len) {
        number_put(out, ".", 1);
        number_put(out, parts->digits + whole, (size_t)(parts->digits_len - whole));
    }
}

static int
number_compare_digits(const struct number_parts *parts, const char *digits)
{
    int order = memcmp(parts->digits, digits, (size_t)parts->digits_len);

    return order ? order : parts->digits_len - NUMBER_FRACTION_DIGITS;
}

static enum number_status
number_range(const struct number_parts *parts)
{
    const int64_t power = parts->point - 1;
    const bool has_fraction = parts->point < parts->digits_len;

    if (parts->too_long ||
        parts->digits_len > (has_fraction ? NUMBER_FRACTION_DIGITS : NUMBER_DIGITS))
        return NUMBER_IMPRECISE;
    if (power > NUMBER_LARGEST_POWER)
        return NUMBER_TOO_LARGE;
    if (power == NUMBER_LARGEST_POWER && number_compare_digits(parts, number_largest_digits) > 0)
        return NUMBER_TOO_LARGE;
    if (power < -NUMBER_LARGEST_POWER)
        return NUMBER_IMPRECISE;
    if (power == -NUMBER_LARGEST_POWER && number_compare_digits(parts, number_smallest_digits) < 0)
        return NUMBER_IMPRECISE;
    return NUMBER_OK;
}

/* Returns the integer value of the parts. False if it has a fraction or overflows uint64. */
static bool
number_magnitude(const struct number_parts *parts, uint64_t *magnitude)
{
    *magnitude = 0;
    if (parts->digits_len == 0 && !parts->too_long)
        return true;
    if (parts->too_long || parts->point < parts->digits_len || parts->point > NUMBER_UINT64_DIGITS)
        return false;
    for (int i = 0; i < parts->point; i++) {
        unsigned digit = i < parts->digits_len ? (unsigned)(parts->digits[i] - '0') : 0;

        if (*magnitude > (UINT64_MAX - digit) / 10)
            return false;
        *magnitude = *magnitude * 10 + digit;
    }
    return true;
}

static bool
number_fits_int64(uint64_t magnitude, bool negative)
{
    return magnitude <= (uint64_t)INT64_MAX + negative;
}

void
number_from_magnitude(uint64_t magnitude, bool negative, struct number *out)
{
    const bool fits = number_fits_int64(magnitude, negative);
    char digits[INTEGER_TEXT_SIZE];
    const char *end = digits + sizeof(digits);
    const char *at = integer_put_digits(digits + sizeof(digits), magnitude);

    *out = (struct number){.kind = fits ? NODE_INT : NODE_NUMBER};
    if (!fits && negative) {
        out->status = NUMBER_IMPRECISE;
        return;
    }
    if (negative && magnitude)
        number_put(out, "-", 1);
    number_put(out, at, (size_t)(end - at));
}

static bool
number_whole(const struct number_parts *parts, uint64_t *magnitude)
{
    bool is_exact = parts->is_integer || parts->digits_len <= NUMBER_DIGITS;

    if (!number_magnitude(parts, magnitude) || !is_exact)
        return false;
    return number_fits_int64(*magnitude, parts->negative) ||
           (parts->is_integer && !parts->negative);
}

SELDOM static void
number_from_parts(const struct number_parts *parts, struct number *out)
{
    uint64_t magnitude;

    if (number_whole(parts, &magnitude)) {
        number_from_magnitude(magnitude, parts->negative, out);
        return;
    }
    *out = (struct number){.kind = NODE_NUMBER, .status = number_range(parts)};
    if (out->status != NUMBER_OK)
        return;
    if (parts->negative)
        number_put(out, "-", 1);
    if (parts->point - 1 < NUMBER_PLAIN_FROM || parts->point - 1 >= NUMBER_PLAIN_BELOW)
        number_put_scientific(out, parts);
    else
        number_put_plain(out, parts);
}

void
number_from_decimal(struct slice token, bool is_float, struct number *out)
{
    struct number_parts parts;

    number_split(token, &parts);
    parts.is_integer &= !is_float;
    number_from_parts(&parts, out);
}

bool
number_is_exact(struct slice token)
{
    struct number_parts parts;

    number_split(token, &parts);
    return !parts.too_long && parts.digits_len <= NUMBER_DIGITS;
}

/* ---- scalar ---- */

/*
 * go-yaml/yaml v2, resolve.go: resolveMap. Only these spellings match; `yEs` and `tRUE` are
 * strings. Those of one first letter are together.
 */
static const struct scalar_word {
    struct slice text;
    enum node_kind kind;
    bool truth;
} scalar_words[] = {
    {SLICE_INIT("~"), NODE_NULL, false},     {SLICE_INIT("y"), NODE_BOOL, true},
    {SLICE_INIT("yes"), NODE_BOOL, true},    {SLICE_INIT("Y"), NODE_BOOL, true},
    {SLICE_INIT("Yes"), NODE_BOOL, true},    {SLICE_INIT("YES"), NODE_BOOL, true},
    {SLICE_INIT("true"), NODE_BOOL, true},   {SLICE_INIT("True"), NODE_BOOL, true},
    {SLICE_INIT("TRUE"), NODE_BOOL, true},   {SLICE_INIT("on"), NODE_BOOL, true},
    {SLICE_INIT("off"), NODE_BOOL, false},   {SLICE_INIT("On"), NODE_BOOL, true},
    {SLICE_INIT("ON"), NODE_BOOL, true},     {SLICE_INIT("Off"), NODE_BOOL, false},
    {SLICE_INIT("OFF"), NODE_BOOL, false},   {SLICE_INIT("n"), NODE_BOOL, false},
    {SLICE_INIT("no"), NODE_BOOL, false},    {SLICE_INIT("null"), NODE_NULL, false},
    {SLICE_INIT("N"), NODE_BOOL, false},     {SLICE_INIT("No"), NODE_BOOL, false},
    {SLICE_INIT("NO"), NODE_BOOL, false},    {SLICE_INIT("Null"), NODE_NULL, false},
    {SLICE_INIT("NULL"), NODE_NULL, false},  {SLICE_INIT("false"), NODE_BOOL, false},
    {SLICE_INIT("False"), NODE_BOOL, false}, {SLICE_INIT("FALSE"), NODE_BOOL, false},
};

/* One more than the index of the first word with this letter; 0: there is none. */
static const unsigned char scalar_first_word[256] = {
    ['~'] = 1,  ['y'] = 2,  ['Y'] = 4,  ['t'] = 7,  ['T'] = 8,  ['o'] = 10,
    ['O'] = 12, ['n'] = 16, ['N'] = 19, ['f'] = 24, ['F'] = 25,
};

static const struct slice scalar_non_finite[] = {
    SLICE_INIT(".nan"),  SLICE_INIT(".NaN"),  SLICE_INIT(".NAN"),  SLICE_INIT(".inf"),
    SLICE_INIT(".Inf"),  SLICE_INIT(".INF"),  SLICE_INIT("+.inf"), SLICE_INIT("+.Inf"),
    SLICE_INIT("+.INF"), SLICE_INIT("-.inf"), SLICE_INIT("-.Inf"), SLICE_INIT("-.INF"),
};

enum { SCALAR_LONGEST_WORD = 5, SCALAR_LONGEST_NUMBER = 512 };

static void
scalar_resolve_word(struct slice text, size_t first, struct scalar *out)
{
    for (size_t i = first; i < COUNT_OF(scalar_words); i++) {
        if (text.data[0] != scalar_words[i].text.data[0])
            return;
        if (!slice_equal(text, scalar_words[i].text))
            continue;
        out->kind = scalar_words[i].kind;
        if (out->kind == NODE_BOOL)
            out->word = scalar_words[i].truth ? SLICE("true") : SLICE("false");
        return;
    }
}

static bool
scalar_resolve_non_finite(struct slice text, struct scalar *out)
{
    if (text.len > SCALAR_LONGEST_WORD ||
        !slice_is_among(text, scalar_non_finite, COUNT_OF(scalar_non_finite)))
        return false;
    out->status = SCALAR_NON_FINITE;
    out->kind = NODE_NUMBER;
    out->is_float = true;
    return true;
}

unsigned
reader_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A' + 10);
    return 16;
}

static bool
scalar_parse_digits(struct slice digits, unsigned base, uint64_t *magnitude)
{
    *magnitude = 0;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = reader_digit(digits.data[i]);

        if (digit >= base || *magnitude > (UINT64_MAX - digit) / base)
            return false;
        *magnitude = *magnitude * base + digit;
    }
    return digits.len > 0;
}

/* Returns the base that Go's strconv.ParseInt detects with base 0, and the length of its prefix. */
static unsigned
scalar_base(struct slice digits, size_t *prefix)
{
    char mark = digits.len > 1 && digits.data[0] == '0' ? (char)(digits.data[1] | 0x20) : '\0';

    *prefix = 2;
    if (mark == 'x')
        return 16;
    if (mark == 'o')
        return 8;
    if (mark == 'b')
        return 2;
    *prefix = digits.len > 1 && digits.data[0] == '0';
    return *prefix ? 8 : 10;
}

/* ParseInt accepts values down to -2^63; ParseUint up to 2^64-1, but without a sign. */
static bool
scalar_resolve_integer(struct slice text, struct scalar *out)
{
    bool is_signed = text.len && (text.data[0] == '-' || text.data[0] == '+');
    bool negative = is_signed && text.data[0] == '-';
    struct slice digits = slice_after(text, is_signed);
    size_t prefix;
    unsigned base = scalar_base(digits, &prefix);
    uint64_t magnitude;

    if (!scalar_parse_digits(slice_after(digits, prefix), base, &magnitude))
        return false;
    if (is_signed && magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    number_from_magnitude(magnitude, negative, &out->number);
    out->kind = out->number.kind;
    return true;
}

static size_t
scalar_skip_digits(struct slice text, size_t at)
{
    while (at < text.len && text.data[at] >= '0' && text.data[at] <= '9')
        at++;
    return at;
}

/* ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$ */
static bool
scalar_is_float(struct slice text)
{
    size_t start = text.len && (text.data[0] == '-' || text.data[0] == '+');
    size_t at = scalar_skip_digits(text, start);
    bool has_whole = at > start;

    if (at < text.len && text.data[at] == '.') {
        start = ++at;
        at = scalar_skip_digits(text, at);
        if (!has_whole && at == start)
            return false;
    } else if (!has_whole) {
        return false;
    }
    if (at == text.len)
        return true;
    if (text.data[at] != 'e' && text.data[at] != 'E')
        return false;
    at++;
    at += at < text.len && (text.data[at] == '-' || text.data[at] == '+');
    start = at;
    return scalar_skip_digits(text, at) == text.len && start < text.len;
}

/* A float that overflows 64 bits is a string, because strconv.ParseFloat fails. */
static void
scalar_resolve_float(struct slice text, struct scalar *out)
{
    out->kind = NODE_STRING;
    if (!scalar_is_float(text))
        return;
    number_from_decimal(text, true, &out->number);
    if (out->number.status == NUMBER_TOO_LARGE)
        return;
    out->is_float = true;
    out->kind = out->number.kind;
    if (out->number.status == NUMBER_IMPRECISE)
        out->status = SCALAR_IMPRECISE;
}

static struct slice
scalar_without_underscores(struct slice text, char plain[SCALAR_LONGEST_NUMBER])
{
    size_t len = 0;

    if (text.len > SCALAR_LONGEST_NUMBER)
        return text;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] != '_')
            plain[len++] = text.data[i];
    return (struct slice){plain, len};
}

/* strconv.ParseFloat: an underscore must be between two digits. */
static bool
scalar_groups_digits(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '_' &&
            !(i > 0 && i + 1 < text.len && ascii_is(text.data[i - 1], ASCII_DIGIT) &&
              ascii_is(text.data[i + 1], ASCII_DIGIT)))
            return false;
    return true;
}

/* Underscores may be anywhere; what starts with a dot goes to ParseFloat as it is. */
static void
scalar_resolve_number(struct slice text, struct scalar *out)
{
    char plain[SCALAR_LONGEST_NUMBER];
    struct slice digits;

    if (scalar_resolve_non_finite(text, out) ||
        (text.data[0] == '.' && !scalar_groups_digits(text)))
        return;
    digits = scalar_without_underscores(text, plain);
    if (!scalar_resolve_integer(digits, out))
        scalar_resolve_float(digits, out);
}

/* Leaves out the word and the number, which few scalars have. */
static inline void
scalar_start(struct scalar *out, enum node_kind kind)
{
    out->status = SCALAR_OK;
    out->kind = kind;
    out->is_float = false;
}

void
scalar_resolve(struct slice text, struct scalar *out)
{
    const char first = text.len ? text.data[0] : '\0';
    const size_t word = scalar_first_word[(unsigned char)first];

    scalar_start(out, text.len ? NODE_STRING : NODE_NULL);
    if (word && text.len <= SCALAR_LONGEST_WORD)
        scalar_resolve_word(text, word - 1, out);
    else if (ascii_is(first, ASCII_DIGIT) || first == '+' || first == '-' || first == '.')
        scalar_resolve_number(text, out);
}

static bool
scalar_fits_tag(const struct scalar *value, enum scalar_tag tag)
{
    bool is_number = value->kind == NODE_INT || value->kind == NODE_NUMBER;

    switch (tag) {
    case SCALAR_INT:
        return is_number && !value->is_float;
    case SCALAR_FLOAT:
        return is_number;
    case SCALAR_BOOL:
        return value->kind == NODE_BOOL;
    default:
        return value->kind == NODE_NULL;
    }
}

/* All other tags are refused, so that a tag never constructs an object. */
static const struct {
    struct slice name;
    enum scalar_tag tag;
} scalar_tags[] = {
    {SLICE_INIT("tag:yaml.org,2002:str"), SCALAR_STR},
    {SLICE_INIT("tag:yaml.org,2002:int"), SCALAR_INT},
    {SLICE_INIT("tag:yaml.org,2002:float"), SCALAR_FLOAT},
    {SLICE_INIT("tag:yaml.org,2002:bool"), SCALAR_BOOL},
    {SLICE_INIT("tag:yaml.org,2002:null"), SCALAR_NULL},
    {SLICE_INIT("!"), SCALAR_STR},
};

bool
scalar_tag_of(struct slice name, enum scalar_tag *out)
{
    for (size_t i = 0; i < COUNT_OF(scalar_tags); i++) {
        if (slice_equal(name, scalar_tags[i].name)) {
            *out = scalar_tags[i].tag;
            return true;
        }
    }
    return false;
}

void
scalar_resolve_tagged(struct slice text, enum scalar_tag tag, struct scalar *out)
{
    if (tag == SCALAR_STR) {
        scalar_start(out, NODE_STRING);
        return;
    }
    scalar_resolve(text, out);
    if (tag != SCALAR_UNTAGGED && !scalar_fits_tag(out, tag))
        out->status = SCALAR_TAG_MISMATCH;
}
