/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/shadow.h"

#include "unit/policies.h"

/* The second of two rules, and whether the first leaves it a job. */
static const struct {
    const char *first;
    const char *second;
    bool is_shadowed;
} pairs[] = {
    {"match: {}", "match: {}", true},
    {"action: Skip", "match: {namespaces: [a]}", true},
    {"match: {}", "match: {namespaces: [a]}, exclude: {minNodes: 2}", true},
    {"match: {namespaces: [a]}", "match: {}", false},
    /* names */
    {"match: {namespaces: [team-*]}", "match: {namespaces: [team-a, team-b*]}", true},
    {"match: {namespaces: [team-*]}", "match: {namespaces: [team-a, lab]}", false},
    {"match: {namespaces: [lab, team-*]}", "match: {namespaces: [team-a, lab]}", true},
    {"match: {namespaces: ['*']}", "match: {minNodes: 2}", true},
    {"match: {namespaces: [a*, '*a']}", "match: {namespaces: ['*']}", false},
    {"match: {runtimes: [torch*]}", "match: {runtimes: [torch-distributed]}", true},
    {"match: {runtimes: [torch*]}", "match: {namespaces: [torch-distributed]}", false},
    /* any of a list */
    {"match: {frameworks: [torch, jax]}", "match: {frameworks: [jax]}", true},
    {"match: {frameworks: [jax]}", "match: {frameworks: [torch, jax]}", false},
    {"match: {frameworks: [jax]}", "match: {}", false},
    {"match: {resources: [a, b]}", "match: {resources: [b, a]}", true},
    {"match: {resources: [a]}", "match: {resources: [a, b]}", false},
    /* numbers */
    {"match: {minNodes: 1}", "match: {kueue: Managed}", true},
    {"match: {minNodes: 2}", "match: {minNodes: 2}", true},
    {"match: {minNodes: 2}", "match: {minNodes: 3, maxNodes: 4}", true},
    {"match: {minNodes: 3}", "match: {minNodes: 2}", false},
    {"match: {minNodes: 2}", "match: {}", false},
    {"match: {maxNodes: 4}", "match: {maxNodes: 4}", true},
    {"match: {maxNodes: 4}", "match: {maxNodes: 5}", false},
    {"match: {maxNodes: 4}", "match: {minNodes: 2}", false},
    {"match: {maxNodes: 2147483647}", "match: {}", true},
    /* Kueue */
    {"match: {kueue: Managed}", "match: {kueue: Managed}", true},
    {"match: {kueue: Managed}", "match: {kueue: Unmanaged}", false},
    {"match: {kueue: Managed}", "match: {}", false},
    /* selectors, each of the three apart */
    {"match: {namespaceSelector: {}}", "match: {}", true},
    {"match: {namespaceSelector: {matchLabels: {a: b}}}",
     "match: {namespaceSelector: {matchLabels: {a: b, c: d}}}", true},
    {"match: {namespaceSelector: {matchLabels: {a: b}}}", "match: {trainJobSelector: {matchLabels: {a: b}}}",
     false},
    {"match: {trainJobSelector: {matchExpressions: [{key: a, operator: Exists}]}}",
     "match: {trainJobSelector: {matchLabels: {a: b}}}", true},
    {"match: {trainJobSelector: {matchLabels: {a: b}}}", "match: {runtimeSelector: {matchLabels: {a: b}}}",
     false},
    {"match: {runtimeSelector: {matchLabels: {a: b}}}", "match: {runtimeSelector: {matchLabels: {a: c}}}",
     false},
    {"match: {runtimeSelector: {matchLabels: {a: b}}}", "match: {runtimeSelector: {matchLabels: {a: b}}}",
     true},
    /* every part must agree */
    {"match: {namespaces: [a*], minNodes: 2}", "match: {namespaces: [ab], minNodes: 4}", true},
    {"match: {namespaces: [a*], minNodes: 2}", "match: {namespaces: [ab]}", false},
    /* what the first excludes is left for the second, unless that excludes it too */
    {"match: {}, exclude: {namespaces: [a]}", "match: {namespaces: [a]}", false},
    {"match: {}, exclude: {namespaces: [a]}", "match: {namespaces: [b]}", false},
    {"match: {}, exclude: {namespaces: [a]}", "match: {}, exclude: {namespaces: [a, b]}", true},
    {"match: {}, exclude: {namespaces: [a, b]}", "match: {}, exclude: {namespaces: [a]}", false},
    {"match: {}, exclude: {minNodes: 2}", "match: {maxNodes: 4}, exclude: {minNodes: 2}", true},
};

