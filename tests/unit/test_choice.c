/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include <stdio.h>

#include "unit/suite.h"

/*
 * Sources written as text: each letter is a candidate. C may be chosen, c the same with another value, U is unset, R
 * refused, S stops the search. The facts are the texts of the three sources.
 */
struct letters {
    const char *sources[3];
};

/* The second source is the policy's. */
static const struct node places[] = {
    {.document = GANG_DOCUMENT_RUNTIME},
    {.document = GANG_DOCUMENT_POLICY},
    {.document = GANG_DOCUMENT_TRAINJOB},
};

static bool
candidate_of(const struct choice_call *call, size_t source, size_t index, struct trace_candidate *candidate)
{
    const char *text = ((const struct letters *)call->facts)->sources[source];

    if (index >= strlen(text))
        return false;
    candidate->value = text[index] == 'C' ? SLICE("big") : text[index] == 'c' ? SLICE("small") : NO_SLICE;
    candidate->verdict = text[index] == 'C' || text[index] == 'c' ? VERDICT_CHOSEN
                         : text[index] == 'U'                     ? VERDICT_UNSET
                                                                  : VERDICT_REFUSED;
    candidate->stops = text[index] == 'S';
    candidate->source = &places[source];
    candidate->reason = "own";
    candidate->overrides = source == 0 ? "first" : source == 1 ? "second" : "third";
    return true;
}

static bool
first_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    return candidate_of(call, 0, index, candidate);
}

static bool
second_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    return candidate_of(call, 1, index, candidate);
}

static bool
third_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    return candidate_of(call, 2, index, candidate);
}

static const struct choice_source sources[] = {
    {first_source, false},
    {second_source, true},
    {third_source, false},
};
static const struct choice_table table = {sources, 3};

static const struct choice_case {
    struct letters letters;
    bool has_policy;
    const char *decided; /* value and the source's word, "stopped", or "" */
    const char *trace;   /* value, verdict and reason of each */
} choices[] = {
    {{{"", "", ""}}, true, "", ""},
    {{{"U", "U", "U"}}, true, "", "- Unset own;- Unset own;- Unset own;"},
    {{{"C", "", ""}}, true, "big first", "big Chosen own;"},
    {{{"U", "C", ""}}, true, "big second", "- Unset own;big Chosen own;"},
    {{{"U", "C", "c"}}, false, "small third", "- Unset own;small Chosen own;"},
    {{{"C", "C", "c"}}, true, "big first", "big Chosen own;big Overridden first;small Overridden first;"},
    {{{"", "Cc", ""}}, true, "big second", "big Chosen own;small Overridden second;"},
    {{{"", "cCc", ""}}, true, "small second", "small Chosen own;big Overridden second;small Chosen own;"},
    {{{"C", "U", "R"}}, true, "big first", "big Chosen own;- Unset own;- Refused own;"},
    {{{"S", "C", "c"}}, true, "stopped", "- Refused own;big Overridden first;small Overridden first;"},
    {{{"R", "S", "c"}}, true, "stopped", "- Refused own;- Refused own;small Overridden second;"},
    {{{"R", "S", "c"}}, false, "small third", "- Refused own;small Chosen own;"},
    {{{"C", "S", ""}}, true, "big first", "big Chosen own;- Refused own;"},
    {{{"UUC", "", ""}}, true, "big first", "- Unset own;- Unset own;big Chosen own;"},
    {{{"U", "", "R"}}, true, "", "- Unset own;- Refused own;"},
    {{{"SC", "C", ""}}, true, "stopped", "- Refused own;big Overridden first;big Overridden first;"},
};

static struct gang_policy some_policy;

static struct choice_call
call_of(const struct choice_case *row, struct gang_decision *decision)
{
    decision->inputs.policy = row->has_policy ? &some_policy : NULL;
    return (struct choice_call){.decision = decision, .facts = &row->letters};
}

