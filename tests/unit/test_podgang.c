/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/suite.h"
#include "unit/grove.h"
#include "unit/typed.h"
#include "unit/departure.h"
#include "unit/tree.h"

/* ---- podgang ---- */

/* An error, a warning or an info at one place of the good PodGang. */
static const struct {
    struct document_case finding;
    enum gang_severity severity;
} remarks[] = {
    {{"scheduler.grove.io/v1alpha1", "scheduling.grove.io/v1alpha1", GANG_CODE_WRONG_DOCUMENT,
      "apiVersion", 1, 13},
     GANG_SEVERITY_ERROR},
    {{"kind: PodGang", "kind: PodClique", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
     GANG_SEVERITY_ERROR},
    {{"  name: job-0\n", "  name: Job-0\n", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
     GANG_SEVERITY_ERROR},
    {{"  name: job-0\n", "  generateName: job-\n", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
     GANG_SEVERITY_ERROR},
    {{"grove.io/scheduler-name: volcano", "grove.io/scheduler-name: \"volcano \"",
      GANG_CODE_INVALID_LABEL_VALUE, "metadata.labels[grove.io/scheduler-name]", 8, 30},
     GANG_SEVERITY_ERROR},
    {{"minReplicas: 1", "minReplicas: -1", GANG_CODE_VALUE_OUT_OF_RANGE,
      "spec.podgroups[0].minReplicas", 20, 18},
     GANG_SEVERITY_ERROR},
    {{"minReplicas: 1", "minReplicas: \"1\"", GANG_CODE_WRONG_TYPE, "spec.podgroups[0].minReplicas",
      20, 18},
     GANG_SEVERITY_ERROR},
    {{"minReplicas: 1", "minReplicas: 2147483648", GANG_CODE_VALUE_OUT_OF_RANGE,
      "spec.podgroups[0].minReplicas", 20, 18},
     GANG_SEVERITY_ERROR},
    {{"    minReplicas: 1\n", "", GANG_CODE_REQUIRED_FIELD, "spec.podgroups[0].minReplicas", 19, 5},
     GANG_SEVERITY_ERROR},
    {{"    podReferences: []\n", "", GANG_CODE_REQUIRED_FIELD, "spec.podgroups[0].podReferences",
      19, 5},
     GANG_SEVERITY_ERROR},
    {{"  - name: job-0-router\n    min", "  - min", GANG_CODE_REQUIRED_FIELD,
      "spec.podgroups[0].name", 19, 5},
     GANG_SEVERITY_ERROR},
    {{"podReferences: []", "podReferences: [{name: p}]", GANG_CODE_REQUIRED_FIELD,
      "spec.podgroups[0].podReferences[0].namespace", 21, 21},
     GANG_SEVERITY_ERROR},
    {{"  podgroups:\n", "  podGroups:\n", GANG_CODE_REQUIRED_FIELD, "spec.podgroups", 17, 3},
     GANG_SEVERITY_ERROR},
    {{"  podgroups:\n", "  podGroups:\n", GANG_CODE_UNKNOWN_FIELD, "spec.podGroups", 18, 3},
     GANG_SEVERITY_WARNING},
    {{"podGroupNames: [job-0-sg-0-decode]", "podGroupNames: job-0-sg-0-decode",
      GANG_CODE_WRONG_TYPE, "spec.topologyConstraintGroupConfigs[0].podGroupNames", 27, 20},
     GANG_SEVERITY_ERROR},
    {{"  priorityClassName: high", "  priorityClassName: 7", GANG_CODE_WRONG_TYPE,
      "spec.priorityClassName", 17, 22},
     GANG_SEVERITY_ERROR},
    {{"  priorityClassName: high", "  topologyConstraint: {packConstraint: {require: zone}}",
      GANG_CODE_UNKNOWN_FIELD, "spec.topologyConstraint.packConstraint.require", 17, 41},
     GANG_SEVERITY_WARNING},
};

START_TEST(findings_are_at_the_invalid_field)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, remarks[_i].finding.find, remarks[_i].finding.replace);
    run = run_grove((struct grove_texts){.podgang = text, .podcliqueset = good_podcliqueset});
    check_wanted(run, &remarks[_i].finding, remarks[_i].severity);
}
END_TEST

/* GetControllerOf: the first owner with controller: true, of any kind. */
static const struct {
    const char *references;
    const char *kind;
    const char *name;
    const char *set; /* what the getter answers */
} controllers[] = {
    {"[]", NULL, NULL, NULL},
    {"[{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, name: a, uid: u}]", NULL, NULL, NULL},
    {"[{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, name: a, uid: u, controller: false}]",
     NULL, NULL, NULL},
    {"[{apiVersion: v1, kind: ConfigMap, name: a, uid: u}, "
     "{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, name: b, uid: v, controller: true}]",
     "PodCliqueSet", "b", "b"},
    {"[{apiVersion: v1, kind: ConfigMap, name: a, uid: u, controller: true}]", "ConfigMap", "a",
     NULL},
};

START_TEST(first_controller_reference_is_the_controller)
{
    static const char head[] = "apiVersion: scheduler.grove.io/v1alpha1\nkind: PodGang\n"
                               "metadata: {name: g, ownerReferences: %s}\nspec: {podgroups: []}\n";
    char text[DOCUMENT_SIZE];
    struct gang_podgang *podgang = NULL;

    NEEDS_YAML();
    snprintf(text, sizeof(text), head, controllers[_i].references);
    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    if (controllers[_i].kind) {
        ck_slice_eq(podgang->controller.kind, controllers[_i].kind);
        ck_slice_eq(podgang->controller.name, controllers[_i].name);
    } else {
        ck_assert_ptr_null(podgang->controller.source);
    }
    ck_assert_pstr_eq(gang_document_get_reference(document_of(podgang), GANG_KIND_PODCLIQUESET),
                      controllers[_i].set);
    unref_podgang(podgang);
}
END_TEST

/* As many podgroups as roles are allowed, and one more. */
static const struct {
    size_t podgroups, configs;
    enum gang_code code; /* 0: accepted */
} amounts[] = {
    {64, 0, 0},
    {65, 0, GANG_CODE_LIMIT_ROLES},
    {1, 64, 0},
    {1, 65, GANG_CODE_LIMIT_ROLES},
};

static struct run
run_amount(size_t podgroups, size_t configs)
{
    static char text[DOCUMENT_SIZE];
    size_t len =
        (size_t)snprintf(text, sizeof(text),
                         "{\"apiVersion\":\"scheduler.grove.io/v1alpha1\",\"kind\":\"PodGang\","
                         "\"metadata\":{\"name\":\"g\"},\"spec\":{\"podgroups\":[");

    for (size_t i = 0; i < podgroups; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "%s{\"name\":\"p%zu\",\"minReplicas\":1,\"podReferences\":[]}",
                                i ? "," : "", i);
    len +=
        (size_t)snprintf(text + len, sizeof(text) - len, "],\"topologyConstraintGroupConfigs\":[");
    for (size_t i = 0; i < configs; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "%s{\"name\":\"c%zu\",\"podGroupNames\":[]}", i ? "," : "", i);
    snprintf(text + len, sizeof(text) - len, "]}}");
    return run_grove((struct grove_texts){.podgang = text});
}

START_TEST(podgroups_are_counted)
{
    struct run run = run_amount(amounts[_i].podgroups, amounts[_i].configs);

    ck_assert_int_eq(run.result < 0, amounts[_i].code != 0);
    if (amounts[_i].code)
        ck_assert_ptr_nonnull(message_of(&run, amounts[_i].code));
    end_run(&run);
}
END_TEST

START_TEST(getters)
{
    struct gang_podgang *podgang = NULL;

    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_namespace(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_reference(document_of(NULL), GANG_KIND_PODCLIQUESET));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    ck_assert_ptr_null(ref_podgang(NULL));
    unref_podgang(NULL);
    ck_assert_int_eq(parse_podgang(NULL, NULL, 0, 0, NULL, NULL), GANG_ERROR_INVALID_ARGUMENT);
    NEEDS_YAML();
    ck_assert_int_eq(parse_podgang(NULL, good_podgang, strlen(good_podgang), 0, &podgang, NULL),
                     GANG_OK);
    ck_assert_str_eq(gang_document_get_name(document_of(podgang)), "job-0");
    ck_assert_str_eq(gang_document_get_namespace(document_of(podgang)), "ml");
    ck_assert_str_eq(gang_document_get_reference(document_of(podgang), GANG_KIND_PODCLIQUESET),
                     "job");
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(podgang)), 0);
    unref_podgang(ref_podgang(podgang));
    unref_podgang(podgang);
}
END_TEST

