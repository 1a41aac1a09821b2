/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOB_SQUEEZE_H
#define TESTS_UNIT_JOB_SQUEEZE_H

#include "unit/jobs.h"
#include "unit/squeeze.h"

static inline bool
job_squeeze_parse(const struct gang_context *context, const void *input, int *result,
                  struct gang_error **error)
{
    struct gang_document *document = NULL;
    bool is_parsed;

    *result = gang_document_parse(context, input, strlen(input), 0, &document, error);
    is_parsed = document != NULL;
    gang_document_unref(document);
    return is_parsed;
}

/* Writes the last gang of a parsed job. */
static inline bool
job_squeeze_print(const struct gang_context *context, const void *input, int *result,
                  struct gang_error **error)
{
    const struct gang_document *document = input;
    struct gang_blob *blob = NULL;
    bool is_printed;

    *result = gang_job_serialize(context, document, gang_document_num_gangs(document) - 1,
                                 GANG_FORMAT_JSON, 0, &blob, error);
    is_printed = blob != NULL;
    gang_blob_unref(blob);
    return is_printed;
}

/* Reads a job, then writes its last gang, with too little memory for each allocation. */
static inline void
job_squeeze(const char *text)
{
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;
    struct job_case opened;

    front_text(spelled, text, &unused);
    ck_assert_int_eq(squeeze(job_squeeze_parse, spelled), GANG_OK);
    job_open_good(&opened, text);
    ck_assert_int_eq(squeeze(job_squeeze_print, opened.document), GANG_OK);
    job_close(&opened);
}

#endif
