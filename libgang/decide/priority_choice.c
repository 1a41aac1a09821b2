/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

static struct choice_setting
priority_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->priority.name,
                                   .override = settings->priority.override};
}

static bool
priority_class_is_missing(const struct choice_call *call, const struct node *name)
{
    return cluster_priority_class(call->decision->inputs.cluster, node_string(name), NULL) ==
           CLUSTER_NO;
}

/* The number of labels in places before this one. */
static size_t
priority_labels_before(const struct queue_values *labels, enum queue_place place)
{
    size_t count = 0;

    while (count < labels->count && labels->items[count].source->place < place)
        count++;
    return count;
}

/* Whether the scheduler gives up its search at the first label, because its class is missing. */
static bool
priority_ends_at_label(const struct choice_call *call)
{
    const struct gang_decision *decision = call->decision;
    const struct queue_values *labels = &decision->group_facts.priority_labels;
    const struct backend_classes *classes = &decision->group_facts.classes;

    /* Whether a default precedes the first label. */
    return labels->count && !decision->group_facts.classes.pods_first &&
           !((classes->before_job && !priority_labels_before(labels, QUEUE_ON_TRAINJOB)) ||
             (classes->after_job && !priority_labels_before(labels, QUEUE_ON_POD_TEMPLATES))) &&
           priority_class_is_missing(call, labels->items[0].value);
}

/*
 * A label that the scheduler reads before the pods' classes. If the class of the first one does not
 * exist, the search ends: the scheduler uses its default.
 */
static void
priority_label_candidate(const struct choice_call *call, const struct queue_found *label,
                         struct trace_candidate *candidate)
{
    const struct backend_classes *classes = &call->decision->group_facts.classes;

    queue_place_candidate(label, candidate);
    if (!priority_class_is_missing(call, label->value))
        return;
    candidate->verdict = VERDICT_REFUSED;
    candidate->stops = !classes->pods_first && !classes->at_last;
    candidate->reason =
        classes->pods_first || classes->at_last
            ? "the cluster has no such class"
            : "the cluster has no such class, so the scheduler uses its own default";
    candidate->overrides = "a label of the job has precedence";
}

/* A default in the scheduler's configuration. Its class exists, or may exist. */
static void
priority_default_candidate(const struct node *name, const char *overrides,
                           struct trace_candidate *candidate)
{
    candidate_set(candidate, node_string(name), name, VERDICT_CHOSEN,
                  "the default of the scheduler's configuration");
    candidate->document = GANG_DOCUMENT_CLUSTER;
    candidate->overrides = overrides;
}

/*
 * Labels and defaults that precede the pods: labels of the JobSet, the default for the job's kind,
 * labels of the job, the default for its owner's kind, labels of the pods. If the search ends at
 * the first label, the last default is behind it.
 */
static bool
priority_of_labels(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct queue_values *labels = &call->decision->group_facts.priority_labels;
    const struct backend_classes *classes = &call->decision->group_facts.classes;
    const size_t of_set = priority_labels_before(labels, QUEUE_ON_TRAINJOB);
    const size_t of_job = priority_labels_before(labels, QUEUE_ON_POD_TEMPLATES);
    const bool falls_back = classes->at_last && priority_ends_at_label(call);

    for (size_t i = 0; i <= labels->count && !classes->pods_first; i++) {
        const struct node *name = NULL;

        if (i == of_set && classes->before_job && index-- == 0)
            name = classes->before_job;
        else if (i == of_job && classes->after_job && index-- == 0)
            name = classes->after_job;
        if (name) {
            priority_default_candidate(name,
                                       "the default of the scheduler's configuration has "
                                       "precedence",
                                       candidate);
            return true;
        }
        if (i < labels->count && index-- == 0) {
            priority_label_candidate(call, &labels->items[i], candidate);
            return true;
        }
        if (i == 0 && falls_back && index-- == 0) {
            priority_default_candidate(classes->at_last, "a label of the job has precedence",
                                       candidate);
            return true;
        }
    }
    return false;
}

/* The labels of the pods, or all others, of a scheduler that reads the pods first. */
static bool
priority_label_of(const struct choice_call *call, bool of_pods, size_t index,
                  struct trace_candidate *candidate)
{
    const struct queue_values *labels = &call->decision->group_facts.priority_labels;

    for (size_t i = 0; i < labels->count && call->decision->group_facts.classes.pods_first; i++) {
        bool is_of_pods = labels->items[i].source->place == QUEUE_ON_POD_TEMPLATES;

        if (is_of_pods != of_pods || index-- > 0)
            continue;
        priority_label_candidate(call, &labels->items[i], candidate);
        return true;
    }
    return false;
}

static bool
priority_of_pod_labels(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate)
{
    return priority_label_of(call, true, index, candidate);
}

static bool
priority_of_owner_labels(const struct choice_call *call, size_t index,
                         struct trace_candidate *candidate)
{
    return priority_label_of(call, false, index, candidate);
}

static bool
priority_of_configuration(const struct choice_call *call, size_t index,
                          struct trace_candidate *candidate)
{
    const struct node *name = call->decision->group_facts.classes.at_last;

