/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/random.h"
#include "unit/tree.h"
#include "unit/typed.h"

/* The second of two rules, and whether the first leaves it a job. */
static const struct {
    const char *first;
    const char *second;
    bool is_shadowed;
} pairs[] = {
    {"match: {}", "match: {}", true},
    {"match: {}, action: Skip", "match: {namespaces: [a]}", true},
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
    {"match: {minNodes: 1}", "match: {trainJobSelector: {}, kueue: Managed}", true},
    {"match: {minNodes: 1}", "match: {kueue: Managed}", false}, /* a PodGang has no nodes */
    {"match: {minNodes: 2}", "match: {minNodes: 2}", true},
    {"match: {minNodes: 2}", "match: {minNodes: 3, maxNodes: 4}", true},
    {"match: {minNodes: 3}", "match: {minNodes: 2}", false},
    {"match: {minNodes: 2}", "match: {}", false},
    {"match: {maxNodes: 4}", "match: {maxNodes: 4}", true},
    {"match: {maxNodes: 4}", "match: {maxNodes: 5}", false},
    {"match: {maxNodes: 4}", "match: {minNodes: 2}", false},
    {"match: {maxNodes: 2147483647}", "match: {runtimes: ['*']}", true},
    {"match: {maxNodes: 2147483647}", "match: {}", false},
    /* kinds of jobs */
    {"match: {runtimes: ['*']}", "match: {}", false},
    {"match: {trainJobSelector: {}}", "match: {}", false},
    {"match: {trainJobSelector: {}}", "match: {frameworks: [jax]}", true},
    {"match: {podGangSelector: {}}", "match: {}", false},
    {"match: {podGangSelector: {}}", "match: {minNodes: 2}", false},
    {"match: {podGangSelector: {}}", "match: {podGangSelector: {matchLabels: {a: b}}}", true},
    {"match: {podGangSelector: {matchLabels: {a: b}}}", "match: {podGangSelector: {}}", false},
    {"match: {podGangSelector: {matchLabels: {a: b}}}",
     "match: {podGangSelector: {matchLabels: {a: b}}}", true},
    {"match: {}", "match: {podGangSelector: {}}", true},
    {"match: {}", "match: {minNodes: 2}", true},
    {"match: {kinds: [RayJob]}", "match: {}", false},
    {"match: {kinds: ['*']}", "match: {}", true},
    {"match: {}", "match: {kinds: [RayJob]}", true},
    {"match: {kinds: [RayJob, Job]}", "match: {kinds: [Job.batch]}", true},
    {"match: {kinds: [RayJob]}", "match: {kinds: [Job, RayJob]}", false},
    {"match: {kinds: [TrainJob]}", "match: {runtimes: [a]}", true},
    {"match: {kinds: [TrainJob]}", "match: {minNodes: 2}", true},
    {"match: {minNodes: 2}", "match: {kinds: [TrainJob, JobSet], minNodes: 2}", false},
    {"match: {kinds: [JobSet], minNodes: 2}", "match: {kinds: [JobSet], minNodes: 3}", true},
    /* a job of another kind can have no pods, or more than a TrainJob */
    {"match: {kinds: [JobSet], minNodes: 1}", "match: {kinds: [JobSet]}", false},
    {"match: {kinds: [TrainJob], minNodes: 1}", "match: {kinds: [TrainJob]}", true},
    {"match: {kinds: ['*'], maxNodes: 2147483647}", "match: {kinds: [JobSet]}", false},
    /* both stand for PodGangs, but only in one of them do PodCliqueSets stand alone */
    {"match: {kinds: [PodGang, PodCliqueSet]}", "match: {podGangSelector: {}}", true},
    {"match: {podGangSelector: {}}", "match: {kinds: [PodGang, PodCliqueSet]}", true},
    {"match: {podGangSelector: {matchLabels: {a: b}}}", "match: {kinds: [PodGang]}", false},
    {"match: {objectSelector: {}}", "match: {}", true},
    {"match: {objectSelector: {matchLabels: {a: b}}}", "match: {}", false},
    {"match: {objectSelector: {matchLabels: {a: b}}}",
     "match: {kinds: [Job], objectSelector: {matchLabels: {a: b, c: d}}}", true},
    /* Kueue */
    {"match: {kueue: Managed}", "match: {kueue: Managed}", true},
    {"match: {kueue: Managed}", "match: {kueue: Unmanaged}", false},
    {"match: {kueue: Managed}", "match: {}", false},
    /* selectors, each of the three apart */
    {"match: {namespaceSelector: {}}", "match: {}", true},
    {"match: {namespaceSelector: {matchLabels: {a: b}}}",
     "match: {namespaceSelector: {matchLabels: {a: b, c: d}}}", true},
    {"match: {namespaceSelector: {matchLabels: {a: b}}}",
     "match: {trainJobSelector: {matchLabels: {a: b}}}", false},
    {"match: {trainJobSelector: {matchExpressions: [{key: a, operator: Exists}]}}",
     "match: {trainJobSelector: {matchLabels: {a: b}}}", true},
    {"match: {trainJobSelector: {matchLabels: {a: b}}}",
     "match: {runtimeSelector: {matchLabels: {a: b}}}", false},
    {"match: {runtimeSelector: {matchLabels: {a: b}}}",
     "match: {runtimeSelector: {matchLabels: {a: c}}}", false},
    {"match: {runtimeSelector: {matchLabels: {a: b}}}",
     "match: {runtimeSelector: {matchLabels: {a: b}}}", true},
    {"match: {trainJobSelector: {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}}",
     "match: {trainJobSelector: {matchLabels: {a: c}}}", true},
    {"match: {trainJobSelector: {matchExpressions: [{key: a, operator: In, values: [b, c]}]}}",
     "match: {trainJobSelector: {matchLabels: {a: c}}}", true},
    {"match: {trainJobSelector: {matchLabels: {a: b}}}",
     "match: {trainJobSelector: {matchExpressions: [{key: a, operator: In, values: [b, c]}]}}",
     false},
    /* every part must agree */
    {"match: {frameworks: [jax], runtimes: [x*]}",
     "match: {frameworks: [jax], runtimes: [xy], resources: [a], trainJobSelector: {matchLabels: "
     "{a: b}}}",
     true},
    {"match: {namespaces: [a*], minNodes: 2}", "match: {namespaces: [ab], minNodes: 4}", true},
    {"match: {namespaces: [a*], minNodes: 2}", "match: {namespaces: [ab]}", false},
    /* what the first excludes is left for the second, unless that excludes it too */
    {"match: {}, exclude: {namespaces: [a]}", "match: {namespaces: [a]}", false},
    {"match: {}, exclude: {namespaces: [a]}", "match: {namespaces: [b]}", false},
    {"match: {}, exclude: {namespaces: [a]}", "match: {}, exclude: {namespaces: [a, b]}", true},
    {"match: {}, exclude: {namespaces: [a, b]}", "match: {}, exclude: {namespaces: [a]}", false},
    {"match: {}, exclude: {minNodes: 2}", "match: {maxNodes: 4}, exclude: {minNodes: 2}", true},
};

