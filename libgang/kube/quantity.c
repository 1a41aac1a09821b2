/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

/* ---- quantity ---- */

enum { QUANTITY_NANOS_PER_UNIT = 1000000000 };

/* An amount without a sign: whole units and billionths. */
struct quantity_amount {
    uint64_t units;
    uint32_t nanos;
};

static struct quantity_amount
quantity_amount_of(const struct quantity *value)
{
    if (value->units >= 0)
        return (struct quantity_amount){(uint64_t)value->units, value->nanos};
    if (!value->nanos)
        return (struct quantity_amount){0 - (uint64_t)value->units, 0};
    return (struct quantity_amount){~(uint64_t)value->units,
                                    QUANTITY_NANOS_PER_UNIT - value->nanos};
}

/* Stores the amount unless it is above 2^63-1 units. */
static bool
quantity_set(struct quantity *value, struct quantity_amount amount, bool negative)
{
    if (amount.units >= INT64_MAX && (amount.units > INT64_MAX || amount.nanos))
        return false;
    value->units = (int64_t)amount.units;
    value->nanos = amount.nanos;
    if (negative) {
        value->units = -value->units - (amount.nanos > 0);
        value->nanos = amount.nanos ? QUANTITY_NANOS_PER_UNIT - amount.nanos : 0;
    }
    return true;
}

/* Stores the result unless it is too large. Any operation clears the kept text. */
static bool
quantity_store(struct quantity *value, enum quantity_format format, int64_t units, uint32_t nanos)
{
    if (units == INT64_MIN || (units == INT64_MAX && nanos))
        return false;
    *value = (struct quantity){.units = units, .nanos = nanos, .format = format};
    return true;
}

static enum quantity_format
quantity_common_format(const struct quantity *left, const struct quantity *right)
{
    return quantity_is_zero(left) ? right->format : left->format;
}

bool
quantity_add(struct quantity *left, const struct quantity *right)
{
    const uint32_t nanos = left->nanos + right->nanos;
    const bool carry = nanos >= QUANTITY_NANOS_PER_UNIT;
    int64_t units;

    if (__builtin_add_overflow(left->units, right->units, &units) ||
        __builtin_add_overflow(units, (int64_t)carry, &units))
        return false;
    return quantity_store(left, quantity_common_format(left, right), units,
                          carry ? nanos - QUANTITY_NANOS_PER_UNIT : nanos);
}

bool
quantity_subtract(struct quantity *left, const struct quantity *right)
{
    const bool borrow = left->nanos < right->nanos;
    const uint32_t nanos = left->nanos + (borrow ? QUANTITY_NANOS_PER_UNIT : 0) - right->nanos;
    int64_t units;

    if (__builtin_sub_overflow(left->units, right->units, &units) ||
        __builtin_sub_overflow(units, (int64_t)borrow, &units))
        return false;
    return quantity_store(left, quantity_common_format(left, right), units, nanos);
}

/*
 * False on overflow. The billionths are multiplied with the factor's multiple of 10^9 and with its
 * rest, so that no intermediate result wraps.
 */
static bool
quantity_amount_times(struct quantity_amount *amount, uint64_t factor)
{
    const uint64_t rest = amount->nanos * (factor % QUANTITY_NANOS_PER_UNIT);
    const uint64_t carried = amount->nanos * (factor / QUANTITY_NANOS_PER_UNIT);

    amount->nanos = (uint32_t)(rest % QUANTITY_NANOS_PER_UNIT);
    return !__builtin_mul_overflow(amount->units, factor, &amount->units) &&
           !__builtin_add_overflow(amount->units, carried, &amount->units) &&
           !__builtin_add_overflow(amount->units, rest / QUANTITY_NANOS_PER_UNIT, &amount->units);
}

