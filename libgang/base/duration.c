/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

/* Source: golang/go:src/time/format.go, unitMap. The micro sign has two code points. */
static const struct {
    struct slice name;
    uint64_t nanoseconds;
} duration_units[] = {
    {SLICE_INIT("ns"), 1},
    {SLICE_INIT("us"), 1000},
    {SLICE_INIT("\xc2\xb5s"), 1000},
    {SLICE_INIT("\xce\xbcs"), 1000},
    {SLICE_INIT("ms"), 1000000},
    {SLICE_INIT("s"), 1000000000},
    {SLICE_INIT("m"), UINT64_C(60) * 1000000000},
    {SLICE_INIT("h"), UINT64_C(3600) * 1000000000},
};

#define DURATION_LARGEST (UINT64_C(1) << 63)

static bool
duration_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct slice
duration_take(struct slice *text, bool digits)
{
    size_t len = 0;
    struct slice taken;

    while (len < text->len && text->data[len] != '.' &&
           duration_is_digit(text->data[len]) == digits)
        len++;
    taken = (struct slice){text->data, len};
    *text = (struct slice){text->data + len, text->len - len};
    return taken;
}

/* Returns 0 if the unit is unknown. */
static uint64_t
duration_unit_of(struct slice name)
{
    for (size_t i = 0; i < COUNT_OF(duration_units); i++)
        if (slice_equal(duration_units[i].name, name))
            return duration_units[i].nanoseconds;
    return 0;
}

/* Computes `digits` units. False on overflow. */
static bool
duration_scale(struct slice digits, uint64_t unit, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (*out > DURATION_LARGEST / 10)
            return false;
        *out = *out * 10 + (uint64_t)(digits.data[i] - '0');
    }
    if (*out > DURATION_LARGEST / unit)
        return false;
    *out *= unit;
    return true;
}

/*
 * Reads the digits after the dot, from the last one to the first, so that no precision is lost
 * above one nanosecond.
 */
static uint64_t
duration_fraction(struct slice digits, uint64_t unit)
{
    uint64_t sum = 0;

    for (size_t i = digits.len; i-- > 0;)
        sum = (sum + (uint64_t)(digits.data[i] - '0') * unit) / 10;
    return sum;
}

/* Reads one number and its unit. */
static bool
duration_take_part(struct slice *text, uint64_t *sum)
{
    struct slice whole = duration_take(text, true);
    struct slice fraction = {0};
    uint64_t part;
    uint64_t unit;

    if (text->len && text->data[0] == '.') {
        *text = (struct slice){text->data + 1, text->len - 1};
        fraction = duration_take(text, true);
    }
    if (!whole.len && !fraction.len)
        return false;
    unit = duration_unit_of(duration_take(text, false));
    if (!unit || !duration_scale(whole, unit, &part))
        return false;
    part += duration_fraction(fraction, unit);
    if (part > DURATION_LARGEST || *sum > DURATION_LARGEST - part)
        return false;
    *sum += part;
    return true;
}

bool
duration_parse(struct slice text, int64_t *nanoseconds)
{
    bool negative = text.len && text.data[0] == '-';
    uint64_t sum = 0;

    if (negative || (text.len && text.data[0] == '+'))
        text = (struct slice){text.data + 1, text.len - 1};
    if (!text.len)
        return false;
    if (slice_equal(text, SLICE("0")))
        text.len = 0;
    while (text.len)
        if (!duration_take_part(&text, &sum))
            return false;
    if (sum == DURATION_LARGEST && !negative)
        return false;
    *nanoseconds = sum == DURATION_LARGEST ? INT64_MIN : negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

/*
 * Writes `value` / 10^`digits` before `end`, without trailing zeros, and returns the first byte.
 * Sets `value` to the integral part.
 */
static char *
duration_put_fraction(char *end, uint64_t *value, int digits)
{
    bool started = false;

    for (; digits > 0; digits--, *value /= 10) {
        char digit = (char)('0' + *value % 10);

        started |= digit != '0';
        if (started)
            *--end = digit;
    }
    if (started)
        *--end = '.';
    return end;
}

/* Below one second: uses the largest unit with a nonzero number before the dot. */
static char *
duration_put_small(char *end, uint64_t value)
{
    int digits = 0;

    *--end = 's';
    if (value < 1000) {
        *--end = 'n';
    } else if (value < 1000000) {
        digits = 3;
        end -= 2;
        memcpy(end, "\xc2\xb5", 2);
    } else {
        digits = 6;
        *--end = 'm';
    }
    end = duration_put_fraction(end, &value, digits);
    return integer_put_digits(end, value);
}

static char *
duration_put_large(char *end, uint64_t value)
{
    *--end = 's';
    end = duration_put_fraction(end, &value, 9);
    end = integer_put_digits(end, value % 60);
    value /= 60;
    if (!value)
        return end;
    *--end = 'm';
    end = integer_put_digits(end, value % 60);
    value /= 60;
    if (!value)
        return end;
    *--end = 'h';
    return integer_put_digits(end, value);
}

struct slice
duration_format(int64_t nanoseconds, char text[DURATION_TEXT_SIZE])
{
    uint64_t value = nanoseconds < 0 ? -(uint64_t)nanoseconds : (uint64_t)nanoseconds;
    char *end = text + DURATION_TEXT_SIZE;
    char *start;

    if (!value)
        return SLICE("0s");
    start = value < 1000000000 ? duration_put_small(end, value) : duration_put_large(end, value);
    if (nanoseconds < 0)
        *--start = '-';
    return (struct slice){start, (size_t)(end - start)};
}