START_TEST(finds_rules_shadowed_by_an_earlier_rule)
{
    char spec[512];
    struct policy_case expected = {
        spec, GANG_CODE_SHADOWED_RULE, "spec.rules[1]",
        "no job reaches the rule b: the earlier rule a matches every job that it matches",
        "move it before that rule, or remove it"};

    snprintf(spec, sizeof(spec), "  rules:\n  - {name: a, %s}\n  - ^{name: b, %s}\n",
             pairs[_i].first, pairs[_i].second);
    if (!pairs[_i].is_shadowed)
        expected.code = 0;
    check_warned(&expected);
}
END_TEST

#define NOTHING_LEFT "it matches no job: exclude excludes every job that match selects"
#define NARROW "narrow exclude, or remove it"

static const struct policy_case dead[] = {
    {"  rules:\n  - ^{name: a, match: {namespaces: [a]}, exclude: {}}\n", GANG_CODE_DEAD_RULE,
     "spec.rules[0]", NOTHING_LEFT, NARROW},
    {"  rules:\n  - ^{name: a, match: {namespaces: [ab]}, exclude: {namespaces: [a*]}}\n",
     GANG_CODE_DEAD_RULE, "spec.rules[0]", NOTHING_LEFT, NARROW},
    {"  rules:\n  - {name: a, match: {}, exclude: {maxNodes: 2147483647}}\n", 0, NULL, NULL,
     NULL}, /* PodGangs */
    {"  rules:\n  - ^{name: a, match: {trainJobSelector: {}}, exclude: {maxNodes: 2147483647}}\n",
     GANG_CODE_DEAD_RULE, "spec.rules[0]", NOTHING_LEFT, NARROW},
    {"  rules:\n  - {name: a, match: {namespaces: [a*]}, exclude: {namespaces: [ab]}}\n", 0, NULL,
     NULL, NULL},
    {"  constraints:\n  - ^{name: a, match: {minNodes: 4}, exclude: {minNodes: 2}, maxMembers: "
     "3}\n",
     GANG_CODE_DEAD_RULE, "spec.constraints[0]", NOTHING_LEFT, NARROW},
    {"  constraints:\n  - {name: a, match: {minNodes: 2}, exclude: {minNodes: 4}, maxMembers: 3}\n",
     0, NULL, NULL, NULL},
    /* a dead rule shadows nothing */
    {"  rules:\n  - ^{name: a, match: {}, exclude: {}}\n  - {name: b, match: {}}\n",
     GANG_CODE_DEAD_RULE, "spec.rules[0]", NOTHING_LEFT, NARROW},
    /* the first of those that take them is named */
    {"  rules:\n  - {name: a, match: {minNodes: 8}}\n  - {name: b, match: {namespaces: [x*]}}\n"
     "  - ^{name: c, match: {namespaces: [xy], minNodes: 9}}\n",
     GANG_CODE_SHADOWED_RULE, "spec.rules[2]",
     "no job reaches the rule c: the earlier rule a matches every job that it matches",
     "move it before that rule, or remove it"},
    /* constraints are all checked, none shadows another */
    {"  constraints:\n  - {name: a, match: {}, maxMembers: 3}\n  - {name: b, match: {}, "
     "maxMembers: 3}\n",
     0, NULL, NULL, NULL},
};

