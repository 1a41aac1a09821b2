/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include <stdio.h>

#include "libgang/decide/decision.h"

#include "unit/suite.h"

/* ---- choice ---- */

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

/* The block of a rule sets the value of the second source. */
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
    sources, ITEMS_OF(sources), SETTING_OF("backend", backend_source), setting_of, take_nothing,
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

START_TEST(first_eligible_or_stopping_candidate_ends_the_search)
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

START_TEST(trace_agrees_with_the_choice)
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

/* Overridden values of other sources: they could be chosen, and differ from the policy's choice. */
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
                                     .arena = arena_new(0),
                                     .report = report};
    const char *text = "";

    letters = row;
    report_init(report, decision.arena, &standard_limits);
    choice_make(&decision, of);
    for (size_t i = 0; i < report->count; i++)
        text = arena_format(report->arena, "%s%s;", text, report->items[i].message);
    return text;
}

/* The second source has precedence over the first, and insists. */
static const struct choice_source strict_first[] = {
    {second_source, OF_STRICT_RULE},
    {first_source, OF_ANY},
    {third_source, OF_ANY},
};
static const struct attribute insisting = {
    strict_first, ITEMS_OF(strict_first), SETTING_OF("backend", backend_source),
    setting_of,   take_nothing,
};

START_TEST(value_overridden_by_policy_is_reported)
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

START_TEST(other_choices_report_nothing)
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

/* What has precedence over a rule that gives way, behind one that would not, and before both. */
static const struct choice_source gives_way[] = {
    {third_source, OF_ANY},
    {strict_source, OF_STRICT_RULE},
    {first_source, OF_ANY},
    {rule_source, OF_RULE},
};
static const struct attribute yielding = {
    gives_way, ITEMS_OF(gives_way), SETTING_OF("backend", backend_source), setting_of, take_nothing,
};

static const struct {
    struct letters letters;
    const char *findings;
    const char *reason; /* of the rule in the trace */
} losing[] = {
    {{{"c", "C", ""}},
     "rule r: small is chosen, not big: first;",
     "rule r: first; set override: Always to give the rule precedence"},
    {{{"C", "c", ""}},
     "rule r: big is chosen, not small: first;",
     "rule r: first; set override: Always to give the rule precedence"},
    {{{"C", "C", ""}}, "", "rule r: first"}, /* which is what the rule wants */
    {{{"S", "C", ""}}, "", "rule r: first"}, /* nothing was chosen */
    {{{"", "C", "c"}}, "", "rule r: third"}, /* no rule chooses before this */
    {{{"C", "R", ""}}, "", "rule r: own"},
    {{{"U", "C", ""}}, "", "rule r: own"},
};

START_TEST(overridden_rule_is_reported)
{
    static const struct policy_rule rule = {.name = SLICE_INIT("r")};
    const struct gang_decision decision = {
        .rule = &rule, .inputs = {.policy = &some_policy}, .front_end = &front_end};
    struct trace trace = {.arena = arena_new(0)};
    const struct trace_entry *entry = &trace.entries[TRACE_TOPOLOGY];
    struct report report;

    ck_assert_str_eq(losers_of(&yielding, &losing[_i].letters, &report), losing[_i].findings);
    for (size_t i = 0; i < report.count; i++) {
        ck_assert_int_eq(report.items[i].code, GANG_CODE_RULE_OVERRIDDEN);
        ck_assert_int_eq(report.items[i].severity, GANG_SEVERITY_INFO);
        ck_assert_str_eq(report.items[i].hint,
                         "set override: Always in the rule to give it precedence over the runtime");
    }
    choice_trace(&decision, &yielding, TRACE_TOPOLOGY, &trace);
    ck_assert_str_eq(entry->candidates[entry->count - 1].reason, losing[_i].reason);
    arena_free(report.arena);
    arena_free(trace.arena);
}
END_TEST

/* ---- trace ---- */

static struct trace trace;

static void
open_trace(void)
{
    trace = (struct trace){.arena = arena_new(0)};
}

static void
close_trace(void)
{
    arena_free(trace.arena);
}

