/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

/* ---- quantity ---- */

#define QUANTITY_LARGEST ((quantity_size)INT64_MAX * QUANTITY_NANOS_PER_UNIT)

/* `size` is at most QUANTITY_LARGEST. */
static quantity_nano
quantity_signed(quantity_size size, bool negative)
{
    return negative ? -(quantity_nano)size : (quantity_nano)size;
}

/* Stores the result unless it is too large. Any operation clears the kept text. */
static bool
quantity_store(struct quantity *value, enum quantity_format format, quantity_size size,
               bool negative)
{
    if (size > QUANTITY_LARGEST)
        return false;
    *value = (struct quantity){.nano = quantity_signed(size, negative), .format = format};
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
    quantity_nano sum = left->nano + right->nano;

    return quantity_store(left, quantity_common_format(left, right), quantity_size_of(sum),
                          sum < 0);
}

bool
quantity_subtract(struct quantity *left, const struct quantity *right)
{
    quantity_nano difference = left->nano - right->nano;

    return quantity_store(left, quantity_common_format(left, right), quantity_size_of(difference),
                          difference < 0);
}

/* False on overflow. Multiplies in two halves, so that no intermediate result wraps. */
static bool
quantity_size_times(quantity_size size, uint64_t factor, quantity_size *product)
{
    const quantity_size low = (quantity_size)(uint64_t)size * factor;
    quantity_size high;

    *product = low;
    if (!(size >> 64))
        return low <= QUANTITY_LARGEST; /* most amounts: up to 18 G */
    high = (size >> 64) * factor;
    if (high > QUANTITY_LARGEST >> 64 || low > QUANTITY_LARGEST)
        return false;
    *product = (high << 64) + low;
    return true;
}

bool
quantity_multiply(struct quantity *value, int64_t factor)
{
    const uint64_t times = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
    quantity_size product;

    if (!quantity_size_times(quantity_size_of(value->nano), times, &product))
        return false;
    return quantity_store(value, value->format, product, (value->nano < 0) != (factor < 0));
}

int
quantity_compare(const struct quantity *left, const struct quantity *right)
{
    return (left->nano > right->nano) - (left->nano < right->nano);
}

bool
quantity_is_zero(const struct quantity *value)
{
    return value->nano == 0;
}

/* ---- quantity parse ---- */

enum {
    QUANTITY_LONGEST_TEXT = 64,
    QUANTITY_LARGEST_EXPONENT = 64,
    QUANTITY_NANO_DIGITS = 9,
    QUANTITY_CHUNK_DIGITS = 19, /* any number of this many digits fits into 64 bits */
    QUANTITY_SIZE_DIGITS = 38,  /* the same for quantity_size */
};