START_TEST(finds_rules_whose_exclude_covers_match)
{
    check_warned(&dead[_i]);
}
END_TEST

#define TWO_BACKENDS                                                                               \
    "  backends: [{name: kai, type: KAI}, {name: volcano, type: Volcano}]\n  defaultBackend: "     \
    "kai\n"
#define FORBIDDEN                                                                                  \
    "no job gets the backend volcano of the rule a: the constraint c denies every such job"

/* A rule, a constraint, and whether that denies every job to which the rule gives its backend. */
static const struct {
    const char *rule;
    const char *constraint;
    bool is_forbidden;
} bounds[] = {
    {"match: {}, backend: ^volcano", "allowedBackends: [kai]", true},
    {"match: {}, backend: ^volcano, override: Always", "allowedBackends: [kai]", true},
    {"match: {namespaces: [ab]}, backend: ^volcano",
     "match: {namespaces: [a*]}, allowedBackends: [kai]", true},
    {"match: {minNodes: 4}, backend: ^volcano", "match: {minNodes: 2}, allowedBackends: [kai]",
     true},
    {"match: {}, exclude: {namespaces: [a]}, backend: ^volcano",
     "exclude: {namespaces: [a]}, allowedBackends: [kai]", true},
    {"match: {}, backend: ^volcano", "allowedBackends: [kai], maxMembers: 4", true},
    /* some of its jobs may be under no such constraint */
    {"match: {}, backend: volcano", "match: {namespaces: [a*]}, allowedBackends: [kai]", false},
    {"match: {namespaces: [b]}, backend: volcano",
     "match: {namespaces: [a*]}, allowedBackends: [kai]", false},
    {"match: {minNodes: 2}, backend: volcano", "match: {minNodes: 4}, allowedBackends: [kai]",
     false},
    {"match: {}, backend: volcano", "match: {podGangSelector: {}}, allowedBackends: [kai]", false},
    {"match: {}, backend: volcano", "exclude: {namespaces: [a]}, allowedBackends: [kai]", false},
    {"match: {}, exclude: {namespaces: [b]}, backend: volcano",
     "exclude: {namespaces: [a]}, allowedBackends: [kai]", false},
    /* nothing denies it */
    {"match: {}, backend: volcano", "allowedBackends: [kai, volcano]", false},
    {"match: {}, backend: volcano", "allowedBackends: [kai], enforcement: Warn", false},
    {"match: {}, backend: volcano", "maxMembers: 4", false},
    /* it chooses none */
    {"match: {}, queue: {name: q}", "allowedBackends: [kai]", false},
    {"match: {}, action: Skip", "allowedBackends: [kai]", false},
};

START_TEST(finds_a_backend_that_a_constraint_denies)
{
    char spec[512];
    struct policy_case expected = {spec, GANG_CODE_BACKEND_FORBIDDEN, "spec.rules[0].backend",
                                   FORBIDDEN,
                                   "allow it in that constraint, or choose another backend"};

    snprintf(spec, sizeof(spec),
             TWO_BACKENDS "  rules:\n  - {name: a, %s}\n  constraints:\n  - {name: c, %s}\n",
             bounds[_i].rule, bounds[_i].constraint);
    if (!bounds[_i].is_forbidden)
        expected.code = 0;
    check_warned(&expected);
}
END_TEST

#define ONLY_KAI "  constraints:\n  - {name: c, allowedBackends: [kai]}\n"