static const struct {
    int number;
    const char *name;
} attributes[] = {
    {TRACE_BACKEND, "backend"},
    {TRACE_SCHEDULER_NAME, "schedulerName"},
    {TRACE_QUEUE, "queue"},
    {TRACE_PRIORITY_CLASS_NAME, "priorityClassName"},
    {TRACE_TIMEOUT, "scheduleTimeoutSeconds"},
    {TRACE_MEMBERS, "members"},
    {TRACE_TOPOLOGY, "topology"},
};

/* By number, and in the order in which the plan lists them. */
START_TEST(names_of_the_attributes)
{
    ck_assert_int_eq(attributes[_i].number, _i);
    ck_assert_str_eq(trace_attribute_names[_i], attributes[_i].name);
    ck_assert_int_eq(TRACE_ATTRIBUTE_COUNT, ITEMS_OF(attributes));
}
END_TEST

static const struct {
    enum trace_verdict verdict;
    const char *name;
    bool has_value; /* whether the attribute takes the candidate's value */
} verdicts[] = {
    {VERDICT_CHOSEN, "Chosen", true},           {VERDICT_OVERRIDDEN, "Overridden", false},
    {VERDICT_NOT_ENABLED, "NotEnabled", false}, {VERDICT_NOT_SERVED, "NotServed", false},
    {VERDICT_AMBIGUOUS, "Ambiguous", false},    {VERDICT_UNSET, "Unset", false},
    {VERDICT_REFUSED, "Refused", false},
};

START_TEST(only_the_chosen_candidate_sets_the_value)
{
    ck_assert_str_eq(trace_verdict_names[verdicts[_i].verdict], verdicts[_i].name);
    trace_add(&trace, TRACE_QUEUE,
              (struct trace_candidate){
                  .value = SLICE("q"), .verdict = verdicts[_i].verdict, .reason = "r"});
    ck_assert_int_eq(slice_is_set(trace.entries[TRACE_QUEUE].value), verdicts[_i].has_value);
    ck_assert_uint_eq(trace.entries[TRACE_QUEUE].count, 1);
}
END_TEST

START_TEST(candidates_keep_their_order)
{
    enum { MANY = 100 };

    for (int i = 0; i < MANY; i++)
        trace_add(&trace, TRACE_TOPOLOGY,
                  (struct trace_candidate){
                      .missing = {"x", (size_t)i}, .verdict = VERDICT_UNSET, .reason = "r"});
    ck_assert_uint_eq(trace.entries[TRACE_TOPOLOGY].count, MANY);
    for (int i = 0; i < MANY; i++)
        ck_assert_uint_eq(trace.entries[TRACE_TOPOLOGY].candidates[i].missing.len, (size_t)i);
    for (int i = 0; i < TRACE_TOPOLOGY; i++)
        ck_assert_uint_eq(trace.entries[i].count, 0);
}
END_TEST

/* The document is that of the source, unless it is given. */
static const struct {
    enum gang_document_type given, source, wanted;
} documents[] = {
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_TRAINJOB, GANG_DOCUMENT_TRAINJOB},
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_POLICY, GANG_DOCUMENT_POLICY},
    {GANG_DOCUMENT_RUNTIME, GANG_DOCUMENT_TRAINJOB, GANG_DOCUMENT_RUNTIME},
    {GANG_DOCUMENT_RUNTIME, GANG_DOCUMENT_NONE, GANG_DOCUMENT_RUNTIME},
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_NONE, GANG_DOCUMENT_NONE},
};

START_TEST(source_node_identifies_the_document)
{
    const struct node source = {
        .kind = NODE_STRING, .as.text = "q", .len = 1, .document = (uint8_t)documents[_i].source};

    trace_add(&trace, TRACE_QUEUE,
              (struct trace_candidate){.document = documents[_i].given,
                                       .source = documents[_i].source ? &source : NULL,
                                       .reason = "r"});
    ck_assert_int_eq(trace.entries[TRACE_QUEUE].candidates[0].document, documents[_i].wanted);
}
END_TEST

START_TEST(adding_after_a_failure_is_safe)
{
    struct trace small = {.arena = arena_new(4096)};

    for (int i = 0; i < 1000; i++)
        trace_add(&small, TRACE_QUEUE,
                  (struct trace_candidate){.verdict = VERDICT_UNSET, .reason = "r"});
    ck_assert(arena_failed(small.arena));
    ck_assert_uint_lt(small.entries[TRACE_QUEUE].count, 1000);
    arena_free(small.arena);
}
END_TEST

