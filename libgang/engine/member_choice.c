/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/member_choice.h"

#include "libgang/engine/policy_choice.h"

static struct choice_setting
member_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = node_string(settings->members_source),
                                   .source = settings->members_source,
                                   .name = SLICE("members"),
                                   .override = settings->override};
}

static bool
member_is_compatible(const struct choice_call *call)
{
    return call->decision->gang.compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

static bool
member_of_compatibility(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate->value = SLICE("All");
    candidate->source = call->decision->inputs.policy->compatibility_source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "with KubeflowTrainer compatibility every role is counted and marked";
    return member_is_compatible(call) && !index;
}

static bool
member_of_nobody(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate->value = SLICE("Auto");
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "the roles that run together; the first wave is the minimum";
    return !member_is_compatible(call) && !index;
}

static const struct choice_source member_choice_sources[] = {
    {member_of_compatibility, true}, {policy_choice_strict_rule, true}, {policy_choice_rule, true},
    {policy_choice_defaults, true},  {member_of_nobody, false},
};
static const struct choice_table member_choice_table = {
    member_choice_sources, sizeof(member_choice_sources) / sizeof(member_choice_sources[0])};

static bool
member_block_says_resources(const struct policy_settings *settings)
{
    return settings->resources_source != NULL;
}

static bool
member_block_says_reserve(const struct policy_settings *settings)
{
    return settings->reserve_source != NULL;
}

static bool
member_block_says_members(const struct policy_settings *settings)
{
    return settings->members_source != NULL;
}

void
member_choose(struct gang_decision *decision)
{
    const struct policy_settings *members;
    const struct policy_settings *resources;
    const struct policy_settings *reserve;

    if (!decision->inputs.policy)
        return; /* every default is the first of its enumeration */
    members = policy_choice_block(decision, member_block_says_members);
    resources = policy_choice_block(decision, member_block_says_resources);
    reserve = policy_choice_block(decision, member_block_says_reserve);
    decision->gang.members_choice = members ? members->members : MEMBERS_AUTO;
    decision->gang.resources_choice = resources ? resources->resources : RESOURCES_EFFECTIVE;
    decision->gang.reserve = reserve ? reserve->reserve : RESERVE_AUTO;
}

void
member_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {
        .decision = decision, .setting = member_setting, .arena = trace->arena, .explains = true};

    choice_trace(&member_choice_table, &call, TRACE_MEMBERS, trace);
}
