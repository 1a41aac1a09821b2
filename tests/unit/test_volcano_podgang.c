/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano.h"

#include "unit/grove_documents.h"
#include "unit/updates.h"
#include "unit/typed.h"

#define PODGROUP(name, minimum)                                                                    \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []}"
#define LABELS ", 'labels': {'grove.io/scheduler-name': 'volcano', 'a': 'b'}"
#define POLICY(name, size)                                                                         \
    "{'name':'" name "','labelSelector':{'matchLabels':{'grove.io/podclique':'" name               \
    "'}},'matchLabelKeys':['grove.io/podclique'],'subGroupSize':" size ",'minSubGroups':1}"
#define MANIFEST(spec)                                                                             \
    "{'apiVersion':'scheduling.volcano.sh/"                                                        \
    "v1beta1','kind':'PodGroup','metadata':{'name':'job-0','namespace':'ml',"                      \
    "'labels':{'a':'b','grove.io/scheduler-name':'volcano'}},'spec':{" spec "}}\n"

/* ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go@fcc3b3bb
 * TestBackend_SyncPodGang, and what it leaves open. */
static const struct {
    const char *name;
    const char *podgang;
    const char *expected;
} renderings[] = {
    {"SyncPodGang",
     PODGANG_TEXT(LABELS ", 'annotations': {'scheduling.grove.io/volcano-queue': 'gpu-training'}",
                  "'priorityClassName': 'high-priority', 'podgroups': [" PODGROUP(
                      "worker", "2") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':5,'queue':'gpu-training','priorityClassName':'high-priority','"
              "subGroupPolicy':[" POLICY("worker", "2") "," POLICY("ps", "3") "]")},
    {"SyncPodGang: no annotation",
     PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "2") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':5,'queue':'default','subGroupPolicy':[" POLICY("worker", "2") "," POLICY(
         "ps", "3") "]")},
    {"one minimum of 0",
     PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "0") ", " PODGROUP("ps", "3") "]"),
     MANIFEST("'minMember':3,'queue':'default','subGroupPolicy':[" POLICY("worker", "1") "," POLICY(
         "ps", "3") "]")},
    {"every minimum 0", PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("worker", "0") "]"),
     MANIFEST("'minMember':1,'queue':'default','subGroupPolicy':[" POLICY("worker", "1") "]")},
    {"no podgroups", PODGANG_TEXT(LABELS, "'podgroups': []"),
     MANIFEST("'minMember':1,'queue':'default'")},
    {"a group of podgroups",
     PODGANG_TEXT(
         LABELS,
         "'priorityClassName': \"\", 'podgroups': [" PODGROUP(
             "a", "1") "], "
                       "'topologyConstraintGroupConfigs': [{'name': 'g', 'podGroupNames': ['a']}]"),
     MANIFEST("'minMember':1,'queue':'default','subGroupPolicy':[" POLICY("a", "1") "]")},
};

START_TEST(pod_group_of_a_podgang)
{
    struct gang_plan *plan = plan_of_grove(renderings[_i].podgang, NULL);

    check_plan_text(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, renderings[_i].expected);
    gang_plan_unref(plan);
}
END_TEST

/* What has no place in it is a warning and a loss. */
START_TEST(topology_is_lost)
{
    struct gang_plan *plan = plan_of_grove(
        PODGANG_TEXT(
            LABELS,
            "'topologyConstraint': {'packConstraint': {'required': 'zone'}}, 'podgroups': "
            "[{'name': 'a', "
            "'minReplicas': 1, 'podReferences': [], 'topologyConstraint': {'packConstraint': "
            "{'preferred': "
            "'rack'}}}, {'name': 'b', 'minReplicas': 1, 'podReferences': [], 'topologyConstraint': "
            "{'packConstraint': {}}}]"),
        NULL);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    char losses[DOCUMENT_SIZE];

    spell(losses,
          "'losses':[{'field':'topology','value':'zone','reason':'Volcano knows no topology of "
          "node labels'},"
          "{'field':'topology','value':'rack','reason':'Volcano knows no topology of node labels'},"
          "{'field':'topology','reason':'Volcano knows no topology of node labels'}]");
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), losses));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

static bool
was_found(const struct gang_decision *decision, enum gang_code code)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(decision, i)) == (int)code)
            return true;
    return false;
}

/* ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go@fcc3b3bb TestBackend_Init: by
 * the release, for want of the CRD. */
static const struct {
    const char *name;
    const char *version;
    bool is_refused;
} versions[] = {
    {"Init: CRD without subGroupPolicy", "v1.13.2", true},
    {"Init: CRD with subGroupPolicy", "v1.14.0", false},
    {"a later one", "v1.15.0", false},
};

