/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_KUEUE_FINDINGS_H
#define TESTS_UNIT_KUEUE_FINDINGS_H

#include "unit/job_plans.h"

static inline const struct gang_diagnostic *
kueue_finding(const struct job_plan *opened, size_t index)
{
    return opened->error ? gang_error_get_diagnostic(opened->error, index)
                         : gang_decision_get_diagnostic(opened->decision, index);
}

/* "GANG560 path: message" of the findings about Kueue, a line each. */
static inline void
kueue_findings(const struct job_plan *opened, char out[DOCUMENT_SIZE])
{
    const size_t count = opened->error ? gang_error_num_diagnostics(opened->error)
                                       : gang_decision_num_diagnostics(opened->decision);
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *finding = kueue_finding(opened, i);
        const int code = gang_diagnostic_get_code(finding);

        if (code >= GANG_CODE_KUEUE_TOPOLOGY && code <= GANG_CODE_PLACED_BY_OTHERS)
            len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "GANG%d %s: %s\n", code,
                                    gang_diagnostic_get_path(finding),
                                    gang_diagnostic_get_message(finding));
    }
}

/* Resolves a job that is no TrainJob, and compares what is reported about Kueue. */
static inline void
check_kueue_findings(const char *job, const char *policy, const char *findings)
{
    char text[DOCUMENT_SIZE];
    struct job_plan opened;

    job_plan_open(&opened, job, policy, 0);
    kueue_findings(&opened, text);
    ck_assert_str_eq(text, findings);
    ck_assert_int_eq(opened.result, strstr(findings, "GANG561 ") ? GANG_ERROR_INVALID : GANG_OK);
    job_plan_close(&opened);
}

#endif
