/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"
#include "libgang/decide/front_end.h"

#include <stdio.h>

#include "unit/suite.h"

/*
 * Sources written as text: each letter is a candidate. C may be chosen, c the same with another
 * value, U is unset, R refused, S stops the search. The letters are those of the three sources.
 */
struct letters {
    const char *sources[3];
};

static const struct letters *letters;

/* The second source is the policy's. */
static const struct node places[] = {
    {.document = GANG_DOCUMENT_RUNTIME},
    {.document = GANG_DOCUMENT_POLICY},
    {.document = GANG_DOCUMENT_TRAINJOB},
};

static bool policy_is_strict;

static struct slice
value_of(char letter)
{
    return letter == 'C' ? SLICE("big") : letter == 'c' ? SLICE("small") : NO_SLICE;
}

static bool
candidate_of(size_t source, size_t index, struct trace_candidate *candidate)
{
    const char *text = letters->sources[source];

    if (index >= strlen(text))
        return false;
    candidate->value = value_of(text[index]);
    candidate->verdict = text[index] == 'C' || text[index] == 'c' ? VERDICT_CHOSEN
                         : text[index] == 'U'                     ? VERDICT_UNSET
                                                                  : VERDICT_REFUSED;
    candidate->stops = text[index] == 'S';
    candidate->source = &places[source];
    candidate->is_strict = policy_is_strict && source == 1;
    candidate->reason = "own";
    candidate->overrides = source == 0 ? "first" : source == 1 ? "second" : "third";
    return true;
}

static bool
first_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    return candidate_of(0, index, candidate);
}

static bool
second_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    return candidate_of(1, index, candidate);
}

static bool
third_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    return candidate_of(2, index, candidate);
}

/* The block of a rule says what the second source does. */
static struct choice_setting
setting_of(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    (void)settings;
    return (struct choice_setting){.value = value_of(letters->sources[1][0])};
}

static void
take_nothing(struct gang_decision *decision, const struct choice_call *call,
             const struct trace_candidate *chosen)
{
    (void)decision;
    (void)call;
    (void)chosen;
}

static const struct choice_source sources[] = {
    {first_source, OF_ANY},
    {second_source, OF_POLICY},
    {third_source, OF_ANY},
};
static const struct attribute attribute = {
    sources, COUNT_OF(sources), SETTING_OF("backend", backend_source), setting_of, take_nothing,
};
static const struct front_end front_end = {.job = JOB_OF_GROVE};

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
    {{{"C", "C", "c"}},
     true,
     "big first",
     "big Chosen own;big Overridden first;small Overridden first;"},
    {{{"", "Cc", ""}}, true, "big second", "big Chosen own;small Overridden second;"},
    {{{"", "cCc", ""}},
     true,
     "small second",
     "small Chosen own;big Overridden second;small Chosen own;"},
    {{{"C", "U", "R"}}, true, "big first", "big Chosen own;- Unset own;- Refused own;"},
    {{{"S", "C", "c"}},
     true,
     "stopped",
     "- Refused own;big Overridden first;small Overridden first;"},
    {{{"R", "S", "c"}}, true, "stopped", "- Refused own;- Refused own;small Overridden second;"},
    {{{"R", "S", "c"}}, false, "small third", "- Refused own;small Chosen own;"},
    {{{"C", "S", ""}}, true, "big first", "big Chosen own;- Refused own;"},
    {{{"RRC", "", ""}}, true, "big first", "- Refused own;- Refused own;big Chosen own;"},
    {{{"U", "", "R"}}, true, "", "- Unset own;- Refused own;"},
    {{{"SC", "C", ""}},
     true,
     "stopped",
     "- Refused own;big Overridden first;big Overridden first;"},
};

static struct gang_policy some_policy;

static struct choice_call
call_of(const struct choice_case *row, struct gang_decision *decision)
{
    decision->inputs.policy = row->has_policy ? &some_policy : NULL;
    decision->front_end = &front_end;
    letters = &row->letters;
    return (struct choice_call){.decision = decision, .attribute = &attribute};
}