static const struct policy_case forbidden[] = {
    /* a constraint that is about fewer jobs does not hide the next */
    {TWO_BACKENDS "  rules:\n  - {name: a, match: {}, backend: ^volcano}\n  constraints:\n"
                  "  - {name: b, match: {minNodes: 2}, allowedBackends: [kai]}\n"
                  "  - {name: c, allowedBackends: [kai]}\n",
     GANG_CODE_BACKEND_FORBIDDEN, "spec.rules[0].backend", FORBIDDEN,
     "allow it in that constraint, or choose another backend"},
    /* nor does one that only warns */
    {TWO_BACKENDS "  rules:\n  - {name: a, match: {}, backend: ^volcano}\n  constraints:\n"
                  "  - {name: b, allowedBackends: [kai], enforcement: Warn}\n"
                  "  - {name: c, allowedBackends: [kai]}\n",
     GANG_CODE_BACKEND_FORBIDDEN, "spec.rules[0].backend", FORBIDDEN,
     "allow it in that constraint, or choose another backend"},
    /* nor one that allows it */
    {TWO_BACKENDS "  rules:\n  - {name: a, match: {}, backend: ^volcano}\n  constraints:\n"
                  "  - {name: b, allowedBackends: [volcano]}\n"
                  "  - {name: c, allowedBackends: [kai]}\n",
     GANG_CODE_BACKEND_FORBIDDEN, "spec.rules[0].backend", FORBIDDEN,
     "allow it in that constraint, or choose another backend"},
    /* one finding for a rule for which no job is left */
    {TWO_BACKENDS "  rules:\n  - {name: b, match: {}, backend: kai}\n  - ^{name: a, match: {}, "
                  "backend: volcano}\n" ONLY_KAI,
     GANG_CODE_SHADOWED_RULE, "spec.rules[1]",
     "no job reaches the rule a: the earlier rule b matches every job that it matches",
     "move it before that rule, or remove it"},
    /* a backend of type None renders no gang, and constraints are about gangs */
    {"  backends: [{name: kai, type: KAI}, {name: plain, type: None, schedulerName: p}]\n"
     "  rules:\n  - {name: a, match: {}, backend: plain}\n" ONLY_KAI,
     0, NULL, NULL, NULL},
    /* in compatibility no rule chooses */
    {TWO_BACKENDS "  compatibility: KubeflowTrainer\n  rules:\n  - {name: a, match: {}, backend: "
                  "volcano}\n" ONLY_KAI,
     0, NULL, NULL, NULL},
    /* without a list every backend is enabled, by the name of its type */
    {"  rules:\n  - {name: a, match: {}, backend: ^volcano}\n" ONLY_KAI,
     GANG_CODE_BACKEND_FORBIDDEN, "spec.rules[0].backend", FORBIDDEN,
     "allow it in that constraint, or choose another backend"},
};

START_TEST(distinguishes_denied_backends)
{
    check_warned(&forbidden[_i]);
}
END_TEST

#define OF_A(what) "no job gets " what " of the rule a: the constraint c denies every such job"
#define ANOTHER(what) "allow it in that constraint, or choose another " what

/* A rule a, a constraint c, and the settings of the rule that it denies: path and message. */
static const struct {
    const char *rule;
    const char *constraint;
    enum gang_code code; /* 0: none */
    const char *path;
    const char *message;
    const char *hint;
} denied[] = {
    /* queues */
    {"queue: ^{name: prod}", "allowedQueues: [lab, team-*]", GANG_CODE_QUEUE_FORBIDDEN, "queue",
     OF_A("the queue prod"), ANOTHER("queue")},
    {"queue: {name: team-a}", "allowedQueues: [lab, team-*]", 0, NULL, NULL, NULL},
    {"queue: {name: prod}", "allowedQueues: [lab], enforcement: Warn", 0, NULL, NULL, NULL},
    {"queue: {name: prod}", "match: {minNodes: 2}, allowedQueues: [lab]", 0, NULL, NULL, NULL},
    {"queue: ^{fromNamespace: {prefix: team-}}", "allowedQueues: [lab-*]",
     GANG_CODE_QUEUE_FORBIDDEN, "queue", OF_A("a queue team-*"), ANOTHER("queue")},
    {"queue: {fromNamespace: {prefix: team-}}", "allowedQueues: ['*-a']", 0, NULL, NULL, NULL},
    {"queue: {fromNamespace: {}}", "allowedQueues: [lab]", 0, NULL, NULL, NULL},
    {"queue: ^{fromLabel: {key: team, prefix: t-}}", "allowedQueues: [lab]",
     GANG_CODE_QUEUE_FORBIDDEN, "queue", OF_A("a queue t-*"), ANOTHER("queue")},
    {"queue: {fromLabel: {key: team}}", "allowedQueues: [lab]", 0, NULL, NULL, NULL},
    {"queue: ^{fromNamespaceLabel: {key: team, prefix: t-}}", "allowedQueues: [lab]",
     GANG_CODE_QUEUE_FORBIDDEN, "queue", OF_A("a queue t-*"), ANOTHER("queue")},
    {"queue: {fromNamespaceLabel: {key: team}}", "allowedQueues: [lab]", 0, NULL, NULL, NULL},
    {"queue: {name: q}", "requireQueue: true", 0, NULL, NULL, NULL},
    /* the namespaces of the rule */
    {"match: {namespaces: [lab-*]}, queue: ^{fromNamespace: {}}", "allowedQueues: [team-*]",
     GANG_CODE_QUEUE_FORBIDDEN, "queue", OF_A("a queue lab-*"), ANOTHER("queue")},
    {"match: {namespaces: [lab-*, team-a]}, queue: {fromNamespace: {}}", "allowedQueues: [team-*]",
     0, NULL, NULL, NULL},
    {"match: {namespaces: [lab-*]}, queue: {fromLabel: {key: team}}", "allowedQueues: [team-*]", 0,
     NULL, NULL, NULL},
    /* priority classes */
    {"priorityClassName: ^{name: high}", "allowedPriorityClassNames: [low]",
     GANG_CODE_PRIORITY_FORBIDDEN, "priorityClassName", OF_A("the priority class high"),
     ANOTHER("class")},
    {"priorityClassName: {name: high}", "allowedPriorityClassNames: [low, high]", 0, NULL, NULL,
     NULL},
    {"match: {namespaces: [a]}, priorityClassName: {name: high}",
     "match: {namespaces: [b]}, allowedPriorityClassNames: [low]", 0, NULL, NULL, NULL},
    /* a backend without queues, where a queue is required */
    {"backend: ^coscheduling", "requireQueue: true", GANG_CODE_BACKEND_FORBIDDEN, "backend",
     OF_A("the backend coscheduling without a queue"),
     "name a queue in the rule, or choose another backend"},
    {"backend: coscheduling, queue: {name: q}", "requireQueue: true", 0, NULL, NULL, NULL},
    {"backend: coscheduling", "requireQueue: false, maxMembers: 4", 0, NULL, NULL, NULL},
    {"backend: volcano", "requireQueue: true", 0, NULL, NULL, NULL}, /* a runtime may name one */
};

