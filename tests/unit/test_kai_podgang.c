/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "support/kai_pod_group.h"
#include "support/kai_webhook.h"
#include "unit/grove_documents.h"
#include "unit/tree.h"
#include "unit/typed.h"

#define PODGROUP(name, minimum, rest)                                                              \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []" rest "}"
#define PACK(level, domain)                                                                        \
    ", 'topologyConstraint': {'packConstraint': {'" level "': '" domain "'}}"
#define KAI(more)                                                                                  \
    ", 'labels': {'grove.io/scheduler-name': 'kai-scheduler', 'kai.scheduler/queue': "             \
    "'legacy-queue'}" more OWNED_BY_JOB
#define TOPOLOGY ", 'annotations': {'grove.io/topology-name': 'cluster-topology'}"

static const char team_a[] = SET_TEXT(", 'labels': {'kai.scheduler/queue': 'team-a'}",
                                      "'cliques': [" CLIQUE_TEXT("encoder", "") "]");

#define MANIFEST(annotations, spec) OWNED_MANIFEST("", annotations, spec)
#define OWNED_MANIFEST(owners, annotations, spec)                                                  \
    "{'apiVersion':'scheduling.run.ai/"                                                            \
    "v2alpha2','kind':'PodGroup','metadata':{'name':'job-0','namespace':'ml',"                     \
    "'labels':{'grove.io/scheduler-name':'kai-scheduler','kai.scheduler/"                          \
    "queue':'legacy-queue'},'annotations':{" annotations                                           \
    "'kai.scheduler/skip-podgrouper':'true'}" owners "},'spec':{" spec "}}\n"

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go@fcc3b3bb, by name. */
static const struct {
    const char *name;
    const char *podgang;
    const char *expected;
} renderings[] = {
    {"CreateAndUpdate",
     PODGANG_TEXT(
         KAI(TOPOLOGY),
         "'priorityClassName': 'high-priority'" PACK(
             "required",
             "zone") ", 'podgroups': [" PODGROUP("encoder", "2",
                                                 PACK("required",
                                                      "host")) ", " PODGROUP("decoder", "3",
                                                                             "") "], "
                                                                                 "'topologyConstrai"
                                                                                 "ntGroupConfigs': "
                                                                                 "[{'name': "
                                                                                 "'decoder-group', "
                                                                                 "'podGroupNames': "
                                                                                 "['decoder']" PACK(
                                                                                     "preferred",
                                                                                     "rack") "}]"),
     MANIFEST("'grove.io/topology-name':'cluster-topology',",
              "'minMember':5,'queue':'team-a','priorityClassName':'high-priority',"
              "'topologyConstraint':{'topology':'cluster-topology','requiredTopologyLevel':'zone'},"
              "'subGroups':["
              "{'name':'decoder-group','minSubGroup':1,'topologyConstraint':{'topology':'cluster-"
              "topology',"
              "'preferredTopologyLevel':'rack'}},"
              "{'name':'encoder','minMember':2,'topologyConstraint':{'topology':'cluster-topology',"
              "'requiredTopologyLevel':'host'}},{'name':'decoder','parent':'decoder-group','"
              "minMember':3}]")},
    {"SkipsEmptyTopologyConstraintGroups",
     PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP(
                               "worker", "1", "") "], 'topologyConstraintGroupConfigs': [{'name': "
                                                  "'empty-group', 'podGroupNames': []" PACK(
                                                      "required", "host") "}]"),
     MANIFEST(
         "",
         "'minMember':1,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'worker','"
         "minMember':1}]")},
    /* the mark is on the PodGroup and, where KAI looks first, on the pods: the PodGang itself is
       Grove's to write */
    {"SetsOwnerReferenceAndSkipAnnotation",
     PODGANG_TEXT(KAI(", 'uid': 'g'"), "'podgroups': [" PODGROUP("worker", "1", "") "]"),
     OWNED_MANIFEST(
         ",'ownerReferences':[{'apiVersion':'scheduler.grove.io/"
         "v1alpha1','kind':'PodGang','name':'job-0','uid':'g',"
         "'controller':true,'blockOwnerDeletion':true}]",
         "",
         "'minMember':1,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'worker','"
         "minMember':1}]")},
    {"a minimum of 0 is kept",
     PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "0", "") ", " PODGROUP("b", "1", "") "]"),
     MANIFEST("", "'minMember':1,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'a',"
                  "'minMember':0},"
                  "{'name':'b','minMember':1}]")},
};

