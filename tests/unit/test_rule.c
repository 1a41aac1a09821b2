/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/typed.h"

START_TEST(reads_every_field)
{
    struct gang_policy *policy =
        policy_from("  rules:\n"
                    "  - name: first\n"
                    "    match:\n"
                    "      namespaces: [team-*, lab]\n"
                    "      runtimes: [torch-*]\n"
                    "      namespaceSelector: {matchLabels: {tier: prod}}\n"
                    "      trainJobSelector: {matchExpressions: [{key: gang, operator: Exists}]}\n"
                    "      runtimeSelector: {matchLabels: {a: b, c: d}}\n"
                    "      frameworks: [torch, jax]\n"
                    "      minNodes: 2\n"
                    "      maxNodes: 2147483647\n"
                    "      resources: [nvidia.com/gpu]\n"
                    "      kueue: Unmanaged\n"
                    "    exclude: {namespaces: [team-x], kueue: Managed}\n"
                    "    action: Deny\n"
                    "    message: not here\n"
                    "  - {name: gangs, match: {podGangSelector: {matchLabels: {a: b, c: d}}}}\n"
                    "  - {name: second, action: Skip}\n"
                    "  - {name: third, match: {}, action: Gang}\n");
    const struct policy_rule *first;

    if (!policy)
        return;
    first = policy->rules;
    /* the second takes every job of the third */
    ck_assert_uint_eq(policy->document.findings.count, 2);
    ck_assert_int_eq(policy->document.findings.items[0].code, GANG_CODE_RULE_WITHOUT_MATCH);
    ck_assert_int_eq(policy->document.findings.items[1].code, GANG_CODE_SHADOWED_RULE);
    ck_assert_uint_eq(policy->num_rules, 4);
    ck_slice_eq(first->name, "first");
    ck_assert_uint_eq(first->match.namespaces.count, 2);
    ck_slice_eq(first->match.namespaces.items[1], "lab");
    ck_assert_uint_eq(first->match.runtimes.count, 1);
    ck_slice_eq(first->match.runtimes.items[0], "torch-*");
    ck_assert_uint_eq(first->match.namespace_selector.count, 1);
    ck_assert_uint_eq(first->match.trainjob_selector.count, 1);
    ck_assert_uint_eq(first->match.runtime_selector.count, 2);
    ck_assert_uint_eq(first->match.kinds, JOB_KINDS_TRAINER);
    ck_assert_uint_eq(first->exclude.kinds, JOB_KINDS_ALL);
    ck_assert_ptr_null(first->match.podgang_selector.source);
    ck_assert_uint_eq(policy->rules[1].match.podgang_selector.count, 2);
    ck_assert_uint_eq(policy->rules[1].match.kinds, JOB_KINDS_GROVE);
    ck_assert_uint_eq(first->match.frameworks.count, 2);
    ck_slice_eq(first->match.frameworks.items[1], "jax");
    ck_assert(first->match.min_nodes.source && first->match.max_nodes.source);
    ck_assert_int_eq(first->match.min_nodes.value, 2);
    ck_assert_int_eq(first->match.max_nodes.value, 2147483647);
    ck_slice_eq(first->match.resources.items[0], "nvidia.com/gpu");
    ck_assert_int_eq(first->match.kueue, KUEUE_UNMANAGED);
    ck_assert_ptr_nonnull(first->match.source);
    ck_assert_ptr_nonnull(first->exclude.source);
    ck_slice_eq(first->exclude.namespaces.items[0], "team-x");
    ck_assert_int_eq(first->exclude.kueue, KUEUE_MANAGED);
    ck_assert_int_eq(first->action, RULE_DENY);
    ck_slice_eq(first->message, "not here");
    ck_assert_int_eq(policy->rules[2].action, RULE_SKIP);
    ck_assert_ptr_null(policy->rules[2].match.source);
    ck_assert_ptr_null(policy->rules[2].exclude.source);
    ck_assert(!slice_is_set(policy->rules[2].message));
    ck_assert_int_eq(policy->rules[3].action, RULE_GANG);
    ck_assert_ptr_nonnull(policy->rules[3].match.source);
    ck_assert_int_eq(policy->rules[3].match.kueue, KUEUE_ANY);
    ck_assert(!policy->rules[3].match.min_nodes.source && !policy->rules[3].match.max_nodes.source);
    unref_policy(policy);
}
END_TEST

