/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/number.h"

#include "libgang/base/integer.h"

/*
 * DBL_DIG; the float64 range at that many digits: 1.79769313486231e308 is the last one below the largest float64,
 * 2.22507385850721e-308 the first one above the smallest that has full precision. An exponent that no text within
 * the limits can bring back into range stops growing.
 */
enum {
    NUMBER_DIGITS = 15,
    NUMBER_LARGEST_POWER = 308,
    NUMBER_POWER_CAP = 100000000,
    NUMBER_UINT64_DIGITS = 20
};

/* encoding/json, floatEncoder: powers of ten that it prints without an exponent. */
enum { NUMBER_PLAIN_FROM = -6, NUMBER_PLAIN_BELOW = 21 };

static const char number_largest_digits[] = "179769313486231";
static const char number_smallest_digits[] = "222507385850721";

/* 0.DIGITS * 10^point, without zeros at either end of the digits. */
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

static void
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

/* Go: 'e' form below 1e-6 and from 1e21, its exponent without leading zeros; else plain. */
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

    return order ? order : (parts->digits_len > NUMBER_DIGITS) - (parts->digits_len < NUMBER_DIGITS);
}

static enum number_status
number_range(const struct number_parts *parts)
{
    int64_t power = parts->point - 1;

    if (parts->too_long || parts->digits_len > NUMBER_DIGITS)
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

/* The whole number that the parts spell; false when it has a fraction or passes uint64. */
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

static void
number_put_magnitude(uint64_t magnitude, bool negative, struct number *out)
{
    char digits[24];
    size_t at = sizeof(digits);
    uint64_t rest = magnitude;

    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (negative && magnitude)
        number_put(out, "-", 1);
    number_put(out, digits + at, sizeof(digits) - at);
}

static bool
number_fits_int64(uint64_t magnitude, bool negative)
{
    return magnitude <= (uint64_t)INT64_MAX + negative;
}

void
number_from_magnitude(uint64_t magnitude, bool negative, struct number *out)
{
    bool fits = number_fits_int64(magnitude, negative);

    *out = (struct number){.kind = fits ? NODE_INT : NODE_NUMBER};
    if (!fits && negative)
        out->status = NUMBER_IMPRECISE;
    else
        number_put_magnitude(magnitude, negative, out);
}

static bool
number_whole(const struct number_parts *parts, uint64_t *magnitude)
{
    bool is_exact = parts->is_integer || parts->digits_len <= NUMBER_DIGITS;

    if (!number_magnitude(parts, magnitude) || !is_exact)
        return false;
    return number_fits_int64(*magnitude, parts->negative) || (parts->is_integer && !parts->negative);
}

static void
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
number_from_decimal(struct slice token, struct number *out)
{
    struct number_parts parts;

    number_split(token, &parts);
    number_from_parts(&parts, out);
}

void
number_from_float(struct slice token, struct number *out)
{
    struct number_parts parts;

    number_split(token, &parts);
    parts.is_integer = false;
    number_from_parts(&parts, out);
}
