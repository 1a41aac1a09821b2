/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

/* ---- trace ---- */

enum { TRACE_FIRST_CAPACITY = 4 };

const char *const trace_attribute_names[TRACE_ATTRIBUTE_COUNT] = {
    [TRACE_BACKEND] = "backend",
    [TRACE_SCHEDULER_NAME] = "schedulerName",
    [TRACE_QUEUE] = "queue",
    [TRACE_PRIORITY_CLASS_NAME] = "priorityClassName",
    [TRACE_TIMEOUT] = "scheduleTimeoutSeconds",
    [TRACE_MEMBERS] = "members",
    [TRACE_TOPOLOGY] = "topology",
};

const char *const trace_verdict_names[] = {
    [VERDICT_CHOSEN] = "Chosen",          [VERDICT_OVERRIDDEN] = "Overridden",
    [VERDICT_NOT_ENABLED] = "NotEnabled", [VERDICT_NOT_SERVED] = "NotServed",
    [VERDICT_AMBIGUOUS] = "Ambiguous",    [VERDICT_UNSET] = "Unset",
    [VERDICT_REFUSED] = "Refused",
};

void
trace_add(struct trace *trace, enum trace_attribute attribute, struct trace_candidate candidate)
{
    struct trace_entry *entry = &trace->entries[attribute];

    if (candidate.source && candidate.document == GANG_DOCUMENT_NONE)
        candidate.document = (enum gang_document_type)candidate.source->document;
    if (candidate.verdict == VERDICT_CHOSEN)
        entry->value = candidate.value;
    ARENA_APPEND(trace->arena, entry->candidates, entry->count, TRACE_FIRST_CAPACITY, candidate);
}

/* ---- choice ---- */

/*
 * Returns the needs (OF_...) that are not met. The trace also lists a missing rule, and a rule that
 * does not set the attribute.
 */
static inline unsigned
choice_lacks(const struct choice_call *call)
{
    const struct gang_policy *policy = call->decision->inputs.policy;
    const struct policy_rule *rule = call->decision->rule;
    unsigned lacks = call->decision->front_end->job;

    if (!call->explains)
        lacks |= OF_TRACE;
    if (!call->decision->backend || !call->decision->backend->classes)
        lacks |= OF_CLASSES;
    if (!policy)
        return lacks | OF_POLICY_PARTS;
    if (call->explains)
        return lacks;
    if (!rule || !policy_choice_said(&rule->settings, call->attribute->says))
        lacks |= OF_STRICT_RULE | OF_RULE;
    else if (!rule->is_strict)
        lacks |= OF_STRICT_RULE;
    if (!policy_choice_said(&policy->defaults, call->attribute->says))
        lacks |= OF_DEFAULTS;
    if (!policy->has_entry_settings || !call->decision->backend_entry ||
        !policy_choice_said(&call->decision->backend_entry->settings, call->attribute->says))
        lacks |= OF_ENTRY;
    return lacks;
}

/* Clears the fields of a candidate that the choice reads; see struct trace_candidate. */
static inline struct trace_candidate *
choice_clear(struct trace_candidate *candidate)
{
    memset(candidate, 0, offsetof(struct trace_candidate, document));
    return candidate;
}

static inline bool
choice_ends_with(const struct trace_candidate *candidate)
{
    return candidate->verdict == VERDICT_CHOSEN || candidate->stops;
}

/* Inline for speed: the search runs once for each attribute of a job. */
static inline const struct choice_source *
choice_search(const struct choice_call *call, unsigned lacks, struct trace_candidate *chosen)
{
    const struct choice_source *end = call->attribute->sources + call->attribute->count;

    for (const struct choice_source *source = call->attribute->sources; source < end; source++) {
        if (source->needs & lacks)
            continue;
        for (size_t n = 0; source->candidate(call, n, choice_clear(chosen)); n++) {
            if (choice_ends_with(chosen))
                return source;
            if (chosen->verdict == VERDICT_UNSET)
                break;
        }
    }
    choice_clear(chosen);
    return NULL;
}

