/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/decide/decide.h"

int
gang_resolve(const struct gang_context *context, struct gang_runtime *runtime, struct gang_trainjob *trainjob,
             struct gang_policy *policy, struct gang_cluster *cluster, uint32_t flags,
             struct gang_decision **out, struct gang_error **err)
{
    const struct decision_inputs inputs = {
        .runtime = runtime, .trainjob = trainjob, .policy = policy, .cluster = cluster};
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !runtime || !trainjob)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out, runtime and trainjob are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(&inputs, context_limits(context), &result, err);
    if (!decision)
        return result;
    decide(decision);
    return decision_hand_out(decision, out, err);
}

int
gang_resolve_podgang(const struct gang_context *context, struct gang_podgang *podgang,
                     struct gang_podcliqueset *podcliqueset, struct gang_policy *policy,
                     struct gang_cluster *cluster, uint32_t flags, struct gang_decision **out,
                     struct gang_error **err)
{
    const struct decision_inputs inputs = {
        .podgang = podgang, .podcliqueset = podcliqueset, .policy = policy, .cluster = cluster};
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || (!podgang && !podcliqueset))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "out and a podgang or a podcliqueset are needed");
    if (flags & ~(uint32_t)GANG_RESOLVE_FALL_BACK)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(&inputs, context_limits(context), &result, err);
    if (!decision)
        return result;
    decision->flags = flags;
    decide(decision);
    return decision_hand_out(decision, out, err);
}