START_TEST(pod_group_of_a_podgang)
{
    struct gang_plan *plan = plan_of_grove(renderings[_i].podgang, team_a);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    struct arena *arena = arena_new(0);
    const struct node *made = tree_of(arena, gang_blob_get_data(blob, NULL));
    const struct kai_pod_group group = kai_pod_group_read(node_member(made, SLICE("spec")), arena);
    char expected[DOCUMENT_SIZE];

    /* the order of a spec's members is KAI's table's, so trees are compared */
    ck_assert_msg(node_equal(made, tree_of(arena, spell(expected, renderings[_i].expected))), "%s",
                  gang_blob_get_data(blob, NULL));
    kai_webhook_admits(&group, &kai_newest_release, arena);
    arena_free(arena);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

/* PreparePod. */
START_TEST(pods_are_marked)
{
    struct gang_plan *plan = plan_of_grove(renderings[0].podgang, team_a);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    char expected[DOCUMENT_SIZE];

    spell(
        expected,
        "'patches':[{'target':'PodGang','metadata':{'annotations':{"
        "'kai.scheduler/skip-podgrouper':'true'}}},"
        "{'target':'Role','role':'encoder','metadata':{'labels':{'kai.scheduler/"
        "subgroup-name':'encoder'},"
        "'annotations':{'kai.scheduler/skip-podgrouper':'true','pod-group-name':'job-0'}},'spec':{"
        "'schedulerName':'kai-scheduler'}},{'target':'Role','role':'decoder','metadata':{'labels':{"
        "'kai.scheduler/subgroup-name':'decoder'},'annotations':{'kai.scheduler/"
        "skip-podgrouper':'true',"
        "'pod-group-name':'job-0'}},'spec':{'schedulerName':'kai-scheduler'}}]");
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), expected));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

/* Refusals and warnings, by the release of KAI. */
static const struct {
    const char *podgang;
    const char *release; /* NULL: no cluster; "": a cluster that does not state it */
    enum gang_code code;
    enum gang_severity severity;
    const char *message;
} findings[] = {
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), NULL,
     GANG_CODE_RELEASE_ASSUMED, GANG_SEVERITY_INFO,
     "the release of KAI is unknown; libgang assumes v0.17.0, the newest that it knows"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), "",
     GANG_CODE_RELEASE_ASSUMED, GANG_SEVERITY_INFO,
     "the release of KAI is unknown; libgang assumes v0.17.0, the newest that it knows"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", "") "]"), "v0.14.7",
     GANG_CODE_KAI_CREATE_UNSUPPORTED, GANG_SEVERITY_ERROR,
     "KAI v0.14.7 moves pods to PodGroups of its own"},
    {PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "1", PACK("required", "host")) "]"),
     "v0.15.0", GANG_CODE_TOPOLOGY_NAME_MISSING, GANG_SEVERITY_ERROR,
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

START_TEST(reports_what_kai_would_refuse)
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
             is_stated ? "\"kai\":\"" : "", is_stated ? findings[_i].release : "",
             is_stated ? "\"" : "");
    if (findings[_i].release)
        ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    result = resolve_podgang_with(NULL, documents.podgang, documents.podcliqueset, NULL, cluster, 0,
                                  &decision, NULL);
    ck_assert_int_eq(result < 0, findings[_i].severity == GANG_SEVERITY_ERROR);
    found = finding_of(decision, findings[_i].code);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(gang_diagnostic_get_severity(found), findings[_i].severity);
    if (findings[_i].message)
        ck_assert_str_eq(gang_diagnostic_get_message(found), findings[_i].message);
    if (findings[_i].code == GANG_CODE_RELEASE_ASSUMED)
        ck_assert_int_eq(gang_diagnostic_get_document(found), GANG_DOCUMENT_CLUSTER);
    gang_decision_unref(decision);
    unref_cluster(cluster);
    grove_documents_free(&documents);
}
END_TEST

