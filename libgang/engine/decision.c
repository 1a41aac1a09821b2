/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/decision.h"

struct gang_decision *
gang_decision_ref(struct gang_decision *decision)
{
    if (decision)
        refcount_take(&decision->references);
    return decision;
}

/* The decision lives in its own arena, so its inputs are let go before the arena. */
void
gang_decision_unref(struct gang_decision *decision)
{
    if (!decision || !refcount_drop(&decision->references))
        return;
    gang_runtime_unref(decision->runtime);
    gang_trainjob_unref(decision->trainjob);
    gang_policy_unref(decision->policy);
    arena_free(decision->arena);
}

enum gang_outcome
gang_decision_get_outcome(const struct gang_decision *decision)
{
    return decision ? decision->outcome : GANG_OUTCOME_NONE;
}

const char *
gang_decision_get_backend(const struct gang_decision *decision)
{
    return decision && decision->outcome == GANG_OUTCOME_GANG ? decision->backend->identity.name.data : NULL;
}

size_t
gang_decision_num_diagnostics(const struct gang_decision *decision)
{
    return decision ? decision->report.count : 0;
}

const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index)
{
    return decision && index < decision->report.count ? &decision->report.items[index] : NULL;
}
