/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_CONTEXT_H
#define LIBGANG_BASE_CONTEXT_H

#include "libgang/base/limits.h"

/* The limits of a context; the standard ones for NULL. */
const struct limits *context_limits(const struct gang_context *context);

static inline uint64_t
limit_of(const struct limits *limits, enum gang_limit limit)
{
    return limits->value[limit];
}

#endif