/* From v0.17.1 on a group of no pods is allowed, and is none. */
START_TEST(accepts_minimum_0_in_releases_that_do)
{
    struct grove_documents documents =
        grove_documents(PODGANG_TEXT(KAI(""), "'podgroups': [" PODGROUP("a", "0", "") "]"), team_a);
    static const char text[] =
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\","
        "\"metadata\":{\"name\":\"c\"},\"spec\":{\"components\":{\"kai\":\"v0.17.1\"}}}";
    struct gang_cluster *cluster = NULL;
    struct gang_decision *decision = NULL;

    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    ck_assert_int_eq(resolve_podgang_with(NULL, documents.podgang, documents.podcliqueset, NULL,
                                          cluster, 0, &decision, NULL),
                     GANG_OK);
    ck_assert_ptr_null(finding_of(decision, GANG_CODE_KAI_GROUP_REFUSED));
    gang_decision_unref(decision);
    unref_cluster(cluster);
    grove_documents_free(&documents);
}
END_TEST

/*
 * ai-dynamo/grove:operator/e2e/tests/topology_test.go@fcc3b3bb: of each test the PodGang that Grove
 * makes of its PodCliqueSet, and the PodGroup that is looked for. One line for each: the root's
 * placement, then name, minimum, parent and placement of each subgroup; `-` for none. TAS8 and the
 * scaled PodGang of TAS10 are goldens.
 */
#define RACK "kubernetes.io/rack"
#define BLOCK "kubernetes.io/block"
#define HOST "kubernetes.io/hostname"
#define ROOT(constraint, groups, configs)                                                          \
    PODGANG_TEXT(KAI(TOPOLOGY), "'podgroups': [" groups                                            \
                                "], 'topologyConstraintGroupConfigs': [" configs "]" constraint)
#define CONFIG(name, members, rest) "{'name': '" name "', 'podGroupNames': [" members "]" rest "}"
#define PACK_BOTH(required, preferred)                                                             \
    ", 'topologyConstraint': {'packConstraint': {'required': '" required                           \
    "', 'preferred': '" preferred "'}}"
#define REQUIRED(level) PACK("required", level)

