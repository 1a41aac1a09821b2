/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/scalar.h"

/* go-yaml/yaml v2, resolve.go: resolveMap. Exactly these spellings; `yEs` and `tRUE` stay strings. */
static const struct scalar_word {
    struct slice text;
    enum node_kind kind;
    bool truth;
} scalar_words[] = {
    {SLICE_INIT("~"), NODE_NULL, false},     {SLICE_INIT("null"), NODE_NULL, false},
    {SLICE_INIT("Null"), NODE_NULL, false},  {SLICE_INIT("NULL"), NODE_NULL, false},
    {SLICE_INIT("y"), NODE_BOOL, true},      {SLICE_INIT("Y"), NODE_BOOL, true},
    {SLICE_INIT("yes"), NODE_BOOL, true},    {SLICE_INIT("Yes"), NODE_BOOL, true},
    {SLICE_INIT("YES"), NODE_BOOL, true},    {SLICE_INIT("true"), NODE_BOOL, true},
    {SLICE_INIT("True"), NODE_BOOL, true},   {SLICE_INIT("TRUE"), NODE_BOOL, true},
    {SLICE_INIT("on"), NODE_BOOL, true},     {SLICE_INIT("On"), NODE_BOOL, true},
    {SLICE_INIT("ON"), NODE_BOOL, true},     {SLICE_INIT("n"), NODE_BOOL, false},
    {SLICE_INIT("N"), NODE_BOOL, false},     {SLICE_INIT("no"), NODE_BOOL, false},
    {SLICE_INIT("No"), NODE_BOOL, false},    {SLICE_INIT("NO"), NODE_BOOL, false},
    {SLICE_INIT("false"), NODE_BOOL, false}, {SLICE_INIT("False"), NODE_BOOL, false},
    {SLICE_INIT("FALSE"), NODE_BOOL, false}, {SLICE_INIT("off"), NODE_BOOL, false},
    {SLICE_INIT("Off"), NODE_BOOL, false},   {SLICE_INIT("OFF"), NODE_BOOL, false},
};

static const struct slice scalar_non_finite[] = {
    SLICE_INIT(".nan"),  SLICE_INIT(".NaN"),  SLICE_INIT(".NAN"),  SLICE_INIT(".inf"),
    SLICE_INIT(".Inf"),  SLICE_INIT(".INF"),  SLICE_INIT("+.inf"), SLICE_INIT("+.Inf"),
    SLICE_INIT("+.INF"), SLICE_INIT("-.inf"), SLICE_INIT("-.Inf"), SLICE_INIT("-.INF"),
};

enum { SCALAR_LONGEST_WORD = 5, SCALAR_LONGEST_NUMBER = 512 };

static void
scalar_resolve_word(struct slice text, struct scalar *out)
{
    for (size_t i = 0; i < sizeof(scalar_words) / sizeof(scalar_words[0]); i++) {
        if (text.data[0] != scalar_words[i].text.data[0] || !slice_equal(text, scalar_words[i].text))
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
    if (text.len > SCALAR_LONGEST_WORD)
        return false;
    for (size_t i = 0; i < sizeof(scalar_non_finite) / sizeof(scalar_non_finite[0]); i++) {
        if (slice_equal(text, scalar_non_finite[i])) {
            out->status = SCALAR_NON_FINITE;
            out->kind = NODE_NUMBER;
            out->is_float = true;
            return true;
        }
    }
    return false;
}

static unsigned
scalar_digit(char c)
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
        unsigned digit = scalar_digit(digits.data[i]);

        if (digit >= base || *magnitude > (UINT64_MAX - digit) / base)
            return false;
        *magnitude = *magnitude * base + digit;
    }
    return digits.len > 0;
}

/* The base that Go's strconv.ParseInt with base 0 sees, and the length of its prefix. */
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

/* ParseInt reads down to -2^63, ParseUint up to 2^64-1 but takes no sign. */
static bool
scalar_resolve_integer(struct slice text, struct scalar *out)
{
    bool is_signed = text.len && (text.data[0] == '-' || text.data[0] == '+');
    bool negative = is_signed && text.data[0] == '-';
    struct slice digits = {text.data + is_signed, text.len - is_signed};
    size_t prefix;
    unsigned base = scalar_base(digits, &prefix);
    uint64_t magnitude;

    if (!scalar_parse_digits((struct slice){digits.data + prefix, digits.len - prefix}, base, &magnitude))
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

/* A float too large for 64 bits stays a string, as strconv.ParseFloat fails on it. */
static void
scalar_resolve_float(struct slice text, struct scalar *out)
{
    out->kind = NODE_STRING;
    if (!scalar_is_float(text))
        return;
    number_from_float(text, &out->number);
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

static bool
scalar_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* strconv.ParseFloat: an underscore stands between two digits. */
static bool
scalar_groups_digits(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '_' && !(i > 0 && i + 1 < text.len && scalar_is_digit(text.data[i - 1]) &&
                                     scalar_is_digit(text.data[i + 1])))
            return false;
    return true;
}

/* Underscores stand anywhere in a number, except in one that starts with a dot: that goes to ParseFloat as it is. */
static void
scalar_resolve_number(struct slice text, struct scalar *out)
{
    char plain[SCALAR_LONGEST_NUMBER];
    struct slice digits = scalar_without_underscores(text, plain);

    if (text.data[0] == '.' && !scalar_groups_digits(text))
        return;
    if (!scalar_resolve_integer(digits, out))
        scalar_resolve_float(digits, out);
}

static bool
scalar_starts_number(char c)
{
    return scalar_is_digit(c) || c == '+' || c == '-' || c == '.';
}

static bool
scalar_starts_word(char c)
{
    switch (c) {
    case '~':
    case 'y':
    case 'Y':
    case 'n':
    case 'N':
    case 't':
    case 'T':
    case 'f':
    case 'F':
    case 'o':
    case 'O':
        return true;
    default:
        return false;
    }
}

void
scalar_resolve(struct slice text, struct scalar *out)
{
    *out = (struct scalar){.kind = NODE_STRING};
    if (text.len == 0)
        out->kind = NODE_NULL;
    else if (scalar_starts_word(text.data[0])) {
        if (text.len <= SCALAR_LONGEST_WORD)
            scalar_resolve_word(text, out);
    } else if (scalar_starts_number(text.data[0]) && !scalar_resolve_non_finite(text, out))
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

void
scalar_resolve_tagged(struct slice text, enum scalar_tag tag, struct scalar *out)
{
    if (tag == SCALAR_STR) {
        *out = (struct scalar){.kind = NODE_STRING};
        return;
    }
    scalar_resolve(text, out);
    if (tag != SCALAR_UNTAGGED && !scalar_fits_tag(out, tag))
        out->status = SCALAR_TAG_MISMATCH;
}