START_TEST(needs_sub_group_policy)
{
    struct grove_documents documents =
        grove_documents(PODGANG_TEXT(LABELS, "'podgroups': [" PODGROUP("a", "1") "]"), NULL);
    char text[DOCUMENT_SIZE];
    struct gang_cluster *cluster = NULL;
    struct gang_decision *decision = NULL;

    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/"
             "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"c\"},"
             "\"spec\":{\"components\":{\"volcano\":\"%s\"}}}",
             versions[_i].version);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    ck_assert_int_eq(
        resolve_podgang_with(NULL, documents.podgang, NULL, NULL, cluster, 0, &decision, NULL) < 0,
        versions[_i].is_refused);
    ck_assert_int_eq(was_found(decision, GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS),
                     versions[_i].is_refused);
    gang_decision_unref(decision);
    unref_cluster(cluster);
    grove_documents_free(&documents);
}
END_TEST

/* The reservation is a choice: what the pods ask for stands in the PodGroup only on demand. */
static const struct {
    enum gang_reserve reserve;
    bool is_rendered;
} reserves[] = {{RESERVE_AUTO, false}, {RESERVE_ALWAYS, true}, {RESERVE_NEVER, false}};

START_TEST(reserves_on_demand)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct gang gang = {.is_grouped = true, .name = SLICE("g"), .reserve = reserves[_i].reserve};
    struct backend_call call = {.gang = &gang, .api_version = SLICE("v1")};
    struct plan_content content = {.arena = arena};
    const struct node *spec;

    resource_list_set(&gang.resources, arena, SLICE("cpu"), (struct quantity){.nano = 1000000000});
    report_init(&report, arena, &standard_limits);
    volcano_podgang_validate(&call, &report);
    volcano_podgang_render(&call, &content);
    spec = node_member(content.objects[0].manifest, SLICE("spec"));
    ck_assert_int_eq(node_member(spec, SLICE("minResources")) != NULL, reserves[_i].is_rendered);
    ck_assert_uint_eq(report.count, reserves[_i].is_rendered ? 0 : 1);
    arena_free(arena);
}
END_TEST

#define POLICIES                                                                                   \
    "'subGroupPolicy':[{'name':'worker','subGroupSize':2},{'name':'ps','subGroupSize':3}]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/volcano/backend_test.go: a PodGroup that holds pods
 * together keeps doing so when every minReplicas becomes 0, and takes the new priority and queue.
 */
static const struct {
    struct update_row row;
    int64_t minimum;
} releases[] = {
    {{"SyncPodGang: then all minReplicas 0, priority released-priority",
      "{'minMember':1,'queue':'default','priorityClassName':'released-priority'}",
      "{'minMember':5,'queue':'gpu-training','priorityClassName':'high-priority'," POLICIES "}",
      "{'minMember':5,'queue':'default','priorityClassName':'released-priority'," POLICIES "}",
      true, 0},
     0},
    {{"policies alone", "{'minMember':1}", "{" POLICIES "}", "{" POLICIES "}", false, 0}, 0},
    {{"minMember alone", "{'minMember':1," POLICIES "}", "{'minMember':5}", "{'minMember':5}",
      false, 0},
     0},
    {{"nothing to keep", "{'minMember':1}", "{'minMember':0}", "{'minMember':1}", true, 0}, 0},
    {{"not released", "{'minMember':5," POLICIES "}", "{'minMember':4}",
      "{'minMember':5," POLICIES "}", true, 0},
     5},
    {{"no podgroups any more", "{'minMember':5}", "{'minMember':5," POLICIES "}", "{'minMember':5}",
      true, 0},
     5},
    {{"no annotation any more", "{'minMember':5,'queue':'default'}",
      "{'minMember':5,'queue':'gpu-training'}", "{'minMember':5,'queue':'default'}", true, 0},
     5},
    {{"resources that somebody else has written stay", "{'minMember':5}",
      "{'minMember':5,'minResources':{'cpu':'1'},'networkTopology':{}}",
      "{'minMember':5,'minResources':{'cpu':'1'},'networkTopology':{}}", false, 0},
     5},
};

START_TEST(keeps_constraints_of_a_released_podgang)
{
    struct update_run run = update_open(&volcano_backend, true, NULL);

    run.gang.minimum = releases[_i].minimum;
    update_check(&run, &releases[_i].row);
    update_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, keeps_constraints_of_a_released_podgang, releases, row.name, row.rendered,
             row.live);
    add_rows(cases, pod_group_of_a_podgang, renderings, name, podgang);
    tcase_add_test(cases, topology_is_lost);
    add_rows(cases, needs_sub_group_policy, versions, name, version);
    add_rows(cases, reserves_on_demand, reserves, reserve);
}
