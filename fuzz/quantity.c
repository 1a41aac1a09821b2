/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two amounts and a factor. The first 8 bytes are the factor; the rest are two texts with a NUL
 * between them. Sums, differences and products are compared with 128-bit arithmetic on billionths,
 * and an amount that is printed in its canonical form must read back as the same amount.
 */
#include <stdlib.h>
#include <string.h>

#include "libgang/kube/quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__extension__ typedef __int128 wide;
static const wide nanos_of_unit = 1000000000;

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static wide
wide_of(const struct quantity *value)
{
    return value->units * nanos_of_unit + value->nanos;
}

static bool
fits(wide nanos)
{
    const wide most = INT64_MAX * nanos_of_unit;

    return nanos <= most && nanos >= -most;
}

/* `before` is the value that an operation was applied to. */
static void
check_result(bool is_done, const struct quantity *after, const struct quantity *before, wide exact)
{
    must(is_done == fits(exact));
    must(wide_of(after) == (is_done ? exact : wide_of(before)));
    must(after->nanos < nanos_of_unit);
}

static void
check_print(struct quantity value)
{
    char text[QUANTITY_TEXT_SIZE];
    struct quantity again;
    struct slice printed;

    value.text = (struct slice){0};
    printed = quantity_print(&value, text);
    must(quantity_parse(printed, &again) == QUANTITY_OK);
    must(wide_of(&again) == wide_of(&value) && quantity_compare(&again, &value) == 0);
}

static void
check_pair(const struct quantity *left, const struct quantity *right, int64_t factor)
{
    struct quantity sum = *left;
    struct quantity difference = *left;
    struct quantity product = *left;
    const wide a = wide_of(left);
    const wide b = wide_of(right);
    wide exact;

    check_result(quantity_add(&sum, right), &sum, left, a + b);
    check_result(quantity_subtract(&difference, right), &difference, left, a - b);
    must((quantity_compare(left, right) > 0) == (a > b));
    must((quantity_compare(left, right) < 0) == (a < b));
    if (!__builtin_mul_overflow(a, (wide)factor, &exact))
        check_result(quantity_multiply(&product, factor), &product, left, exact);
    else
        must(!quantity_multiply(&product, factor));
    check_print(sum);
    check_print(difference);
    check_print(product);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct quantity left;
    struct quantity right;
    const char *text;
    const char *end;
    int64_t factor;
    size_t len;

    if (size < sizeof(factor))
        return 0;
    memcpy(&factor, data, sizeof(factor));
    text = (const char *)data + sizeof(factor);
    len = size - sizeof(factor);
    end = len ? memchr(text, 0, len) : NULL;
    if (!end || quantity_parse((struct slice){text, (size_t)(end - text)}, &left) > QUANTITY_CAPPED)
        return 0;
    check_print(left);
    len -= (size_t)(end + 1 - text);
    if (quantity_parse((struct slice){end + 1, len}, &right) <= QUANTITY_CAPPED)
        check_pair(&left, &right, factor);
    return 0;
}
