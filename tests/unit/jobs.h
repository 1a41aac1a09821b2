/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOBS_H
#define TESTS_UNIT_JOBS_H

#include "libgang/jobs/job_kinds.h"

#include "unit/documents.h"
#include "unit/front.h"
#include "unit/suite.h"

/* Jobs in JSON, put together of pieces. Quotes are written as apostrophes, as in front.h. */
#define GANG_JOB(spec)                                                                             \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob',\n'metadata':{'name':'job',"     \
    "'namespace':'ml'},\n'spec':{" JOB_OWNER spec "}}"
#define JOB_OWNER "'owner':{'apiVersion':'a.io/v1','kind':'Job'},\n"
#define JOB_ROLES(roles) "'roles':[" roles "]"
#define JOB_ROLE(name, members) "{'name':'" name "'" members "}"
/* A role whose requests are known. */
#define JOB_PODS(members) JOB_ROLE("a", ",'requests':{}" members)

/* A parsed job, or the error. */
struct job_case {
    struct gang_document *document;
    const struct job_document *typed;
    const struct gang_wishes *job;
    struct gang_error *error;
    int result;
};

static inline void
job_open(struct job_case *opened, const char *text)
{
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;

    *opened = (struct job_case){.document = NULL};
    front_text(spelled, text, &unused);
    opened->result =
        gang_document_parse(NULL, spelled, strlen(spelled), 0, &opened->document, &opened->error);
    opened->typed = job_document_of(opened->document);
    opened->job = opened->typed ? &opened->typed->job : NULL;
}

/* Parses a long text, written as above, which it changes and frees. */
static inline int
job_parse_long(char *text, struct gang_error **error)
{
    struct gang_document *document = NULL;
    int result;

    for (char *at = text; *at; at++)
        if (*at == '\'')
            *at = '"';
    result = gang_document_parse(NULL, text, strlen(text), 0, &document, error);
    gang_document_unref(document);
    free(text);
    return result;
}

/* Opens a job without errors. */
static inline void
job_open_good(struct job_case *opened, const char *text)
{
    job_open(opened, text);
    ck_assert_msg(
        !opened->result, "%s: %s", text,
        gang_code_name(gang_diagnostic_get_code(gang_error_get_diagnostic(opened->error, 0))));
    ck_assert_ptr_nonnull(opened->job);
}

static inline void
job_close(struct job_case *opened)
{
    gang_document_unref(opened->document);
    gang_error_free(opened->error);
}

/* The findings as "Reason path" with a comma between them, of an error or of the document. */
static inline const char *
job_case_findings(const struct job_case *opened, char *out, size_t size)
{
    size_t count = opened->error ? gang_error_num_diagnostics(opened->error)
                                 : gang_document_num_diagnostics(opened->document);
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *one = opened->error
                                                ? gang_error_get_diagnostic(opened->error, i)
                                                : gang_document_get_diagnostic(opened->document, i);

        len += (size_t)snprintf(out + len, size - len, "%s%s %s", i ? ", " : "",
                                gang_code_name(gang_diagnostic_get_code(one)),
                                gang_diagnostic_get_path(one));
        ck_assert_uint_lt(len, size);
    }
    return out;
}

/* A job, its findings, and whether it is refused. */
struct job_verdict {
    const char *text;
    bool is_refused;
    const char *findings;
};

static inline void
job_check_verdict(const struct job_verdict *expected)
{
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    job_open(&opened, expected->text);
    ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)), expected->findings);
    ck_assert_int_eq(opened.result, expected->is_refused ? GANG_ERROR_INVALID : GANG_OK);
    job_close(&opened);
}

#endif
