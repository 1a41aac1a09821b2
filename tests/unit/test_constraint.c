/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/typed.h"

START_TEST(reads_every_field)
{
    struct gang_policy *policy =
        policy_from("  constraints:\n"
                    "  - name: all\n"
                    "    match: {namespaces: [a]}\n"
                    "    exclude: {maxNodes: 2}\n"
                    "    allowedBackends: [volcano, coscheduling]\n"
                    "    allowedQueues: [team-*, batch]\n"
                    "    allowedPriorityClassNames: [low, normal]\n"
                    "    maxMembers: 512\n"
                    "    minTimeoutSeconds: 5\n"
                    "    maxTimeoutSeconds: 5\n"
                    "    requireQueue: true\n"
                    "    reservedKeys: Warn\n"
                    "    enforcement: Warn\n"
                    "  - {name: few, requireQueue: false, reservedKeys: Deny}\n");
    const struct policy_constraint *all;
    const struct policy_constraint *few;

    if (!policy)
        return;
    ck_assert_uint_eq(policy->document.findings.count, 0);
    ck_assert_uint_eq(policy->num_constraints, 2);
    all = &policy->constraints[0];
    ck_slice_eq(all->name, "all");
    ck_slice_eq(all->match.namespaces.items[0], "a");
    ck_assert_ptr_nonnull(all->exclude.source);
    ck_assert_int_eq(all->exclude.max_nodes.value, 2);
    ck_assert_uint_eq(all->allowed_backends.count, 2);
    ck_slice_eq(all->allowed_backends.items[1], "coscheduling");
    ck_slice_eq(all->allowed_queues.items[0], "team-*");
    ck_slice_eq(all->allowed_priority_class_names.items[1], "normal");
    ck_assert_int_eq(all->max_members, 512);
    ck_assert_int_eq(all->min_timeout_seconds, 5);
    ck_assert_int_eq(all->max_timeout_seconds, 5);
    ck_assert_ptr_nonnull(all->require_queue_source);
    ck_assert_int_eq(all->reserved_keys, ENFORCEMENT_WARN);
    ck_assert_int_eq(all->enforcement, ENFORCEMENT_WARN);
    few = &policy->constraints[1];
    ck_assert_uint_eq(few->allowed_backends.count, 0);
    ck_assert_ptr_null(few->match.source);
    ck_assert_ptr_null(few->exclude.source);
    ck_assert_ptr_null(few->max_members_source);
    ck_assert_ptr_null(few->min_timeout_source);
    ck_assert_ptr_null(few->max_timeout_source);
    ck_assert_ptr_null(few->require_queue_source);
    ck_assert_ptr_nonnull(few->reserved_keys_source);
    ck_assert_int_eq(few->reserved_keys, ENFORCEMENT_DENY);
    ck_assert_int_eq(few->enforcement, ENFORCEMENT_DENY);
    unref_policy(policy);
}
END_TEST

#define AT "spec.constraints[0]."
#define NAME_FORM                                                                                  \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and "                                                                                    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "       \
    "validation is "                                                                               \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

