/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/choice.h"

#include "libgang/document/finding.h"

static inline bool
choice_asks(const struct choice_source *source, const struct choice_call *call)
{
    return !source->of_policy || call->decision->inputs.policy;
}

/* What is read of a candidate that only decides; a source sets the verdict itself. */
static inline struct trace_candidate *
choice_clear(struct trace_candidate *candidate)
{
    candidate->value = NO_SLICE;
    candidate->source = NULL;
    candidate->verdict = VERDICT_UNSET;
    candidate->stops = false;
    candidate->is_strict = false;
    return candidate;
}

static inline bool
choice_ends_with(const struct trace_candidate *candidate)
{
    return candidate->verdict == VERDICT_CHOSEN || candidate->stops;
}

bool
choice_decide(const struct choice_table *table, const struct choice_call *call,
              struct trace_candidate *chosen)
{
    const struct choice_source *end = table->sources + table->count;
    const bool has_policy = call->decision->inputs.policy != NULL;

    for (const struct choice_source *source = table->sources; source < end; source++) {
        if (source->of_policy && !has_policy)
            continue;
        for (size_t n = 0; source->candidate(call, n, choice_clear(chosen)); n++)
            if (choice_ends_with(chosen))
                return true;
    }
    choice_clear(chosen);
    return false;
}

/* The candidate that ended the search, once there is one, and where it came from. */
struct choice_end {
    const struct choice_source *source;
    struct trace_candidate candidate;
};

/* Several may say the same at once, as the roles of a job do. */
static bool
choice_agrees(const struct choice_end *end, const struct choice_source *source,
              const struct trace_candidate *candidate)
{
    return end->source == source && end->candidate.verdict == VERDICT_CHOSEN &&
           slice_equal(end->candidate.value, candidate->value);
}

static void
choice_judge(struct choice_end *end, const struct choice_source *source, struct trace_candidate *candidate)
{
    if (!end->source) {
        if (choice_ends_with(candidate))
            *end = (struct choice_end){source, *candidate};
    } else if (candidate->verdict == VERDICT_CHOSEN && end->candidate.overrides &&
               !choice_agrees(end, source, candidate)) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = end->candidate.overrides;
    }
}

void
choice_trace(const struct choice_table *table, const struct choice_call *call, enum trace_attribute attribute,
             struct trace *trace)
{
    struct choice_end end = {.source = NULL};

    for (size_t i = 0; i < table->count; i++) {
        const struct choice_source *source = &table->sources[i];
        struct trace_candidate candidate;

        if (!choice_asks(source, call))
            continue;
        for (size_t n = 0; candidate = (struct trace_candidate){0}, source->candidate(call, n, &candidate);
             n++) {
            choice_judge(&end, source, &candidate);
            trace_add(trace, attribute, candidate);
        }
    }
}

static bool
choice_is_overridden(const struct trace_candidate *chosen, const struct trace_candidate *candidate)
{
    return candidate->verdict == VERDICT_CHOSEN && candidate->source &&
           candidate->source->document != chosen->source->document &&
           !slice_equal(candidate->value, chosen->value);
}

void
choice_report_overridden(const struct choice_table *table, const struct choice_call *call,
                         const struct trace_candidate *chosen, struct report *report)
{
    struct choice_call again = *call;

    again.explains = true;
    for (size_t i = 0; i < table->count; i++) {
        struct trace_candidate candidate;

        for (size_t n = 0;
             candidate = (struct trace_candidate){0}, table->sources[i].candidate(&again, n, &candidate); n++)
            if (choice_is_overridden(chosen, &candidate))
                find_note_at_key(report, GANG_CODE_OVERRIDDEN_BY_POLICY, candidate.source,
                                 "remove it, or ask the administrator",
                                 "%.*s is overridden by the policy: rule %.*s chooses %.*s",
                                 SLICE_ARG(candidate.value), SLICE_ARG(call->decision->rule->name),
                                 SLICE_ARG(chosen->value));
    }
}
