/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/java_size.h"

static const struct {
    struct slice suffix;
    int shift;
} java_size_units[] = {
    {SLICE_INIT("b"), 0},   {SLICE_INIT("k"), 10}, {SLICE_INIT("kb"), 10}, {SLICE_INIT("m"), 20},
    {SLICE_INIT("mb"), 20}, {SLICE_INIT("g"), 30}, {SLICE_INIT("gb"), 30}, {SLICE_INIT("t"), 40},
    {SLICE_INIT("tb"), 40}, {SLICE_INIT("p"), 50}, {SLICE_INIT("pb"), 50},
};

static bool
java_size_suffix_is(struct slice text, struct slice suffix)
{
    if (text.len != suffix.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if ((text.data[i] | 0x20) != suffix.data[i])
            return false;
    return true;
}

/* Returns the unit in bytes; 0 if there is no such unit. */
static int64_t
java_size_unit(struct slice suffix)
{
    for (size_t i = 0; i < COUNT_OF(java_size_units); i++)
        if (java_size_suffix_is(suffix, java_size_units[i].suffix))
            return INT64_C(1) << java_size_units[i].shift;
    return 0;
}

bool
java_size_parse(struct slice text, int64_t unit, int64_t *bytes)
{
    size_t digits = 0;
    int64_t number, product;

    while (digits < text.len && ascii_is(text.data[digits], ASCII_DIGIT))
        digits++;
    if (!digits || !integer_parse((struct slice){text.data, digits}, &number))
        return false;
    if (digits < text.len)
        unit = java_size_unit((struct slice){text.data + digits, text.len - digits});
    if (!unit || __builtin_mul_overflow(number, unit, &product))
        return false;
    *bytes = product;
    return true;
}
