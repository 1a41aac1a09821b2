/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_podgang.h"

#include "unit/grove_documents.h"
#include "unit/tree.h"

#define PODGROUP(name, minimum, rest)                                                                        \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []" rest "}"
#define PACK(level, domain) ", 'topologyConstraint': {'packConstraint': {'" level "': '" domain "'}}"
#define KAI(more)                                                                                            \
    ", 'labels': {'grove.io/scheduler-name': 'kai-scheduler', 'kai.scheduler/queue': 'legacy-queue'}" more   \
        OWNED_BY_JOB
#define TOPOLOGY ", 'annotations': {'grove.io/topology-name': 'cluster-topology'}"

static const char team_a[] =
    SET_TEXT(", 'labels': {'kai.scheduler/queue': 'team-a'}", "'cliques': [" CLIQUE_TEXT("encoder", "") "]");

#define MANIFEST(annotations, spec)                                                                          \
    "{'apiVersion':'scheduling.run.ai/"                                                                      \
    "v2alpha2','kind':'PodGroup','metadata':{'name':'job-0','namespace':'ml',"                               \
    "'labels':{'grove.io/scheduler-name':'kai-scheduler','kai.scheduler/"                                    \
    "queue':'legacy-queue'},'annotations':{" annotations                                                     \
    "'kai.scheduler/skip-podgrouper':'true'}},'spec':{" spec "}}\n"

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go@fcc3b3bb, by name. */
static const struct {
    const char *name;
    const char *podgang;
    const char *expected;
} renderings[] = {
    {"CreateAndUpdate",
     PODGANG_TEXT(
         KAI(TOPOLOGY),
         "'priorityClassName': 'high-priority'" PACK("required", "zone") ", 'podgroups': [" PODGROUP(
             "encoder", "2",
             PACK("required", "host")) ", " PODGROUP("decoder", "3",
                                                     "") "], 'topologyConstraintGroupConfigs': [{'name': "
                                                         "'decoder-group', 'podGroupNames': "
                                                         "['decoder']" PACK("preferred", "rack") "}]"),
     MANIFEST(
         "'grove.io/topology-name':'cluster-topology',",
         "'minMember':5,'queue':'team-a','priorityClassName':'high-priority',"
         "'topologyConstraint':{'topology':'cluster-topology','requiredTopologyLevel':'zone'},'subGroups':["
         "{'name':'decoder-group','minSubGroup':1,'topologyConstraint':{'topology':'cluster-topology',"
         "'preferredTopologyLevel':'rack'}},"
         "{'name':'encoder','minMember':2,'topologyConstraint':{'topology':'cluster-topology',"
         "'requiredTopologyLevel':'host'}},{'name':'decoder','parent':'decoder-group','minMember':3}]")},
    {"SkipsEmptyTopologyConstraintGroups",
     PODGANG_TEXT(KAI(""),
                  "'podgroups': [" PODGROUP(
                      "worker", "1", "") "], 'topologyConstraintGroupConfigs': [{'name': "
                                         "'empty-group', 'podGroupNames': []" PACK("required", "host") "}]"),
     MANIFEST("", "'minMember':1,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'worker','"
                  "minMember':1}]")},
    {"a minimum of 0 is kept",
     PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "0", "") ", " PODGROUP("b", "1", "") "]"),
     MANIFEST(
         "", "'minMember':1,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'a','minMember':0},"
             "{'name':'b','minMember':1}]")},
};

static struct gang_plan *
plan_of_podgang(const char *podgang)
{
    struct grove_documents documents = grove_documents(podgang, team_a);
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;

    ck_assert_int_eq(
        gang_resolve_podgang(NULL, documents.podgang, documents.podcliqueset, NULL, NULL, 0, &decision, NULL),
        GANG_OK);
    ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
    gang_decision_unref(decision);
    grove_documents_free(&documents);
    return plan;
}

START_TEST(pod_group_of_a_podgang)
{
    struct gang_plan *plan = plan_of_podgang(renderings[_i].podgang);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    struct arena *arena = arena_new(0);
    char expected[DOCUMENT_SIZE];

    /* the order of a spec's members is KAI's table's, so trees are compared */
    ck_assert_msg(node_equal(tree_of(arena, gang_blob_get_data(blob, NULL)),
                             tree_of(arena, spell(expected, renderings[_i].expected))),
                  "%s", gang_blob_get_data(blob, NULL));
    arena_free(arena);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

/* PreparePod. */
START_TEST(pods_are_marked)
{
    struct gang_plan *plan = plan_of_podgang(renderings[0].podgang);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    char expected[DOCUMENT_SIZE];

    spell(expected,
          "'patches':[{'role':'encoder','metadata':{'labels':{'kai.scheduler/subgroup-name':'encoder'},"
          "'annotations':{'kai.scheduler/skip-podgrouper':'true','pod-group-name':'job-0'}},'spec':{"
          "'schedulerName':'kai-scheduler'}},{'role':'decoder','metadata':{'labels':{"
          "'kai.scheduler/subgroup-name':'decoder'},'annotations':{'kai.scheduler/skip-podgrouper':'true',"
          "'pod-group-name':'job-0'}},'spec':{'schedulerName':'kai-scheduler'}}]");
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), expected));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

