/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/suite.h"
#include "unit/grove.h"
#include "unit/typed.h"
#include "unit/departure.h"
#include "unit/grove_resolutions.h"

/* ---- podcliqueset ---- */

static const struct {
    struct document_case finding;
    enum gang_severity severity;
} remarks[] = {
    {{"grove.io/v1alpha1", "grove.io/v1", GANG_CODE_WRONG_DOCUMENT, "apiVersion", 1, 13},
     GANG_SEVERITY_ERROR},
    {{"kind: PodCliqueSet", "kind: PodGangSet", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
     GANG_SEVERITY_ERROR},
    {{"  name: job\n", "  name: -job\n", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
     GANG_SEVERITY_ERROR},
    {{"  name: job\n", "", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3}, GANG_SEVERITY_ERROR},
    {{"    cliques:\n", "    cliques: {}\n    others:\n", GANG_CODE_WRONG_TYPE,
      "spec.template.cliques", 10, 14},
     GANG_SEVERITY_ERROR},
    {{"    - name: router\n      spec:", "    - name: router\n      labels: {a: b c}\n      spec:",
      GANG_CODE_INVALID_LABEL_VALUE, "spec.template.cliques[0].labels[a]", 12, 19},
     GANG_SEVERITY_ERROR},
    {{"        roleName: router\n", "", GANG_CODE_REQUIRED_FIELD,
      "spec.template.cliques[0].spec.roleName", 13, 9},
     GANG_SEVERITY_ERROR},
    {{"    - name: decode\n", "    - name: router\n", GANG_CODE_DUPLICATE_ITEM,
      "spec.template.cliques[1].name", 20, 13},
     GANG_SEVERITY_ERROR},
    {{"replicas: 3", "replicas: -3", GANG_CODE_VALUE_OUT_OF_RANGE,
      "spec.template.cliques[0].spec.replicas", 14, 19},
     GANG_SEVERITY_ERROR},
    {{"requests: {cpu: 500m}", "requests: {cpu: -1}", GANG_CODE_QUANTITY_NEGATIVE,
      "spec.template.cliques[0].spec.podSpec.containers[0].resources.requests[cpu]", 19, 31},
     GANG_SEVERITY_ERROR},
    {{"requests: {cpu: 500m}",
      "requests: {cpu: 9223372036854775807}\n          - {name: b, resources: "
      "{requests: {cpu: 9223372036854775807}}}",
      GANG_CODE_QUANTITY_OVERFLOW, "spec.template.cliques[0].spec.podSpec", 16, 11},
     GANG_SEVERITY_ERROR},
    {{"        podSpec:\n", "        podSpec:\n          schedulerName: 1\n", GANG_CODE_WRONG_TYPE,
      "spec.template.cliques[0].spec.podSpec.schedulerName", 16, 26},
     GANG_SEVERITY_ERROR},
    {{"[decode]\n      replicas: 2\n", "[decode]\n      replica: 2\n", GANG_CODE_UNKNOWN_FIELD,
      "spec.template.podCliqueScalingGroups[0].replica", 33, 7},
     GANG_SEVERITY_WARNING},
    {{"  template:\n", "  template:\n    cliqueStartupType: InOrder\n", GANG_CODE_UNSUPPORTED_VALUE,
      "spec.template.cliqueStartupType", 10, 24},
     GANG_SEVERITY_ERROR},
};

START_TEST(findings_are_at_the_invalid_field)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_podcliqueset, remarks[_i].finding.find, remarks[_i].finding.replace);
    check_wanted(run_grove((struct grove_texts){.podgang = good_podgang, .podcliqueset = text}),
                 &remarks[_i].finding, remarks[_i].severity);
}
END_TEST

/* Grove's own webhook indexes into the empty list and panics. */
START_TEST(needs_a_clique)
{
    static const char text[] =
        "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"PodCliqueSet\","
        "\"metadata\":{\"name\":\"job\"},\"spec\":{\"template\":{\"cliques\":[]}}}";
    static const struct document_case wanted = {
        .code = GANG_CODE_TOO_FEW_ITEMS, .path = "spec.template.cliques", .line = 1, .column = 113};

    check_wanted(run_grove((struct grove_texts){.podcliqueset = text}), &wanted,
                 GANG_SEVERITY_ERROR);
}
END_TEST

