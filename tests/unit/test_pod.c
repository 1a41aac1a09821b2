/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

#include "unit/grove_documents.h"

#define POD_TEXT(metadata)                                                                         \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'" metadata "},'spec':{}}"
#define MISSING(place, key) "GANG822 " place ": kube requires pod label \"" key "\""

/* Which of `a` and `b` are missing; an empty label is none. */
static const struct {
    const char *pod, *findings;
} labels[] = {
    {POD_TEXT(",'labels':{'a':'1','b':'2'}"), ""},
    {POD_TEXT(",'labels':{'a':'1'}"), MISSING("metadata.labels", "b")},
    {POD_TEXT(",'labels':{'a':\"\",'b':'2'}"), MISSING("metadata.labels", "a")},
    {POD_TEXT(",'labels':null"),
     MISSING("metadata.labels", "a") "\n" MISSING("metadata.labels", "b")},
    {POD_TEXT(""), MISSING("metadata.labels", "a") "\n" MISSING("metadata.labels", "b")},
};

START_TEST(labels_that_a_scheduler_needs)
{
    const struct slice keys[] = {SLICE("a"), SLICE("b"), NO_SLICE};
    struct arena *arena = arena_new(0);
    struct grove_pod *pod = NULL;
    struct report report;
    char text[DOCUMENT_SIZE];

    report_init(&report, arena, &standard_limits);
    spell(text, labels[_i].pod);
    ck_assert_int_eq(grove_pod_parse(NULL, text, strlen(text), &pod, NULL), GANG_OK);
    ck_slice_eq(pod->meta.name, "p");
    grove_pod_require_labels(pod, "kube", keys, &report);
    check_findings(&report, labels[_i].findings);
    gang_document_unref(&pod->document);
    arena_free(arena);
}
END_TEST

static const char *const wrong[] = {
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}",
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':[]}",
    "{'apiVersion':'apps/v1','kind':'Pod','metadata':{'name':'p'},'spec':{}}",
    "{'apiVersion':'v1','kind':'ReplicaSet','metadata':{'name':'p'},'spec':{}}",
    "{}",
};

START_TEST(non_pods_are_refused)
{
    struct grove_pod *pod = NULL;
    char text[DOCUMENT_SIZE];

    spell(text, wrong[_i]);
    ck_assert_int_eq(grove_pod_parse(NULL, text, strlen(text), &pod, NULL), GANG_ERROR_INVALID);
    ck_assert_ptr_null(pod);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, labels_that_a_scheduler_needs, labels, pod);
    add_items(cases, non_pods_are_refused, wrong);
}