/* The kinds that a match can be of. */
static const struct {
    const char *match;
    job_kind_set kinds;
} kinds_of_matches[] = {
    {"{}", JOB_KINDS_ALL},
    {"{objectSelector: {}}", JOB_KINDS_ALL},
    {"{kinds: ['*']}", JOB_KINDS_ALL},
    {"{kinds: [TrainJob]}", JOB_KINDS_TRAINER},
    {"{kinds: [Job, RayJob.ray.io]}", JOB_NAME_BIT(job) | JOB_NAME_BIT(ray_job)},
    {"{kinds: [PodGang, PodCliqueSet.grove.io]}", JOB_KINDS_GROVE},
    /* without kinds, a number of nodes is that of a TrainJob, as it was before there were kinds */
    {"{minNodes: 2}", JOB_KINDS_TRAINER},
    {"{maxNodes: 2}", JOB_KINDS_TRAINER},
    {"{kinds: ['*'], minNodes: 2}", JOB_KINDS_TRAINER | JOB_KINDS_OTHERS},
    {"{kinds: [LeaderWorkerSet, TrainJob], maxNodes: 2}", JOB_NAME_BIT(lws) | JOB_KINDS_TRAINER},
    {"{kinds: ['*'], runtimes: [a]}", JOB_KINDS_TRAINER},
    {"{kinds: ['*'], trainJobSelector: {}}", JOB_KINDS_TRAINER},
    {"{kinds: [TrainJob], runtimeSelector: {}, frameworks: [a]}", JOB_KINDS_TRAINER},
    {"{kinds: [PodGang], podGangSelector: {}}", JOB_NAME_BIT(podgang)},
};

START_TEST(a_match_is_of_some_kinds)
{
    char text[512];
    struct gang_policy *policy;

    snprintf(text, sizeof(text), "  rules:\n  - {name: a, match: %s}\n",
             kinds_of_matches[_i].match);
    policy = policy_from(text);
    if (!policy)
        return;
    ck_assert_uint_eq(policy->rules[0].match.kinds, kinds_of_matches[_i].kinds);
    unref_policy(policy);
}
END_TEST

#define MATCH(text) RULE("match: {" text "}")
#define AT "spec.rules[0]."
#define NAME_FORM                                                                                  \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and "                                                                                    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "       \
    "validation is "                                                                               \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define NO_GANG(action) "Forbidden: may not be set when `action` is " action ": there is no gang"

#define OTHER_KIND(word) "Unsupported value: \"" word "\": supported values: @kinds"
#define NO_PODGANG                                                                                 \
    "Forbidden: may not be set together with podGangSelector: no PodGang has this property",       \
        "write a rule for each kind"