static const struct {
    const char *name, *podgang, *group;
} placements[] = {
    {"TAS2",
     ROOT("",
          PODGROUP("worker-rack", "3", REQUIRED(RACK)) ", " PODGROUP("worker-block", "4",
                                                                     REQUIRED(BLOCK)),
          ""),
     "-\nworker-rack 3 - " RACK "\nworker-block 4 - " BLOCK "\n"},
    {"TAS3",
     ROOT(REQUIRED(RACK),
          PODGROUP("router", "2", "") ", " PODGROUP("workers-0-worker", "1",
                                                    "") ", " PODGROUP("workers-1-worker", "1", ""),
          ""),
     RACK "\nrouter 2 - -\nworkers-0-worker 1 - -\nworkers-1-worker 1 - -\n"},
    {"TAS4",
     ROOT("",
          PODGROUP("router", "2", "") ", " PODGROUP("workers-0-worker", "1",
                                                    "") ", " PODGROUP("workers-1-worker", "1", ""),
          CONFIG("workers-0", "'workers-0-worker'",
                 REQUIRED(RACK)) ", " CONFIG("workers-1", "'workers-1-worker'", REQUIRED(RACK))),
     "-\nworkers-0 1 - " RACK "\nworkers-1 1 - " RACK
     "\nrouter 2 - -\nworkers-0-worker 1 workers-0 -\n"
     "workers-1-worker 1 workers-1 -\n"},
    {"TAS5", ROOT("", PODGROUP("worker", "2", REQUIRED(HOST)), ""), "-\nworker 2 - " HOST "\n"},
    {"TAS6", ROOT(REQUIRED("kubernetes.io/zone"), PODGROUP("worker", "4", ""), ""),
     "kubernetes.io/zone\nworker 4 - -\n"},
    {"TAS7",
     ROOT("", PODGROUP("workers-0-worker", "2", "") ", " PODGROUP("workers-1-worker", "2", ""), ""),
     "-\nworkers-0-worker 2 - -\nworkers-1-worker 2 - -\n"},
    {"TAS9", ROOT(REQUIRED(BLOCK), PODGROUP("worker", "2", REQUIRED(HOST)), ""),
     BLOCK "\nworker 2 - " HOST "\n"},
    {"TAS10",
     ROOT(REQUIRED(BLOCK), PODGROUP("inference-group-0-worker", "2", ""),
          CONFIG("inference-group-0", "'inference-group-0-worker'", REQUIRED(RACK))),
     BLOCK "\ninference-group-0 1 - " RACK "\ninference-group-0-worker 2 inference-group-0 -\n"},
    {"TAS11",
     ROOT("",
          PODGROUP("g-0-worker", "2", REQUIRED(HOST)) ", " PODGROUP("g-1-worker", "2",
                                                                    REQUIRED(HOST)),
          CONFIG("g-0", "'g-0-worker'", REQUIRED(RACK)) ", " CONFIG("g-1", "'g-1-worker'",
                                                                    REQUIRED(RACK))),
     "-\ng-0 1 - " RACK "\ng-1 1 - " RACK "\ng-0-worker 2 g-0 " HOST "\ng-1-worker 2 g-1 " HOST
     "\n"},
    {"TAS12",
     ROOT(REQUIRED(BLOCK),
          PODGROUP("workers-0-worker", "2", REQUIRED(HOST)) ", " PODGROUP(
              "workers-1-worker", "2", REQUIRED(HOST)) ", " PODGROUP("workers-2-worker", "2",
                                                                     REQUIRED(HOST)),
          ""),
     BLOCK "\nworkers-0-worker 2 - " HOST "\nworkers-1-worker 2 - " HOST
           "\nworkers-2-worker 2 - " HOST "\n"},
    {"TAS12 scaled", ROOT(REQUIRED(BLOCK), PODGROUP("workers-3-worker", "2", REQUIRED(HOST)), ""),
     BLOCK "\nworkers-3-worker 2 - " HOST "\n"},
    {"TAS13", ROOT(REQUIRED(RACK), PODGROUP("worker", "10", ""), ""), RACK "\nworker 10 - -\n"},
    {"TAS14", ROOT(REQUIRED(RACK), PODGROUP("worker", "2", ""), ""), RACK "\nworker 2 - -\n"},
    {"TAS15",
     ROOT(REQUIRED(BLOCK),
          PODGROUP("router", "2", "") ", " PODGROUP("decoder-0-dworker", "1", "") ", " PODGROUP(
              "decoder-0-dleader", "1", "") ", " PODGROUP("prefill-0-pworker", "1",
                                                          "") ", " PODGROUP("prefill-0-pleader",
                                                                            "1", ""),
          CONFIG("decoder-0", "'decoder-0-dworker', 'decoder-0-dleader'",
                 REQUIRED(RACK)) ", " CONFIG("prefill-0",
                                             "'prefill-0-pworker', 'prefill-0-pleader'",
                                             REQUIRED(RACK))),
     BLOCK "\ndecoder-0 2 - " RACK "\nprefill-0 2 - " RACK
           "\nrouter 2 - -\ndecoder-0-dworker 1 decoder-0 -\n"
           "decoder-0-dleader 1 decoder-0 -\nprefill-0-pworker 1 prefill-0 -\nprefill-0-pleader 1 "
           "prefill-0 -\n"},
    {"TAS15 scaled",
     ROOT(REQUIRED(RACK),
          PODGROUP("decoder-1-dworker", "1", "") ", " PODGROUP("decoder-1-dleader", "1", ""), ""),
     RACK "\ndecoder-1-dworker 1 - -\ndecoder-1-dleader 1 - -\n"},
    {"TAS16",
     ROOT(REQUIRED(BLOCK),
          PODGROUP("prefill-0-pworker", "1", REQUIRED(HOST)) ", " PODGROUP("prefill-0-pleader", "1",
                                                                           ""),
          CONFIG("prefill-0", "'prefill-0-pworker', 'prefill-0-pleader'", REQUIRED(RACK))),
     BLOCK "\nprefill-0 2 - " RACK "\nprefill-0-pworker 1 prefill-0 " HOST
           "\nprefill-0-pleader 1 prefill-0 -\n"},
    {"TAS20", ROOT("", PODGROUP("worker", "2", ""), ""), "-\nworker 2 - -\n"},
    {"TAS23",
     ROOT(PACK_BOTH(BLOCK, RACK),
          PODGROUP("router", "1", PACK("preferred", HOST)) ", " PODGROUP("workers-0-worker", "1",
                                                                         ""),
          CONFIG("workers-0", "'workers-0-worker'", PACK("preferred", HOST))),
     BLOCK "~" RACK "\nworkers-0 1 - ~" HOST "\nrouter 1 - ~" HOST
           "\nworkers-0-worker 1 workers-0 -\n"},
    {"TAS23 scaled", ROOT(PACK("preferred", HOST), PODGROUP("workers-1-worker", "1", ""), ""),
     "~" HOST "\nworkers-1-worker 1 - -\n"},
};

