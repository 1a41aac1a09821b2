/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/grove_documents.h"

/* ---- grove gang ---- */

#define GROUP(name, minimum, rest)                                                                 \
    "{'name': '" name "', 'minReplicas': " minimum ", 'podReferences': []" rest "}"
#define PACK(level) ", 'topologyConstraint': {'packConstraint': {'required': '" level "'}}"

/* One line for each group: name, minimum, name of the group around it, required level. */
static const char *
groups_in_words(const struct gang_wishes *wishes, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < wishes->num_groups; i++) {
        const struct gang_group *group = &wishes->groups[i];
        struct slice parent =
            group->parent == GROUP_OF_GANG ? SLICE("-") : wishes->groups[group->parent].name;

        text = arena_format(arena, "%s%.*s %lld %.*s %.*s %.*s\n", text, SLICE_ARG(group->name),
                            (long long)group->minimum, SLICE_ARG(parent),
                            SLICE_ARG(group->placement.topology),
                            SLICE_ARG(group->placement.required));
    }
    return text;
}

/* Group configs first, then podgroups, each in the order of the input. */
static const struct {
    const char *podgang;
    const char *groups;
    const char *findings;
} trees[] = {
    {PODGANG_TEXT("", "'podgroups': [" GROUP("a", "1", "") ", " GROUP("b", "0", "") "]"),
     "a 1 -  \nb 0 -  \n", ""},
    {PODGANG_TEXT(
         ", 'annotations': {'grove.io/topology-name': 'topo', 'kai.scheduler/topology': 'other'}",
         "'podgroups': [" GROUP("a", "1", PACK("host")) ", " GROUP(
             "b", "2", "") "], 'topologyConstraintGroupConfigs': [{'name': 'g', 'podGroupNames': "
                           "['b']" PACK("rack") "}, {'name': "
                                                "'empty', 'podGroupNames': []" PACK("rack") "}]"),
     "g 1 - topo rack\na 1 - topo host\nb 2 g  \n", ""},
    {PODGANG_TEXT(
         ", 'annotations': {'grove.io/topology-name': \"\", 'kai.scheduler/topology': 'other'}",
         "'podgroups': [" GROUP("a", "1", PACK("host")) "]"),
     "a 1 - other host\n", ""},
    {PODGANG_TEXT("", "'podgroups': [" GROUP("a", "1", "") ", " GROUP(
                          "b", "2", "") "], 'topologyConstraintGroupConfigs': [{'name': 'g1', "
                                        "'podGroupNames': ['a', 'b']}, {'name': 'g2', "
                                        "'podGroupNames': ['b']}]"),
     "g1 2 -  \ng2 1 -  \na 1 g1  \nb 2 g1  \n",
     "GANG813 spec.topologyConstraintGroupConfigs[1].podGroupNames[0]: PodGroup \"b\" belongs to "
     "topology "
     "groups "
     "\"g1\" and "
     "\"g2\""},
    {PODGANG_TEXT(
         "", "'podgroups': [" GROUP("a", "1", "") "], 'topologyConstraintGroupConfigs': [{'name': "
                                                  "'g', 'podGroupNames': ['a', 'x']}]"),
     "g 2 -  \na 1 g  \n",
     "GANG812 spec.topologyConstraintGroupConfigs[0].podGroupNames[1]: Invalid value: \"x\": the "
     "podgang has "
     "no "
     "podgroup of "
     "this name"},
    {PODGANG_TEXT("", "'podgroups': [" GROUP("a", "1", "") ", " GROUP("a", "2", "") "]"),
     "a 1 -  \na 2 -  \n", "GANG308 spec.podgroups[1].name: Duplicate value: \"a\""},
    {PODGANG_TEXT("", "'podgroups': [" GROUP(
                          "a", "1", "") "], 'topologyConstraintGroupConfigs': [{'name': 'a', "
                                        "'podGroupNames': ['a']}]"),
     "a 1 -  \na 1 a  \n", "GANG308 spec.podgroups[0].name: Duplicate value: \"a\""},
    {PODGANG_TEXT("", "'podgroups': []"), "", ""},
};

START_TEST(groups_of_a_podgang)
{
    struct grove_documents documents = grove_documents(trees[_i].podgang, NULL);
    struct grove_job job = grove_documents_job(&documents);
    struct gang_wishes wishes = {.roles = NULL};

    grove_gang_fill(&job, &wishes, &documents.report);
    ck_assert_str_eq(groups_in_words(&wishes, documents.arena), trees[_i].groups);
    check_findings(&documents.report, trees[_i].findings);
    ck_assert(wishes.is_grouped);
    ck_slice_eq(wishes.role_label, "grove.io/podclique");
    grove_documents_free(&documents);
}
END_TEST