bool
quantity_multiply(struct quantity *value, int64_t factor)
{
    const uint64_t times = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
    struct quantity_amount amount;

    if (!value->nanos) {
        int64_t units;

        return !__builtin_mul_overflow(value->units, factor, &units) &&
               quantity_store(value, value->format, units, 0);
    }
    amount = quantity_amount_of(value);
    if (!quantity_amount_times(&amount, times) ||
        !quantity_set(value, amount, (value->units < 0) != (factor < 0)))
        return false;
    value->text = NO_SLICE;
    return true;
}

int
quantity_compare(const struct quantity *left, const struct quantity *right)
{
    if (left->units != right->units)
        return left->units < right->units ? -1 : 1;
    return (left->nanos > right->nanos) - (left->nanos < right->nanos);
}

/* ---- quantity parse ---- */

enum {
    QUANTITY_LONGEST_TEXT = 64,
    QUANTITY_LARGEST_EXPONENT = 64,
    QUANTITY_NANO_DIGITS = 9,
    QUANTITY_SHORT_DIGITS = 19, /* any number of this many digits fits into 64 bits */
};

/* The parts of a text, split as the parser of Kubernetes does. */
struct quantity_parts {
    struct slice whole; /* digits before the point without leading zeros */
    uint64_t value;     /* of these digits, if there are at most QUANTITY_SHORT_DIGITS */
    struct slice fraction;
    struct slice suffix;
    bool negative;
    bool has_digits;
};

struct quantity_scale {
    int exponent; /* of ten; for QUANTITY_BINARY_SI of two */
    enum quantity_format format;
};

static const bool quantity_suffix_letters[256] = {
    ['e'] = true, ['E'] = true, ['i'] = true, ['n'] = true, ['u'] = true, ['m'] = true,
    ['k'] = true, ['K'] = true, ['M'] = true, ['G'] = true, ['T'] = true, ['P'] = true,
};

static const char *
quantity_skip_sign(const char *at, const char *end)
{
    return at < end && (*at == '+' || *at == '-') ? at + 1 : at;
}

static struct slice
quantity_between(const char *start, const char *end)
{
    return (struct slice){start, (size_t)(end - start)};
}

static unsigned
quantity_digit(char c)
{
    return (unsigned)(c - '0');
}

/* Returns the place behind the digits, and appends them to those of `value`. */
static const char *
quantity_take_digits(const char *at, const char *end, uint64_t *value)
{
    for (; at < end && quantity_digit(*at) <= 9; at++)
        *value = *value * 10 + quantity_digit(*at);
    return at;
}

static bool
quantity_cut(struct slice text, struct quantity_parts *parts)
{
    const char *end = text.data + text.len;
    const char *digits = quantity_skip_sign(text.data, end);
    const char *start = digits;
    const char *at;
    uint64_t skipped = 0; /* the digits behind are only skipped here */

    while (start < end && *start == '0')
        start++;
    parts->value = 0;
    at = quantity_take_digits(start, end, &parts->value);
    parts->negative = *text.data == '-';
    parts->whole = quantity_between(start, at);
    parts->has_digits = at > digits;
    parts->fraction = SLICE("");
    if (at < end && *at == '.') {
        start = at + 1;
        at = quantity_take_digits(start, end, &skipped);
        parts->fraction = quantity_between(start, at);
        parts->has_digits |= at > start;
    }
    /* Letters, one sign and digits up to the end, whose value is not checked. */
    start = at;
    while (at < end && quantity_suffix_letters[(unsigned char)*at])
        at++;
    at = quantity_take_digits(quantity_skip_sign(at, end), end, &skipped);
    parts->suffix = quantity_between(start, end);
    return at == end;
}

/*
 * The suffixes of 1000^-3 to 1000^6, and of 1024 to 1024^6. Source:
 * kubernetes/apimachinery:pkg/api/resource/suffix.go.
 */
enum { QUANTITY_DECIMAL_LETTERS = 10, QUANTITY_BINARY_LETTERS = 6, QUANTITY_NO_SUFFIX = 3 };
static const char quantity_decimal_letters[] = "num\0kMGTPE";
static const char quantity_binary_letters[] = "KMGTPE";

