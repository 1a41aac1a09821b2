/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/timeout_choice.h"

#include "libgang/base/integer.h"
#include "libgang/engine/policy_choice.h"

#define TIMEOUT_FIELD "scheduleTimeoutSeconds"

static struct slice
timeout_text(int64_t seconds, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(arena, integer_format(seconds, text));
}

static struct choice_setting
timeout_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    bool is_read = settings->timeout_source && (call->explains || settings->override == OVERRIDE_ALWAYS);

    return (struct choice_setting){
        .value = is_read ? timeout_text(settings->timeout_seconds, call->arena) : NO_SLICE,
        .source = settings->timeout_source,
        .name = SLICE(TIMEOUT_FIELD),
        .override = settings->override,
    };
}

static const char *
timeout_without(const struct backend *backend)
{
    return slice_equal(backend->identity.name, SLICE(GANG_BACKEND_COSCHEDULING))
               ? "the scheduler's own default stands"
               : "the backend has no timeout";
}

/* A podGroupPolicy for coscheduling always has one: the API server fills it in. */
static bool
timeout_of_runtime(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct pod_group_policy *policy;

    if (!call->decision->inputs.runtime)
        return false;
    policy = &call->decision->inputs.runtime->pod_group_policy;
    candidate->document = GANG_DOCUMENT_RUNTIME;
    candidate->source = policy->coscheduling ? policy->timeout_source : NULL;
    if (!candidate->source)
        candidate->missing = SLICE("spec.podGroupPolicy.coscheduling." TIMEOUT_FIELD);
    if (!policy->coscheduling) {
        candidate->verdict = VERDICT_UNSET;
        candidate->reason = timeout_without(call->decision->backend);
        return !index;
    }
    candidate->value = call->explains ? timeout_text(policy->timeout_seconds, call->arena) : NO_SLICE;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = candidate->source ? "the runtime's podGroupPolicy" : "the API server's default";
    candidate->overrides = "the runtime's podGroupPolicy stands before";
    policy_choice_ignores_runtime(call->decision, candidate);
    return !index;
}

static bool
timeout_of_podgang(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate->document = GANG_DOCUMENT_PODGANG;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = "a PodGang has no timeout";
    return !call->decision->inputs.runtime && !index;
}

/* `backends[].coscheduling.scheduleTimeoutSeconds`, which only that type of backend has. */
static bool
timeout_of_options(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct node *source = node_member(call->decision->backend_entry->options, SLICE(TIMEOUT_FIELD));

    candidate->value = node_text(source);
    candidate->source = source;
    candidate->verdict =
        call->decision->gang.compatibility == COMPATIBILITY_NONE ? VERDICT_CHOSEN : VERDICT_REFUSED;
    candidate->reason = "the options of the backend in the policy";
    return source && !index;
}

static const struct choice_source timeout_choice_sources[] = {
    {policy_choice_strict_rule, true}, {timeout_of_runtime, false},    {timeout_of_podgang, false},
    {policy_choice_rule, true},        {policy_choice_defaults, true}, {timeout_of_options, true},
};
static const struct choice_table timeout_choice_table = {
    timeout_choice_sources, sizeof(timeout_choice_sources) / sizeof(timeout_choice_sources[0])};

static bool
timeout_block_says(const struct policy_settings *settings)
{
    return settings->timeout_source != NULL;
}

void
timeout_choose(struct gang_decision *decision)
{
    const struct choice_call call = {
        .decision = decision, .setting = timeout_setting, .arena = decision->arena};
    const struct gang_runtime *runtime = decision->inputs.runtime;
    struct gang *gang = &decision->gang;
    struct trace_candidate chosen;

    if (!(runtime && runtime->pod_group_policy.coscheduling) &&
        (!decision->backend_entry || !decision->backend_entry->options) &&
        !policy_choice_block(decision, timeout_block_says))
        return; /* nobody sets one */
    gang->has_timeout = choice_decide(&timeout_choice_table, &call, &chosen);
    if (gang->has_timeout && runtime)
        gang->timeout_seconds = runtime->pod_group_policy.timeout_seconds;
    gang->timeout_source = chosen.source;
    node_int(chosen.source, &gang->timeout_seconds);
    choice_warn_overridden(&timeout_choice_table, &call, &chosen, &decision->report);
}

void
timeout_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {
        .decision = decision, .setting = timeout_setting, .arena = trace->arena, .explains = true};

    choice_trace(&timeout_choice_table, &call, TRACE_TIMEOUT, trace);
}