    if (index || !name || priority_ends_at_label(call))
        return false;
    priority_default_candidate(name, NULL, candidate);
    return true;
}

static bool
priority_of_members(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    struct trace_candidate label = {0};
    const struct role *role = priority_named_by(&call->decision->gang, index);

    if (!role) {
        candidate_leave_unset(
            candidate, call->decision->inputs.job ? GANG_DOCUMENT_JOB : GANG_DOCUMENT_RUNTIME,
            "no template names a priority class");
        return index == 0;
    }
    candidate_set(candidate, role->priority_class_name, role->priority_class_source, VERDICT_CHOSEN,
                  "the members' priority class");
    candidate->overrides = "not the members' priority class";
    if (priority_label_of(call, true, 0, &label)) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "the pods have a label, which has precedence";
    }
    return true;
}

static bool
priority_of_outsiders(const struct choice_call *call, size_t index,
                      struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang->parts[i].membership != ROLE_OUTSIDE || !role->priority_class_name.len ||
            index-- > 0)
            continue;
        candidate_set(candidate, role->priority_class_name, role->priority_class_source,
                      VERDICT_REFUSED, "the role is not in the gang");
        return true;
    }
    return false;
}

/* Labels and configuration are those of a scheduler whose group can have a class of its own. */
static const struct choice_source priority_sources[] = {
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {choice_of_request, OF_ANY},
    {priority_of_labels, OF_ALL_BUT_GROVE | OF_CLASSES},
    {priority_of_pod_labels, OF_ALL_BUT_GROVE | OF_CLASSES},
    {priority_of_members, OF_ALL_BUT_GROVE},
    {priority_of_owner_labels, OF_ALL_BUT_GROVE | OF_CLASSES},
    {priority_of_outsiders, OF_ALL_BUT_GROVE | OF_TRACE},
    {policy_choice_rule, OF_RULE},
    {policy_choice_entry, OF_ENTRY},
    {policy_choice_defaults, OF_DEFAULTS},
    {priority_of_configuration, OF_ALL_BUT_GROVE | OF_CLASSES},
};

/* Returns whether the class of the group is independent of the classes of its pods. */
static bool
priority_take_of_group(struct gang_decision *decision, const struct choice_call *call,
                       const struct trace_candidate *chosen)
{
    const struct queue_values *labels = &decision->group_facts.priority_labels;
    const struct backend_classes *classes = &decision->group_facts.classes;
    bool is_default = chosen->source &&
                      (chosen->source == classes->before_job || chosen->source == classes->at_last);
    bool is_own = is_default;

    for (size_t i = 0; i < labels->count && !is_own; i++) {
        const struct node *other;

        is_own = labels->items[i].value == chosen->source;
        /* Pods of one group must agree, because the first one decides. */
        other = is_own ? queue_values_disagree(labels, i) : NULL;
        if (other)
            find_note(decision->report, other, MESSAGE_PRIORITIES_DISAGREE_LABEL,
                      SLICE_ARG(node_string(chosen->source)));
    }
    decision->gang.has_priority_label = is_own && chosen->verdict == VERDICT_CHOSEN;
    if (chosen->stops || (is_default && priority_ends_at_label(call))) {
        const struct node *label = labels->items[0].value;
        const struct node *at_last = decision->group_facts.classes.at_last;
        struct slice instead =
            at_last ? node_string(at_last) : decision->backend->descriptor->default_priority_class;

        find_note_at_key(decision->report, label, MESSAGE_PRIORITY_LABEL_UNKNOWN,
                         SLICE_ARG(node_string(label)),
                         SLICE_ARG(decision->backend->descriptor->type), SLICE_ARG(instead));
    }
    return is_own;
}

static void
priority_take(struct gang_decision *decision, const struct choice_call *call,
              const struct trace_candidate *chosen)
{
    struct gang *gang = &decision->gang;
    bool is_of_group = decision->backend->classes && priority_take_of_group(decision, call, chosen);

    if (chosen->verdict != VERDICT_CHOSEN)
        return; /* no source sets a class */
    gang->priority_class_name = chosen->value;
    gang->priority_class_source = chosen->source;
    /* Whether the class is set for the gang, and not in the members. */
    gang->gives_priority =
        chosen->source &&
        (chosen->source->document == GANG_DOCUMENT_POLICY ||
         (decision->inputs.job && chosen->source == decision->wishes.priority_request.source));
    if (chosen->is_strict || is_of_group || gang->wishes->compatibility != COMPATIBILITY_NONE ||
        decision_is_of_grove(decision) || gang->gives_priority)
        return;
    priority_report_disagreement(gang, decision->report);
    if (decision->backend->descriptor->sorts_gangs)
        report_soften(decision->report, GANG_CODE_PRIORITIES_DISAGREE);
}

const struct attribute priority_attribute = {
    .sources = priority_sources,
    .count = COUNT_OF(priority_sources),
    SETTING_OF("priorityClassName", priority.source),
    .setting = priority_setting,
    .take = priority_take,
    .request = offsetof(struct gang_wishes, priority_request),
};