/* Returns the place of a letter among the first ones; -1 if it is not there. */
static int
quantity_find_letter(const char *letters, size_t count, char letter)
{
    for (size_t i = 0; i < count; i++)
        if (letters[i] == letter)
            return (int)i;
    return -1;
}

static enum quantity_result
quantity_read_suffix(struct slice suffix, struct quantity_scale *scale)
{
    struct slice text;
    int64_t value;
    int place;

    *scale = (struct quantity_scale){0, QUANTITY_DECIMAL_SI};
    if (suffix.len == 0)
        return QUANTITY_OK;
    if (suffix.len == 1) {
        place = quantity_find_letter(quantity_decimal_letters, QUANTITY_DECIMAL_LETTERS,
                                     suffix.data[0]);
        scale->exponent = 3 * (place - QUANTITY_NO_SUFFIX);
        return place >= 0 ? QUANTITY_OK : QUANTITY_BAD_SUFFIX;
    }
    place =
        suffix.len == 2 && suffix.data[1] == 'i'
            ? quantity_find_letter(quantity_binary_letters, QUANTITY_BINARY_LETTERS, suffix.data[0])
            : -1;
    if (place >= 0) {
        *scale = (struct quantity_scale){10 * (place + 1), QUANTITY_BINARY_SI};
        return QUANTITY_OK;
    }
    if (suffix.data[0] != 'e' && suffix.data[0] != 'E')
        return QUANTITY_BAD_SUFFIX;
    scale->format = QUANTITY_DECIMAL_EXPONENT;
    text = slice_after(suffix, 1);
    slice_take(&text, SLICE("+"));
    if (!integer_parse(text, &value))
        return QUANTITY_BAD_SUFFIX;
    if (value < -QUANTITY_LARGEST_EXPONENT || value > QUANTITY_LARGEST_EXPONENT)
        return QUANTITY_BAD_RANGE;
    scale->exponent = (int)value;
    return QUANTITY_OK;
}

/* Adds one billionth if `lost`: amounts are rounded away from zero. */
static void
quantity_round_away(struct quantity_amount *amount, bool lost)
{
    amount->nanos += lost;
    if (amount->nanos == QUANTITY_NANOS_PER_UNIT) {
        amount->nanos = 0;
        amount->units++;
    }
}

/* The digit at this place of the text without its point; outside the text it is 0. */
static unsigned
quantity_digit_at(const struct quantity_parts *parts, int place)
{
    const int whole = (int)parts->whole.len;

    if (place < 0 || place >= whole + (int)parts->fraction.len)
        return 0;
    return quantity_digit(place < whole ? parts->whole.data[place]
                                        : parts->fraction.data[place - whole]);
}

/* False above 2^63-1 units. */
static bool
quantity_long_decimal(const struct quantity_parts *parts, int exponent,
                      struct quantity_amount *amount)
{
    const int end = (int)(parts->whole.len + parts->fraction.len);
    const int point = (int)parts->whole.len + exponent;
    bool lost = false;
    int place = 0;

    *amount = (struct quantity_amount){0};
    for (; place < point; place++) {
        if (amount->units > INT64_MAX / 10)
            return false;
        amount->units = amount->units * 10 + quantity_digit_at(parts, place);
    }
    for (place = point; place < point + QUANTITY_NANO_DIGITS; place++)
        amount->nanos = amount->nanos * 10 + quantity_digit_at(parts, place);
    for (place = place < 0 ? 0 : place; place < end; place++)
        lost |= quantity_digit_at(parts, place) != 0;
    quantity_round_away(amount, lost);
    return true;
}

