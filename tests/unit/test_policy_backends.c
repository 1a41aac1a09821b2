/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_backends.h"

#include "unit/policies.h"

/* A table of backends of the test's own, so that every kind of options is tried whatever backends there are. */
static const char *const group_names[] = {"Auto", "Delegate", "Create", NULL};
static const char *const layout_names[] = {"PerPodGang", "Aggregate", NULL};
static const char *const versions[] = {"scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha2", NULL};
static const struct schema group = {.type = SCHEMA_STRING,
                                    .enumeration = group_names,
                                    .default_text = "\"Auto\"",
                                    .description = "Who makes it."};
static const struct schema layout = {
    .type = SCHEMA_STRING, .enumeration = layout_names, .description = "How."};
static const struct schema key = {.type = SCHEMA_STRING, .description = "A key."};
static const struct schema_field king_fields[] = {{SLICE_INIT("layout"), &layout, false},
                                                  {SLICE_INIT("podGroup"), &group, false}};
static const struct schema king_options = {
    .type = SCHEMA_OBJECT, .fields = king_fields, .num_fields = 2, .description = "Of King."};
static const struct schema_field work_fields[] = {{SLICE_INIT("topologyKey"), &key, false}};
static const struct schema work_options = {
    .type = SCHEMA_OBJECT, .fields = work_fields, .num_fields = 1, .description = "Of Work."};
static const struct backend_identity table[] = {
    {.name = SLICE_INIT("plain"),
     .type = SLICE_INIT("Plain"),
     .api_version = SLICE_INIT("plain.io/v1"),
     .scheduler_name = SLICE_INIT("plain-scheduler")},
    {.name = SLICE_INIT("king"),
     .type = SLICE_INIT("King"),
     .api_version = SLICE_INIT("king.io/v2"),
     .scheduler_name = SLICE_INIT("king-scheduler"),
     .options = &king_options},
    {.name = SLICE_INIT("work"),
     .type = SLICE_INIT("Work"),
     .scheduler_name = SLICE_INIT("default-scheduler"),
     .options = &work_options,
     .api_versions = versions},
};

const struct backend_identity *
backend_identity_at(size_t index)
{
    return index < 3 ? &table[index] : NULL;
}

const struct backend_identity *
backend_identity_of_type(struct slice type)
{
    for (size_t i = 0; i < 3; i++)
        if (slice_equal(table[i].type, type))
            return &table[i];
    return NULL;
}

#define ONE(text) "  backends: [{name: a, " text "}]\n"
#define AT "spec.backends[0]."
#define GROUPS "supported values: \"Auto\", \"Delegate\", \"Create\""

