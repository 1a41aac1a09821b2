/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/typed.h"

#define TYPES "supported values: @types, \"None\""
#define ONE(text) "  backends: [{name: a, " text "}]\n"
#define AT "spec.backends[0]."
#define GROUPS "supported values: \"Auto\", \"Delegate\", \"Create\""

static const struct policy_case refused[] = {
    {ONE("type: KAI, podGroup: ^auto"), GANG_CODE_UNSUPPORTED_VALUE, AT "podGroup",
     "Unsupported value: \"auto\": " GROUPS, DID_YOU_MEAN("Auto")},
    {ONE("type: KAI, kai: {podGroup: ^Never}"), GANG_CODE_UNSUPPORTED_VALUE, AT "kai.podGroup",
     "Unsupported value: \"Never\": " GROUPS, NULL},
    {ONE("type: KAI, kai: {^podgroup: Auto}"), GANG_CODE_UNKNOWN_FIELD, AT "kai.podgroup",
     "unknown field \"" AT "kai.podgroup\"", DID_YOU_MEAN("podGroup")},
    {ONE("type: KAI, kai: ^Aggregate"), GANG_CODE_WRONG_TYPE, AT "kai",
     "Invalid value: \"Aggregate\": must be of type object: \"string\"", NULL},
    {ONE("type: Workload, ^worklaod: {}"), GANG_CODE_UNKNOWN_FIELD, AT "worklaod",
     "unknown field \"" AT "worklaod\"", DID_YOU_MEAN("workload")},
    {ONE("type: KAI, ^volcano: {}"), GANG_CODE_UNKNOWN_FIELD, AT "volcano",
     "unknown field \"" AT "volcano\"", NULL},
    {ONE("type: KAI, podGroup: ^Create, kai: {podGroup: Auto}"), GANG_CODE_MISPLACED_OPTION,
     AT "podGroup", "Forbidden: kai.podGroup sets it too", "keep one of the two"},
    {ONE("type: KAI, workload: ^{topologyKey: a}"), GANG_CODE_MISPLACED_OPTION, AT "workload",
     "Forbidden: options of type Workload; this backend is of type KAI", NULL},
    {ONE("type: None, schedulerName: x, kai: ^{}"), GANG_CODE_MISPLACED_OPTION, AT "kai",
     "Forbidden: options of type KAI; this backend is of type None", NULL},
    {ONE("type: None, apiVersion: ^scheduling.volcano.sh/v1beta1"), GANG_CODE_MISPLACED_OPTION,
     AT "apiVersion", "Forbidden: type None has no such option", NULL},
    {ONE("type: None, podGroup: ^Auto"), GANG_CODE_MISPLACED_OPTION, AT "podGroup",
     "Forbidden: type None has no such option", NULL},
    {ONE("type: Coscheduling, queue: ^{name: q}"), GANG_CODE_MISPLACED_OPTION, AT "queue",
     "Forbidden: type Coscheduling has no such option", NULL},
    {ONE("type: Workload, queue: ^{name: q}"), GANG_CODE_MISPLACED_OPTION, AT "queue",
     "Forbidden: type Workload has no such option", NULL},
    {ONE("type: None, queue: ^{name: q}"), GANG_CODE_MISPLACED_OPTION, AT "queue",
     "Forbidden: type None has no such option", NULL},
    {ONE("type: None, priorityClassName: ^{name: q}"), GANG_CODE_MISPLACED_OPTION,
     AT "priorityClassName", "Forbidden: type None has no such option", NULL},
    {ONE("type: KAI, queue: {name: q, ^override: Always}"), GANG_CODE_UNKNOWN_FIELD,
     AT "queue.override", "unknown field \"" AT "queue.override\"", NULL},
    {ONE("type: Volcano, podGroup: ^Auto"), GANG_CODE_MISPLACED_OPTION, AT "podGroup",
     "Forbidden: type Volcano has no such option", NULL},
    {ONE("type: Volcano, apiVersion: ^scheduling.volcano.sh/v2"), GANG_CODE_UNSUPPORTED_VALUE,
     AT "apiVersion",
     "Unsupported value: \"scheduling.volcano.sh/v2\": supported values: "
     "\"scheduling.volcano.sh/v1beta1\"",
     NULL},
    {ONE("type: Workload, apiVersion: ^scheduling.k8s.io/v1"), GANG_CODE_UNSUPPORTED_VALUE,
     AT "apiVersion",
     "Unsupported value: \"scheduling.k8s.io/v1\": supported values: "
     "\"scheduling.k8s.io/v1beta1\", "
     "\"scheduling.k8s.io/v1alpha3\", \"scheduling.k8s.io/v1alpha2\", "
     "\"scheduling.k8s.io/v1alpha1\"",
     NULL},
    {ONE("type: ^kai"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"kai\": " TYPES, DID_YOU_MEAN("KAI")},
    {ONE("type: YuniKorn, apiVersion: ^v1"), GANG_CODE_MISPLACED_OPTION, AT "apiVersion",
     "Forbidden: type YuniKorn has no such option", NULL},
    {ONE("type: ^Slurm"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"Slurm\": " TYPES, NULL},
    {"  defaultBackend: ^kueue\n", GANG_CODE_BACKEND_NOT_ENABLED, "spec.defaultBackend",
     "Unsupported value: \"kueue\": supported values: @schedulers",
     "enable it under spec.backends"},
    {ONE("type: ^Volcan"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"Volcan\": " TYPES, DID_YOU_MEAN("Volcano")},
};

START_TEST(refuses_foreign_options)
{
    check_refused(&refused[_i]);
}
END_TEST

static const struct {
    const char *entry;
    const char *member; /* of the options; NULL: there are none at all */
    const char *value;
} options[] = {
    {"type: KAI", NULL, NULL},
    {"type: KAI, kai: {}", "podGroup", NULL},
    {"type: KAI, kai: {podGroup: Create}", "podGroup", "Create"},
    {"type: KAI, podGroup: Create", "podGroup", "Create"},
    {"type: KAI, podGroup: Create, kai: {layout: Aggregate}", "podGroup", "Create"},
    {"type: KAI, podGroup: Create, kai: {layout: Aggregate}", "layout", "Aggregate"},
    {"type: KAI, podGroup: null, kai: {podGroup: Delegate}", "podGroup", "Delegate"},
    {"type: Workload, workload: {topologyKey: rack}, kai: null", "topologyKey", "rack"},
    {"type: Workload, workload: null", NULL, NULL},
    {"type: Volcano", NULL, NULL},
};

START_TEST(options_of_a_backend)
{
    char spec[256];
    struct gang_policy *policy;
    const struct node *found;

    snprintf(spec, sizeof(spec), "  backends: [{name: a, %s}]\n", options[_i].entry);
    policy = policy_from(spec);
    if (!policy)
        return;
    found = policy->backends[0].options;
    ck_assert_int_eq(found != NULL, options[_i].member != NULL);
    if (options[_i].value)
        ck_slice_eq(node_string(node_member(found, slice_from_text(options[_i].member))),
                    options[_i].value);
    else if (options[_i].member)
        ck_assert_ptr_null(node_member(found, slice_from_text(options[_i].member)));
    unref_policy(policy);
}
END_TEST

START_TEST(an_option_beside_the_block_keeps_its_place)
{
    struct gang_policy *policy = policy_from(
        "  backends:\n  - {name: a, type: KAI, podGroup: Create, kai: {layout: Aggregate}}\n");
    const struct node *found;

    if (!policy)
        return;
    found = node_member(policy->backends[0].options, SLICE("podGroup"));
    ck_assert_uint_eq(found->line, 6);
    ck_assert_uint_eq(found->column, 36);
    ck_assert_uint_eq(node_count(policy->backends[0].options), 2);
    unref_policy(policy);
}
END_TEST

static const char *const accepted_versions[] = {
    "type: Volcano, apiVersion: scheduling.volcano.sh/v1beta1",
    "type: Workload, apiVersion: scheduling.k8s.io/v1alpha2",
    "type: None, schedulerName: mine, apiVersion: null",
};

START_TEST(accepts_the_versions_of_the_type)
{
    char spec[256];

    snprintf(spec, sizeof(spec), "  backends: [{name: a, %s}]\n", accepted_versions[_i]);
    unref_policy(policy_from(spec));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_foreign_options, refused, spec);
    add_rows(cases, options_of_a_backend, options, entry, member, value);
    tcase_add_test(cases, an_option_beside_the_block_keeps_its_place);
    add_items(cases, accepts_the_versions_of_the_type, accepted_versions);
}
