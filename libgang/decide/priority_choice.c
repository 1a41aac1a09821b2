/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/priority_choice.h"

#include "libgang/decide/front_end.h"
#include "libgang/gang/membership.h"

static struct choice_setting
priority_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->priority.name, .override = settings->priority.override};
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

    if (index)
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

    for (size_t i = 0; i < gang->num_roles; i++) {
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

static const struct choice_source priority_sources[] = {
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {priority_of_podgang, JOB_OF_GROVE},
    {priority_of_members, JOB_OF_TRAINER},
    {priority_of_outsiders, JOB_OF_TRAINER | OF_TRACE},
    {policy_choice_rule, OF_RULE},
    {policy_choice_defaults, OF_DEFAULTS},
};

static void
priority_take(struct gang_decision *decision, const struct choice_call *call,
              const struct trace_candidate *chosen)
{
    struct gang *gang = &decision->gang;

    (void)call;
    if (chosen->verdict != VERDICT_CHOSEN)
        return; /* nobody names one */
    gang->priority_class_name = chosen->value;
    gang->priority_class_source = chosen->source;
    gang->gives_priority = chosen->source && chosen->source->document == GANG_DOCUMENT_POLICY;
    if (!chosen->is_strict && gang->compatibility == COMPATIBILITY_NONE &&
        decision->front_end->job == JOB_OF_TRAINER)
        priority_report_disagreement(gang, &decision->report);
}

const struct attribute priority_attribute = {
    priority_sources,
    sizeof(priority_sources) / sizeof(priority_sources[0]),
    SETTING_OF("priorityClassName", priority.source),
    priority_setting,
    priority_take,
};