/* At most as many cliques as roles. */
START_TEST(cliques_are_counted)
{
    static char text[DOCUMENT_SIZE];
    size_t len = (size_t)snprintf(
        text, sizeof(text),
        "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{"
        "\"name\":\"job\"},\"spec\":{\"template\":{\"cliques\":[");
    struct run run;

    for (int i = 0; i < 65; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "%s{\"name\":\"c%d\",\"spec\":{\"roleName\":\"r\",\"podSpec\":{}}}",
                                i ? "," : "", i);
    snprintf(text + len, sizeof(text) - len, "]}}}");
    run = run_grove((struct grove_texts){.podcliqueset = text});
    ck_assert_int_lt(run.result, 0);
    ck_assert_str_eq(message_of(&run, GANG_CODE_LIMIT_ROLES),
                     "Too many: 65: must have at most 64 items");
    end_run(&run);
}
END_TEST

/* Which clique a PodClique was made of: operator/api/common/namegen.go. */
static const struct {
    const char *podclique;
    const char *clique; /* NULL: none */
} podcliques[] = {
    {"job-0-router", "router"},
    {"job-17-router", "router"},
    {"job-0-sg-0-decode", "decode"},
    {"job-3-sg-12-decode", "decode"},
    {"job-0-sg-0-router", "router"}, /* cliqueNames are Grove's to check */
    {"job-0-decode", "decode"},
    {"job-0-sg-0-", NULL},
    {"job-0-sg-decode", NULL},
    {"job-x-router", NULL},
    {"job--router", NULL},
    {"job-0", NULL},
    {"job-0-", NULL},
    {"job", NULL},
    {"jobs-0-router", NULL},
    {"job-0-routers", NULL},
    {"other-0-router", NULL},
    {"", NULL},
};

START_TEST(podclique_counts)
{
    struct gang_podcliqueset *set = NULL;
    const struct podclique_template *clique;

    NEEDS_YAML();
    ck_assert_int_eq(
        parse_podcliqueset(NULL, good_podcliqueset, strlen(good_podcliqueset), 0, &set, NULL),
        GANG_OK);
    clique = podcliqueset_find_clique(set, slice_from_text(podcliques[_i].podclique));
    if (podcliques[_i].clique)
        ck_slice_eq(clique->name, podcliques[_i].clique);
    else
        ck_assert_ptr_null(clique);
    unref_podcliqueset(set);
}
END_TEST

START_TEST(getters)
{
    struct gang_podcliqueset *set = NULL;

    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_namespace(document_of(NULL)));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    ck_assert_ptr_null(ref_podcliqueset(NULL));
    unref_podcliqueset(NULL);
    ck_assert_int_eq(parse_podcliqueset(NULL, NULL, 0, 0, NULL, NULL), GANG_ERROR_INVALID_ARGUMENT);
    NEEDS_YAML();
    ck_assert_int_eq(
        parse_podcliqueset(NULL, good_podcliqueset, strlen(good_podcliqueset), 0, &set, NULL),
        GANG_OK);
    ck_assert_str_eq(gang_document_get_name(document_of(set)), "job");
    ck_assert_str_eq(gang_document_get_namespace(document_of(set)), "ml");
    unref_podcliqueset(ref_podcliqueset(set));
    unref_podcliqueset(set);
}
END_TEST

/* ---- podcliqueset schema ---- */

#define SET(pods)                                                                                  \
    "{\"apiVersion\":\"grove.io/"                                                                  \
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"x\":null},\"spec\":{\"template\":" pods  \
    "}}"
#define CLIQUES(rest)                                                                              \
    SET("{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":\"a\",\"podSpec\":{}}}]" rest "}")
#define CLIQUE(spec) SET("{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":\"a\"," spec "}}]}")