START_TEST(finds_what_an_earlier_rule_takes)
{
    char spec[512];
    struct policy_case expected = {spec, GANG_CODE_SHADOWED_RULE, "spec.rules[1]",
                                   "no job is left for the rule b: the rule a before it matches them all",
                                   "put it before that rule, or remove it"};

    snprintf(spec, sizeof(spec), "  rules:\n  - {name: a, %s}\n  - ^{name: b, %s}\n", pairs[_i].first,
             pairs[_i].second);
    if (!pairs[_i].is_shadowed)
        expected.code = 0;
    check_warned(&expected);
}
END_TEST

#define NOTHING_LEFT "no job is left for it: exclude takes whatever match means"
#define NARROW "narrow exclude, or remove it"

static const struct policy_case dead[] = {
    {"  rules:\n  - ^{name: a, match: {namespaces: [a]}, exclude: {}}\n", GANG_CODE_DEAD_RULE,
     "spec.rules[0]", NOTHING_LEFT, NARROW},
    {"  rules:\n  - ^{name: a, match: {namespaces: [ab]}, exclude: {namespaces: [a*]}}\n",
     GANG_CODE_DEAD_RULE, "spec.rules[0]", NOTHING_LEFT, NARROW},
    {"  rules:\n  - ^{name: a, exclude: {maxNodes: 2147483647}}\n", GANG_CODE_DEAD_RULE, "spec.rules[0]",
     NOTHING_LEFT, NARROW},
    {"  rules:\n  - {name: a, match: {namespaces: [a*]}, exclude: {namespaces: [ab]}}\n", 0, NULL, NULL,
     NULL},
    {"  constraints:\n  - ^{name: a, match: {minNodes: 4}, exclude: {minNodes: 2}, maxMembers: 3}\n",
     GANG_CODE_DEAD_RULE, "spec.constraints[0]", NOTHING_LEFT, NARROW},
    {"  constraints:\n  - {name: a, match: {minNodes: 2}, exclude: {minNodes: 4}, maxMembers: 3}\n", 0, NULL,
     NULL, NULL},
    /* a dead rule shadows nothing */
    {"  rules:\n  - ^{name: a, match: {}, exclude: {}}\n  - {name: b, match: {}}\n", GANG_CODE_DEAD_RULE,
     "spec.rules[0]", NOTHING_LEFT, NARROW},
    /* the first of those that take them is named */
    {"  rules:\n  - {name: a, match: {minNodes: 8}}\n  - {name: b, match: {namespaces: [x*]}}\n"
     "  - ^{name: c, match: {namespaces: [xy], minNodes: 9}}\n",
     GANG_CODE_SHADOWED_RULE, "spec.rules[2]",
     "no job is left for the rule c: the rule a before it matches them all",
     "put it before that rule, or remove it"},
    /* constraints are all checked, none shadows another */
    {"  constraints:\n  - {name: a, match: {}, maxMembers: 3}\n  - {name: b, match: {}, maxMembers: 3}\n", 0,
     NULL, NULL, NULL},
};

START_TEST(finds_what_nothing_is_left_for)
{
    check_warned(&dead[_i]);
}
END_TEST

/* Each of many rules lists names that none of the others covers, which takes more steps than there are. */
START_TEST(says_when_there_is_too_much_to_compare)
{
    static char spec[POLICY_TEXT_SIZE - 256];
    struct policy_case expected = {spec, GANG_CODE_RULES_NOT_COMPARED, "spec.rules", NULL, NULL};
    struct gang_policy *policy;
    int at = snprintf(spec, sizeof(spec), "  rules: [");
    const struct report *findings;

    for (int i = 0; i < 400; i++) {
        at += snprintf(spec + at, sizeof(spec) - (size_t)at, "{name: r%d, match: {namespaces: [", i);
        for (int j = 0; j < 40; j++)
            at += snprintf(spec + at, sizeof(spec) - (size_t)at, "n%d,", i * 40 + j);
        at += snprintf(spec + at, sizeof(spec) - (size_t)at, "]}},");
    }
    ck_assert_int_lt(at, (int)sizeof(spec) - 8);
    snprintf(spec + at, sizeof(spec) - (size_t)at, "]\n");
    policy = policy_of(spec);
    if (!policy)
        return;
    findings = &policy->handle.findings;
    ck_assert_uint_eq(findings->count, 1);
    ck_assert_int_eq(findings->items[0].code, expected.code);
    ck_assert_str_eq(findings->items[0].path, expected.path);
    ck_assert_int_eq(findings->items[0].severity, GANG_SEVERITY_INFO);
    gang_policy_unref(policy);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, finds_what_an_earlier_rule_takes, 0, COUNT_OF(pairs));
    tcase_add_loop_test(cases, finds_what_nothing_is_left_for, 0, COUNT_OF(dead));
    tcase_add_test(cases, says_when_there_is_too_much_to_compare);
}