/* ---- podgang schema ---- */

#define PODGANG(spec)                                                                              \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"x\":null},\"spec\":" spec "}"
#define PODGROUP(rest)                                                                             \
    PODGANG("{\"podgroups\":[{\"name\":\"a\",\"minReplicas\":0,\"podReferences\":[]" rest "}]}")

static const struct departure podgangs[] = {
    {PODGANG("{\"podgroups\":[]}"), 0, NULL, NULL, NULL},
    {PODGROUP(""), 0, NULL, NULL, NULL},
    {PODGROUP(
         ",\"topologyConstraint\":{\"packConstraint\":{\"required\":\"a\",\"preferred\":\"b\"}}"),
     0, NULL, NULL, NULL},
    {PODGROUP(",\"topologyConstraint\":{}"), 0, NULL, NULL, NULL},
    {PODGANG("{\"podgroups\":[],\"reuseReservationRef\":{\"name\":\"a\",\"namespace\":\"b\"}}"), 0,
     NULL, NULL, NULL},
    {PODGANG("{\"podgroups\":[],\"topologyConstraintGroupConfigs\":[{\"name\":\"a\","
             "\"podGroupNames\":[\"b\"]"
             "}]}"),
     0, NULL, NULL, NULL},
    {PODGANG("{}"), GANG_CODE_REQUIRED_FIELD, "spec.podgroups", "Required value", NULL},
    {PODGANG("{\"podgroups\":{}}"), GANG_CODE_WRONG_TYPE, "spec.podgroups",
     "Invalid value: {...}: must be of type array: \"object\"", "write a list"},
    {PODGANG("{\"podgroups\":[],\"minMember\":3}"), GANG_CODE_UNKNOWN_FIELD, "spec.minMember",
     "unknown field \"spec.minMember\"", NULL},
    {PODGROUP(",\"minReplica\":1"), GANG_CODE_UNKNOWN_FIELD, "spec.podgroups[0].minReplica",
     "unknown field \"spec.podgroups[0].minReplica\"", "did you mean \"minReplicas\"?"},
    {PODGANG("{\"podgroups\":[],\"topologyConstraintGroupConfigs\":[{\"name\":\"a\"}]}"),
     GANG_CODE_REQUIRED_FIELD, "spec.topologyConstraintGroupConfigs[0].podGroupNames",
     "Required value", NULL},
    {PODGANG("{\"podgroups\":[],\"reuseReservationRef\":{\"name\":\"a\"}}"),
     GANG_CODE_REQUIRED_FIELD, "spec.reuseReservationRef.namespace", "Required value", NULL},
};

