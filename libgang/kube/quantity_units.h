/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_QUANTITY_UNITS_H
#define LIBGANG_KUBE_QUANTITY_UNITS_H

#include "libgang/kube/quantity.h"

/* The size of an amount without its sign: what the parts of the quantity code compute with. */
__extension__ typedef unsigned __int128 quantity_size;

#define QUANTITY_NANOS_PER_UNIT UINT64_C(1000000000)
#define QUANTITY_LARGEST ((quantity_size)INT64_MAX * QUANTITY_NANOS_PER_UNIT)

static inline quantity_size
quantity_size_of(quantity_nano nano)
{
    return nano < 0 ? 0 - (quantity_size)nano : (quantity_size)nano;
}

/* `size` is at most QUANTITY_LARGEST. */
static inline quantity_nano
quantity_signed(quantity_size size, bool negative)
{
    return negative ? -(quantity_nano)size : (quantity_nano)size;
}

#endif
