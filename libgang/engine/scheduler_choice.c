/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/scheduler_choice.h"

#include "libgang/engine/choice.h"

static const char scheduler_left_alone[] = "with KubeflowTrainer compatibility schedulerName is left alone";

static bool
scheduler_of_strict_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;

    if (index || !gang->overrides_schedulers)
        return false;
    candidate->value = gang->scheduler_name;
    candidate->source = call->decision->rule->settings.backend_source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason =
        arena_format(call->arena, "the backend of rule %.*s (Always)", SLICE_ARG(call->decision->rule->name));
    candidate->overrides = "a rule with override Always stands before";
    return true;
}

static const struct role *
scheduler_naming_role(const struct gang *gang, size_t index)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].scheduler_name_source && index-- == 0)
            return &gang->roles[i];
    return NULL;
}

static bool
scheduler_of_every_template(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!gang->roles[i].scheduler_name.len)
            return false;
    return true;
}

static bool
scheduler_of_templates(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;
    const struct role *role = scheduler_naming_role(gang, index);

    if (!role)
        return false;
    candidate->value = role->scheduler_name;
    candidate->source = role->scheduler_name_source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "the template names the backend's scheduler";
    candidate->overrides = scheduler_of_every_template(gang) ? "every template names a scheduler" : NULL;
    if (gang->compatibility != COMPATIBILITY_NONE) {
        candidate->reason = candidate->overrides = scheduler_left_alone;
    } else if (!gang->overrides_schedulers && !slice_equal(role->scheduler_name, gang->scheduler_name)) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "not the backend's scheduler";
    }
    return true;
}

static bool
scheduler_of_backend(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_decision *decision = call->decision;
    const struct policy_backend *entry = decision->backend_entry;

    candidate->value = decision->gang.scheduler_name;
    candidate->source = entry ? node_member(entry->source, SLICE("schedulerName")) : NULL;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = candidate->source ? "the policy's entry of the backend" : "the backend's default";
    if (decision->gang.compatibility != COMPATIBILITY_NONE) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = scheduler_left_alone;
    } else if (scheduler_of_every_template(&decision->gang) && !decision->gang.overrides_schedulers) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = "every template names a scheduler";
    }
    return !index;
}

static const struct choice_source scheduler_choice_sources[] = {
    {scheduler_of_strict_rule, true},
    {scheduler_of_templates, false},
    {scheduler_of_backend, false},
};
static const struct choice_table scheduler_choice_table = {
    scheduler_choice_sources, sizeof(scheduler_choice_sources) / sizeof(scheduler_choice_sources[0])};

void
scheduler_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {.decision = decision, .arena = trace->arena};

    choice_trace(&scheduler_choice_table, &call, TRACE_SCHEDULER_NAME, trace);
}