/* The parts of a text, split as the parser of Kubernetes does. */
struct quantity_parts {
    struct slice whole; /* digits before the point without leading zeros */
    uint64_t value;     /* of these digits, if there are at most QUANTITY_CHUNK_DIGITS */
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

static const char *
quantity_skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

static const char *
quantity_skip_zeros(const char *at, const char *end)
{
    while (at < end && *at == '0')
        at++;
    return at;
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

/* Like quantity_skip_digits(), and appends the digits to those of `value`. */
static const char *
quantity_take_digits(const char *at, const char *end, uint64_t *value)
{
    for (; at < end && quantity_digit(*at) <= 9; at++)
        *value = *value * 10 + quantity_digit(*at);
    return at;
}

/* Matches letters, one sign and digits up to the end. Does not check the value. */
static bool
quantity_cut_suffix(const char *start, const char *end, struct slice *suffix)
{
    const char *at = start;

    while (at < end && quantity_suffix_letters[(unsigned char)*at])
        at++;
    at = quantity_skip_digits(quantity_skip_sign(at, end), end);
    *suffix = quantity_between(start, end);
    return at == end;
}

static bool
quantity_cut(struct slice text, struct quantity_parts *parts)
{
    const char *end = text.data + text.len;
    const char *digits = quantity_skip_sign(text.data, end);
    const char *start = quantity_skip_zeros(digits, end);
    const char *at;

    parts->value = 0;
    at = quantity_take_digits(start, end, &parts->value);
    parts->negative = *text.data == '-';
    parts->whole = quantity_between(start, at);
    parts->has_digits = at > digits;
    parts->fraction = SLICE("");
    if (at < end && *at == '.') {
        start = at + 1;
        at = quantity_skip_digits(start, end);
        parts->fraction = quantity_between(start, at);
        parts->has_digits |= at > start;
    }
    return quantity_cut_suffix(at, end, &parts->suffix);
}

/* Source: kubernetes/apimachinery:pkg/api/resource/suffix.go. */
static bool
quantity_decimal_letter(char letter, int *exponent)
{
    static const struct {
        char letter;
        signed char exponent;
    } letters[] = {
        {'m', -3}, {'k', 3},  {'M', 6},  {'G', 9},  {'T', 12},
        {'P', 15}, {'E', 18}, {'u', -6}, {'n', -9},
    };

    for (size_t i = 0; i < COUNT_OF(letters); i++) {
        *exponent = letters[i].exponent;
        if (letters[i].letter == letter)
            return true;
    }
    return false;
}

static bool
quantity_binary_letter(char letter, int *exponent)
{
    static const char letters[] = "KMGTPE";

    for (int i = 0; letters[i]; i++) {
        *exponent = 10 * (i + 1);
        if (letters[i] == letter)
            return true;
    }
    return false;
}

static enum quantity_result
quantity_read_exponent(struct slice text, int *exponent)
{
    int64_t value;

    if (text.data[0] == '+')
        text = (struct slice){text.data + 1, text.len - 1};
    if (!integer_parse(text, &value))
        return QUANTITY_BAD_SUFFIX;
    if (value < -QUANTITY_LARGEST_EXPONENT || value > QUANTITY_LARGEST_EXPONENT)
        return QUANTITY_BAD_RANGE;
    *exponent = (int)value;
    return QUANTITY_OK;
}

static enum quantity_result
quantity_read_suffix(struct slice suffix, struct quantity_scale *scale)
{
    *scale = (struct quantity_scale){0, QUANTITY_DECIMAL_SI};
    if (suffix.len == 0)
        return QUANTITY_OK;
    if (suffix.len == 1)
        return quantity_decimal_letter(suffix.data[0], &scale->exponent) ? QUANTITY_OK
                                                                         : QUANTITY_BAD_SUFFIX;
    if (suffix.len == 2 && suffix.data[1] == 'i' &&
        quantity_binary_letter(suffix.data[0], &scale->exponent)) {
        scale->format = QUANTITY_BINARY_SI;
        return QUANTITY_OK;
    }
    if (suffix.data[0] != 'e' && suffix.data[0] != 'E')
        return QUANTITY_BAD_SUFFIX;
    scale->format = QUANTITY_DECIMAL_EXPONENT;
    return quantity_read_exponent((struct slice){suffix.data + 1, suffix.len - 1},
                                  &scale->exponent);
}

/* 10^power, power up to 38. */
static quantity_size
quantity_power_of_ten(size_t power)
{
    if (power <= QUANTITY_CHUNK_DIGITS)
        return integer_powers_of_ten[power];
    return (quantity_size)integer_powers_of_ten[QUANTITY_CHUNK_DIGITS] *
           integer_powers_of_ten[power - QUANTITY_CHUNK_DIGITS];
}

/* Appends the digits to those of `value`; at most 19 in all. */
static uint64_t
quantity_chunk_value(uint64_t value, struct slice digits)
{
    for (size_t i = 0; i < digits.len; i++)
        value = value * 10 + quantity_digit(digits.data[i]);
    return value;
}

/* Returns the value of up to 38 digits. */
static quantity_size
quantity_digits_value(struct slice digits)
{
    size_t head = digits.len > QUANTITY_CHUNK_DIGITS ? digits.len - QUANTITY_CHUNK_DIGITS : 0;
    uint64_t tail = quantity_chunk_value(0, (struct slice){digits.data + head, digits.len - head});
    uint64_t front = quantity_chunk_value(0, (struct slice){digits.data, head});

    return front * quantity_power_of_ten(QUANTITY_CHUNK_DIGITS) + tail;
}

/* Removes up to `count` trailing digits. True if any of them was not 0. */
static bool
quantity_drop_digits(struct slice *digits, size_t *count)
{
    bool lost = false;

    for (; *count && digits->len; --*count)
        lost |= digits->data[--digits->len] != '0';
    return lost;
}

/* Rounds away from zero. False above the largest amount. */
static bool
quantity_long_decimal_size(const struct quantity_parts *parts, int shift, quantity_size *size)
{
    struct slice whole = parts->whole;
    struct slice fraction = parts->fraction;
    size_t surplus = shift < 0 ? (size_t)-shift : 0;
    size_t zeros = shift > 0 ? (size_t)shift : 0;
    bool lost = quantity_drop_digits(&fraction, &surplus);

    lost |= quantity_drop_digits(&whole, &surplus);
    if (!whole.len) {
        const char *end = fraction.data + fraction.len;

        fraction = quantity_between(quantity_skip_zeros(fraction.data, end), end);
    }
    *size = lost;
    if (!whole.len && !fraction.len)
        return true;
    if (whole.len + fraction.len + zeros > QUANTITY_SIZE_DIGITS)
        return false;
    *size += (quantity_digits_value(whole) * quantity_power_of_ten(fraction.len) +
              quantity_digits_value(fraction)) *
             quantity_power_of_ten(zeros);
    return *size <= QUANTITY_LARGEST;
}

/*
 * The same for short numbers, which need neither rounding nor wide arithmetic. Nearly all amounts
 * are short.
 */
static bool
quantity_decimal_size(const struct quantity_parts *parts, int exponent, quantity_size *size)
{
    const size_t digits = parts->whole.len + parts->fraction.len;
    const int shift = exponent + QUANTITY_NANO_DIGITS - (int)parts->fraction.len;
    uint64_t value;

    if (shift < 0 || shift > QUANTITY_CHUNK_DIGITS || digits > QUANTITY_CHUNK_DIGITS)
        return quantity_long_decimal_size(parts, shift, size);
    value = quantity_chunk_value(parts->value, parts->fraction);
    *size = (quantity_size)value * integer_powers_of_ten[shift];
    return *size <= QUANTITY_LARGEST;
}

/*
 * Returns the nano-units of 0.<digits> times 2^bits, rounded up. Starts with the last digit, so
 * that each step is one exact division by ten.
 */
static quantity_size
quantity_binary_fraction(struct slice digits, int bits)
{
    const quantity_size weight = (quantity_size)QUANTITY_NANOS_PER_UNIT << bits;
    quantity_size sum = 0;
    bool lost = false;

    for (size_t i = digits.len; i-- > 0;) {
        sum += weight * quantity_digit(digits.data[i]);
        lost |= sum % 10 != 0;
        sum /= 10;
    }
    return sum + lost;
}

/* False above the largest amount. */
static bool
quantity_binary_size(const struct quantity_parts *parts, int bits, quantity_size *size)
{
    enum { LONGEST_WHOLE = 16 }; /* 10^16 Ki is above the largest amount */
    quantity_size units;

    if (parts->whole.len > LONGEST_WHOLE)
        return false;
    units = (quantity_size)parts->value << bits;
    if (units > INT64_MAX)
        return false;
    *size = (quantity_size)(uint64_t)units * QUANTITY_NANOS_PER_UNIT;
    if (parts->fraction.len)
        *size += quantity_binary_fraction(parts->fraction, bits);
    return *size <= QUANTITY_LARGEST;
}

static bool
quantity_ends_in_three_zeros(const struct quantity_parts *parts)
{
    struct slice whole = parts->whole;
    struct slice fraction = parts->fraction;
    size_t count = 3;

    if (whole.len + fraction.len < count)
        return false;
    return !quantity_drop_digits(&fraction, &count) && !quantity_drop_digits(&whole, &count);
}

/* Whether Kubernetes keeps a decimal text as canonical and prints it unchanged. */
static bool
quantity_keeps_decimal_text(const struct quantity_parts *parts, int exponent)
{
    enum { MOST_DIGITS = 18 };
    int scale = exponent - (int)parts->fraction.len;

    return parts->whole.len && parts->whole.len + parts->fraction.len <= MOST_DIGITS &&
           scale >= -QUANTITY_NANO_DIGITS && scale % 3 == 0 && !quantity_ends_in_three_zeros(parts);
}

static bool
quantity_keeps_binary_text(const struct quantity_parts *parts, int bits)
{
    enum { MOST_DIGITS = 14 };

    return parts->whole.len && !parts->fraction.len &&
           (int)parts->whole.len <= MOST_DIGITS - bits * 3 / 10 && parts->value % 8 != 0;
}

static enum quantity_result
quantity_parse_decimal(struct slice text, const struct quantity_parts *parts, int exponent,
                       struct quantity *out)
{
    quantity_size size;

    if (!quantity_decimal_size(parts, exponent, &size))
        return QUANTITY_OVERFLOW;
    out->nano = quantity_signed(size, parts->negative);
    if (quantity_keeps_decimal_text(parts, exponent))
        out->text = text;
    return QUANTITY_OK;
}

static enum quantity_result
quantity_parse_binary(struct slice text, const struct quantity_parts *parts, int bits,
                      struct quantity *out)
{
    quantity_size size;
    bool fits = quantity_binary_size(parts, bits, &size);

    if (!fits)
        size = QUANTITY_LARGEST;
    if (size && size < QUANTITY_NANOS_PER_UNIT)
        out->format = QUANTITY_DECIMAL_SI;
    out->nano = quantity_signed(size, parts->negative);
    if (quantity_keeps_binary_text(parts, bits))
        out->text = text;
    return fits ? QUANTITY_OK : QUANTITY_CAPPED;
}

/*
 * Parses up to nine digits without leading zeros, such as the number of processors or devices. It
 * needs none of what other amounts need. False for any other text.
 */
static bool
quantity_parse_count(struct slice text, struct quantity *out)
{
    enum { MOST_DIGITS = 9 };
    uint64_t value = 0;

    if (text.len - 1 >= MOST_DIGITS || text.data[0] == '0' ||
        quantity_take_digits(text.data, text.data + text.len, &value) != text.data + text.len)
        return false;
    *out = (struct quantity){
        .nano = (quantity_nano)(value * QUANTITY_NANOS_PER_UNIT),
        .format = QUANTITY_DECIMAL_SI,
        .text = value % 1000 ? text : NO_SLICE, /* otherwise it is not canonical: it has a k */
    };
    return true;
}

enum quantity_result
quantity_parse(struct slice text, struct quantity *out)
{
    struct quantity_parts parts;
    struct quantity_scale scale;
    enum quantity_result result;

    if (quantity_parse_count(text, out))
        return QUANTITY_OK;
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

const char *
quantity_problem(enum quantity_result result)
{
    switch (result) {
    case QUANTITY_OK:
        return NULL;
    case QUANTITY_CAPPED:
        return "is above 9223372036854775807 and read as that";
    case QUANTITY_BAD_SUFFIX:
        return "unable to parse quantity's suffix";
    case QUANTITY_BAD_RANGE:
        return "exponent must be between -64 and 64";
    case QUANTITY_OVERFLOW:
        return "must be less than or equal to 9223372036854775807";
    case QUANTITY_TOO_LONG:
        return "must be no more than 64 bytes";
    case QUANTITY_BAD_FORMAT:
        break;
    }
    return "quantities must match the regular expression "
           "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

/* ---- quantity print ---- */

/* An amount as whole units and billionths, both without a sign. */
struct quantity_amount {
    uint64_t units;
    uint32_t nanos;
};

/* A wide division is slow: at most one is done, and none below 18 G. */
static struct quantity_amount
quantity_amount_of(quantity_nano nano)
{
    const quantity_size size = quantity_size_of(nano);
    const uint64_t units = size >> 64 ? (uint64_t)(size / QUANTITY_NANOS_PER_UNIT)
                                      : (uint64_t)size / QUANTITY_NANOS_PER_UNIT;

    return (struct quantity_amount){units,
                                    (uint32_t)((uint64_t)size - units * QUANTITY_NANOS_PER_UNIT)};
}

/* The text is written from its last byte to its first. */
struct quantity_text {
    char *at;
};

static void
quantity_put(struct quantity_text *out, struct slice text)
{
    out->at -= text.len;
    memcpy(out->at, text.data, text.len);
}

static void
quantity_put_number(struct quantity_text *out, uint64_t number)
{
    out->at = integer_put_digits(out->at, number);
}

/* Writes the suffix of 1000^power, for powers from -3 to 6. */
static void
quantity_put_decimal_suffix(struct quantity_text *out, enum quantity_format format, int power)
{
    static const char letters[] = "num\0kMGTPE";
    char number[INTEGER_TEXT_SIZE];

    if (power == 0)
        return;
    if (format == QUANTITY_DECIMAL_EXPONENT) {
        quantity_put(out, integer_format(3 * power, number));
        *--out->at = 'e';
        return;
    }
    *--out->at = letters[power + 3];
}

/* Moves every factor of a thousand into the suffix. */
static void
quantity_put_decimal(struct quantity_text *out, enum quantity_format format,
                     struct quantity_amount amount)
{
    int power = amount.nanos ? -3 : 0;

    while (amount.nanos && amount.nanos % 1000 == 0) {
        amount.nanos /= 1000;
        power++;
    }
    for (uint64_t rest = amount.units / 1000; !amount.nanos && amount.units == 1000 * rest;
         rest /= 1000, power++)
        amount.units = rest;
    quantity_put_decimal_suffix(out, format, power);
    if (!amount.nanos)
        quantity_put_number(out, amount.units);
    else if (!amount.units)
        quantity_put_number(out, amount.nanos);
    else {
        for (int digits = -3 * power; digits > 0; digits--, amount.nanos /= 10)
            *--out->at = (char)('0' + amount.nanos % 10);
        quantity_put_number(out, amount.units);
    }
}

static void
quantity_put_binary(struct quantity_text *out, uint64_t units)
{
    static const char letters[] = "KMGTPE";
    int power = __builtin_ctzll(units) / 10;

    units >>= 10 * power;
    if (power) {
        *--out->at = 'i';
        *--out->at = letters[power - 1];
    }
    quantity_put_number(out, units);
}

/* Kubernetes prints small and fractional binary amounts in decimal to keep the precision. */
static bool
quantity_prints_binary(enum quantity_format format, struct quantity_amount amount)
{
    return format == QUANTITY_BINARY_SI && amount.units >= 1024 && !amount.nanos;
}

static void
quantity_put_amount(struct quantity_text *out, enum quantity_format format,
                    struct quantity_amount amount)
{
    if (quantity_prints_binary(format, amount))
        quantity_put_binary(out, amount.units);
    else if (amount.units || amount.nanos)
        quantity_put_decimal(out, format, amount);
    else
        *--out->at = '0';
}

struct slice
quantity_print(const struct quantity *value, char text[QUANTITY_TEXT_SIZE])
{
    char *end = text + QUANTITY_TEXT_SIZE - 1;
    struct quantity_text out = {end};

    if (slice_is_set(value->text))
        return value->text;
    *end = '\0';
    quantity_put_amount(&out, value->format, quantity_amount_of(value->nano));
    if (value->nano < 0)
        *--out.at = '-';
    return (struct slice){out.at, (size_t)(end - out.at)};
}

/*
 * Whether a binary amount is unchanged by a JSON round trip: it prints with a suffix after a
 * multiple of eight, and Kubernetes keeps no text for such an amount.
 */
static bool
quantity_is_plain_binary(const struct quantity *value)
{
    const struct quantity_amount amount = quantity_amount_of(value->nano);

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
