/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "unit/suite.h"

/* Rule and defaults that choose a queue, each absent, giving way, strict, or without a value. */
enum said { NOTHING, GIVES_WAY, STRICT, NO_VALUE };

static const struct node rule_node = {.kind = NODE_STRING, .document = GANG_DOCUMENT_POLICY};

static struct choice_setting
setting_of(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){
        .value = settings->queue.name,
        .override = settings->queue.override,
        .problem = settings->queue.choice == QUEUE_FROM_LABEL ? "no label" : NULL,
    };
}

static const struct attribute attribute = {
    NULL, 0, SETTING_OF("queue", queue.source), setting_of, NULL,
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

/* What each of the three sources says: `value verdict reason`, `-` for nothing. The trace names the
 * rule. */
static const struct source_case {
    bool has_rule;
    enum said rule, defaults;
    bool compatible;
    const char *strict, *of_rule, *of_defaults;
} sources[] = {
    {false, NOTHING, NOTHING, false, "-", "- Unset no rule matches", "-"},
    {false, NOTHING, GIVES_WAY, false, "-", "- Unset no rule matches",
     "d Chosen the policy's defaults"},
    {true, NOTHING, GIVES_WAY, false, "-", "- Unset rule r does not say",
     "d Chosen the policy's defaults"},
    {true, GIVES_WAY, NOTHING, false, "-", "q Chosen", "-"},
    {true, STRICT, NOTHING, false, "q Chosen", "-", "-"},
    {true, STRICT, GIVES_WAY, false, "q Chosen", "-", "d Chosen the policy's defaults"},
    {true, NO_VALUE, NOTHING, false, "-", "q Refused no label", "-"},
    {true, GIVES_WAY, NOTHING, true, "-",
     "q Refused with KubeflowTrainer compatibility no policy chooses it", "-"},
    {true, STRICT, GIVES_WAY, true,
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

START_TEST(what_a_policy_says)
{
    const struct source_case *row = &sources[_i];
    struct policy_rule rule = {.name = SLICE("r"),
                               .settings = settings_that(row->rule, "q"),
                               .is_strict = row->rule == STRICT};
    struct gang_policy policy = {
        .rules = &rule, .num_rules = 1, .defaults = settings_that(row->defaults, "d")};
    struct gang_decision decision = {.inputs.policy = &policy,
                                     .rule = row->has_rule ? &rule : NULL};
    struct arena *arena = arena_new(0);
    const struct choice_call call = {
        .decision = &decision, .attribute = &attribute, .arena = arena, .explains = true};
    bool (*const asked[])(const struct choice_call *, size_t, struct trace_candidate *) = {
        policy_choice_strict_rule, policy_choice_rule, policy_choice_defaults};
    const char *const expected[] = {row->strict, row->of_rule, row->of_defaults};

    decision.gang.compatibility =
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

/* A policy without any rule has none to speak of. */
START_TEST(without_rules_nothing_is_said_of_them)
{
    struct gang_policy policy = {.num_rules = 0};
    struct gang_decision decision = {.inputs.policy = &policy};
    const struct choice_call call = {
        .decision = &decision, .attribute = &attribute, .explains = true};
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
    {true, GIVES_WAY, GIVES_WAY, false, "rule"},
    {true, NOTHING, GIVES_WAY, false, "defaults"},
    {false, NOTHING, GIVES_WAY, false, "defaults"},
    {true, STRICT, NOTHING, false, "rule"},
    {true, NOTHING, NOTHING, false, ""},
    {true, GIVES_WAY, GIVES_WAY, true, ""},
};

START_TEST(the_block_that_says)
{
    struct policy_rule rule = {.name = SLICE("r"), .settings = settings_that(blocks[_i].rule, "q")};
    struct gang_policy policy = {.rules = &rule,
                                 .defaults = settings_that(blocks[_i].defaults, "d")};
    struct gang_decision decision = {.inputs.policy = &policy,
                                     .rule = blocks[_i].has_rule ? &rule : NULL};
    const struct policy_settings *block;

    decision.gang.compatibility =
        blocks[_i].compatible ? COMPATIBILITY_KUBEFLOW_TRAINER : COMPATIBILITY_NONE;
    block = policy_choice_block(&decision, attribute.says);
    ck_assert_str_eq(block == &rule.settings     ? "rule"
                     : block == &policy.defaults ? "defaults"
                                                 : "",
                     blocks[_i].block);
    decision.inputs.policy = NULL;
    ck_assert_ptr_null(policy_choice_block(&decision, attribute.says));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, what_a_policy_says, sources, strict, has_rule, rule);
    tcase_add_test(cases, without_rules_nothing_is_said_of_them);
    add_rows(cases, the_block_that_says, blocks, block, has_rule, rule);
}
