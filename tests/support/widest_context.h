/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_WIDEST_CONTEXT_H
#define TESTS_SUPPORT_WIDEST_CONTEXT_H

#include <stdbool.h>
#include <stdlib.h>

#include <gang/gang.h>

/*
 * A context whose limits have their ceilings, because the limits are no part of what is measured.
 * With the budget, the steps have their default. Ends the process without memory.
 */
static inline struct gang_context *
widest_context(bool has_budget)
{
    static const struct {
        enum gang_limit limit;
        uint64_t ceiling;
    } ceilings[] = {
        {GANG_LIMIT_DOCUMENT_BYTES, 3145728},
        {GANG_LIMIT_STREAM_BYTES, 67108864},
        {GANG_LIMIT_STREAM_DOCUMENTS, 10000},
        {GANG_LIMIT_DEPTH, 128},
        {GANG_LIMIT_NODES, 500000},
        {GANG_LIMIT_ANCHORS, 1024},
        {GANG_LIMIT_ALIASES, 1024},
        {GANG_LIMIT_SCALAR_BYTES, 1048576},
        {GANG_LIMIT_ROLES, 1024},
        {GANG_LIMIT_CONTAINERS, 1024},
        {GANG_LIMIT_MEMORY_BYTES, 268435456},
        {GANG_LIMIT_OUTPUT_BYTES, 16777216},
        {GANG_LIMIT_STEPS, 1000000000},
    };
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    for (size_t i = 0; config && i < sizeof(ceilings) / sizeof(ceilings[0]); i++)
        if (ceilings[i].limit == GANG_LIMIT_STEPS && has_budget)
            continue;
        else if (gang_config_set_limit(config, (int)ceilings[i].limit, ceilings[i].ceiling))
            exit(2);
    if (!config || gang_context_new(config, &context))
        exit(2);
    gang_config_free(config);
    return context;
}

#endif