const struct choice_source *
choice_decide(const struct choice_call *call, struct trace_candidate *chosen)
{
    return choice_search(call, choice_lacks(call), chosen);
}

/* Whether the candidate is a value of the job that a rule with override Always replaces. */
static bool
choice_gives_way(const struct attribute *attribute, const struct choice_source *source)
{
    for (const struct choice_source *other = attribute->sources; other < source; other++)
        if (other->needs & OF_STRICT_RULE)
            return !(source->needs & OF_POLICY_PARTS);
    return false;
}

/* The candidate that ended the search, after it is found, and its source. */
struct choice_end {
    const struct choice_source *source;
    struct trace_candidate candidate;
};

/*
 * Whether the candidate is a rule that, with override Always, would choose another value than the
 * job.
 */
static bool
choice_could_insist(const struct choice_call *call, const struct choice_end *end,
                    const struct trace_candidate *candidate)
{
    return candidate->is_of_rule && candidate->verdict == VERDICT_CHOSEN &&
           end->candidate.verdict == VERDICT_CHOSEN &&
           choice_gives_way(call->attribute, end->source) &&
           !slice_equal(end->candidate.value, candidate->value);
}

static void
choice_name_rule(const struct choice_call *call, struct trace_candidate *candidate)
{
    const struct slice name = call->decision->rule->name;

    if (candidate->reason)
        candidate->reason =
            arena_format(call->arena, "rule %.*s: %s", SLICE_ARG(name), candidate->reason);
    else
        candidate->reason = arena_format(call->arena, "rule %.*s%s", SLICE_ARG(name),
                                         candidate->is_strict ? " (Always)" : "");
}

void
choice_trace(const struct gang_decision *decision, const struct attribute *attribute,
             enum trace_attribute name, struct trace *trace)
{
    const struct choice_call call = {decision, attribute, trace->arena, .explains = true};
    const unsigned lacks = choice_lacks(&call);
    struct choice_end end = {.source = NULL};

    for (size_t i = 0; i < attribute->count; i++) {
        const struct choice_source *source = &attribute->sources[i];
        struct trace_candidate candidate;

        if (source->needs & lacks)
            continue;
        for (size_t n = 0;
             candidate = (struct trace_candidate){0}, source->candidate(&call, n, &candidate);
             n++) {
            if (!end.source) {
                if (choice_ends_with(&candidate))
                    end = (struct choice_end){source, candidate};
            } else if (candidate.verdict == VERDICT_CHOSEN && end.candidate.overrides &&
                       (end.source != source || end.candidate.verdict != VERDICT_CHOSEN ||
                        !slice_equal(end.candidate.value, candidate.value))) {
                candidate.reason =
                    choice_could_insist(&call, &end, &candidate)
                        ? arena_format(call.arena,
                                       "%s; set override: Always to give the rule precedence",
                                       end.candidate.overrides)
                        : end.candidate.overrides;
                candidate.verdict = VERDICT_OVERRIDDEN;
            }
            if (candidate.is_of_rule)
                choice_name_rule(&call, &candidate);
            trace_add(trace, name, candidate);
        }
    }
}

/* ---- overridden candidates ---- */