/* The same for short numbers. Nearly all are short. */
static bool
quantity_decimal(const struct quantity_parts *parts, int exponent, struct quantity_amount *amount)
{
    const int scale = exponent - (int)parts->fraction.len;
    uint64_t value = parts->value;
    uint64_t power;

    if (scale < -QUANTITY_NANO_DIGITS || scale > QUANTITY_SHORT_DIGITS ||
        parts->whole.len + parts->fraction.len > QUANTITY_SHORT_DIGITS)
        return quantity_long_decimal(parts, exponent, amount);
    for (size_t i = 0; i < parts->fraction.len; i++)
        value = value * 10 + quantity_digit(parts->fraction.data[i]);
    amount->nanos = 0;
    if (scale >= 0)
        return !__builtin_mul_overflow(value, integer_powers_of_ten[scale], &amount->units);
    power = integer_powers_of_ten[-scale];
    amount->units = value / power;
    amount->nanos = (uint32_t)(value % power * integer_powers_of_ten[QUANTITY_NANO_DIGITS + scale]);
    return true;
}

/* Multiplies 0.<digits> by 1024, in place, and returns the whole part. */
static unsigned
quantity_take_binary(unsigned char *digits, size_t count)
{
    unsigned carry = 0;

    for (size_t i = count; i-- > 0; carry /= 10) {
        carry += digits[i] * 1024U;
        digits[i] = (unsigned char)(carry % 10);
    }
    return carry;
}

/* 0.<digits> times 2^bits, rounded away from zero. */
static struct quantity_amount
quantity_binary_fraction(struct slice text, int bits)
{
    unsigned char digits[QUANTITY_LONGEST_TEXT] = {0};
    struct quantity_amount amount = {0};
    bool lost = false;

    for (size_t i = 0; i < text.len; i++)
        digits[i] = (unsigned char)quantity_digit(text.data[i]);
    for (; bits > 0; bits -= 10)
        amount.units = (amount.units << 10) + quantity_take_binary(digits, text.len);
    for (size_t i = 0; i < QUANTITY_NANO_DIGITS; i++)
        amount.nanos = amount.nanos * 10 + digits[i];
    for (size_t i = QUANTITY_NANO_DIGITS; i < text.len; i++)
        lost |= digits[i] != 0;
    quantity_round_away(&amount, lost);
    return amount;
}

/* False above 2^63-1 units. */
static bool
quantity_binary(const struct quantity_parts *parts, int bits, struct quantity_amount *amount)
{
    enum { LONGEST_WHOLE = 16 }; /* 10^16 Ki is above the largest amount */

    *amount = (struct quantity_amount){0};
    if (parts->whole.len > LONGEST_WHOLE || parts->value > (uint64_t)INT64_MAX >> bits)
        return false;
    if (parts->fraction.len)
        *amount = quantity_binary_fraction(parts->fraction, bits);
    amount->units += parts->value << bits;
    return true;
}

/* The same for a binary text without a point; `digits` are those without leading zeros. */
static bool
quantity_keeps_binary_text(size_t digits, uint64_t value, int bits)
{
    enum { MOST_DIGITS = 14 };

    return digits && (int)digits <= MOST_DIGITS - bits * 3 / 10 && value % 8 != 0;
}

static enum quantity_result
quantity_parse_decimal(struct slice text, const struct quantity_parts *parts, int exponent,
                       struct quantity *out)
{
    enum { MOST_DIGITS = 18 };
    const int scale = exponent - (int)parts->fraction.len;
    const int end = (int)(parts->whole.len + parts->fraction.len);
    struct quantity_amount amount;

    if (!quantity_decimal(parts, exponent, &amount) || !quantity_set(out, amount, parts->negative))
        return QUANTITY_OVERFLOW;
    /* Kubernetes keeps such a text, which no three zeros end, as canonical and prints it */
    if (parts->whole.len && end <= MOST_DIGITS && scale >= -QUANTITY_NANO_DIGITS &&
        scale % 3 == 0 &&
        (end < 3 || quantity_digit_at(parts, end - 1) || quantity_digit_at(parts, end - 2) ||
         quantity_digit_at(parts, end - 3)))
        out->text = text;
    return QUANTITY_OK;
}