START_TEST(the_first_that_may_be_chosen_or_stops)
{
    struct gang_decision decision = {.backend = NULL};
    const struct choice_call call = call_of(&choices[_i], &decision);
    struct trace_candidate chosen;
    bool found = choice_decide(&call, &chosen) != NULL;
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
    struct trace trace = {.arena = arena_new(0)};
    const struct trace_entry *entry = &trace.entries[TRACE_TOPOLOGY];
    const char *text = "";

    call_of(&choices[_i], &decision);
    choice_trace(&decision, &attribute, TRACE_TOPOLOGY, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        struct slice value = entry->candidates[i].value;

        text = arena_format(
            trace.arena, "%s%.*s %s %s;", text, slice_is_set(value) ? (int)value.len : 1,
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
     "small is overridden by the policy: rule r chooses big;small is overridden by the policy: "
     "rule r "
     "chooses "
     "big;small is overridden by the policy: rule r chooses big;"},
    {{{"C", "C", "C"}}, ""},
    {{{"", "Cc", ""}}, ""},
    {{{"R", "C", "U"}}, ""},
};

static const char *
losers_of(const struct attribute *of, const struct letters *row, struct report *report)
{
    static const struct policy_rule rule = {
        .name = SLICE_INIT("r"), .settings = {.backend_source = &places[1]}, .is_strict = true};
    struct gang_decision decision = {.rule = &rule,
                                     .inputs = {.policy = &some_policy},
                                     .front_end = &front_end,
                                     .arena = arena_new(0)};
    const char *text = "";

    letters = row;
    report_init(&decision.report, decision.arena, &standard_limits);
    choice_make(&decision, of);
    *report = decision.report;
    for (size_t i = 0; i < report->count; i++)
        text = arena_format(report->arena, "%s%s;", text, report->items[i].message);
    return text;
}

/* The second source stands before the first, and insists. */
static const struct choice_source strict_first[] = {
    {second_source, OF_STRICT_RULE},
    {first_source, OF_ANY},
    {third_source, OF_ANY},
};
static const struct attribute insisting = {
    strict_first, COUNT_OF(strict_first), SETTING_OF("backend", backend_source),
    setting_of,   take_nothing,
};

START_TEST(what_a_policy_overrides_is_reported)
{
    struct report report;

    policy_is_strict = true;
    ck_assert_str_eq(losers_of(&insisting, &overridden[_i].letters, &report),
                     overridden[_i].findings);
    policy_is_strict = false;
    arena_free(report.arena);
}
END_TEST

/* Without a word, for a choice that no rule insists on, and for one that could not be made. */
static const struct {
    struct letters letters;
    bool is_strict;
} silent[] = {{{{"c", "C", "c"}}, false}, {{{"c", "S", "c"}}, true}};

START_TEST(nothing_is_said_of_other_choices)
{
    struct report report;

    policy_is_strict = silent[_i].is_strict;
    ck_assert_str_eq(losers_of(&insisting, &silent[_i].letters, &report), "");
    policy_is_strict = false;
    arena_free(report.arena);
}
END_TEST

/* ---- rules that lose to the job ---- */

static bool
strict_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    (void)index;
    (void)candidate;
    return false;
}

static bool
rule_source(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    candidate->is_of_rule = true;
    return candidate_of(1, index, candidate);
}

/* What stands before a rule that gives way, behind one that would not, and before both. */
static const struct choice_source gives_way[] = {
    {third_source, OF_ANY},
    {strict_source, OF_STRICT_RULE},
    {first_source, OF_ANY},
    {rule_source, OF_RULE},
};
static const struct attribute yielding = {
    gives_way, COUNT_OF(gives_way), SETTING_OF("backend", backend_source), setting_of, take_nothing,
};

static const struct {
    struct letters letters;
    const char *findings;
    const char *reason; /* of the rule in the trace */
} losing[] = {
    {{{"c", "C", ""}},
     "rule r: small is chosen, not big: first;",
     "rule r: first; write override: Always to choose first"},
    {{{"C", "c", ""}},
     "rule r: big is chosen, not small: first;",
     "rule r: first; write override: Always to choose first"},
    {{{"C", "C", ""}}, "", "rule r: first"}, /* which is what the rule wants */
    {{{"S", "C", ""}}, "", "rule r: first"}, /* nothing was chosen */
    {{{"", "C", "c"}}, "", "rule r: third"}, /* no rule chooses before this */
    {{{"C", "R", ""}}, "", "rule r: own"},
    {{{"U", "C", ""}}, "", "rule r: own"},
};

START_TEST(a_rule_that_gives_way_is_told)
{
    static const struct policy_rule rule = {.name = SLICE_INIT("r")};
    const struct gang_decision decision = {
        .rule = &rule, .inputs = {.policy = &some_policy}, .front_end = &front_end};
    struct trace trace = {.arena = arena_new(0)};
    const struct trace_entry *entry = &trace.entries[TRACE_TOPOLOGY];
    struct report report;

    ck_assert_str_eq(losers_of(&yielding, &losing[_i].letters, &report), losing[_i].findings);
    for (size_t i = 0; i < report.count; i++) {
        ck_assert_int_eq(report.items[i].code, GANG_CODE_RULE_GIVES_WAY);
        ck_assert_int_eq(report.items[i].severity, GANG_SEVERITY_INFO);
        ck_assert_str_eq(report.items[i].hint,
                         "write override: Always in the rule to choose before the runtime");
    }
    choice_trace(&decision, &yielding, TRACE_TOPOLOGY, &trace);
    ck_assert_str_eq(entry->candidates[entry->count - 1].reason, losing[_i].reason);
    arena_free(report.arena);
    arena_free(trace.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_rule_that_gives_way_is_told, losing, findings, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, what_a_policy_overrides_is_reported, overridden, findings, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, nothing_is_said_of_other_choices, silent, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, the_first_that_may_be_chosen_or_stops, choices, decided, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, the_trace_tells_the_same, choices, decided, letters.sources[0],
             letters.sources[1]);
}
