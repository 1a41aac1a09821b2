/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove_gang.h"

#include "unit/grove_documents.h"

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
     "GANG801 metadata.ownerReferences[0]: get controlling PodCliqueSet ml/job: it was not passed "
     "in"},
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
     "GANG802 metadata.ownerReferences[0]: Invalid value: the podgang stands in the namespace ml, "
     "the "
     "PodCliqueSet in web"},
};

START_TEST(namespaces_must_meet)
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

START_TEST(names_have_their_namespace)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(grove_job_full_name(SLICE("ml"), SLICE("job"), arena), "ml/job");
    ck_assert_str_eq(grove_job_full_name(NO_SLICE, SLICE("job"), arena), "job");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, kai_needs_the_set, requirements, name, podgang, set);
    add_rows(cases, namespaces_must_meet, namespaces, podgang, set);
    tcase_add_test(cases, names_have_their_namespace);
}
