/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOB_PLANS_H
#define TESTS_UNIT_JOB_PLANS_H

#include "unit/jobs.h"

/* A job that is no TrainJob, resolved with a policy whose defaultBackend is given. */
struct job_plan {
    struct job_case job;
    struct gang_document *policy;
    struct gang_inputs *inputs;
    struct gang_decision *decision;
    struct gang_error *error;
    int result;
};

static inline struct gang_document *
job_plan_policy(const char *spec)
{
    char text[DOCUMENT_SIZE];
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;
    struct gang_document *policy = NULL;

    ck_assert_int_lt(snprintf(text, sizeof(text),
                              "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangPolicy',"
                              "'metadata':{'name':'p'},'spec':{%s}}",
                              spec),
                     (int)sizeof(text));
    front_text(spelled, text, &unused);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &policy, NULL),
                     GANG_OK);
    return policy;
}

/* `policy`: the members of its spec, "'defaultBackend':'volcano'". */
static inline void
job_plan_open(struct job_plan *opened, const char *job, const char *policy, uint64_t gang)
{
    *opened = (struct job_plan){.policy = job_plan_policy(policy), .inputs = gang_inputs_new()};
    job_open_good(&opened->job, job);
    ck_assert_int_eq(gang_inputs_add(opened->inputs, opened->policy), GANG_OK);
    ck_assert_int_eq(gang_inputs_set_gang_index(opened->inputs, gang), GANG_OK);
    opened->result = gang_resolve(NULL, opened->job.document, opened->inputs, 0, &opened->decision,
                                  &opened->error);
}

static inline void
job_plan_close(struct job_plan *opened)
{
    gang_decision_unref(opened->decision);
    gang_error_free(opened->error);
    gang_inputs_free(opened->inputs);
    gang_document_unref(opened->policy);
    job_close(&opened->job);
}

/* The errors of the decision, a line each: "path: message". */
static inline const char *
job_plan_errors(const struct gang_error *error, char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *one = gang_error_get_diagnostic(error, i);

        if (gang_diagnostic_get_severity(one) == GANG_SEVERITY_ERROR)
            len +=
                (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%s%s: %s", len ? "\n" : "",
                                 gang_diagnostic_get_path(one), gang_diagnostic_get_message(one));
    }
    return out;
}

/* Writes the target `job`, or the errors; with ' for a double quote. */
static inline const char *
job_plan_target(const struct job_plan *opened, char out[DOCUMENT_SIZE])
{
    struct gang_plan *plan = NULL;
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    size_t len;

    ck_assert_int_eq(gang_render(NULL, opened->decision, 0, &plan, NULL), GANG_OK);
    if (gang_plan_serialize(NULL, plan, GANG_TARGET_JOB, GANG_FORMAT_JSON, 0, &blob, &error)) {
        job_plan_errors(error, out);
    } else {
        const char *data = gang_blob_get_data(blob, &len);

        ck_assert_uint_lt(len, DOCUMENT_SIZE);
        memcpy(out, data, len);
        out[len ? len - 1 : 0] = '\0';
    }
    for (char *at = out; *at; at++)
        if (*at == '"')
            *at = '\'';
    gang_blob_unref(blob);
    gang_error_free(error);
    gang_plan_unref(plan);
    return out;
}

#endif