/* Needs the text fields of the chosen candidate and of the others. */
SELDOM static void
choice_report_losers(const struct choice_call *call, struct report *report)
{
    const struct attribute *attribute = call->attribute;
    const unsigned lacks = choice_lacks(call);
    struct choice_end end;

    end.source = choice_search(call, lacks, &end.candidate);
    for (size_t i = 0; i < attribute->count; i++) {
        const struct choice_source *source = &attribute->sources[i];
        struct trace_candidate candidate;

        if (source->needs & lacks)
            continue;
        for (size_t n = 0;
             candidate = (struct trace_candidate){0}, source->candidate(call, n, &candidate); n++)
            if (end.candidate.is_strict) {
                /* A default among the cluster facts is none of the job. */
                if (candidate.verdict == VERDICT_CHOSEN && candidate.source &&
                    candidate.source->document != GANG_DOCUMENT_CLUSTER &&
                    candidate.source->document != end.candidate.source->document &&
                    !slice_equal(candidate.value, end.candidate.value))
                    find_note_at_key(report, candidate.source, MESSAGE_OVERRIDDEN_BY_POLICY,
                                     SLICE_ARG(candidate.value),
                                     SLICE_ARG(call->decision->rule->name),
                                     SLICE_ARG(end.candidate.value));
            } else if (choice_could_insist(call, &end, &candidate)) {
                find_note_at_key(report, candidate.source, MESSAGE_RULE_OVERRIDDEN,
                                 SLICE_ARG(call->decision->rule->name),
                                 SLICE_ARG(end.candidate.value), SLICE_ARG(candidate.value),
                                 end.candidate.overrides);
            }
    }
}

void
choice_make(struct gang_decision *decision, const struct attribute *attribute)
{
    const struct choice_call call = {decision, attribute, decision->arena, .explains = false};
    /* some values are formatted only for the report */
    const struct choice_call explained = {decision, attribute, decision->arena, .explains = true};
    const unsigned lacks = choice_lacks(&call);
    struct choice_end end;

    end.source = choice_search(&call, lacks, &end.candidate);
    attribute->take(decision, &call, &end.candidate);
    if ((lacks & OF_RULE) || !end.source || end.candidate.stops)
        return;
    /* A rule that sets the attribute overrides the job, or is overridden by another value of it. */
    if (end.candidate.is_strict ||
        (choice_gives_way(attribute, end.source) &&
         !slice_equal(end.candidate.value,
                      attribute->setting(&explained, &decision->rule->settings).value)))
        choice_report_losers(&explained, decision->report);
}

/* ---- policy choice ---- */

static const char policy_choice_ignored[] =
    "with KubeflowTrainer compatibility no policy chooses it";

static void
policy_choice_take(const struct choice_call *call, const struct policy_settings *settings,
                   const struct choice_setting *setting, struct trace_candidate *candidate)
{
    candidate->value = setting->value;
    candidate->source = policy_choice_said(settings, call->attribute->says);
    candidate->verdict = VERDICT_CHOSEN;
    if (call->decision->wishes.compatibility != COMPATIBILITY_NONE) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = policy_choice_ignored;
    } else if (setting->problem) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = setting->problem;
        candidate->stops = true;
    }
    if (call->attribute->judge)
        call->attribute->judge(call, candidate);
}

static const char *
policy_choice_words(const struct choice_call *call, const char *more)
{
    return call->explains ? arena_format(call->arena, "rule %.*s%s",
                                         SLICE_ARG(call->decision->rule->name), more)
                          : "";
}

bool
policy_choice_ruled_out(const struct choice_call *call, size_t index,
                        struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;

    if (index || (!call->decision->rule_is_undecided && (!rule || rule->action == RULE_GANG)))
        return false;
    candidate->verdict = VERDICT_REFUSED;
    candidate->stops = true;
    if (call->decision->rule_is_undecided) {
        candidate->document = GANG_DOCUMENT_POLICY;
        candidate->missing = SLICE("spec.rules");
        candidate->overrides = "a rule that cannot be decided has precedence";
        candidate->reason = "a rule needs facts that are unknown";
        return true;
    }
    candidate->source = node_member(rule->source, SLICE("action"));
    candidate->overrides =
        policy_choice_words(call, rule->action == RULE_SKIP ? " skips the job" : " denies the job");
    candidate->is_of_rule = true;
    if (rule->message.len && call->explains)
        candidate->reason = arena_format(call->arena, "%.*s", SLICE_ARG(rule->message));
    return true;
}

