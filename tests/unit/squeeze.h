/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SQUEEZE_H
#define TESTS_UNIT_SQUEEZE_H

#include <gang/gang.h>

#include "unit/suite.h"

/* A call that creates one handle; returns whether there is a result. */
typedef bool (*squeeze_call)(const struct gang_context *context, const void *input, int *result,
                             struct gang_error **error);

enum { SQUEEZE_STEP = 16, SQUEEZE_LEAST = 256, SQUEEZE_MOST = 1024 * 1024 };

static inline int
squeeze_once(squeeze_call call, const void *input, uint64_t limit)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_error *error = NULL;
    int result = GANG_OK;
    bool has_result;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, limit), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    has_result = call(context, input, &result, &error);
    if (result == GANG_ERROR_LIMIT) {
        ck_assert(!has_result);
        ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                         GANG_CODE_LIMIT_MEMORY);
    }
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
    return result;
}

/*
 * Makes the call under each limit of memory up to the one that is enough, so that each of its
 * allocations is once the one that fails: it ends in one clean error. Returns what it comes to in
 * the end.
 */
static inline int
squeeze(squeeze_call call, const void *input)
{
    int result = GANG_ERROR_LIMIT;
    uint64_t limit;

    for (limit = SQUEEZE_STEP; result == GANG_ERROR_LIMIT && limit < SQUEEZE_MOST;
         limit += SQUEEZE_STEP)
        result = squeeze_once(call, input, limit);
    ck_assert_uint_gt(limit, SQUEEZE_LEAST); /* else there was nothing to squeeze */
    return result;
}

#endif