/* `REQUIRED~PREFERRED`, as far as there are any; `-` for none. */
static const char *
placement_in_words(const struct node *constraint, struct arena *arena)
{
    struct slice required = node_string(node_member(constraint, SLICE("requiredTopologyLevel")));
    struct slice preferred = node_string(node_member(constraint, SLICE("preferredTopologyLevel")));

    if (!required.len && !preferred.len)
        return "-";
    ck_slice_eq(node_string(node_member(constraint, SLICE("topology"))), "cluster-topology");
    return arena_format(arena, "%.*s%s%.*s", SLICE_ARG(required), preferred.len ? "~" : "",
                        SLICE_ARG(preferred));
}

static const char *
group_in_words(const struct node *spec, struct arena *arena)
{
    const char *text = arena_format(
        arena, "%s\n", placement_in_words(node_member(spec, SLICE("topologyConstraint")), arena));

    for (NODE_EACH(subgroup, node_member(spec, SLICE("subGroups")))) {
        const struct node *minimum = node_member(subgroup, SLICE("minMember"));
        struct slice parent = node_string(node_member(subgroup, SLICE("parent")));

        minimum = minimum ? minimum : node_member(subgroup, SLICE("minSubGroup"));
        text = arena_format(
            arena, "%s%.*s %.*s %.*s %s\n", text,
            SLICE_ARG(node_string(node_member(subgroup, SLICE("name")))),
            SLICE_ARG(node_text(minimum)), SLICE_ARG(parent.len ? parent : SLICE("-")),
            placement_in_words(node_member(subgroup, SLICE("topologyConstraint")), arena));
    }
    return text;
}

START_TEST(placements_of_the_end_to_end_tests)
{
    struct gang_plan *plan = plan_of_grove(placements[_i].podgang, team_a);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    struct arena *arena = arena_new(0);
    const struct node *group = tree_of(arena, gang_blob_get_data(blob, NULL));

    check_text(group_in_words(node_member(group, SLICE("spec")), arena), placements[_i].group);
    arena_free(arena);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, placements_of_the_end_to_end_tests, placements, name, podgang);
    tcase_add_test(cases, accepts_minimum_0_in_releases_that_do);
    add_rows(cases, pod_group_of_a_podgang, renderings, name, podgang);
    tcase_add_test(cases, pods_are_marked);
    add_rows(cases, reports_what_kai_would_refuse, findings, podgang, release);
}