static const struct policy_case refused[] = {
    {ONE("type: King, podGroup: ^auto"), GANG_CODE_UNSUPPORTED_VALUE, AT "podGroup",
     "Unsupported value: \"auto\": " GROUPS, DID_YOU_MEAN("Auto")},
    {ONE("type: King, king: {podGroup: ^Never}"), GANG_CODE_UNSUPPORTED_VALUE, AT "king.podGroup",
     "Unsupported value: \"Never\": " GROUPS, NULL},
    {ONE("type: King, king: {^podgroup: Auto}"), GANG_CODE_UNKNOWN_FIELD, AT "king.podgroup",
     "unknown field \"" AT "king.podgroup\"", DID_YOU_MEAN("podGroup")},
    {ONE("type: King, king: ^Aggregate"), GANG_CODE_WRONG_TYPE, AT "king",
     "Invalid value: \"Aggregate\": must be of type object: \"string\"", NULL},
    {ONE("type: King, ^knig: {}"), GANG_CODE_UNKNOWN_FIELD, AT "knig", "unknown field \"" AT "knig\"",
     DID_YOU_MEAN("king")},
    {ONE("type: King, ^plain: {}"), GANG_CODE_UNKNOWN_FIELD, AT "plain", "unknown field \"" AT "plain\"",
     NULL},
    {ONE("type: King, podGroup: ^Create, king: {podGroup: Auto}"), GANG_CODE_MISPLACED_OPTION, AT "podGroup",
     "Forbidden: king.podGroup says it too", "keep one of the two"},
    {ONE("type: King, work: ^{topologyKey: a}"), GANG_CODE_MISPLACED_OPTION, AT "work",
     "Forbidden: options of type Work; this backend is of type King", NULL},
    {ONE("type: None, schedulerName: x, king: ^{}"), GANG_CODE_MISPLACED_OPTION, AT "king",
     "Forbidden: options of type King; this backend is of type None", NULL},
    {ONE("type: None, apiVersion: ^plain.io/v1"), GANG_CODE_MISPLACED_OPTION, AT "apiVersion",
     "Forbidden: type None has no such option", NULL},
    {ONE("type: None, podGroup: ^Auto"), GANG_CODE_MISPLACED_OPTION, AT "podGroup",
     "Forbidden: type None has no such option", NULL},
    {ONE("type: Plain, podGroup: ^Auto"), GANG_CODE_MISPLACED_OPTION, AT "podGroup",
     "Forbidden: type Plain has no such option", NULL},
    {ONE("type: Plain, apiVersion: ^plain.io/v2"), GANG_CODE_UNSUPPORTED_VALUE, AT "apiVersion",
     "Unsupported value: \"plain.io/v2\": supported values: \"plain.io/v1\"", NULL},
    {ONE("type: Work, apiVersion: ^scheduling.k8s.io/v1"), GANG_CODE_UNSUPPORTED_VALUE, AT "apiVersion",
     "Unsupported value: \"scheduling.k8s.io/v1\": supported values: \"scheduling.k8s.io/v1beta1\", "
     "\"scheduling.k8s.io/v1alpha2\"",
     NULL},
    {ONE("type: ^king"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"king\": supported values: \"Plain\", \"King\", \"Work\", \"None\"",
     DID_YOU_MEAN("King")},
    {ONE("type: ^Slurm"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"Slurm\": supported values: \"Plain\", \"King\", \"Work\", \"None\"", NULL},
    {"  defaultBackend: ^kueue\n", GANG_CODE_BACKEND_NOT_ENABLED, "spec.defaultBackend",
     "Unsupported value: \"kueue\": supported values: \"plain\", \"king\", \"work\"",
     "enable it under spec.backends"},
    {ONE("type: ^Kong"), GANG_CODE_UNSUPPORTED_VALUE, AT "type",
     "Unsupported value: \"Kong\": supported values: \"Plain\", \"King\", \"Work\", \"None\"",
     DID_YOU_MEAN("King")},
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
    {"type: King", NULL, NULL},
    {"type: King, king: {}", "podGroup", NULL},
    {"type: King, king: {podGroup: Create}", "podGroup", "Create"},
    {"type: King, podGroup: Create", "podGroup", "Create"},
    {"type: King, podGroup: Create, king: {layout: Aggregate}", "podGroup", "Create"},
    {"type: King, podGroup: Create, king: {layout: Aggregate}", "layout", "Aggregate"},
    {"type: King, podGroup: null, king: {podGroup: Delegate}", "podGroup", "Delegate"},
    {"type: Work, work: {topologyKey: rack}, king: null", "topologyKey", "rack"},
    {"type: Work, work: null", NULL, NULL},
    {"type: Plain", NULL, NULL},
};

START_TEST(hands_out_the_options)
{
    char spec[256];
    struct gang_policy *policy;
    const struct node *found;

    snprintf(spec, sizeof(spec), "  backends: [{name: a, %s}]\n", options[_i].entry);
    policy = policy_of(spec);
    if (!policy)
        return;
    found = policy->backends[0].options;
    ck_assert_int_eq(found != NULL, options[_i].member != NULL);
    if (options[_i].value)
        ck_slice_eq(node_string(node_member(found, slice_from_text(options[_i].member))), options[_i].value);
    else if (options[_i].member)
        ck_assert_ptr_null(node_member(found, slice_from_text(options[_i].member)));
    gang_policy_unref(policy);
}
END_TEST

START_TEST(an_option_beside_the_block_keeps_its_place)
{
    struct gang_policy *policy =
        policy_of("  backends:\n  - {name: a, type: King, podGroup: Create, king: {layout: Aggregate}}\n");
    const struct node *found;

    if (!policy)
        return;
    found = node_member(policy->backends[0].options, SLICE("podGroup"));
    ck_assert_uint_eq(found->line, 6);
    ck_assert_uint_eq(found->column, 37);
    ck_assert_uint_eq(node_count(policy->backends[0].options), 2);
    gang_policy_unref(policy);
}
END_TEST

static const char *const accepted_versions[] = {
    "type: Plain, apiVersion: plain.io/v1",
    "type: Work, apiVersion: scheduling.k8s.io/v1alpha2",
    "type: None, schedulerName: mine, apiVersion: null",
};

START_TEST(takes_the_versions_of_the_type)
{
    char spec[256];

    snprintf(spec, sizeof(spec), "  backends: [{name: a, %s}]\n", accepted_versions[_i]);
    gang_policy_unref(policy_of(spec));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_foreign_options, refused, spec);
    add_rows(cases, hands_out_the_options, options, entry, member, value);
    tcase_add_test(cases, an_option_beside_the_block_keeps_its_place);
    add_items(cases, takes_the_versions_of_the_type, accepted_versions);
}