#define CLIQUES                                                                                    \
    "'cliques': [{'name': 'a', 'spec': {'roleName': 'r', 'replicas': 3, 'podSpec': "               \
    "{'schedulerName': 'x', "                                                                      \
    "'priorityClassName': 'p', 'containers': [{'name': 'c', 'resources': {'limits': {'cpu': "      \
    "'1500m'}}}]}}}]"

/* Pods that exist, else those of the template; never fewer than must start. */
static const struct {
    const char *podgroup;
    const char *set;
    int64_t count;
} counts[] = {
    {GROUP("job-0-a", "1", ""), NULL, 1},
    {GROUP("job-0-a", "1", ""), SET_TEXT("", CLIQUES), 3},
    {GROUP("job-0-a", "5", ""), SET_TEXT("", CLIQUES), 5},
    {GROUP("job-0-b", "2", ""), SET_TEXT("", CLIQUES), 2},
    {"{'name': 'job-0-a', 'minReplicas': 1, 'podReferences': [{'name': 'p', 'namespace': 'ml'}, "
     "{'name': "
     "'q', "
     "'namespace': 'ml'}]}",
     SET_TEXT("", CLIQUES), 2},
    {"{'name': 'job-0-a', 'minReplicas': 4, 'podReferences': [{'name': 'p', 'namespace': 'ml'}]}",
     SET_TEXT("", CLIQUES), 4},
    {GROUP("job-0-a", "0", ""), NULL, 0},
};

START_TEST(pods_of_a_role)
{
    char podgang[DOCUMENT_SIZE];
    struct grove_documents documents;
    struct grove_job job;
    struct gang_wishes wishes = {.roles = NULL};

    with_change(podgang, PODGANG_TEXT("", "'podgroups': [@]"), "@", counts[_i].podgroup);
    documents = grove_documents(podgang, counts[_i].set);
    job = grove_documents_job(&documents);
    grove_gang_fill(&job, &wishes, &documents.report);
    ck_assert_uint_eq(wishes.num_roles, 1);
    ck_assert_int_eq(wishes.roles[0].count, counts[_i].count);
    grove_documents_free(&documents);
}
END_TEST

START_TEST(role_has_the_fields_of_its_clique)
{
    struct grove_documents documents = grove_documents(
        PODGANG_TEXT(", 'uid': 'u'",
                     "'priorityClassName': 'high', 'podgroups': [" GROUP("job-0-a", "2", "") "]"),
        SET_TEXT("", CLIQUES));
    struct grove_job job = grove_documents_job(&documents);
    struct gang_wishes wishes = {.roles = NULL};
    char text[QUANTITY_TEXT_SIZE];

    grove_gang_fill(&job, &wishes, &documents.report);
    ck_slice_eq(wishes.roles[0].name, "job-0-a");
    ck_slice_eq(wishes.roles[0].scheduler_name, "x");
    ck_slice_eq(wishes.roles[0].priority_class_name, "p");
    ck_assert_uint_eq(wishes.roles[0].requests.count, 1);
    ck_slice_eq(quantity_print(&wishes.roles[0].requests.items[0].quantity, text), "1500m");
    ck_slice_eq(wishes.owner.kind, "PodGang");
    ck_slice_eq(wishes.owner.uid, "u");
    ck_slice_eq(wishes.name, "job-0");
    ck_slice_eq(wishes.priority_class_name, "high");
    grove_documents_free(&documents);
}
END_TEST

START_TEST(roles_of_a_set_alone)
{
    struct grove_documents documents = grove_documents(
        NULL,
        "{'apiVersion': 'grove.io/v1alpha1', 'kind': 'PodCliqueSet', 'metadata': {'name': "
        "'job', 'namespace': 'ml', 'uid': 'u'}, 'spec': {'replicas': 2, 'template': {" CLIQUES
        ", 'podCliqueScalingGroups': [{'name': 'g', 'cliqueNames': ['a'], 'replicas': 4}]}}}");
    struct gang_wishes wishes = {.roles = NULL};

    grove_gang_fill_from_set(documents.podcliqueset, &wishes, &documents.report);
    ck_assert_uint_eq(wishes.num_roles, 1);
    ck_slice_eq(wishes.roles[0].name, "a");
    ck_assert_int_eq(wishes.roles[0].count, 2 * 4 * 3);
    ck_slice_eq(wishes.owner.kind, "PodCliqueSet");
    ck_slice_eq(wishes.owner.name, "job");
    grove_documents_free(&documents);
}
END_TEST

/* ---- grove job ---- */

static const char plain_set[] = SET_TEXT("", "'cliques': [" CLIQUE_TEXT("a", "") "]");