static enum quantity_result
quantity_parse_binary(struct slice text, const struct quantity_parts *parts, int bits,
                      struct quantity *out)
{
    struct quantity_amount amount;
    const bool fits =
        quantity_binary(parts, bits, &amount) && quantity_set(out, amount, parts->negative);

    if (!fits)
        quantity_set(out, (struct quantity_amount){.units = INT64_MAX}, parts->negative);
    else if (!amount.units && amount.nanos)
        out->format = QUANTITY_DECIMAL_SI;
    if (!parts->fraction.len && quantity_keeps_binary_text(parts->whole.len, parts->value, bits))
        out->text = text;
    return fits ? QUANTITY_OK : QUANTITY_CAPPED;
}

/*
 * Parses up to nine digits without leading zeros, alone or before m, Ki, Mi or Gi, as most amounts
 * are. They need none of what other amounts need. False for any other text. `text` is not empty.
 */
static bool
quantity_parse_usual(struct slice text, struct quantity *out)
{
    enum { MOST_DIGITS = 9, MOST_BITS = 30, MILLIS = 1000 };
    const char *end = text.data + text.len;
    const char *stop = text.len > MOST_DIGITS ? text.data + MOST_DIGITS : end;
    uint64_t value = 0;
    const char *at = quantity_take_digits(text.data, stop, &value);
    int bits;

    if (at == text.data || text.data[0] == '0')
        return false;
    *out = (struct quantity){
        .units = (int64_t)value,
        .format = QUANTITY_DECIMAL_SI,
        .text = value % 1000 ? text : NO_SLICE, /* otherwise it is not canonical: it has a k */
    };
    if (at == end)
        return true;
    if (end - at == 1 && *at == 'm') {
        out->units = (int64_t)(value / MILLIS);
        out->nanos = (uint32_t)(value % MILLIS) * (QUANTITY_NANOS_PER_UNIT / MILLIS);
        return true;
    }
    if (end - at != 2 || at[1] != 'i')
        return false;
    bits = 10 * (1 + quantity_find_letter(quantity_binary_letters, QUANTITY_BINARY_LETTERS, *at));
    if (bits == 0 || bits > MOST_BITS)
        return false;
    out->units = (int64_t)(value << bits);
    out->format = QUANTITY_BINARY_SI;
    out->text = quantity_keeps_binary_text((size_t)(at - text.data), value, bits) ? text : NO_SLICE;
    return true;
}

SELDOM static enum quantity_result
quantity_parse_other(struct slice text, struct quantity *out)
{
    struct quantity_parts parts;
    struct quantity_scale scale;
    enum quantity_result result;

    *out = (struct quantity){.format = QUANTITY_DECIMAL_SI};
    if (text.len > QUANTITY_LONGEST_TEXT)
        return QUANTITY_TOO_LONG;
    if (text.len == 0 || !quantity_cut(text, &parts))
        return QUANTITY_BAD_FORMAT;
    result = quantity_read_suffix(parts.suffix, &scale);
    if (result != QUANTITY_OK)
        return result;
    if (!parts.has_digits)
        return QUANTITY_BAD_FORMAT;
    out->format = scale.format;
    if (scale.format == QUANTITY_BINARY_SI)
        return quantity_parse_binary(text, &parts, scale.exponent, out);
    return quantity_parse_decimal(text, &parts, scale.exponent, out);
}

enum quantity_result
quantity_parse(struct slice text, struct quantity *out)
{
    return text.len && quantity_parse_usual(text, out) ? QUANTITY_OK
                                                       : quantity_parse_other(text, out);
}

const char *
quantity_problem(enum quantity_result result)
{
    static const char *const problems[] = {
        [QUANTITY_CAPPED] = "is above 9223372036854775807 and read as that",
        [QUANTITY_BAD_FORMAT] = "quantities must match the regular expression "
                                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        [QUANTITY_BAD_SUFFIX] = "unable to parse quantity's suffix",
        [QUANTITY_BAD_RANGE] = "exponent must be between -64 and 64",
        [QUANTITY_OVERFLOW] = "must be less than or equal to 9223372036854775807",
        [QUANTITY_TOO_LONG] = "must be no more than 64 bytes",
    };

    return problems[result];
}