/* What is refused or said, by the release of KAI. */
static const struct {
    const char *podgang;
    const char *release; /* NULL: no cluster; "": a cluster that does not state it */
    enum gang_code code;
    enum gang_severity severity;
    const char *message;
} findings[] = {
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), NULL, GANG_CODE_KAI_RELEASE_ASSUMED,
     GANG_SEVERITY_INFO, "the release of KAI is not known; the newest known here, v0.17.0, is assumed"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), "", GANG_CODE_KAI_RELEASE_ASSUMED,
     GANG_SEVERITY_INFO, "the release of KAI is not known; the newest known here, v0.17.0, is assumed"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), "v0.14.7",
     GANG_CODE_KAI_CREATE_UNSUPPORTED, GANG_SEVERITY_ERROR,
     "KAI v0.14.7 takes pods into PodGroups of its own"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", PACK("required", "host")) "]"), "v0.15.0",
     GANG_CODE_TOPOLOGY_NAME_MISSING, GANG_SEVERITY_ERROR,
     "topology name cannot be empty when topology constraints are defined"},
    {PODGANG_TEXT(KAI(""), "'podgroups': []" PACK("required", "host")), "v0.15.0",
     GANG_CODE_TOPOLOGY_NAME_MISSING, GANG_SEVERITY_ERROR,
     "topology name cannot be empty when topology constraints are defined"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "0", "") "]"), "v0.17.0",
     GANG_CODE_KAI_GROUP_REFUSED, GANG_SEVERITY_ERROR,
     "spec.minMember: Invalid value: 0: must be greater than or equal to 1 before KAI v0.17.1"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("job.v1-0-a", "1", "") "]"), "v0.17.0",
     GANG_CODE_INVALID_NAME, GANG_SEVERITY_ERROR, NULL},
};

static const struct gang_diagnostic *
finding_of(const struct gang_decision *decision, enum gang_code code)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(decision, i)) == (int)code)
            return gang_decision_get_diagnostic(decision, i);
    return NULL;
}

START_TEST(says_what_kai_would_not_take)
{
    struct grove_documents documents = grove_documents(findings[_i].podgang, team_a);
    struct gang_cluster *cluster = NULL;
    struct gang_decision *decision = NULL;
    const struct gang_diagnostic *found;
    char text[DOCUMENT_SIZE];
    bool is_stated = findings[_i].release && *findings[_i].release;
    int result;

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/"
             "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"c\"},"
             "\"spec\":{\"components\":{%s%s%s}}}",
             is_stated ? "\"kai\":\"" : "", is_stated ? findings[_i].release : "", is_stated ? "\"" : "");
    if (findings[_i].release)
        ck_assert_int_eq(gang_cluster_parse(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    result = gang_resolve_podgang(NULL, documents.podgang, documents.podcliqueset, NULL, cluster, 0,
                                  &decision, NULL);
    ck_assert_int_eq(result < 0, findings[_i].severity == GANG_SEVERITY_ERROR);
    found = finding_of(decision, findings[_i].code);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(gang_diagnostic_get_severity(found), findings[_i].severity);
    if (findings[_i].message)
        ck_assert_str_eq(gang_diagnostic_get_message(found), findings[_i].message);
    if (findings[_i].code == GANG_CODE_KAI_RELEASE_ASSUMED)
        ck_assert_int_eq(gang_diagnostic_get_document(found),
                         cluster ? GANG_DOCUMENT_CLUSTER : GANG_DOCUMENT_NONE);
    gang_decision_unref(decision);
    gang_cluster_unref(cluster);
    grove_documents_free(&documents);
}
END_TEST

/* From v0.17.1 on a group of no pods is allowed, and is none. */
START_TEST(takes_a_minimum_of_0_where_kai_does)
{
    struct grove_documents documents =
        grove_documents(PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "0", "") "]"), team_a);
    static const char text[] =
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
        "\"metadata\":{\"name\":\"c\"},\"spec\":{\"components\":{\"kai\":\"v0.17.1\"}}}";
    struct gang_cluster *cluster = NULL;
    struct gang_decision *decision = NULL;

    ck_assert_int_eq(gang_cluster_parse(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    ck_assert_int_eq(gang_resolve_podgang(NULL, documents.podgang, documents.podcliqueset, NULL, cluster, 0,
                                          &decision, NULL),
                     GANG_OK);
    ck_assert_ptr_null(finding_of(decision, GANG_CODE_KAI_GROUP_REFUSED));
    gang_decision_unref(decision);
    gang_cluster_unref(cluster);
    grove_documents_free(&documents);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, takes_a_minimum_of_0_where_kai_does);
    tcase_add_loop_test(cases, pod_group_of_a_podgang, 0, COUNT_OF(renderings));
    tcase_add_test(cases, pods_are_marked);
    tcase_add_loop_test(cases, says_what_kai_would_not_take, 0, COUNT_OF(findings));
}