bool
policy_choice_strict_rule(const struct choice_call *call, size_t index,
                          struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;
    struct choice_setting setting;

    if (index || !rule || !rule->is_strict ||
        !policy_choice_said(&rule->settings, call->attribute->says))
        return false;
    setting = call->attribute->setting(call, &rule->settings);
    if (setting.override != OVERRIDE_ALWAYS)
        return false;
    candidate->overrides = policy_choice_words(call, " with override Always has precedence");
    candidate->is_strict = true;
    candidate->is_of_rule = true;
    policy_choice_take(call, &rule->settings, &setting, candidate);
    return true;
}

/* A candidate for the trace only: the rule does not set the attribute, or no rule matches. */
static bool
policy_choice_unset(const struct choice_call *call, struct slice name,
                    struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;

    candidate->source = rule ? rule->source : NULL;
    candidate->missing = name;
    candidate_leave_unset(candidate, GANG_DOCUMENT_POLICY,
                          rule ? policy_choice_words(call, " does not set it") : "no rule matches");
    return true;
}

bool
policy_choice_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;
    struct choice_setting setting;

    if (index)
        return false;
    if (!rule)
        return call->decision->inputs.policy->num_rules > 0 &&
               policy_choice_unset(call, SLICE("spec.rules"), candidate);
    if (!policy_choice_said(&rule->settings, call->attribute->says))
        return policy_choice_unset(call, call->attribute->field, candidate);
    setting = call->attribute->setting(call, &rule->settings);
    if (setting.override == OVERRIDE_ALWAYS)
        return false;
    candidate->overrides = policy_choice_words(call, " has precedence");
    candidate->is_of_rule = true;
    policy_choice_take(call, &rule->settings, &setting, candidate);
    return true;
}

/* A block that is no rule's. Inline for speed. */
static inline bool
policy_choice_usual(const struct choice_call *call, size_t index,
                    const struct policy_settings *block, struct trace_candidate *candidate)
{
    struct choice_setting setting;

    if (index || !policy_choice_said(block, call->attribute->says))
        return false;
    setting = call->attribute->setting(call, block);
    policy_choice_take(call, block, &setting, candidate);
    return true;
}

bool
policy_choice_entry(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct policy_backend *entry = call->decision->backend_entry;

    candidate->reason = "the policy's entry of the backend";
    candidate->overrides = "the policy's entry of the backend has precedence";
    return entry && policy_choice_usual(call, index, &entry->settings, candidate);
}

bool
policy_choice_defaults(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate)
{
    candidate->reason = "the policy's defaults";
    candidate->overrides = "the policy's defaults have precedence";
    return policy_choice_usual(call, index, &call->decision->inputs.policy->defaults, candidate);
}

const struct policy_settings *
policy_choice_block(const struct gang_decision *decision, size_t says)
{
    const struct gang_policy *policy = decision->inputs.policy;

    if (!policy || decision->wishes.compatibility != COMPATIBILITY_NONE)
        return NULL;
    if (decision->rule && policy_choice_said(&decision->rule->settings, says))
        return &decision->rule->settings;
    return policy_choice_said(&policy->defaults, says) ? &policy->defaults : NULL;
}

bool
policy_choice_ignores_runtime(const struct gang_decision *decision,
                              struct trace_candidate *candidate)
{
    const struct gang_policy *policy = decision->inputs.policy;

    if (!policy || policy->runtime_policy != RUNTIME_POLICY_IGNORE)
        return false;
    candidate->verdict = VERDICT_REFUSED;
    candidate->reason = "the policy ignores podGroupPolicy";
    return true;
}

bool
choice_of_request(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const char *wishes = (const char *)&call->decision->wishes;
    const struct job_request *request = (const void *)(wishes + call->attribute->request);

    if (index || !request->reason)
        return false;
    candidate_set(candidate, request->value, request->source,
                  request->is_set ? VERDICT_CHOSEN : VERDICT_UNSET, request->reason);
    candidate->document = request->document;
    candidate->missing = request->missing;
    candidate->overrides = request->overrides;
    if (request->is_set && request->can_be_ignored)
        policy_choice_ignores_runtime(call->decision, candidate);
    return true;
}