/* ---- policy choice ---- */

/* Rule and defaults that choose a queue, each absent, giving way, strict, or without a value. */
enum said { NOTHING, IF_UNSET, STRICT, NO_VALUE };

static const struct node rule_node = {.kind = NODE_STRING, .document = GANG_DOCUMENT_POLICY};

static struct choice_setting
setting_of_of_policy_choice(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){
        .value = settings->queue.name,
        .override = settings->queue.override,
        .problem = settings->queue.choice == QUEUE_FROM_LABEL ? "no label" : NULL,
    };
}

static const struct attribute attribute_of_policy_choice = {
    NULL, 0, SETTING_OF("queue", queue.source), setting_of_of_policy_choice, NULL,
};

static struct policy_settings
settings_that(enum said said, const char *value)
{
    struct policy_settings settings = {.backend = NULL};

    if (said == NOTHING)
        return settings;
    settings.queue.name = slice_from_text(value);
    settings.queue.source = &rule_node;
    settings.queue.override = said == STRICT ? OVERRIDE_ALWAYS : OVERRIDE_IF_UNSET;
    settings.queue.choice = said == NO_VALUE ? QUEUE_FROM_LABEL : QUEUE_NAME;
    return settings;
}

/*
 * The candidate of each of the three sources: `value verdict reason`, `-` for nothing. The trace
 * names the rule.
 */
static const struct source_case {
    bool has_rule;
    enum said rule, defaults;
    bool compatible;
    const char *strict, *of_rule, *of_defaults;
} sources_of_policy_choice[] = {
    {false, NOTHING, NOTHING, false, "-", "- Unset no rule matches", "-"},
    {false, NOTHING, IF_UNSET, false, "-", "- Unset no rule matches",
     "d Chosen the policy's defaults"},
    {true, NOTHING, IF_UNSET, false, "-", "- Unset rule r does not set it",
     "d Chosen the policy's defaults"},
    {true, IF_UNSET, NOTHING, false, "-", "q Chosen", "-"},
    {true, STRICT, NOTHING, false, "q Chosen", "-", "-"},
    {true, STRICT, IF_UNSET, false, "q Chosen", "-", "d Chosen the policy's defaults"},
    {true, NO_VALUE, NOTHING, false, "-", "q Refused no label", "-"},
    {true, IF_UNSET, NOTHING, true, "-",
     "q Refused with KubeflowTrainer compatibility no policy chooses it", "-"},
    {true, STRICT, IF_UNSET, true,
     "q Refused with KubeflowTrainer compatibility no policy chooses it", "-",
     "d Refused with KubeflowTrainer compatibility no policy chooses it"},
};

static const char *
in_words(bool found, const struct trace_candidate *candidate, struct arena *arena)
{
    if (!found)
        return "-";
    return arena_format(arena, "%s %s%s%s",
                        slice_is_set(candidate->value) ? candidate->value.data : "-",
                        trace_verdict_names[candidate->verdict], candidate->reason ? " " : "",
                        candidate->reason ? candidate->reason : "");
}

START_TEST(candidates_of_a_policy)
{
    const struct source_case *row = &sources_of_policy_choice[_i];
    struct policy_rule rule = {.name = SLICE("r"),
                               .settings = settings_that(row->rule, "q"),
                               .is_strict = row->rule == STRICT};
    struct gang_policy policy = {
        .rules = &rule, .num_rules = 1, .defaults = settings_that(row->defaults, "d")};
    struct gang_decision decision = {.inputs.policy = &policy,
                                     .rule = row->has_rule ? &rule : NULL};
    struct arena *arena = arena_new(0);
    const struct choice_call call = {.decision = &decision,
                                     .attribute = &attribute_of_policy_choice,
                                     .arena = arena,
                                     .explains = true};
    bool (*const asked[])(const struct choice_call *, size_t, struct trace_candidate *) = {
        policy_choice_strict_rule, policy_choice_rule, policy_choice_defaults};
    const char *const expected[] = {row->strict, row->of_rule, row->of_defaults};

    decision.wishes.compatibility =
        row->compatible ? COMPATIBILITY_KUBEFLOW_TRAINER : COMPATIBILITY_NONE;
    for (int i = 0; i < 3; i++) {
        struct trace_candidate candidate = {.reason = NULL};
        bool found = asked[i](&call, 0, &candidate);

        ck_assert_str_eq(in_words(found, &candidate, arena), expected[i]);
        ck_assert_int_eq(candidate.is_strict, i == 0 && found);
        ck_assert_int_eq(candidate.is_of_rule, i < 2 && found && row->rule != NOTHING);
        ck_assert_int_eq(candidate.stops, found && strcmp(expected[i], "q Refused no label") == 0);
        ck_assert(!asked[i](&call, 1, &candidate));
    }
    arena_free(arena);
}
END_TEST

