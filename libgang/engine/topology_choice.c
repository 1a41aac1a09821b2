/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/topology_choice.h"

#include "libgang/base/integer.h"
#include "libgang/engine/policy_choice.h"

static struct choice_setting
topology_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->topology.mode,
                                   .source = settings->topology.source,
                                   .name = SLICE("topology"),
                                   .override = settings->override};
}

/* A PodGang has levels of its own, as a whole and in parts, which no rule changes; a policy's would stand for the whole. */
static bool
topology_of_podgang(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_placement *placement = &call->decision->gang.placement;

    if (index || call->decision->inputs.runtime)
        return false;
    candidate->document = GANG_DOCUMENT_PODGANG;
    candidate->verdict = placement->is_set ? VERDICT_CHOSEN : VERDICT_UNSET;
    candidate->source = placement->is_set ? placement->source : NULL;
    if (placement->is_set)
        candidate->value = slice_is_set(placement->required) ? placement->required : placement->preferred;
    candidate->reason = placement->is_set ? "the PodGang's topologyConstraint"
                                          : "the PodGang as a whole has no topologyConstraint";
    candidate->overrides = "the PodGang's topologyConstraint stands before";
    return true;
}

static bool
topology_of_runtime(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_topology *topology;

    if (!call->decision->inputs.runtime)
        return false;
    topology = &call->decision->inputs.runtime->pod_group_policy.topology;
    if (!topology->is_set) {
        candidate->document = GANG_DOCUMENT_RUNTIME;
        candidate->missing = SLICE("spec.podGroupPolicy.volcano.networkTopology");
        candidate->verdict = VERDICT_UNSET;
        candidate->reason = "no topology is asked for";
        return !index;
    }
    candidate->value = topology->mode;
    candidate->source = topology->source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "the runtime's podGroupPolicy";
    candidate->overrides = "the runtime's podGroupPolicy stands before";
    policy_choice_ignores_runtime(call->decision, candidate);
    return !index;
}

static const struct choice_source topology_choice_sources[] = {
    {topology_of_podgang, false}, {policy_choice_strict_rule, true}, {topology_of_runtime, false},
    {policy_choice_rule, true},   {policy_choice_defaults, true},
};
static const struct choice_table topology_choice_table = {
    topology_choice_sources, sizeof(topology_choice_sources) / sizeof(topology_choice_sources[0])};

static struct gang_topology
topology_of_policy(const struct gang_decision *decision, const struct node *source)
{
    const struct policy_settings *settings =
        decision->rule && decision->rule->settings.topology.source == source
            ? &decision->rule->settings
            : &decision->inputs.policy->defaults;
    struct gang_topology topology = {
        .is_set = true, .mode = settings->topology.mode, .level = settings->topology.level, .source = source};

    topology.has_tier = integer_parse(topology.level, &topology.highest_tier);
    return topology;
}

/* A rule that insists where a PodGang has its own: the gang gets the rule's, for the backend to say that it is lost. */
static const struct node *
topology_source(const struct choice_call *call, const struct trace_candidate *chosen)
{
    struct trace_candidate insisted = {.source = NULL};

    if (!call->decision->inputs.runtime && policy_choice_strict_rule(call, 0, &insisted))
        return insisted.source;
    return chosen->source;
}

static bool
topology_block_says(const struct policy_settings *settings)
{
    return settings->topology.source != NULL;
}

void
topology_choose(struct gang_decision *decision)
{
    const struct choice_call call = {
        .decision = decision, .setting = topology_setting, .arena = decision->arena};
    const struct gang_runtime *runtime = decision->inputs.runtime;
    struct trace_candidate chosen;
    const struct node *source;

    if (!(runtime && runtime->pod_group_policy.topology.is_set) &&
        !policy_choice_block(decision, topology_block_says))
        return; /* nobody asks for one */
    if (!choice_decide(&topology_choice_table, &call, &chosen))
        return; /* who asks is not heard */
    source = topology_source(&call, &chosen);
    if (source->document == GANG_DOCUMENT_POLICY)
        decision->gang.topology = topology_of_policy(decision, source);
    else if (runtime)
        decision->gang.topology = runtime->pod_group_policy.topology;
    choice_warn_overridden(&topology_choice_table, &call, &chosen, &decision->report);
}

void
topology_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {
        .decision = decision, .setting = topology_setting, .arena = trace->arena, .explains = true};

    choice_trace(&topology_choice_table, &call, TRACE_TOPOLOGY, trace);
}
