/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/priority_choice.h"

#include "libgang/decide/choice.h"
#include "libgang/gang/membership.h"

static struct choice_setting
priority_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->priority.name,
                                   .source = settings->priority.source,
                                   .name = SLICE("priorityClassName"),
                                   .override = settings->priority.override};
}

static bool
priority_is_of_podgang(const struct gang_decision *decision)
{
    return decision->gang.front_end == FRONT_END_PODGANG;
}

static const struct node *
priority_node_of_podgang(const struct gang_decision *decision)
{
    const struct node *spec = decision->inputs.podgang ? decision->inputs.podgang->spec
                                                       : decision->inputs.podcliqueset->pod_template;

    return node_member(spec, SLICE("priorityClassName"));
}

/* Grove copies the class of the PodCliqueSet's template to every PodGang. */
static bool
priority_of_podgang(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_decision *decision = call->decision;

    if (index || !priority_is_of_podgang(decision))
        return false;
    candidate->source = priority_node_of_podgang(decision);
    candidate->value = node_string(candidate->source);
    candidate->verdict = candidate->value.len ? VERDICT_CHOSEN : VERDICT_UNSET;
    candidate->reason = candidate->value.len ? "the PodGang names it" : "the PodGang names no class";
    candidate->overrides = "the PodGang stands before";
    if (candidate->value.len)
        return true;
    candidate->value = NO_SLICE;
    candidate->document = GANG_DOCUMENT_PODGANG;
    return true;
}

static bool
priority_of_members(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct role *role = priority_named_by(&call->decision->gang, index);

    if (priority_is_of_podgang(call->decision))
        return false;
    if (!role) {
        candidate->document = GANG_DOCUMENT_RUNTIME;
        candidate->verdict = VERDICT_UNSET;
        candidate->reason = "no template names a priority class";
        return index == 0;
    }
    candidate->value = role->priority_class_name;
    candidate->source = role->priority_class_source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "the members' priority class";
    candidate->overrides = "not the members' priority class";
    return true;
}

static bool
priority_of_outsiders(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;

    for (size_t i = 0; call->explains && !priority_is_of_podgang(call->decision) && i < gang->num_roles;
         i++) {
        const struct role *role = &gang->roles[i];

        if (role->membership != ROLE_OUTSIDE || !role->priority_class_name.len || index-- > 0)
            continue;
        candidate->value = role->priority_class_name;
        candidate->source = role->priority_class_source;
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "the role is not in the gang";
        return true;
    }
    return false;
}

static const struct choice_source priority_choice_sources[] = {
    {policy_choice_strict_rule, true}, {priority_of_podgang, false}, {priority_of_members, false},
    {priority_of_outsiders, false},    {policy_choice_rule, true},   {policy_choice_defaults, true},
};
static const struct choice_table priority_choice_table = {
    priority_choice_sources, sizeof(priority_choice_sources) / sizeof(priority_choice_sources[0])};

static bool
priority_block_says(const struct policy_settings *settings)
{
    return settings->priority.source != NULL;
}

static bool
priority_is_named(const struct gang_decision *decision)
{
    return priority_is_of_podgang(decision) ? node_string(priority_node_of_podgang(decision)).len > 0
                                            : priority_named_by(&decision->gang, 0) != NULL;
}

void
priority_choose(struct gang_decision *decision)
{
    const struct choice_call call = {
        .decision = decision, .setting = priority_setting, .arena = decision->arena};
    struct gang *gang = &decision->gang;
    struct trace_candidate chosen;

    if (!priority_is_named(decision) && !policy_choice_block(decision, priority_block_says))
        return; /* nobody names one */
    choice_decide(&priority_choice_table, &call, &chosen);
    gang->priority_class_name = chosen.value;
    gang->priority_class_source = chosen.source;
    gang->gives_priority = chosen.source && chosen.source->document == GANG_DOCUMENT_POLICY;
    choice_warn_overridden(&priority_choice_table, &call, &chosen, &decision->report);
    if (!chosen.is_strict && gang->compatibility == COMPATIBILITY_NONE && !priority_is_of_podgang(decision))
        priority_report_disagreement(gang, &decision->report);
}

void
priority_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {
        .decision = decision, .setting = priority_setting, .arena = trace->arena, .explains = true};

    choice_trace(&priority_choice_table, &call, TRACE_PRIORITY_CLASS_NAME, trace);
}
