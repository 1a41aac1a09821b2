/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/engine/output.h"
#include "libgang/engine/plan.h"

struct gang_plan *
plan_new(struct gang_decision *decision, const struct limits *limits, int *result, struct gang_error **err)
{
    struct arena *arena = arena_new((size_t)limits->value[GANG_LIMIT_MEMORY_BYTES]);
    struct gang_plan *plan = arena ? arena_alloc(arena, sizeof(*plan)) : NULL;

    if (!plan) {
        *result = arena ? error_from_arena(err, arena) : error_no_memory(err);
        arena_free(arena);
        return NULL;
    }
    refcount_init(&plan->references);
    plan->arena = arena;
    plan->decision = gang_decision_ref(decision);
    plan->findings = &decision->report;
    plan->largest_output = limits->value[GANG_LIMIT_OUTPUT_BYTES];
    return plan;
}

void
plan_fill(struct gang_plan *plan, struct slice created_uid)
{
    const struct gang_decision *decision = plan->decision;
    const struct gang_policy *policy = decision->inputs.policy;
    struct backend_call call = decision->call;

    call.created_uid = arena_copy(plan->arena, created_uid);
    if (plan_content_init(&plan->content, plan->arena, &decision->gang) &&
        decision->outcome == GANG_OUTCOME_GANG)
        backend_render(decision->backend, &call, &plan->content);
    if (policy && policy->output.source)
        output_apply(policy, &plan->content);
}

static int
plan_render(const struct gang_context *context, struct gang_decision *decision, struct slice created_uid,
            uint32_t flags, struct gang_plan **out, struct gang_error **err)
{
    struct gang_plan *plan;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !decision)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and decision are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    plan = plan_new(decision, context_limits(context), &result, err);
    if (!plan)
        return result;
    plan_fill(plan, created_uid);
    if (arena_failed(plan->arena)) {
        result = error_from_arena(err, plan->arena);
        gang_plan_unref(plan);
        return result;
    }
    *out = plan;
    return GANG_OK;
}

int
gang_render(const struct gang_context *context, struct gang_decision *decision, uint32_t flags,
            struct gang_plan **out, struct gang_error **err)
{
    return plan_render(context, decision, NO_SLICE, flags, out, err);
}

int
gang_render_with_uid(const struct gang_context *context, struct gang_decision *decision, const char *uid,
                     uint32_t flags, struct gang_plan **out, struct gang_error **err)
{
    if (uid)
        return plan_render(context, decision, slice_from_text(uid), flags, out, err);
    if (out)
        *out = NULL;
    return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "uid is needed");
}

struct gang_plan *
gang_plan_ref(struct gang_plan *plan)
{
    if (plan)
        refcount_take(&plan->references);
    return plan;
}

/* The plan lives in its own arena, so the decision is let go before the arena. */
void
gang_plan_unref(struct gang_plan *plan)
{
    if (!plan || !refcount_drop(&plan->references))
        return;
    gang_decision_unref(plan->decision);
    arena_free(plan->arena);
}

size_t
gang_plan_num_objects(const struct gang_plan *plan)
{
    return plan ? plan->content.num_objects : 0;
}

enum gang_action
gang_plan_get_action(const struct gang_plan *plan, size_t index)
{
    return index < gang_plan_num_objects(plan) ? plan->content.objects[index].action : GANG_ACTION_NONE;
}

size_t
gang_plan_num_diagnostics(const struct gang_plan *plan)
{
    return plan ? plan->findings->count : 0;
}

const struct gang_diagnostic *
gang_plan_get_diagnostic(const struct gang_plan *plan, size_t index)
{
    return index < gang_plan_num_diagnostics(plan) ? &plan->findings->items[index] : NULL;
}