/* A policy without rules has no rule in the trace. */
START_TEST(without_rules_trace_has_no_rule)
{
    struct gang_policy policy = {.num_rules = 0};
    struct gang_decision decision = {.inputs.policy = &policy};
    const struct choice_call call = {
        .decision = &decision, .attribute = &attribute_of_policy_choice, .explains = true};
    struct trace_candidate candidate = {.reason = NULL};

    ck_assert(!policy_choice_strict_rule(&call, 0, &candidate));
    ck_assert(!policy_choice_rule(&call, 0, &candidate));
    ck_assert(!policy_choice_defaults(&call, 0, &candidate));
}
END_TEST

static const struct {
    bool has_rule;
    enum said rule, defaults;
    bool compatible;
    const char *block; /* "rule", "defaults", or "" for neither */
} blocks[] = {
    {true, IF_UNSET, IF_UNSET, false, "rule"},     {true, NOTHING, IF_UNSET, false, "defaults"},
    {false, NOTHING, IF_UNSET, false, "defaults"}, {true, STRICT, NOTHING, false, "rule"},
    {true, NOTHING, NOTHING, false, ""},           {true, IF_UNSET, IF_UNSET, true, ""},
};

START_TEST(block_that_sets_the_attribute)
{
    struct policy_rule rule = {.name = SLICE("r"), .settings = settings_that(blocks[_i].rule, "q")};
    struct gang_policy policy = {.rules = &rule,
                                 .defaults = settings_that(blocks[_i].defaults, "d")};
    struct gang_decision decision = {.inputs.policy = &policy,
                                     .rule = blocks[_i].has_rule ? &rule : NULL};
    const struct policy_settings *block;

    decision.wishes.compatibility =
        blocks[_i].compatible ? COMPATIBILITY_KUBEFLOW_TRAINER : COMPATIBILITY_NONE;
    block = policy_choice_block(&decision, attribute_of_policy_choice.says);
    ck_assert_str_eq(block == &rule.settings     ? "rule"
                     : block == &policy.defaults ? "defaults"
                                                 : "",
                     blocks[_i].block);
    decision.inputs.policy = NULL;
    ck_assert_ptr_null(policy_choice_block(&decision, attribute_of_policy_choice.says));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, overridden_rule_is_reported, losing, findings, letters.sources[0],
             letters.sources[1]);
    add_rows(cases, value_overridden_by_policy_is_reported, overridden, findings,
             letters.sources[0], letters.sources[1]);
    add_rows(cases, other_choices_report_nothing, silent, letters.sources[0], letters.sources[1]);
    add_rows(cases, first_eligible_or_stopping_candidate_ends_the_search, choices, decided,
             letters.sources[0], letters.sources[1]);
    add_rows(cases, trace_agrees_with_the_choice, choices, decided, letters.sources[0],
             letters.sources[1]);
    tcase_add_checked_fixture(cases, open_trace, close_trace);
    add_rows(cases, names_of_the_attributes, attributes, number, name);
    add_rows(cases, only_the_chosen_candidate_sets_the_value, verdicts, verdict, name);
    tcase_add_test(cases, candidates_keep_their_order);
    add_rows(cases, source_node_identifies_the_document, documents, given, source);
    tcase_add_test(cases, adding_after_a_failure_is_safe);
    add_rows(cases, candidates_of_a_policy, sources_of_policy_choice, strict, has_rule, rule);
    tcase_add_test(cases, without_rules_trace_has_no_rule);
    add_rows(cases, block_that_sets_the_attribute, blocks, block, has_rule, rule);
}
