/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_GROVE_DOCUMENTS_H
#define TESTS_UNIT_GROVE_DOCUMENTS_H

#include "libgang/grove/grove.h"

#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/typed.h"

/* Documents of Grove in JSON, ' for ", and a report to write into. */
struct grove_documents {
    struct gang_podgang *podgang;
    struct gang_podcliqueset *podcliqueset;
    struct arena *arena;
    struct report report;
};

/* `podgang` may be NULL, so may `podcliqueset`. */
static inline struct grove_documents
grove_documents(const char *podgang, const char *podcliqueset)
{
    struct grove_documents documents = {.arena = arena_new(0)};
    char text[DOCUMENT_SIZE];

    report_init(&documents.report, documents.arena, &standard_limits);
    if (podgang) {
        spell(text, podgang);
        ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &documents.podgang, NULL),
                         GANG_OK);
    }
    if (podcliqueset) {
        spell(text, podcliqueset);
        ck_assert_int_eq(
            parse_podcliqueset(NULL, text, strlen(text), 0, &documents.podcliqueset, NULL),
            GANG_OK);
    }
    return documents;
}

static inline struct grove_job
grove_documents_job(const struct grove_documents *documents)
{
    return (struct grove_job){.podgang = documents->podgang,
                              .podcliqueset = documents->podcliqueset};
}

static inline void
grove_documents_free(struct grove_documents *documents)
{
    unref_podgang(documents->podgang);
    unref_podcliqueset(documents->podcliqueset);
    arena_free(documents->arena);
}

/* What is rendered for a PodGang without a policy; `podcliqueset` may be NULL. */
static inline struct gang_plan *
plan_of_grove(const char *podgang, const char *podcliqueset)
{
    struct grove_documents documents = grove_documents(podgang, podcliqueset);
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;

    ck_assert_int_eq(resolve_podgang_with(NULL, documents.podgang, documents.podcliqueset, NULL,
                                          NULL, 0, &decision, NULL),
                     GANG_OK);
    ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
    gang_decision_unref(decision);
    grove_documents_free(&documents);
    return plan;
}

/* All that was found, one line each: "GANG803 path: message". */
static inline void
check_findings(const struct report *report, const char *expected)
{
    char text[DOCUMENT_SIZE] = "";
    size_t len = 0;

    for (size_t i = 0; i < report->count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s: %s", i ? "\n" : "",
                                diagnostic_entry_of(report->items[i].code)->id,
                                report->items[i].path, report->items[i].message);
    ck_assert_str_eq(text, expected);
}

#define PODGANG_TEXT(metadata, spec)                                                               \
    "{'apiVersion': 'scheduler.grove.io/v1alpha1', 'kind': 'PodGang', 'metadata': {'name': "       \
    "'job-0', "                                                                                    \
    "'namespace': 'ml'" metadata "}, 'spec': {" spec "}}"
#define OWNED_BY_JOB                                                                               \
    ", 'ownerReferences': [{'apiVersion': 'grove.io/v1alpha1', 'kind': 'PodCliqueSet', 'name': "   \
    "'job', "                                                                                      \
    "'uid': 'u', 'controller': true}]"
#define SET_TEXT(metadata, rest)                                                                   \
    "{'apiVersion': 'grove.io/v1alpha1', 'kind': 'PodCliqueSet', 'metadata': {'name': 'job', "     \
    "'namespace': "                                                                                \
    "'ml'" metadata "}, 'spec': {'template': {" rest "}}}"
#define CLIQUE_TEXT(name, metadata)                                                                \
    "{'name': '" name "', 'spec': {'roleName': 'r', 'podSpec': {'containers': []}}" metadata "}"

#endif
