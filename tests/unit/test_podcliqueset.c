/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podcliqueset.h"

#include "unit/grove.h"
#include "unit/suite.h"
#include "unit/typed.h"

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

START_TEST(remarks_stand_where_the_fault_is)
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

START_TEST(podcliques_come_of_cliques)
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

void
add_tests(TCase *cases)
{
    add_rows(cases, remarks_stand_where_the_fault_is, remarks, finding.find, finding.replace);
    tcase_add_test(cases, needs_a_clique);
    tcase_add_test(cases, cliques_are_counted);
    add_rows(cases, podcliques_come_of_cliques, podcliques, podclique);
    tcase_add_test(cases, getters);
}