/* ---- quantity print ---- */

/*
 * Writes the text before `at`, and returns where it starts. Moves every factor of a thousand into
 * the suffix.
 */
static char *
quantity_put_decimal(char *at, enum quantity_format format, struct quantity_amount amount)
{
    char number[INTEGER_TEXT_SIZE];
    int power = amount.nanos ? -3 : 0;

    while (amount.nanos && amount.nanos % 1000 == 0) {
        amount.nanos /= 1000;
        power++;
    }
    for (uint64_t rest = amount.units / 1000; !amount.nanos && amount.units == 1000 * rest;
         rest /= 1000, power++)
        amount.units = rest;
    if (power && format == QUANTITY_DECIMAL_EXPONENT) {
        const struct slice text = integer_format(3 * power, number);

        at -= text.len;
        memcpy(at, text.data, text.len);
        *--at = 'e';
    } else if (power) {
        *--at = quantity_decimal_letters[power + QUANTITY_NO_SUFFIX];
    }
    if (!amount.units)
        return integer_put_digits(at, amount.nanos);
    for (int digits = amount.nanos ? -3 * power : 0; digits > 0; digits--, amount.nanos /= 10)
        *--at = (char)('0' + amount.nanos % 10);
    return integer_put_digits(at, amount.units);
}

static char *
quantity_put_binary(char *at, uint64_t units)
{
    int power = __builtin_ctzll(units) / 10;

    units >>= 10 * power;
    if (power) {
        *--at = 'i';
        *--at = quantity_binary_letters[power - 1];
    }
    return integer_put_digits(at, units);
}

/* Kubernetes prints small and fractional binary amounts in decimal to keep the precision. */
static bool
quantity_prints_binary(enum quantity_format format, struct quantity_amount amount)
{
    return format == QUANTITY_BINARY_SI && amount.units >= 1024 && !amount.nanos;
}

struct slice
quantity_print(const struct quantity *value, char text[QUANTITY_TEXT_SIZE])
{
    struct quantity_amount amount;
    char *end = text + QUANTITY_TEXT_SIZE - 1;
    char *at = end;

    if (slice_is_set(value->text))
        return value->text;
    *end = '\0';
    amount = quantity_amount_of(value);
    if (quantity_prints_binary(value->format, amount))
        at = quantity_put_binary(at, amount.units);
    else if (amount.units || amount.nanos)
        at = quantity_put_decimal(at, value->format, amount);
    else
        *--at = '0';
    if (value->units < 0)
        *--at = '-';
    return (struct slice){at, (size_t)(end - at)};
}

struct slice
quantity_text(const struct quantity *value, struct arena *arena)
{
    char text[QUANTITY_TEXT_SIZE];

    return slice_is_set(value->text) ? value->text : arena_copy(arena, quantity_print(value, text));
}

/*
 * Whether a binary amount is unchanged by a JSON round trip: it prints with a suffix after a
 * multiple of eight, and Kubernetes keeps no text for such an amount.
 */
static bool
quantity_is_plain_binary(const struct quantity *value)
{
    const struct quantity_amount amount = quantity_amount_of(value);

    return quantity_prints_binary(value->format, amount) &&
           __builtin_ctzll(amount.units) % 10 >= 3 && __builtin_ctzll(amount.units) >= 10;
}

struct quantity
quantity_reread(const struct quantity *value, struct arena *arena)
{
    char text[QUANTITY_TEXT_SIZE];
    struct quantity read;

    if (slice_is_set(value->text) || quantity_is_plain_binary(value))
        return *value; /* a kept text is the text that the quantity was parsed from */
    quantity_parse(quantity_print(value, text), &read);
    if (slice_is_set(read.text))
        read.text = arena_copy(arena, read.text);
    return read;
}
