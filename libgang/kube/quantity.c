/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/quantity_units.h"

/* Takes the result unless it is too large. Any operation ends the life of the kept text. */
static bool
quantity_store(struct quantity *value, enum quantity_format format, quantity_size size, bool negative)
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

    return quantity_store(left, quantity_common_format(left, right), quantity_size_of(sum), sum < 0);
}

bool
quantity_subtract(struct quantity *left, const struct quantity *right)
{
    quantity_nano difference = left->nano - right->nano;

    return quantity_store(left, quantity_common_format(left, right), quantity_size_of(difference),
                          difference < 0);
}

/* False when the product is too large to be an amount. In halves, so that nothing wraps on the way. */
static bool
quantity_size_times(quantity_size size, uint64_t factor, quantity_size *product)
{
    const quantity_size high = (size >> 64) * factor;
    const quantity_size low = (quantity_size)(uint64_t)size * factor;

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
