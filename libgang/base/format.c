/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

/* ---- integer ---- */

static const char integer_pairs[] = "00010203040506070809101112131415161718192021222324"
                                    "25262728293031323334353637383940414243444546474849"
                                    "50515253545556575859606162636465666768697071727374"
                                    "75767778798081828384858687888990919293949596979899";

char *
integer_put_digits(char *end, uint64_t value)
{
    while (value >= 100) {
        uint64_t rest = value / 100;

        end -= 2;
        memcpy(end, integer_pairs + 2 * (value - 100 * rest), 2);
        value = rest;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, integer_pairs + 2 * value, 2);
        return end;
    }
    *--end = (char)('0' + value);
    return end;
}

/* clang-format off */
const uint64_t integer_powers_of_ten[20] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
    100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
};
/* clang-format on */

size_t
integer_length(int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int bits = 64 - __builtin_clzll(rest | 1);
    int digits = bits * 1233 >> 12; /* 1233 / 4096 is log10(2): exact or one too small */

    if (value >= 0 && value < 10)
        return 1; /* most indexes of replicas and pods */
    return (size_t)digits + ((rest | 1) >= integer_powers_of_ten[digits]) + (value < 0);
}

struct slice
integer_format(int64_t value, char text[INTEGER_TEXT_SIZE])
{
    char *end = text + INTEGER_TEXT_SIZE - 1;
    char *at = integer_put_digits(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);

    *end = '\0';
    if (value < 0)
        *--at = '-';
    return (struct slice){at, (size_t)(end - at)};
}

enum { INTEGER_ALWAYS_FITS = 18 }; /* a number of so many bytes is in the range of int64 */

