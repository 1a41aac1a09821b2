/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_KINDS_H
#define TESTS_UNIT_KINDS_H

#include "unit/jobs.h"

/* Pods of a job in JSON, with apostrophes as quotes. */
#define PODS_OF(name, resources)                                                                   \
    "'template':{'spec':{'containers':[{'name':'" name "','image':'i'" resources "}]}}"
#define WITH_REQUESTS(amounts) ",'resources':{'requests':{" amounts "}}"
#define WITH_LIMITS(amounts) ",'resources':{'limits':{" amounts "}}"

/* A job of another kind, what is in its GangJob behind the owner, and its findings. */
struct job_translation {
    const char *text;
    const char *spec; /* NULL: the job is refused */
    const char *findings;
};

/* The members of the printed spec, which begins with the owner. */
static inline void
check_printed_spec(const struct job_case *opened, const struct job_translation *expected)
{
    char wanted[DOCUMENT_SIZE];
    struct front_place unused;
    struct gang_blob *blob = NULL;
    const char *spec;
    size_t len;

    front_text(wanted, expected->spec, &unused);
    ck_assert_int_eq(
        gang_job_serialize(NULL, opened->document, 0, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    spec = strstr(gang_blob_get_data(blob, NULL), "\"owner\":{");
    ck_assert_ptr_nonnull(spec);
    spec = strstr(spec, "},") + 2;
    len = strlen(spec);
    ck_assert_msg(len >= 3 && len - 3 == strlen(wanted) && !memcmp(spec, wanted, len - 3), "%s: %s",
                  expected->text, spec);
    gang_blob_unref(blob);
}

static inline void
job_check_translation(const struct job_translation *expected)
{
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    job_open(&opened, expected->text);
    ck_assert_msg(!strcmp(job_case_findings(&opened, found, sizeof(found)), expected->findings),
                  "%s: found %s, not %s", expected->text, found, expected->findings);
    ck_assert_int_eq(opened.result, expected->spec ? GANG_OK : GANG_ERROR_INVALID);
    if (expected->spec)
        check_printed_spec(&opened, expected);
    job_close(&opened);
}

static inline size_t
job_count_findings(const struct job_case *opened)
{
    return opened->error ? gang_error_num_diagnostics(opened->error)
                         : gang_document_num_diagnostics(opened->document);
}

static inline const struct gang_diagnostic *
job_finding(const struct job_case *opened, size_t index)
{
    return opened->error ? gang_error_get_diagnostic(opened->error, index)
                         : gang_document_get_diagnostic(opened->document, index);
}

/* The message of the first finding with this reason. */
static inline void
job_check_message(const char *text, const char *reason, const char *message)
{
    struct job_case opened;

    job_open(&opened, text);
    for (size_t i = 0; i < job_count_findings(&opened); i++) {
        const struct gang_diagnostic *one = job_finding(&opened, i);

        if (strcmp(gang_code_name(gang_diagnostic_get_code(one)), reason))
            continue;
        ck_assert_str_eq(gang_diagnostic_get_message(one), message);
        job_close(&opened);
        return;
    }
    ck_abort_msg("%s: no finding %s", text, reason);
}

/* A job that is refused, and the message of the finding that says why. */
struct job_refusal {
    const char *text;
    const char *reason;
    const char *message;
};

/* Each finding about a job that is refused has a place in it. */
static inline void
job_check_refusal(const struct job_refusal *expected)
{
    struct job_case opened;

    job_open(&opened, expected->text);
    ck_assert_int_eq(opened.result, GANG_ERROR_INVALID);
    for (size_t i = 0; i < job_count_findings(&opened); i++)
        ck_assert_msg(gang_diagnostic_get_line(job_finding(&opened, i)) > 0, "%s: no place: %s",
                      expected->text, gang_diagnostic_get_message(job_finding(&opened, i)));
    job_close(&opened);
    job_check_message(expected->text, expected->reason, expected->message);
}

#endif