START_TEST(schema_of_podgangs)
{
    check_departure(&podgang_schema, &podgangs[_i]);
}
END_TEST

/* ---- placement ---- */

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend.go: a constraint without packConstraint
 * is none. */
static const struct {
    const char *parent;
    bool is_set;
    const char *required;
    const char *preferred;
} placements[] = {
    {"{}", false, NULL, NULL},
    {"{\"topologyConstraint\":null}", false, NULL, NULL},
    {"{\"topologyConstraint\":{}}", false, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":null}}", false, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{}}}", true, NULL, NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"zone\"}}}", true, "zone", NULL},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"preferred\":\"rack\"}}}", true, NULL, "rack"},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"\",\"preferred\":\"rack\"}}}",
     true, NULL, "rack"},
    {"{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"zone\",\"preferred\":\"rack\"}}}",
     true, "zone", "rack"},
};

static void
check_level(struct slice level, const char *expected)
{
    ck_assert_int_eq(slice_is_set(level), expected != NULL);
    if (expected)
        ck_slice_eq(level, expected);
}

START_TEST(pack_constraint_is_the_placement)
{
    struct arena *arena = arena_new(0);
    struct gang_placement placement =
        grove_placement_of(tree_of(arena, placements[_i].parent), SLICE("topo"));

    ck_assert_int_eq(placement.is_set, placements[_i].is_set);
    check_level(placement.required, placements[_i].required);
    check_level(placement.preferred, placements[_i].preferred);
    check_level(placement.topology, placements[_i].is_set ? "topo" : NULL);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, findings_are_at_the_invalid_field, remarks, finding.find, finding.replace);
    add_rows(cases, first_controller_reference_is_the_controller, controllers, references, kind,
             name);
    add_rows(cases, podgroups_are_counted, amounts, podgroups);
    tcase_add_test(cases, getters);
    add_rows(cases, schema_of_podgangs, podgangs, document);
    add_rows(cases, pack_constraint_is_the_placement, placements, parent);
}
