/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity.h"

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

static void
quantity_put_padded(struct quantity_text *out, uint32_t number, int digits)
{
    for (; digits > 0; digits--) {
        *--out->at = (char)('0' + number % 10);
        number /= 10;
    }
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
        quantity_put_padded(out, amount.nanos, -3 * power);
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
