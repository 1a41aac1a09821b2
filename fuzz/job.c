/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs of the type GANG_DOCUMENT_JOB, pods, a policy and a cluster in one stream, processed up to
 * the rendered text: of each job the first and the last gang. What gang_job_serialize() prints must
 * read as a job that prints the same. Equal calls must give equal bytes.
 */
#include "fuzz/pods.h"

enum { MOST_JOBS = 3, MOST_PODS = 3 };

struct documents {
    const struct gang_stream *stream;
    struct gang_document *jobs[MOST_JOBS];
    size_t num_jobs;
    size_t pods[MOST_PODS]; /* in the stream */
    size_t num_pods;
    struct gang_document *policy;
    struct gang_document *cluster;
};

static struct gang_document *
parsed(const char *text, size_t len)
{
    struct gang_error *error = NULL;
    struct gang_document *document = NULL;
    int code = gang_document_parse(NULL, text, len, 0, &document, &error);

    return must_agree(code, document, error) ? document : NULL;
}

static void
read_document(struct documents *documents, size_t index)
{
    const char *kind = gang_stream_get_kind(documents->stream, index);
    const char *version = gang_stream_get_api_version(documents->stream, index);
    size_t len;
    const char *text = gang_stream_get_data(documents->stream, index, &len);

    switch (gang_document_type_of(version, kind)) {
    case GANG_DOCUMENT_JOB:
        if (documents->num_jobs < MOST_JOBS)
            documents->jobs[documents->num_jobs] = parsed(text, len);
        documents->num_jobs +=
            documents->num_jobs < MOST_JOBS && documents->jobs[documents->num_jobs];
        return;
    case GANG_DOCUMENT_POLICY:
        if (!documents->policy)
            documents->policy = parsed(text, len);
        return;
    case GANG_DOCUMENT_CLUSTER:
        if (!documents->cluster)
            documents->cluster = parsed(text, len);
        return;
    default:
        if (kind && strcmp(kind, "Pod") == 0 && documents->num_pods < MOST_PODS)
            documents->pods[documents->num_pods++] = index;
    }
}

/* NULL if the gang is not printed: the job is invalid there, or a limit is reached. */
static struct gang_blob *
printed_job(const struct gang_document *job, uint64_t gang)
{
    struct gang_error *error;
    struct gang_blob *blob;
    int code = gang_job_serialize(NULL, job, gang, GANG_FORMAT_JSON, 0, &blob, &error);

    return must_agree(code, blob, error) ? blob : NULL;
}

/* A job of another kind can have more roles and other names than a GangJob may have. */
static void
check_printed(const struct gang_document *job, uint64_t gang)
{
    struct gang_blob *blob = printed_job(job, gang);
    struct gang_blob *again = NULL;
    struct gang_document *read = NULL;
    size_t len = 0;
    const char *text = blob ? gang_blob_get_data(blob, &len) : NULL;

    if (blob && gang_document_parse(NULL, text, len, 0, &read, NULL) == GANG_OK) {
        must(gang_document_get_type(read) == GANG_DOCUMENT_JOB);
        must(gang_document_num_gangs(read) >= 1);
        again = printed_job(read, 0);
        must(again != NULL);
        if (gang_document_num_gangs(read) == 1)
            must_be_equal(blob, again);
    }
    gang_document_unref(read);
    gang_blob_unref(again);
    gang_blob_unref(blob);
}

static void
check_plan(struct gang_decision *decision)
{
    struct gang_error *error;
    struct gang_plan *plan;
    int code = gang_render(NULL, decision, 0, &plan, &error);

    if (!must_agree(code, plan, error))
        return;
    must_print_alike(plan);
    gang_plan_unref(plan);
}

static void
check_pods(const struct documents *documents, const struct gang_decision *decision)
{
    for (size_t i = 0; i < documents->num_pods; i++) {
        size_t len;
        const char *text = gang_stream_get_data(documents->stream, documents->pods[i], &len);

        check_pod(decision, text, len);
    }
}

static struct gang_inputs *
inputs_of_gang(const struct documents *documents, uint64_t gang)
{
    struct gang_inputs *inputs = gang_inputs_new();

    must(inputs && gang_inputs_set_gang_index(inputs, gang) == GANG_OK);
    if (documents->policy)
        must(gang_inputs_add(inputs, documents->policy) == GANG_OK);
    if (documents->cluster)
        must(gang_inputs_add(inputs, documents->cluster) == GANG_OK);
    return inputs;
}

static void
check_gang(const struct documents *documents, struct gang_document *job, uint64_t gang)
{
    struct gang_inputs *inputs = inputs_of_gang(documents, gang);
    struct gang_decision *decision;
    struct gang_error *error;
    int code = gang_resolve(NULL, job, inputs, 0, &decision, &error);

    must(gang_error_get_code(error) == code);
    gang_error_free(error);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        must_be_complete(gang_decision_get_diagnostic(decision, i));
    if (decision) {
        check_plan(decision);
        check_pods(documents, decision);
    }
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
}

static void
check_job(const struct documents *documents, struct gang_document *job)
{
    const uint64_t count = gang_document_num_gangs(job);
    const uint64_t last = count ? count - 1 : 0;

    check_gang(documents, job, 0);
    if (count)
        check_printed(job, 0);
    if (last == 0)
        return;
    check_gang(documents, job, last);
    check_printed(job, last);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents = {.num_jobs = 0};
    struct gang_stream *stream;

    if (gang_stream_parse(NULL, (const char *)data, size, 0, &stream, NULL) != GANG_OK)
        return 0;
    documents.stream = stream;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        read_document(&documents, i);
    for (size_t i = 0; i < documents.num_jobs; i++) {
        check_job(&documents, documents.jobs[i]);
        gang_document_unref(documents.jobs[i]);
    }
    gang_document_unref(documents.policy);
    gang_document_unref(documents.cluster);
    gang_stream_unref(stream);
    return 0;
}
