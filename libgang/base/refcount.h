/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_REFCOUNT_H
#define LIBGANG_BASE_REFCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>

struct refcount {
    atomic_uint value;
};

static inline void
refcount_init(struct refcount *count)
{
    atomic_init(&count->value, 1);
}

static inline void
refcount_take(struct refcount *count)
{
    atomic_fetch_add_explicit(&count->value, 1, memory_order_relaxed);
}

/* True for the caller that dropped the last reference. This caller must destroy the object. */
static inline bool
refcount_drop(struct refcount *count)
{
    return atomic_fetch_sub_explicit(&count->value, 1, memory_order_acq_rel) == 1;
}

#endif