START_TEST(finds_settings_that_a_constraint_denies)
{
    char spec[512];
    char path[64];
    struct policy_case expected = {spec, denied[_i].code, path, denied[_i].message,
                                   denied[_i].hint};

    snprintf(path, sizeof(path), "spec.rules[0].%s", denied[_i].path ? denied[_i].path : "");
    snprintf(spec, sizeof(spec),
             "  rules:\n  - {name: a, %s%s}\n  constraints:\n  - {name: c, %s}\n",
             strstr(denied[_i].rule, "match:") ? "" : "match: {}, ", denied[_i].rule,
             denied[_i].constraint);
    check_warned(&expected);
}
END_TEST

/* With all of them denied, all of them are told at once. */
START_TEST(finds_every_denied_setting)
{
    struct gang_policy *policy = policy_from(
        "  rules:\n"
        "  - {name: a, match: {}, backend: kai, queue: {name: q}, priorityClassName: {name: p}}\n"
        "  constraints:\n"
        "  - {name: c, allowedBackends: [volcano], allowedQueues: [r]}\n"
        "  - {name: d, allowedQueues: [r], allowedPriorityClassNames: [s]}\n");
    static const enum gang_code codes[] = {GANG_CODE_BACKEND_FORBIDDEN, GANG_CODE_QUEUE_FORBIDDEN,
                                           GANG_CODE_PRIORITY_FORBIDDEN};

    if (!policy)
        return;
    ck_assert_uint_eq(policy->document.findings.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(policy->document.findings.items[i].code, codes[i]);
    unref_policy(policy);
}
END_TEST

static const struct policy_case unmatched[] = {
    {"  rules:\n  - ^{name: a, backend: volcano}\n", GANG_CODE_RULE_WITHOUT_MATCH, "spec.rules[0]",
     "the rule a has no match, so it selects every job",
     "write `match: {}` if it is meant for every job"},
    {"  rules:\n  - {name: b, match: {minNodes: 2}}\n  - ^{name: a, action: Deny}\n",
     GANG_CODE_RULE_WITHOUT_MATCH, "spec.rules[1]",
     "the rule a has no match, so it selects every job",
     "write `match: {}` if it is meant for every job"},
    {"  rules:\n  - ^{name: a, exclude: {minNodes: 2}}\n", GANG_CODE_RULE_WITHOUT_MATCH,
     "spec.rules[0]", "the rule a has no match, so it selects every job",
     "write `match: {}` if it is meant for every job"},
    {"  rules:\n  - {name: a, match: {}}\n", 0, NULL, NULL, NULL},
    /* a constraint is for every gang unless it says otherwise */
    {"  constraints:\n  - {name: a, maxMembers: 3}\n", 0, NULL, NULL, NULL},
};

START_TEST(finds_rules_without_match)
{
    check_warned(&unmatched[_i]);
}
END_TEST

/* Each of many rules lists names that none of the others covers, which takes more steps than there
 * are. */
START_TEST(reports_when_rules_are_not_compared)
{
    static char spec[POLICY_TEXT_SIZE - 256];
    struct policy_case expected = {spec, GANG_CODE_RULES_NOT_COMPARED, "spec.rules", NULL, NULL};
    struct gang_policy *policy;
    int at = snprintf(spec, sizeof(spec), "  rules: [");
    const struct report *findings;

    for (int i = 0; i < 400; i++) {
        at +=
            snprintf(spec + at, sizeof(spec) - (size_t)at, "{name: r%d, match: {namespaces: [", i);
        for (int j = 0; j < 40; j++)
            at += snprintf(spec + at, sizeof(spec) - (size_t)at, "n%d,", i * 40 + j);
        at += snprintf(spec + at, sizeof(spec) - (size_t)at, "]}},");
    }
    ck_assert_int_lt(at, (int)sizeof(spec) - 8);
    snprintf(spec + at, sizeof(spec) - (size_t)at, "]\n");
    policy = policy_from(spec);
    if (!policy)
        return;
    findings = &policy->document.findings;
    ck_assert_uint_eq(findings->count, 1);
    ck_assert_int_eq(findings->items[0].code, expected.code);
    ck_assert_str_eq(findings->items[0].path, expected.path);
    ck_assert_int_eq(findings->items[0].severity, GANG_SEVERITY_INFO);
    unref_policy(policy);
}
END_TEST

/* Matches with a number between the two texts, and how many rules are compared. */
static const struct {
    const char *start;
    const char *end;
    int count;
} compared[] = {
    {"namespaces: [team-", "]", 999},
    {"namespaceSelector: {matchLabels: {team: t", "}}", 999},
    {"trainJobSelector: {matchLabels: {k", ": v}}", 999},
    {"resources: [example.com/", "], kueue: Managed", 999},
    {"namespaces: [a-*, b-*, c-*, d], frameworks: [torch, jax], "
     "trainJobSelector: {matchLabels: {team: t",
     "}}", 99},
    {"namespaces: [a-*, b-*, c-*, d], "
     "runtimeSelector: {matchExpressions: [{key: a, operator: In, values: [b, c",
     "]}]}", 99},
};

/* The last rule is shadowed by the one before it, so it is found only after all comparisons. */
START_TEST(compares_many_rules_completely)
{
    static char spec[POLICY_TEXT_SIZE - 256];
    struct gang_policy *policy;
    int at = snprintf(spec, sizeof(spec), "  rules: [");
    int count = compared[_i].count;

    for (int i = 0; i <= count; i++)
        at += snprintf(spec + at, sizeof(spec) - (size_t)at, "{name: r%d, match: {%s%d%s}},", i,
                       compared[_i].start, i < count ? i : count - 1, compared[_i].end);
    ck_assert_int_lt(at, (int)sizeof(spec) - 8);
    snprintf(spec + at, sizeof(spec) - (size_t)at, "]\n");
    policy = policy_from(spec);
    if (!policy)
        return;
    ck_assert_uint_eq(policy->document.findings.count, 1);
    ck_assert_int_eq(policy->document.findings.items[0].code, GANG_CODE_SHADOWED_RULE);
    unref_policy(policy);
}
END_TEST

/* ---- no false positives: coverage is compared with jobs ---- */

static const char *const namespace_names[] = {"a", "ab", "b"};
static const char *const runtime_names[] = {"x", "xy"};
static const char *const framework_names[] = {"t", "j", ""};
static const char *const label_maps[] = {"{}", "{\"k\":\"u\"}", "{\"k\":\"v\"}"};

struct sample_job {
    const char *namespace_;
    const char *runtime;
    const char *framework;
    int64_t nodes;
    unsigned resources; /* bit 0: g, bit 1: h */
    bool is_managed;
    bool is_podgang;              /* then runtime, framework and nodes mean nothing */
    bool is_other;                /* a JobSet: then runtime and framework mean nothing */
    const struct node *labels[3]; /* of namespace, trainjob or podgang, runtime */
};

static bool
list_means(const struct rule_texts *list, struct slice text)
{
    return !list->count || rule_texts_have(list, text);
}

static bool
resources_mean(const struct rule_texts *list, unsigned resources)
{
    return !list->count || ((resources & 1) && rule_texts_have(list, SLICE("g"))) ||
           ((resources & 2) && rule_texts_have(list, SLICE("h")));
}

static bool
match_means_trainjob(const struct policy_match *match, const struct sample_job *job)
{
    return !match->podgang_selector.source &&
           (!match->runtimes.count ||
            rule_texts_match(&match->runtimes, slice_from_text(job->runtime))) &&
           list_means(&match->frameworks, slice_from_text(job->framework)) &&
           (!match->min_nodes.source || job->nodes >= match->min_nodes.value) &&
           (!match->max_nodes.source || job->nodes <= match->max_nodes.value) &&
           label_selector_matches(&match->trainjob_selector, job->labels[1]) &&
           label_selector_matches(&match->runtime_selector, job->labels[2]);
}

static bool
match_means_podgang(const struct policy_match *match, const struct sample_job *job)
{
    return !match->runtimes.count && !match->frameworks.count && !match->min_nodes.source &&
           !match->max_nodes.source && !match->trainjob_selector.source &&
           !match->runtime_selector.source &&
           label_selector_matches(&match->podgang_selector, job->labels[1]);
}

/* The kinds that the samples name. */
static bool
kinds_mean(const struct policy_match *match, const struct sample_job *job)
{
    const struct node *list = node_member(match->source, SLICE("kinds"));
    const char *kind = job->is_podgang ? "PodGang" : job->is_other ? "JobSet" : "TrainJob";

    for (NODE_EACH(item, list))
        if (slice_equal(node_string(item), SLICE("*")) ||
            slice_equal(node_string(item), slice_from_text(kind)))
            return true;
    return !list;
}

static bool
match_means_other(const struct policy_match *match, const struct sample_job *job)
{
    bool counts = node_member(match->source, SLICE("kinds")) != NULL;

    return !match->runtimes.count && !match->frameworks.count && !match->trainjob_selector.source &&
           !match->runtime_selector.source && !match->podgang_selector.source &&
           (!match->min_nodes.source || (counts && job->nodes >= match->min_nodes.value)) &&
           (!match->max_nodes.source || (counts && job->nodes <= match->max_nodes.value));
}

static bool
match_means(const struct policy_match *match, const struct sample_job *job)
{
    return kinds_mean(match, job) &&
           label_selector_matches(&match->object_selector, job->labels[1]) &&
           (!match->namespaces.count ||
            rule_texts_match(&match->namespaces, slice_from_text(job->namespace_))) &&
           resources_mean(&match->resources, job->resources) &&
           (match->kueue == KUEUE_ANY || (match->kueue == KUEUE_MANAGED) == job->is_managed) &&
           label_selector_matches(&match->namespace_selector, job->labels[0]) &&
           (job->is_podgang ? match_means_podgang(match, job)
            : job->is_other ? match_means_other(match, job)
                            : match_means_trainjob(match, job));
}

static const char *const match_parts[][5] = {
    {"\"namespaces\":[\"a\"]", "\"namespaces\":[\"a*\"]", "\"namespaces\":[\"*b\"]",
     "\"namespaces\":[\"*\"]", "\"namespaces\":[\"ab\",\"b\"]"},
    {"\"runtimes\":[\"x\"]", "\"runtimes\":[\"x*\"]", "\"runtimes\":[\"*y\"]",
     "\"runtimes\":[\"x\",\"xy\"]", "\"runtimes\":[\"x*y\"]"},
    {"\"frameworks\":[\"t\"]", "\"frameworks\":[\"j\"]", "\"frameworks\":[\"j\",\"t\"]", NULL,
     NULL},
    {"\"minNodes\":1", "\"minNodes\":2", "\"minNodes\":3", NULL, NULL},
    {"\"maxNodes\":4", "\"maxNodes\":3", "\"maxNodes\":2147483647", NULL, NULL},
    {"\"resources\":[\"g\"]", "\"resources\":[\"h\"]", "\"resources\":[\"h\",\"g\"]", NULL, NULL},
    {"\"kueue\":\"Managed\"", "\"kueue\":\"Unmanaged\"", NULL, NULL, NULL},
};
static const char *const selector_names[] = {"namespaceSelector", "objectSelector",
                                             "trainJobSelector", "runtimeSelector",
                                             "podGangSelector"};
enum { STYLE_OF_TRAINJOBS = 1, STYLE_OF_PODGANGS = 2, STYLE_OF_OTHERS = 4, STYLES = 7 };
/* What the parts and the selectors can be written with. */
static const int part_styles[] = {STYLES,
                                  STYLE_OF_TRAINJOBS,
                                  STYLE_OF_TRAINJOBS,
                                  STYLES & ~STYLE_OF_PODGANGS,
                                  STYLES & ~STYLE_OF_PODGANGS,
                                  STYLES,
                                  STYLES};
static const int selector_styles[] = {STYLES, STYLES, STYLE_OF_TRAINJOBS, STYLE_OF_TRAINJOBS,
                                      STYLE_OF_PODGANGS};
static const struct {
    int style;
    const char *list;
} kind_lists[] = {
    {STYLES, "\"*\""},
    {STYLE_OF_TRAINJOBS, "\"TrainJob\""},
    {STYLE_OF_PODGANGS, "\"PodGang\""},
    {STYLE_OF_OTHERS, "\"JobSet\""},
    {STYLE_OF_OTHERS, "\"TrainJob\",\"JobSet\""},
};
static const char *const selectors[] = {
    "{\"matchLabels\":{\"k\":\"u\"}}",
    "{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":[\"u\",\"v\"]}]}",
    "{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"NotIn\",\"values\":[\"u\"]}]}",
    "{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"Exists\"}]}",
    "{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"DoesNotExist\"}]}",
    "{}",
};

/* Few parts each, so that one match often covers the other. */
static int
write_match(char *out, size_t size, struct random *random)
{
    const int styles[] = {STYLE_OF_TRAINJOBS, STYLE_OF_TRAINJOBS, STYLE_OF_PODGANGS,
                          STYLE_OF_OTHERS};
    const int style = styles[random_below(random, 4)];
    const size_t kinds = random_below(random, 5);
    int at = 0;

    for (size_t i = 0; i < sizeof(match_parts) / sizeof(match_parts[0]); i++) {
        const char *part = match_parts[i][random_below(random, 5)];

        if (part && random_below(random, 4) == 0 && (part_styles[i] & style))
            at += snprintf(out + at, size - (size_t)at, "%s%s", at ? "," : "", part);
    }
    for (size_t i = 0; i < 5; i++)
        if (random_below(random, 5) == 0 && (selector_styles[i] & style))
            at += snprintf(out + at, size - (size_t)at, "%s\"%s\":%s", at ? "," : "",
                           selector_names[i], selectors[random_below(random, 6)]);
    if (random_below(random, 2) == 0 && (kind_lists[kinds].style & style))
        at += snprintf(out + at, size - (size_t)at, "%s\"kinds\":[%s]", at ? "," : "",
                       kind_lists[kinds].list);
    out[at] = '\0';
    return at;
}

static struct gang_policy *
random_policy(struct random *random)
{
    char text[2048];
    char first[512];
    char second[512];
    struct gang_policy *policy = NULL;

    write_match(first, sizeof(first), random);
    write_match(second, sizeof(second), random);
    snprintf(
        text, sizeof(text),
        "{\"apiVersion\":\"policy.libgang.dev/"
        "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"a\"},"
        "\"spec\":{\"rules\":[{\"name\":\"a\",\"match\":{%s}},{\"name\":\"b\",\"match\":{%s}}]}}",
        first, second);
    ck_assert_msg(parse_policy(NULL, text, strlen(text), 0, &policy, NULL) == GANG_OK, "%s", text);
    return policy;
}

static struct sample_job
random_job(struct random *random, const struct node *const labels[3])
{
    return (struct sample_job){
        .namespace_ = namespace_names[random_below(random, 3)],
        .runtime = runtime_names[random_below(random, 2)],
        .framework = framework_names[random_below(random, 3)],
        .nodes = 1 + (int64_t)random_below(random, 5),
        .resources = (unsigned)random_below(random, 4),
        .is_managed = random_below(random, 2),
        .is_podgang = random_below(random, 3) == 0,
        .is_other = random_below(random, 2) == 0,
        .labels = {labels[random_below(random, 3)], labels[random_below(random, 3)],
                   labels[random_below(random, 3)]},
    };
}

START_TEST(never_covers_by_mistake)
{
    struct random random = {(uint64_t)_i + 1};
    struct arena *arena = arena_new(0);
    const struct node *labels[3];
    size_t covered = 0;
    size_t held = 0;

    for (size_t i = 0; i < 3; i++)
        labels[i] = tree_of(arena, label_maps[i]);
    for (int pair = 0; pair < 500; pair++) {
        struct gang_policy *policy = random_policy(&random);
        const struct policy_match *wide = &policy->rules[0].match;
        const struct policy_match *narrow = &policy->rules[1].match;
        size_t steps = SHADOW_MOST_STEPS;
        bool covers = shadow_covers(wide, narrow, &steps);

        covered += covers;
        for (int i = 0; covers && i < 500; i++) {
            struct sample_job job = random_job(&random, labels);

            if (!match_means(narrow, &job))
                continue;
            held++;
            ck_assert_msg(match_means(wide, &job), "seed %d, pair %d", _i, pair);
        }
        unref_policy(policy);
    }
    ck_assert_uint_gt(covered, 50);
    ck_assert_uint_gt(held, 1000);
    arena_free(arena);
}
END_TEST

/* What equals is covered, as long as there are steps to see it: without them nothing is taken for
 * granted. */
static const char *const equals[] = {
    "namespaces: [ab]",
    "namespaces: ['*']",
    "runtimes: [ab]",
    "frameworks: [ab, cd]",
    "resources: [ab, cd]",
    "namespaceSelector: {matchLabels: {a: b, c: d}}",
    "objectSelector: {matchLabels: {a: b, c: d}}",
    "trainJobSelector: {matchLabels: {a: b, c: d}}",
    "runtimeSelector: {matchLabels: {a: b, c: d}}",
};

START_TEST(without_steps_nothing_is_covered)
{
    char spec[256];
    struct gang_policy *policy;
    size_t few = 1;
    size_t many = SHADOW_MOST_STEPS;

    snprintf(spec, sizeof(spec), "  rules: [{name: a, match: {%s}}, {name: b, match: {%s}}]\n",
             equals[_i], equals[_i]);
    policy = policy_from(spec);
    if (!policy)
        return;
    ck_assert(shadow_covers(&policy->rules[0].match, &policy->rules[1].match, &many));
    ck_assert_uint_lt(many, SHADOW_MOST_STEPS);
    ck_assert(!shadow_covers(&policy->rules[0].match, &policy->rules[1].match, &few));
    ck_assert_uint_eq(few, 0);
    unref_policy(policy);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, without_steps_nothing_is_covered, equals);
    tcase_add_loop_test(cases, never_covers_by_mistake, 0, seeds(10));
    add_rows(cases, finds_rules_shadowed_by_an_earlier_rule, pairs, first, second);
    add_rows(cases, finds_rules_whose_exclude_covers_match, dead, spec);
    add_rows(cases, finds_a_backend_that_a_constraint_denies, bounds, rule, constraint);
    add_rows(cases, distinguishes_denied_backends, forbidden, spec);
    add_rows(cases, finds_settings_that_a_constraint_denies, denied, rule, constraint);
    tcase_add_test(cases, finds_every_denied_setting);
    add_rows(cases, finds_rules_without_match, unmatched, spec);
    add_rows(cases, compares_many_rules_completely, compared, start, end);
    tcase_add_test(cases, reports_when_rules_are_not_compared);
}