#define OWNER(version, kind, name)                                                                 \
    PODGANG_TEXT(", 'ownerReferences': [{'apiVersion': '" version "', 'kind': '" kind              \
                 "', 'name': '" name "', 'uid': 'u', 'controller': true}]",                        \
                 "'podgroups': []")

/*
 * The messages of Grove's KAI backend, and our own where it would have asked the API server; by the
 * names that ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go@fcc3b3bb has for
 * failures of SyncPodGang.
 */
static const struct {
    const char *name;
    const char *podgang;
    const char *set;
    const char *findings;
} requirements[] = {
    {"owned", PODGANG_TEXT(OWNED_BY_JOB, "'podgroups': []"), plain_set, ""},
    {"Sync: no owner", PODGANG_TEXT("", "'podgroups': []"), plain_set,
     "GANG801 metadata.ownerReferences: podgang ml/job-0 has no controlling PodCliqueSet"},
    {"Sync: owner of another API", OWNER("apps/v1", "PodCliqueSet", "job"), plain_set,
     "GANG801 metadata.ownerReferences[0]: podgang ml/job-0 is controlled by apps/v1 "
     "\"PodCliqueSet\", "
     "expected "
     "PodCliqueSet"},
    {"Sync: owner of another kind", OWNER("grove.io/v1alpha1", "PodClique", "job"), plain_set,
     "GANG801 metadata.ownerReferences[0]: podgang ml/job-0 is controlled by grove.io/v1alpha1 "
     "\"PodClique\", "
     "expected "
     "PodCliqueSet"},
    {"Sync: PCS absent", PODGANG_TEXT(OWNED_BY_JOB, "'podgroups': []"), NULL,
     "GANG801 metadata.ownerReferences[0]: get controlling PodCliqueSet ml/job: it is not among "
     "the inputs"},
    {"another PCS", OWNER("grove.io/v1alpha1", "PodCliqueSet", "nope"), plain_set,
     "GANG802 metadata.ownerReferences[0]: Invalid value: the podgang belongs to the PodCliqueSet "
     "nope, not "
     "to "
     "job"},
};

START_TEST(kai_needs_the_set)
{
    struct grove_documents documents =
        grove_documents(requirements[_i].podgang, requirements[_i].set);
    struct grove_job job = grove_documents_job(&documents);
    bool is_known;

    grove_job_check_set(&job, &documents.report);
    is_known = grove_job_require_set(&job, &documents.report);
    check_findings(&documents.report, requirements[_i].findings);
    ck_assert_int_eq(is_known, strncmp(requirements[_i].findings, "GANG801", 7) != 0);
    grove_documents_free(&documents);
}
END_TEST

/* Where one of the two names no namespace, they meet. */
static const struct {
    const char *podgang;
    const char *set;
    const char *finding;
} namespaces[] = {
    {"'namespace': 'ml'", "'namespace': 'ml'", ""},
    {"'x': null", "'namespace': 'ml'", ""},
    {"'namespace': 'ml'", "'x': null", ""},
    {"'namespace': 'ml'", "'namespace': 'web'",
     "GANG802 metadata.ownerReferences[0]: Invalid value: the podgang is in the namespace ml, the "
     "PodCliqueSet in web"},
};

START_TEST(namespaces_must_be_equal)
{
    char podgang[DOCUMENT_SIZE];
    char set[DOCUMENT_SIZE];
    struct grove_documents documents;
    struct grove_job job;

    with_change(podgang, PODGANG_TEXT(OWNED_BY_JOB, "'podgroups': []"), "'namespace': 'ml'",
                namespaces[_i].podgang);
    with_change(set, plain_set, "'namespace': 'ml'", namespaces[_i].set);
    documents = grove_documents(podgang, set);
    job = grove_documents_job(&documents);
    grove_job_check_set(&job, &documents.report);
    check_findings(&documents.report, namespaces[_i].finding);
    grove_documents_free(&documents);
}
END_TEST

START_TEST(names_include_the_namespace)
{
    struct arena *arena = arena_new(0);
    struct object_meta meta = {.namespace_ = SLICE("ml"), .name = SLICE("job")};

    ck_assert_str_eq(grove_job_full_name(&meta, arena), "ml/job");
    meta.namespace_ = NO_SLICE;
    ck_assert_str_eq(grove_job_full_name(&meta, arena), "job");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, groups_of_a_podgang, trees, podgang);
    add_rows(cases, pods_of_a_role, counts, podgroup, set);
    tcase_add_test(cases, role_has_the_fields_of_its_clique);
    tcase_add_test(cases, roles_of_a_set_alone);
    add_rows(cases, kai_needs_the_set, requirements, name, podgang, set);
    add_rows(cases, namespaces_must_be_equal, namespaces, podgang, set);
    tcase_add_test(cases, names_include_the_namespace);
}