static const struct policy_case refused[] = {
    {"  rules: ^{}\n", GANG_CODE_WRONG_TYPE, "spec.rules",
     "Invalid value: {...}: must be of type array: \"object\"", "write a list"},
    {"  rules: [^a]\n", GANG_CODE_WRONG_TYPE, "spec.rules[0]",
     "Invalid value: \"a\": must be of type object: \"string\"",
     "write it as {name: NAME, match: {}, backend: BACKEND}"},
    {"  rules: [^null]\n", GANG_CODE_NULL_ITEM, "spec.rules[0]",
     "Invalid value: null: must be of type object: \"null\"",
     "write it as {name: NAME, match: {}, backend: BACKEND}"},
    {"  rules: [^{match: {}}]\n", GANG_CODE_REQUIRED_FIELD, AT "name", "Required value", NULL},
    {"  rules: [{name: ^Prod}]\n", GANG_CODE_INVALID_NAME, AT "name",
     "Invalid value: \"Prod\": " NAME_FORM, NULL},
    {"  rules: [{name: ^''}]\n", GANG_CODE_REQUIRED_FIELD, AT "name",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {"  rules: [{name: ^1}]\n", GANG_CODE_WRONG_TYPE, AT "name",
     "Invalid value: 1: must be of type string: \"integer\"", "put the value in quotes"},
    {"  rules:\n  - {name: a, match: {minNodes: 2}}\n  - {name: b, match: {minNodes: 3}, "
     "action: "
     "Skip}\n"
     "  - {name: ^a, match: {}}\n",
     GANG_CODE_DUPLICATE_ITEM, "spec.rules[2].name", "Duplicate value: \"a\"",
     "the first is spec.rules[0]"},
    {RULE("^matches: {}"), GANG_CODE_UNKNOWN_FIELD, AT "matches", "unknown field \"" AT "matches\"",
     DID_YOU_MEAN("match")},
    {RULE("match: {}, ^match: {}"), GANG_CODE_DUPLICATE_KEY, AT "match",
     "duplicate field \"" AT "match\": already set on line 6, column 15", "remove one of the two"},
    {RULE("action: ^Allow"), GANG_CODE_UNSUPPORTED_VALUE, AT "action",
     "Unsupported value: \"Allow\": supported values: \"Gang\", \"Skip\", \"Deny\"", NULL},
    {RULE("action: ^deny"), GANG_CODE_UNSUPPORTED_VALUE, AT "action",
     "Unsupported value: \"deny\": supported values: \"Gang\", \"Skip\", \"Deny\"",
     DID_YOU_MEAN("Deny")},
    {RULE("action: ^''"), GANG_CODE_UNSUPPORTED_VALUE, AT "action",
     "Unsupported value: \"\": supported values: \"Gang\", \"Skip\", \"Deny\"", NULL},
    {RULE("action: Deny, message: ^''"), GANG_CODE_REQUIRED_FIELD, AT "message",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {RULE("action: ^skip, message: hello"), GANG_CODE_UNSUPPORTED_VALUE, AT "action",
     "Unsupported value: \"skip\": supported values: \"Gang\", \"Skip\", \"Deny\"",
     DID_YOU_MEAN("Skip")},
    {RULE("message: ^hello"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "message",
     "Forbidden: may only be set when `action` is Skip or Deny",
     "remove it, or write the action that it explains"},
    {RULE("action: Skip, backend: ^volcano"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "backend",
     NO_GANG("Skip"), "remove it, or the action"},
    {RULE("action: Deny, queue: ^{name: a}"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "queue",
     NO_GANG("Deny"), "remove it, or the action"},
    {RULE("reserve: ^Never, action: Deny"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "reserve",
     NO_GANG("Deny"), "remove it, or the action"},
    {RULE("resources: ^Effective, action: Skip"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "resources",
     NO_GANG("Skip"), "remove it, or the action"},
    {RULE("match: ^[]"), GANG_CODE_WRONG_TYPE, AT "match",
     "Invalid value: [...]: must be of type object: \"array\"", NULL},
    {MATCH("^namespace: [a]"), GANG_CODE_UNKNOWN_FIELD, AT "match.namespace",
     "unknown field \"" AT "match.namespace\"", DID_YOU_MEAN("namespaces")},
    {MATCH("namespaces: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "match.namespaces",
     "Required value: omit the field to match every namespace", NULL},
    {MATCH("runtimes: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "match.runtimes",
     "Required value: omit the field to match every runtime", NULL},
    {MATCH("frameworks: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "match.frameworks",
     "Required value: omit the field to match every framework", NULL},
    {MATCH("resources: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "match.resources",
     "Required value: omit the field to match whatever is requested", NULL},
    {RULE("exclude: {namespaces: ^[]}"), GANG_CODE_REQUIRED_FIELD, AT "exclude.namespaces",
     "Required value: omit the field to match every namespace", NULL},
    {MATCH("namespaces: [a, ^a]"), GANG_CODE_DUPLICATE_ITEM, AT "match.namespaces[1]",
     "Duplicate value: \"a\"", "the first is " AT "match.namespaces[0]"},
    {MATCH("namespaces: ^a"), GANG_CODE_WRONG_TYPE, AT "match.namespaces",
     "Invalid value: \"a\": must be of type array: \"string\"", "write a list"},
    {MATCH("namespaces: [^no]"), GANG_CODE_WRONG_TYPE, AT "match.namespaces[0]",
     "Invalid value: false: must be of type string: \"boolean\"", "put the value in quotes"},
    {MATCH("frameworks: [^-torch]"), GANG_CODE_INVALID_LABEL_VALUE, AT "match.frameworks[0]",
     "Invalid value: \"-torch\": " LABEL_VALUE_FORM, NULL},
    {MATCH("frameworks: [^'']"), GANG_CODE_REQUIRED_FIELD, AT "match.frameworks[0]",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {MATCH("resources: [^'nvidia.com/g*']"), GANG_CODE_INVALID_NAME, AT "match.resources[0]",
     "Invalid value: \"nvidia.com/g*\": " LABEL_KEY_FORM,
     "write the whole name: this field takes no patterns"},
    {MATCH("resources: [^Nvidia.com/gpu]"), GANG_CODE_INVALID_NAME, AT "match.resources[0]",
     "Invalid value: \"Nvidia.com/gpu\": " LABEL_PREFIX_FORM, NULL},
    {MATCH("minNodes: ^0"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "match.minNodes",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {MATCH("maxNodes: ^-1"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "match.maxNodes",
     "Invalid value: -1: must be greater than or equal to 1", NULL},
    {MATCH("maxNodes: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "match.maxNodes",
     "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {MATCH("minNodes: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "match.minNodes",
     "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {MATCH("minNodes: ^-2147483649"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "match.minNodes",
     "Invalid value: -2147483649: must be between 1 and 2147483647", NULL},
    {MATCH("resources: [cpu, ^cpu]"), GANG_CODE_DUPLICATE_ITEM, AT "match.resources[1]",
     "Duplicate value: \"cpu\"", "the first is " AT "match.resources[0]"},
    {MATCH("runtimes: [a, ^a]"), GANG_CODE_DUPLICATE_ITEM, AT "match.runtimes[1]",
     "Duplicate value: \"a\"", "the first is " AT "match.runtimes[0]"},
    {MATCH("frameworks: [a, ^a]"), GANG_CODE_DUPLICATE_ITEM, AT "match.frameworks[1]",
     "Duplicate value: \"a\"", "the first is " AT "match.frameworks[0]"},
    {MATCH("minNodes: ^'2'"), GANG_CODE_WRONG_TYPE, AT "match.minNodes",
     "Invalid value: \"2\": must be of type integer: \"string\"", "write the value without quotes"},
    {MATCH("minNodes: ^2.5"), GANG_CODE_WRONG_TYPE, AT "match.minNodes",
     "Invalid value: 2.5: must be of type integer: \"number\"", NULL},
    {MATCH("namespaceSelector: {^team: a}"), GANG_CODE_UNKNOWN_FIELD,
     AT "match.namespaceSelector.team", "unknown field \"" AT "match.namespaceSelector.team\"",
     "did you mean \"matchLabels: {team: ...}\"?"},
    {MATCH("minNodes: 3, maxNodes: ^2"), GANG_CODE_EMPTY_RANGE, AT "match.maxNodes",
     "Invalid value: 2: must be greater than or equal to minNodes (3)",
     "raise maxNodes to 3, or lower minNodes to 2: no job has a number of nodes that matches "
     "both"},
    {RULE("exclude: {maxNodes: ^2, minNodes: 3}"), GANG_CODE_EMPTY_RANGE, AT "exclude.maxNodes",
     "Invalid value: 2: must be greater than or equal to minNodes (3)",
     "raise maxNodes to 3, or lower minNodes to 2: no job has a number of nodes that matches "
     "both"},
    {MATCH("podGangSelector: {}, frameworks: ^[torch]"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "match.frameworks", NO_PODGANG},
    {MATCH("podGangSelector: {}, maxNodes: ^2"), GANG_CODE_MATCH_OF_TWO_KINDS, AT "match.maxNodes",
     NO_PODGANG},
    {MATCH("podGangSelector: {}, minNodes: ^2"), GANG_CODE_MATCH_OF_TWO_KINDS, AT "match.minNodes",
     NO_PODGANG},
    {MATCH("podGangSelector: {}, runtimes: ^[a]"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "match.runtimes", NO_PODGANG},
    {MATCH("podGangSelector: {}, runtimeSelector: ^{}"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "match.runtimeSelector", NO_PODGANG},
    {MATCH("podGangSelector: {}, trainJobSelector: ^{}"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "match.trainJobSelector", NO_PODGANG},
    {RULE("exclude: {podGangSelector: {}, minNodes: ^1}"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "exclude.minNodes", NO_PODGANG},
    {MATCH("kinds: ^RayJob"), GANG_CODE_WRONG_TYPE, AT "match.kinds",
     "Invalid value: \"RayJob\": must be of type array: \"string\"", "write a list"},
    {MATCH("kinds: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "match.kinds",
     "Required value: omit the field to match jobs of every kind", NULL},
    {MATCH("kinds: [^'']"), GANG_CODE_REQUIRED_FIELD, AT "match.kinds[0]",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {MATCH("kinds: [Job, ^Job]"), GANG_CODE_DUPLICATE_ITEM, AT "match.kinds[1]",
     "Duplicate value: \"Job\"", "the first is " AT "match.kinds[0]"},
    {MATCH("kinds: [^rayjob]"), GANG_CODE_UNSUPPORTED_VALUE, AT "match.kinds[0]",
     OTHER_KIND("rayjob"), DID_YOU_MEAN("RayJob")},
    {MATCH("kinds: [^Deployment]"), GANG_CODE_UNSUPPORTED_VALUE, AT "match.kinds[0]",
     OTHER_KIND("Deployment"), NULL},
    {MATCH("kinds: [^MPIJob.kubeflow.com]"), GANG_CODE_UNSUPPORTED_VALUE, AT "match.kinds[0]",
     OTHER_KIND("MPIJob.kubeflow.com"), DID_YOU_MEAN("MPIJob.kubeflow.org")},
    {MATCH("kinds: [Job, ^'*']"), GANG_CODE_SETTING_WITHOUT_EFFECT, AT "match.kinds[1]",
     "Forbidden: may not be combined with other kinds: it is every kind",
     "remove it, or the others"},
    {MATCH("kinds: [^RayJob, TrainJob], runtimes: [a]"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "match.kinds[0]",
     "Forbidden: may not be set together with runtimes: no RayJob has this property",
     "write a rule for each kind"},
    {MATCH("kinds: [^PodGang], minNodes: 2"), GANG_CODE_MATCH_OF_TWO_KINDS, AT "match.kinds[0]",
     "Forbidden: may not be set together with minNodes: no PodGang has this property",
     "write a rule for each kind"},
    {RULE("exclude: {kinds: [^Job.batch], podGangSelector: {}}"), GANG_CODE_MATCH_OF_TWO_KINDS,
     AT "exclude.kinds[0]",
     "Forbidden: may not be set together with podGangSelector: no Job.batch has this property",
     "write a rule for each kind"},
    {MATCH("kueue: ^true"), GANG_CODE_WRONG_TYPE, AT "match.kueue",
     "Invalid value: true: must be of type string: \"boolean\"", "put the value in quotes"},
    {MATCH("kueue: ^managed"), GANG_CODE_UNSUPPORTED_VALUE, AT "match.kueue",
     "Unsupported value: \"managed\": supported values: \"Managed\", \"Unmanaged\"",
     DID_YOU_MEAN("Managed")},
};

START_TEST(refuses_bad_rules)
{
    check_refused(&refused[_i]);
}
END_TEST

/* Writes `count` rules that each match a namespace of their own. */
static void
write_rules(char *spec, size_t size, int count)
{
    int at = snprintf(spec, size, "  rules: ^[");

    for (int i = 0; i < count; i++)
        at += snprintf(spec + at, size - (size_t)at, "{name: r%d, match: {namespaces: [n%d]}},", i,
                       i);
    snprintf(spec + at, size - (size_t)at, "]\n");
}

START_TEST(takes_1000_rules_and_no_more)
{
    static char spec[POLICY_TEXT_SIZE - 256];
    struct policy_case expected = {spec, 0, "spec.rules",
                                   "Too many: 1001: must have at most 1000 items", NULL};

    write_rules(spec, sizeof(spec), 1000);
    check_warned(&expected);
    write_rules(spec, sizeof(spec), 1001);
    expected.code = GANG_CODE_LIMIT_RULES;
    check_refused(&expected);
}
END_TEST

/* 50 namespaces, 47 values of labels, a label, an excluded framework and resources besides. */
static void
write_entries(char *spec, size_t size, int resources)
{
    int at = snprintf(spec, size, "  rules:\n  - ^{name: r, match: {namespaces: [");

    for (int i = 0; i < 50; i++)
        at += snprintf(spec + at, size - (size_t)at, "n%d,", i);
    at += snprintf(spec + at, size - (size_t)at,
                   "], trainJobSelector: {matchLabels: {x: z}, matchExpressions: [{key: a, "
                   "operator: In, values: [");
    for (int i = 0; i < 47; i++)
        at += snprintf(spec + at, size - (size_t)at, "v%d,", i);
    at += snprintf(spec + at, size - (size_t)at, "]}]}, resources: [");
    for (int i = 0; i < resources; i++)
        at += snprintf(spec + at, size - (size_t)at, "r%d,", i);
    snprintf(spec + at, size - (size_t)at, "]}, exclude: {frameworks: [jax]}}\n");
}

START_TEST(takes_100_entries_and_no_more)
{
    static char spec[8192];
    struct policy_case expected = {
        spec, 0, "spec.rules[0]",
        "Too many: 101: match and exclude must have at most 100 entries together",
        "split the rule, or select by the labels of namespaces"};

    write_entries(spec, sizeof(spec), 1);
    check_warned(&expected);
    write_entries(spec, sizeof(spec), 2);
    expected.code = GANG_CODE_LIMIT_SELECTORS;
    check_refused(&expected);
}
END_TEST

START_TEST(takes_a_message_of_1024_characters_and_no_more)
{
    static char spec[2048];
    static char message[1026];
    struct policy_case expected = {spec, GANG_CODE_VALUE_TOO_LONG, "spec.rules[0].message",
                                   "Too long: may not be more than 1024 characters", NULL};

    memset(message, 'm', sizeof(message) - 1);
    snprintf(spec, sizeof(spec), "  rules: [{name: r, action: Deny, message: %.1024s}]\n", message);
    unref_policy(policy_from(spec));
    snprintf(spec, sizeof(spec), "  rules: [{name: r, action: Deny, message: ^%.1025s}]\n",
             message);
    check_refused(&expected);
}
END_TEST

START_TEST(searches_lists)
{
    const struct slice items[] = {SLICE_INIT("team-*"), SLICE_INIT("lab")};
    const struct rule_texts texts = {items, 2};
    const struct rule_texts none = {NULL, 0};

    ck_assert(rule_texts_match(&texts, SLICE("team-a")));
    ck_assert(rule_texts_match(&texts, SLICE("lab")));
    ck_assert(!rule_texts_match(&texts, SLICE("laboratory")));
    ck_assert(rule_texts_have(&texts, SLICE("lab")));
    ck_assert(rule_texts_have(&texts, SLICE("team-*")));
    ck_assert(!rule_texts_have(&texts, SLICE("team-a")));
    ck_assert(!rule_texts_match(&none, SLICE("")));
    ck_assert(!rule_texts_have(&none, SLICE("")));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, reads_every_field);
    add_rows(cases, a_match_is_of_some_kinds, kinds_of_matches, match);
    add_rows(cases, refuses_bad_rules, refused, spec);
    tcase_add_test(cases, takes_1000_rules_and_no_more);
    tcase_add_test(cases, takes_100_entries_and_no_more);
    tcase_add_test(cases, takes_a_message_of_1024_characters_and_no_more);
    tcase_add_test(cases, searches_lists);
}