START_TEST(the_first_that_may_be_chosen_or_stops)
{
    struct gang_decision decision = {.backend = NULL};
    const struct choice_call call = call_of(&choices[_i], &decision);
    struct trace_candidate chosen;
    bool found = choice_decide(&table, &call, &chosen);
    char text[64] = "";

    if (found)
        snprintf(text, sizeof(text), "%.*s %s", SLICE_ARG(chosen.value), chosen.overrides);
    ck_assert_str_eq(found && chosen.stops ? "stopped" : text, choices[_i].decided);
    ck_assert(found || (chosen.verdict == VERDICT_UNSET && !chosen.stops && !chosen.source));
}
END_TEST

START_TEST(the_trace_tells_the_same)
{
    struct gang_decision decision = {.backend = NULL};
    const struct choice_call call = call_of(&choices[_i], &decision);
    struct trace trace = {.arena = arena_new(0)};
    const struct trace_entry *entry = &trace.entries[TRACE_TOPOLOGY];
    const char *text = "";

    choice_trace(&table, &call, TRACE_TOPOLOGY, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        struct slice value = entry->candidates[i].value;

        text = arena_format(trace.arena, "%s%.*s %s %s;", text, slice_is_set(value) ? (int)value.len : 1,
                            slice_is_set(value) ? value.data : "-",
                            trace_verdict_names[entry->candidates[i].verdict], entry->candidates[i].reason);
    }
    ck_assert_str_eq(text, choices[_i].trace);
    ck_assert_uint_eq(trace.entries[TRACE_BACKEND].count, 0);
    arena_free(trace.arena);
}
END_TEST

/* What others than the policy say in vain: it may be chosen, and is not what the policy chose. */
static const struct {
    struct letters letters;
    const char *findings;
} overridden[] = {
    {{{"c", "C", ""}}, "small is overridden by the policy: rule r chooses big;"},
    {{{"", "C", "c"}}, "small is overridden by the policy: rule r chooses big;"},
    {{{"cc", "C", "c"}},
     "small is overridden by the policy: rule r chooses big;small is overridden by the policy: rule r "
     "chooses "
     "big;small is overridden by the policy: rule r chooses big;"},
    {{{"C", "C", "C"}}, ""},
    {{{"", "Cc", ""}}, ""},
    {{{"R", "C", "U"}}, ""},
};

START_TEST(what_a_policy_overrides_is_reported)
{
    const struct policy_rule rule = {.name = SLICE("r")};
    struct gang_decision decision = {.rule = &rule, .inputs = {.policy = &some_policy}};
    const struct choice_call call = {.decision = &decision, .facts = &overridden[_i].letters};
    const struct trace_candidate chosen = {.value = SLICE("big"), .source = &places[1], .is_strict = true};
    struct report report;
    const char *text = "";

    report_init(&report, arena_new(0), &standard_limits);
    choice_warn_overridden(&table, &call, &chosen, &report);
    for (size_t i = 0; i < report.count; i++)
        text = arena_format(report.arena, "%s%s;", text, report.items[i].message);
    ck_assert_str_eq(text, overridden[_i].findings);
    arena_free(report.arena);
}
END_TEST

/* Without a word, for a choice that no rule insists on, and for one that could not be made. */
static const struct trace_candidate silent[] = {
    {.value = SLICE_INIT("big"), .source = &places[1]},
    {.value = SLICE_INIT("big"), .source = &places[1], .is_strict = true, .stops = true},
};

START_TEST(nothing_is_said_of_other_choices)
{
    struct gang_decision decision = {.inputs = {.policy = &some_policy}};
    const struct choice_call call = {.decision = &decision, .facts = &overridden[0].letters};
    struct report report;

    report_init(&report, arena_new(0), &standard_limits);
    choice_warn_overridden(&table, &call, &silent[_i], &report);
    ck_assert_uint_eq(report.count, 0);
    arena_free(report.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, what_a_policy_overrides_is_reported, overridden, findings, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, nothing_is_said_of_other_choices, silent, value);
    add_rows(cases, the_first_that_may_be_chosen_or_stops, choices, decided, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, the_trace_tells_the_same, choices, decided, letters.sources[0], letters.sources[1]);
}
