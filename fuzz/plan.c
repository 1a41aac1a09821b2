/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A runtime, a trainjob and a policy in one stream, processed up to the rendered text. Equal calls
 * must give equal bytes, which must read back as documents.
 */
#include "fuzz/promises.h"

struct documents {
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_document *policy;
};

static void
read_document(struct documents *documents, const struct gang_stream *stream, size_t index)
{
    const char *kind = gang_stream_get_kind(stream, index);
    size_t len;
    const char *text = gang_stream_get_data(stream, index, &len);
    int result = GANG_OK;

    if (kind && strcmp(kind, GANG_KIND_TRAINJOB) == 0 && !documents->trainjob)
        result = gang_document_parse(NULL, text, len, 0, &documents->trainjob, NULL);
    else if (kind && strcmp(kind, GANG_KIND_POLICY) == 0 && !documents->policy)
        result = gang_document_parse(NULL, text, len, 0, &documents->policy, NULL);
    else if (kind && strstr(kind, GANG_KIND_TRAINING_RUNTIME) && !documents->runtime)
        result = gang_document_parse(NULL, text, len, 0, &documents->runtime, NULL);
    must(result <= GANG_OK);
}

static void
check_decision(struct gang_decision *decision)
{
    struct gang_plan *plan;
    struct gang_error *error;
    int code;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        must_be_complete(gang_decision_get_diagnostic(decision, i));
    code = gang_render(NULL, decision, 0, &plan, &error);
    if (!must_agree(code, plan, error))
        return;
    must(gang_plan_num_objects(plan) == 0 ||
         gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG);
    must_print_alike(plan);
    gang_plan_unref(plan);
}

static void
check_documents(const struct documents *documents)
{
    struct gang_decision *decision;
    struct gang_error *error;
    int result;

    if (!documents->runtime || !documents->trainjob)
        return;
    result = resolve_job(NULL, documents->trainjob,
                         (struct gang_document *[]){documents->runtime, documents->policy}, 2, 0,
                         &decision, &error);
    must(gang_error_get_code(error) == result);
    must((result == GANG_OK || result == GANG_ERROR_INVALID || result == GANG_ERROR_DENIED) ==
         (decision != NULL));
    gang_error_free(error);
    if (decision)
        check_decision(decision);
    gang_decision_unref(decision);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents = {NULL, NULL, NULL};
    struct gang_stream *stream;

    if (gang_stream_parse(NULL, (const char *)data, size, 0, &stream, NULL) != GANG_OK)
        return 0;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        read_document(&documents, stream, i);
    check_documents(&documents);
    gang_document_unref(documents.policy);
    gang_document_unref(documents.trainjob);
    gang_document_unref(documents.runtime);
    gang_stream_unref(stream);
    return 0;
}