static const struct departure sets[] = {
    {CLIQUES(""), 0, NULL, NULL, NULL},
    {CLIQUES(",\"podCliqueScalingGroups\":[{\"name\":\"g\",\"cliqueNames\":[\"a\"],\"replicas\":2,"
             "\"minAvailable\":1,"
             "\"scaleConfig\":{\"maxReplicas\":4},\"annotations\":{\"a\":\"b\"}}]"),
     0, NULL, NULL, NULL},
    {CLIQUES(",\"cliqueStartupType\":\"CliqueStartupTypeInOrder\",\"terminationDelay\":\"4h\","
             "\"priorityClassName\":\"p\""),
     0, NULL, NULL, NULL},
    {CLIQUES(",\"topologyConstraint\":{\"topologyName\":\"t\",\"pack\":{\"required\":\"zone\"}}"),
     0, NULL, NULL, NULL},
    {CLIQUE("\"podSpec\":{\"containers\":[],\"schedulerName\":\"x\",\"anything\":{\"else\":1}}"), 0,
     NULL, NULL, NULL},
    {CLIQUE("\"podSpec\":{},\"replicas\":0,\"minAvailable\":1,\"startsAfter\":[\"b\"],"
            "\"autoScalingConfig\":{}"),
     0, NULL, NULL, NULL},
    {SET("{}"), GANG_CODE_REQUIRED_FIELD, "spec.template.cliques", "Required value", NULL},
    {CLIQUE("\"replicas\":1"), GANG_CODE_REQUIRED_FIELD, "spec.template.cliques[0].spec.podSpec",
     "Required value", NULL},
    {CLIQUE("\"podSpec\":{\"priorityClassName\":1}"), GANG_CODE_WRONG_TYPE,
     "spec.template.cliques[0].spec.podSpec.priorityClassName",
     "Invalid value: 1: must be of type string: \"integer\"", QUOTE_IT},
    {CLIQUE("\"podSpec\":{},\"replicas\":2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.template.cliques[0].spec.replicas",
     "Invalid value: 2147483648: must be between 0 and 2147483647", NULL},
    {CLIQUE("\"podSpec\":{},\"minReplicas\":1"), GANG_CODE_UNKNOWN_FIELD,
     "spec.template.cliques[0].spec.minReplicas",
     "unknown field \"spec.template.cliques[0].spec.minReplicas\"", "did you mean \"replicas\"?"},
    {CLIQUES(",\"podCliqueScalingGroups\":[{\"name\":\"g\"}]"), GANG_CODE_REQUIRED_FIELD,
     "spec.template.podCliqueScalingGroups[0].cliqueNames", "Required value", NULL},
    {CLIQUES(",\"topologyConstraint\":{\"pack\":{\"required\":\"\"}}"), GANG_CODE_REQUIRED_FIELD,
     "spec.template.topologyConstraint.pack.required",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {CLIQUES(",\"cliqueStartupType\":\"InOrder\""), GANG_CODE_UNSUPPORTED_VALUE,
     "spec.template.cliqueStartupType",
     "Unsupported value: \"InOrder\": supported values: \"CliqueStartupTypeAnyOrder\", "
     "\"CliqueStartupTypeInOrder\", "
     "\"CliqueStartupTypeExplicit\"",
     NULL},
};

START_TEST(schema_of_podcliquesets)
{
    check_departure(&podcliqueset_schema, &sets[_i]);
}
END_TEST

/* ---- clique requests ---- */

/*
 * What one pod of each clique requests: `router` states 500m cpu, `decode` has a limit of 4 GPUs.
 * Defaults of a LimitRange and overhead:
 * kubernetes/kubernetes:plugin/pkg/admission/{limitranger,runtimeclass}/admission.go.
 */
#define RANGE(namespace_, limits)                                                                  \
    "'limitRanges':[{'namespace':'" namespace_                                                     \
    "','name':'l','limits':[{'type':'Container'," limits "}]}]"
#define KATA "'runtimeClasses':[{'name':'kata','overhead':{'cpu':'250m'}}]"
#define BOXED "router='runtimeClassName':'kata',"

static const struct {
    struct resolution row;
    const char *router, *decode;
} requests[] = {
    {{NULL, "", NULL, GANG_OUTCOME_GANG, "", ""}, "cpu=500m", "nvidia.com/gpu=4"},
    {{NULL, "", "'limitRanges':[]", GANG_OUTCOME_GANG, "", ""}, "cpu=500m", "nvidia.com/gpu=4"},
    {{NULL, "", RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m memory=1Gi",
     "memory=1Gi nvidia.com/gpu=4"},
    {{NULL, "", RANGE("ml", "'defaultRequest':{'cpu':'1'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "cpu=1 nvidia.com/gpu=4"},
    {{NULL, "", RANGE("other", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    {{NULL, BOXED, KATA, GANG_OUTCOME_GANG, "", ""}, "cpu=750m", "nvidia.com/gpu=4"},
    {{NULL, BOXED, "'kubernetesVersion':'1.36'", GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    /* what the API server would refuse */
    {{NULL, BOXED, "'runtimeClasses':[]", GANG_OUTCOME_INVALID, "UnknownRuntimeClass", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    {{NULL, "",
      RANGE("ml", "'max':{'cpu':'400m'},'default':{'cpu':'300m'},'defaultRequest':{'cpu':'300m'}"),
      GANG_OUTCOME_INVALID, "LimitRangeViolated LimitMismatch", ""},
     "cpu=500m",
     "cpu=300m nvidia.com/gpu=4"},
    {{NULL, "router='initContainers':[{'name':'i','resources':{'requests':{'rdma/hca':'1'}}}],",
      NULL, GANG_OUTCOME_GANG, "LimitMismatch", ""},
     "cpu=500m rdma/hca=1",
     "nvidia.com/gpu=4"},
    /* only the requests, without what the API server adds */
    {{"'rules':[{'name':'r','match':{},'resources':'RequestsOnly'}]", "", NULL, GANG_OUTCOME_GANG,
      "LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'rules':[{'name':'r','match':{},'resources':'RequestsOnly'}]", "",
      RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'defaults':{'resources':'RequestsOnly'}",
      "router='initContainers':[{'name':'i','resources':{'limits':{'cpu':'2'}}}],", NULL,
      GANG_OUTCOME_GANG, "LimitsNotCounted LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'defaults':{'resources':'RequestsOnly'}", "documents=podgang", NULL, GANG_OUTCOME_GANG, "",
      ""},
     "",
     ""},
    /* a rule asks what the pods will request */
    {{"'rules':[{'name':'r','match':{'resources':['memory']},'action':'Deny'}]", "",
      RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_DENIED, "RuleDenies", ""},
     "cpu=500m memory=1Gi",
     "memory=1Gi nvidia.com/gpu=4"},
};

static void
check_requests(const struct role *role, const char *expected)
{
    struct arena *arena = arena_new(0);
    char amount[QUANTITY_TEXT_SIZE];
    const char *text = "";

    for (size_t i = 0; i < role->requests.count; i++)
        text = arena_format(arena, "%s%s%.*s=%.*s", text, i ? " " : "",
                            SLICE_ARG(role->requests.items[i].name),
                            SLICE_ARG(quantity_print(&role->requests.items[i].quantity, amount)));
    ck_assert_str_eq(text, expected);
    arena_free(arena);
}

START_TEST(what_a_pod_requests)
{
    struct run run = run_grove_resolution(&requests[_i].row);

    check_outcome_of(&run, &requests[_i].row);
    ck_assert_uint_eq(run.decision->gang.num_roles, 2);
    check_requests(&run.decision->gang.roles[0], requests[_i].router);
    check_requests(&run.decision->gang.roles[1], requests[_i].decode);
    end_run(&run);
}
END_TEST

/* Each clique is spoken of once, however many podgroups are made of it. */
START_TEST(a_clique_is_reported_once)
{
    const struct resolution row = {
        NULL, "", RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""};
    struct run run = run_grove_resolution(&row);
    size_t notes = 0;

    for (size_t i = 0; i < run_num_findings(&run); i++)
        notes += gang_diagnostic_get_code(run_finding(&run, i)) == GANG_CODE_DEFAULT_APPLIED &&
                 gang_diagnostic_get_document(run_finding(&run, i)) == GANG_DOCUMENT_PODCLIQUESET;
    ck_assert_uint_eq(notes, 2);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, findings_are_at_the_invalid_field, remarks, finding.find, finding.replace);
    tcase_add_test(cases, needs_a_clique);
    tcase_add_test(cases, cliques_are_counted);
    add_rows(cases, podclique_counts, podcliques, podclique);
    tcase_add_test(cases, getters);
    add_rows(cases, schema_of_podcliquesets, sets, document);
    add_rows(cases, what_a_pod_requests, requests, row.policy, row.job, row.cluster);
    tcase_add_test(cases, a_clique_is_reported_once);
}