static const struct policy_case refused[] = {
    {CONSTRAINT("match: {}, ^maxMember: 4"), GANG_CODE_UNKNOWN_FIELD,
     "spec.constraints[0].maxMember", "unknown field \"spec.constraints[0].maxMember\"",
     DID_YOU_MEAN("maxMembers")},
    {"  constraints: [^{maxMembers: 2}]\n", GANG_CODE_REQUIRED_FIELD, AT "name", "Required value",
     NULL},
    {"  constraints: [{name: ^'a b', maxMembers: 2}]\n", GANG_CODE_INVALID_NAME, AT "name",
     "Invalid value: \"a b\": " NAME_FORM, NULL},
    {"  constraints: [{name: a, maxMembers: 2}, {name: ^a, maxMembers: 2}]\n",
     GANG_CODE_DUPLICATE_ITEM, "spec.constraints[1].name", "Duplicate value: \"a\"",
     "the first is spec.constraints[0]"},
    {CONSTRAINT("maxMembers: 2, ^maxMember: 3"), GANG_CODE_UNKNOWN_FIELD, AT "maxMember",
     "unknown field \"" AT "maxMember\"", DID_YOU_MEAN("maxMembers")},
    {CONSTRAINT("maxMembers: ^0"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "maxMembers",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {CONSTRAINT("allowedBackends: [volcano, ^vulcano]"), GANG_CODE_BACKEND_NOT_ENABLED,
     AT "allowedBackends[1]",
     "Unsupported value: \"vulcano\": supported values: \"volcano\", \"none\"",
     DID_YOU_MEAN("volcano")},
    {CONSTRAINT("allowedBackends: ^[]"), GANG_CODE_REQUIRED_FIELD, AT "allowedBackends",
     "Required value: omit the field to allow every backend", NULL},
    {CONSTRAINT("allowedQueues: ^[], requireQueue: true"), GANG_CODE_REQUIRED_FIELD,
     AT "allowedQueues", "Required value: omit the field to allow every queue", NULL},
    {CONSTRAINT("allowedPriorityClassNames: ^[]"), GANG_CODE_REQUIRED_FIELD,
     AT "allowedPriorityClassNames", "Required value: omit the field to allow every priority class",
     NULL},
    {CONSTRAINT("allowedQueues: [^'team_a']"), GANG_CODE_GLOB_SYNTAX, AT "allowedQueues[0]",
     "Invalid value: \"team_a\": must consist of lower case alphanumeric characters, '-', '.' or "
     "'*'",
     "only * matches other characters; a pattern is not a regular expression"},
    {CONSTRAINT("allowedPriorityClassNames: [^'low-*']"), GANG_CODE_INVALID_NAME,
     AT "allowedPriorityClassNames[0]", "Invalid value: \"low-*\": " NAME_FORM,
     "write the whole name: this field takes no patterns"},
    {CONSTRAINT("allowedPriorityClassNames: [a, b, ^a]"), GANG_CODE_DUPLICATE_ITEM,
     AT "allowedPriorityClassNames[2]", "Duplicate value: \"a\"",
     "the first is " AT "allowedPriorityClassNames[0]"},
    {CONSTRAINT("minTimeoutSeconds: 60, maxTimeoutSeconds: ^30"), GANG_CODE_EMPTY_RANGE,
     AT "maxTimeoutSeconds",
     "Invalid value: 30: must be greater than or equal to minTimeoutSeconds (60)",
     "no timeout can satisfy both"},
    {CONSTRAINT("minTimeoutSeconds: ^-1"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "minTimeoutSeconds",
     "Invalid value: -1: must be greater than or equal to 1", NULL},
    {CONSTRAINT("maxMembers: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "maxMembers",
     "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {CONSTRAINT("minTimeoutSeconds: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE,
     AT "minTimeoutSeconds", "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {CONSTRAINT("maxTimeoutSeconds: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE,
     AT "maxTimeoutSeconds", "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {CONSTRAINT("allowedQueues: [a, ^a]"), GANG_CODE_DUPLICATE_ITEM, AT "allowedQueues[1]",
     "Duplicate value: \"a\"", "the first is " AT "allowedQueues[0]"},
    {CONSTRAINT("requireQueue: ^'true'"), GANG_CODE_WRONG_TYPE, AT "requireQueue",
     "Invalid value: \"true\": must be of type boolean: \"string\"",
     "write the value without quotes"},
    {CONSTRAINT("reservedKeys: ^Allow"), GANG_CODE_UNSUPPORTED_VALUE, AT "reservedKeys",
     "Unsupported value: \"Allow\": supported values: \"Deny\", \"Warn\"", NULL},
    {CONSTRAINT("maxMembers: 1, enforcement: ^warn"), GANG_CODE_UNSUPPORTED_VALUE, AT "enforcement",
     "Unsupported value: \"warn\": supported values: \"Deny\", \"Warn\"", DID_YOU_MEAN("Warn")},
    {CONSTRAINT("maxMembers: 1, match: {runtimes: ^[]}"), GANG_CODE_REQUIRED_FIELD,
     AT "match.runtimes", "Required value: omit the field to match every runtime", NULL},
    {CONSTRAINT("maxMembers: 1, match: {minNodes: 8, maxNodes: ^4}"), GANG_CODE_EMPTY_RANGE,
     AT "match.maxNodes", "Invalid value: 4: must be greater than or equal to minNodes (8)",
     "raise maxNodes to 8, or lower minNodes to 4: no job has a number of nodes that matches "
     "both"},
};

START_TEST(refuses_bad_constraints)
{
    struct policy_case expected = refused[_i];
    char spec[512];

    snprintf(spec, sizeof(spec),
             "  backends: [{name: volcano, type: Volcano}, {name: none, type: None}]\n%s"
             "  defaultBackend: none\n",
             expected.spec);
    expected.spec = spec;
    check_refused(&expected);
}
END_TEST

static const struct policy_case warned[] = {
    {"  constraints:\n  - ^{name: c, match: {}}\n", GANG_CODE_IDLE_SETTING, "spec.constraints[0]",
     "the constraint c checks nothing", "add a check such as allowedQueues, or remove it"},
    {"  constraints:\n  - ^{name: c, requireQueue: false, enforcement: Warn}\n",
     GANG_CODE_IDLE_SETTING, "spec.constraints[0]", "the constraint c checks nothing",
     "add a check such as allowedQueues, or remove it"},
    {"  backends: [{name: volcano, type: Volcano}, {name: none, type: None}]\n  defaultBackend: "
     "none\n"
     "  constraints:\n  - {name: c, allowedBackends: ^[none]}\n",
     GANG_CODE_UNSATISFIABLE_CONSTRAINT, "spec.constraints[0].allowedBackends",
     "no gang can satisfy it: none of these backends renders a gang",
     "use a rule with action: Skip or Deny for jobs that must not have a gang"},
    {"  backends: [{name: volcano, type: Volcano}, {name: none, type: None}]\n  defaultBackend: "
     "none\n"
     "  constraints:\n  - {name: c, allowedBackends: [none, volcano]}\n",
     0, NULL, NULL, NULL},
};

START_TEST(warns_of_constraints_without_effect)
{
    check_warned(&warned[_i]);
}
END_TEST

START_TEST(takes_100_entries_and_no_more)
{
    static char spec[8192];
    struct policy_case expected = {
        spec, 0, "spec.constraints[0]",
        "Too many: 101: match and exclude must have at most 100 entries together",
        "split the rule, or select by the labels of namespaces"};

    for (int entries = 100; entries <= 101; entries++) {
        int at = snprintf(spec, sizeof(spec),
                          "  constraints: [^{name: c, maxMembers: 4, match: {namespaces: [");

        for (int i = 1; i < entries; i++)
            at += snprintf(spec + at, sizeof(spec) - (size_t)at, "n%d,", i);
        snprintf(spec + at, sizeof(spec) - (size_t)at, "]}, exclude: {frameworks: [jax]}}]\n");
        expected.code = entries > 100 ? GANG_CODE_LIMIT_SELECTORS : 0;
        if (expected.code)
            check_refused(&expected);
        else
            check_warned(&expected);
    }
}
END_TEST

START_TEST(takes_1000_constraints_and_no_more)
{
    static char spec[POLICY_TEXT_SIZE - 256];
    struct policy_case expected = {spec, GANG_CODE_LIMIT_RULES, "spec.constraints",
                                   "Too many: 1001: must have at most 1000 items", NULL};
    int at = snprintf(spec, sizeof(spec), "  constraints: ^[");

    for (int i = 0; i < 1001; i++)
        at += snprintf(spec + at, sizeof(spec) - (size_t)at, "{name: c%d, maxMembers: 4},", i);
    snprintf(spec + at, sizeof(spec) - (size_t)at, "]\n");
    check_refused(&expected);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, reads_every_field);
    add_rows(cases, refuses_bad_constraints, refused, spec);
    add_rows(cases, warns_of_constraints_without_effect, warned, spec);
    tcase_add_test(cases, takes_1000_constraints_and_no_more);
    tcase_add_test(cases, takes_100_entries_and_no_more);
}
