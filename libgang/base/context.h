/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_CONTEXT_H
#define LIBGANG_BASE_CONTEXT_H

#include <stdint.h>

#include <gang/gang.h>

#include "libgang/base/slice.h"

enum { LIMIT_COUNT = GANG_LIMIT_LIVE_MEMORY_BYTES + 1 };

/* One value per `enum gang_limit`; index 0 is unused. */
struct limits {
    uint64_t value[LIMIT_COUNT];
};

struct limit_entry {
    const char *name; /* the name in messages and in the manual */
    uint64_t standard;
    uint64_t ceiling;
    enum gang_code code; /* the code of the diagnostic if a document exceeds the limit */
};

extern const struct limit_entry limit_table[LIMIT_COUNT];
extern const struct limits standard_limits;

/* Returns the limits of a context; the default limits for NULL. */
const struct limits *context_limits(const struct gang_context *context);

static inline uint64_t
limit_of(const struct limits *limits, enum gang_limit limit)
{
    return limits->value[limit];
}

#endif
