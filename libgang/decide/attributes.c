/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "libgang/base/format.h"
#include "libgang/decide/choice.h"
#include "libgang/decide/priority_choice.h"
#include "libgang/decide/queue_choice.h"

/* ---- scheduler choice ---- */

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

/* ---- timeout choice ---- */

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

/* ---- topology choice ---- */

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

/* ---- member choice ---- */

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

/* ---- attributes ---- */

void
attributes_choose(struct gang_decision *decision)
{
    member_choose(decision);
    queue_choose(decision);
    timeout_choose(decision);
    topology_choose(decision);
}

void
attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    scheduler_trace(decision, trace);
    queue_trace(decision, trace);
    priority_trace(decision, trace);
    timeout_trace(decision, trace);
    member_trace(decision, trace);
    topology_trace(decision, trace);
}
