/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/decide/decide.h"

int
gang_resolve(const struct gang_context *context, struct gang_document *job, const struct gang_inputs *inputs,
             uint32_t flags, struct gang_decision **out, struct gang_error **err)
{
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !job)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and job are needed");
    if (flags & ~(uint32_t)GANG_RESOLVE_FALL_BACK)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(job, inputs, context_limits(context), &result, err);
    if (!decision)
        return result;
    decision->flags = flags;
    decide(decision);
    return decision_hand_out(decision, out, err);
}