bool
integer_parse(struct slice text, int64_t *value)
{
    bool negative = text.len > 0 && text.data[0] == '-';
    const uint64_t largest = (uint64_t)INT64_MAX + negative;
    uint64_t sum = 0;

    if (text.len == (size_t)negative)
        return false;
    for (size_t i = negative; i < text.len; i++) {
        unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';

        if (digit > 9 || (i >= INTEGER_ALWAYS_FITS && sum > (largest - digit) / 10))
            return false;
        sum = sum * 10 + digit;
    }
    *value = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

SELDOM bool
integer_parse_signed(struct slice text, int64_t *value)
{
    if (text.len > 1 && text.data[0] == '+' && text.data[1] != '-')
        text = slice_after(text, 1);
    return integer_parse(text, value);
}

/* ---- format ---- */

struct format_output {
    char *out;
    size_t room;
    size_t len; /* of the complete text; greater than `room` if the text was cut */
};

static void
format_put(struct format_output *output, const char *text, size_t len)
{
    size_t left = output->len < output->room ? output->room - output->len : 0;

    if (left)
        memcpy(output->out + output->len, text, len < left ? len : left);
    output->len += len;
}

static void
format_put_unsigned(struct format_output *output, unsigned long long value)
{
    char text[INTEGER_TEXT_SIZE];
    char *end = text + sizeof(text);
    char *at = integer_put_digits(end, value);

    format_put(output, at, (size_t)(end - at));
}

static void
format_put_signed(struct format_output *output, long long value)
{
    char text[INTEGER_TEXT_SIZE];
    struct slice number = integer_format(value, text);

    format_put(output, number.data, number.len);
}

/* As in printf, the text ends at its NUL or at the precision, whichever comes first. */
static void
format_put_prefix(struct format_output *output, const char *text, int precision)
{
    const char *nul = precision > 0 ? memchr(text, '\0', (size_t)precision) : NULL;

    if (precision > 0)
        format_put(output, text, nul ? (size_t)(nul - text) : (size_t)precision);
}

static void
format_put_quoted(struct format_output *output, const char *text, int len)
{
    char quoted[QUOTED_SIZE];

    format_put(output, quoted, quote_put_text(quoted, (struct slice){text, (size_t)len}));
}

/* Takes the letters behind a percent sign, if they come next. */
static inline bool
format_takes(const char **format, const char *letters)
{
    const char *at = *format;

    while (*letters && *at == *letters) {
        at++;
        letters++;
    }
    if (*letters)
        return false;
    *format = at;
    return true;
}

size_t
format_text(char *out, size_t size, const char *format, va_list arguments)
{
    struct format_output output = {out, size - 1, 0};

    for (;;) {
        const char *directive = strchr(format, '%');

        format_put(&output, format, directive ? (size_t)(directive - format) : strlen(format));
        if (!directive)
            break;
        format = directive + 1;
        if (format_takes(&format, "s")) {
            const char *text = va_arg(arguments, const char *);

            format_put(&output, text, strlen(text));
        } else if (format_takes(&format, ".*s")) {
            int precision = va_arg(arguments, int);

            format_put_prefix(&output, va_arg(arguments, const char *), precision);
        } else if (format_takes(&format, "-.*s")) {
            int len = va_arg(arguments, int);

            format_put_quoted(&output, va_arg(arguments, const char *), len);
        } else if (format_takes(&format, "d"))
            format_put_signed(&output, va_arg(arguments, int));
        else if (format_takes(&format, "u"))
            format_put_unsigned(&output, va_arg(arguments, unsigned));
        else if (format_takes(&format, "lld"))
            format_put_signed(&output, va_arg(arguments, long long));
        else if (format_takes(&format, "llu"))
            format_put_unsigned(&output, va_arg(arguments, unsigned long long));
        else if (format_takes(&format, "zu"))
            format_put_unsigned(&output, va_arg(arguments, size_t));
        else if (!format_takes(&format, "%"))
            break; /* not a supported directive: the output ends here */
        else
            format_put(&output, format_takes(&format, "\v") ? "\0" : "%", 1);
    }
    out[output.len < output.room ? output.len : output.room] = '\0';
    return output.len;
}

size_t
format_into(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    size_t len;

    va_start(arguments, format);
    len = format_text(out, size, format, arguments);
    va_end(arguments);
    return len;
}

/* ---- duration ---- */

/* Source: golang/go:src/time/format.go, unitMap. The micro sign has two code points. */
static const struct duration_unit {
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

static struct slice
duration_take(struct slice *text, bool digits)
{
    size_t len = 0;
    struct slice taken;

    while (len < text->len && text->data[len] != '.' &&
           ascii_is(text->data[len], ASCII_DIGIT) == digits)
        len++;
    taken = (struct slice){text->data, len};
    *text = slice_after(*text, len);
    return taken;
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

/* Reads one number and its unit. */
static bool
duration_take_part(struct slice *text, uint64_t *sum)
{
    struct slice whole = duration_take(text, true);
    struct slice fraction = {0};
    const struct duration_unit *found;
    uint64_t part;
    uint64_t sub = 0;

    if (slice_take(text, SLICE(".")))
        fraction = duration_take(text, true);
    if (!whole.len && !fraction.len)
        return false;
    found = FIND_TEXT(duration_units, COUNT_OF(duration_units), name, duration_take(text, false));
    if (!found || !duration_scale(whole, found->nanoseconds, &part))
        return false;
    /* from the last digit to the first, so that no precision is lost above one nanosecond */
    for (size_t i = fraction.len; i-- > 0;)
        sub = (sub + (uint64_t)(fraction.data[i] - '0') * found->nanoseconds) / 10;
    part += sub;
    if (part > DURATION_LARGEST || *sum > DURATION_LARGEST - part)
        return false;
    *sum += part;
    return true;
}

bool
duration_parse(struct slice text, int64_t *nanoseconds)
{
    const bool negative = slice_take(&text, SLICE("-"));
    uint64_t sum = 0;

    if (!negative)
        slice_take(&text, SLICE("+"));
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
