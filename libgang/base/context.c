/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"

#include <stdlib.h>

#include "libgang/base/error.h"
#include "libgang/base/refcount.h"

struct gang_config {
    struct limits limits;
};

struct gang_context {
    struct refcount references;
    struct limits limits;
};

struct gang_config *
gang_config_new(void)
{
    struct gang_config *config = malloc(sizeof(*config));

    if (config)
        config->limits = standard_limits;
    return config;
}

void
gang_config_free(struct gang_config *config)
{
    free(config);
}

int
gang_config_set_limit(struct gang_config *config, enum gang_limit limit, uint64_t value)
{
    if (!config || limit <= 0 || (int)limit >= LIMIT_COUNT || value == 0 ||
        value > limit_table[limit].ceiling)
        return GANG_ERROR_INVALID_ARGUMENT;
    config->limits.value[limit] = value;
    return GANG_OK;
}

int
gang_context_new(const struct gang_config *config, struct gang_context **out)
{
    struct gang_context *context;

    if (!out)
        return GANG_ERROR_INVALID_ARGUMENT;
    *out = context = malloc(sizeof(*context));
    if (!context)
        return GANG_ERROR_NO_MEMORY;
    refcount_init(&context->references);
    context->limits = config ? config->limits : standard_limits;
    return GANG_OK;
}

struct gang_context *
gang_context_ref(struct gang_context *context)
{
    if (context)
        refcount_take(&context->references);
    return context;
}

void
gang_context_unref(struct gang_context *context)
{
    if (context && refcount_drop(&context->references))
        free(context);
}

const struct limits *
context_limits(const struct gang_context *context)
{
    return context ? &context->limits : &standard_limits;
}
