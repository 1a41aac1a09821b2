/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOB_DECISIONS_H
#define TESTS_UNIT_JOB_DECISIONS_H

#include "libgang/decide/decision.h"

#include "unit/jobs.h"

#define WISHES_POLICY(spec)                                                                        \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangPolicy','metadata':{'name':'p'},"     \
    "'spec':{" spec "}}"

static inline void
add_setting_to(struct gang_inputs *inputs, const char *text)
{
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;
    struct gang_document *document = NULL;

    front_text(spelled, text, &unused);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, NULL),
                     GANG_OK);
    ck_assert_int_eq(gang_inputs_add(inputs, document), GANG_OK);
    gang_document_unref(document);
}

/* Resolves a gang of a job with a policy whose spec has these members, and a GangCluster or NULL.
 */
static inline struct gang_decision *
resolve_job_in(const char *job, uint64_t gang, const char *policy, const char *cluster)
{
    char text[DOCUMENT_SIZE];
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct job_case opened;
    int result;

    if (policy) {
        snprintf(text, DOCUMENT_SIZE, WISHES_POLICY("%s"), policy);
        add_setting_to(inputs, text);
    }
    if (cluster)
        add_setting_to(inputs, cluster);
    ck_assert_int_eq(gang_inputs_set_gang_index(inputs, gang), GANG_OK);
    job_open_good(&opened, job);
    result = gang_resolve(NULL, opened.document, inputs, 0, &decision, &opened.error);
    ck_assert_msg(decision != NULL, "%s: %d", job, result);
    job_close(&opened);
    gang_inputs_free(inputs);
    return decision;
}

static inline struct gang_decision *
resolve_job_with(const char *job, uint64_t gang, const char *policy)
{
    return resolve_job_in(job, gang, policy, NULL);
}

#endif
