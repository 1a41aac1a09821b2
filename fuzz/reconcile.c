/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs, PodGangs, a policy and a cluster in one stream, which is also the live state. A rendered
 * object that exists must not be created again. After a plan's writes, nothing must be left to
 * write. Equal calls must give equal bytes.
 */
#include "fuzz/promises.h"

struct documents {
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_document *podgang;
    struct gang_document *set;
    struct gang_document *policy;
    struct gang_document *cluster;
    struct gang_document *job;
};

struct text {
    const char *data;
    size_t len;
};

static void
read_document(struct documents *documents, const struct gang_stream *stream, size_t index)
{
    const char *kind = gang_stream_get_kind(stream, index);
    size_t len;
    const char *text = gang_stream_get_data(stream, index, &len);
    int result = GANG_OK;

    if (!kind)
        return;
    if (strcmp(kind, GANG_KIND_TRAINJOB) == 0 && !documents->trainjob)
        result = gang_document_parse(NULL, text, len, 0, &documents->trainjob, NULL);
    else if (strcmp(kind, GANG_KIND_POLICY) == 0 && !documents->policy)
        result = gang_document_parse(NULL, text, len, 0, &documents->policy, NULL);
    else if (strcmp(kind, GANG_KIND_CLUSTER) == 0 && !documents->cluster)
        result = gang_document_parse(NULL, text, len, 0, &documents->cluster, NULL);
    else if (strcmp(kind, GANG_KIND_PODGANG) == 0 && !documents->podgang)
        result = gang_document_parse(NULL, text, len, 0, &documents->podgang, NULL);
    else if (strcmp(kind, GANG_KIND_PODCLIQUESET) == 0 && !documents->set)
        result = gang_document_parse(NULL, text, len, 0, &documents->set, NULL);
    else if (strstr(kind, GANG_KIND_TRAINING_RUNTIME) && !documents->runtime)
        result = gang_document_parse(NULL, text, len, 0, &documents->runtime, NULL);
    else if (!documents->job && gang_document_type_of(gang_stream_get_api_version(stream, index),
                                                      kind) == GANG_DOCUMENT_JOB)
        result = gang_document_parse(NULL, text, len, 0, &documents->job, NULL);
    must(result <= GANG_OK);
}

static size_t
count_actions(const struct gang_plan *plan, enum gang_action action)
{
    size_t count = 0;

    for (size_t i = 0; i < gang_plan_num_objects(plan); i++)
        count += gang_object_get_action(gang_plan_get_object(plan, i)) == action;
    return count;
}

/* Returns NULL if the live state cannot be compared. */
static struct gang_plan *
reconcile(const struct gang_plan *plan, struct text live)
{
    struct gang_error *error;
    struct gang_plan *out;
    int code = reconcile_text(NULL, plan, live.data, live.len, &out, &error);
    bool is_held = count_actions(out, GANG_ACTION_CONFLICT) > 0;

    must(gang_error_get_code(error) == code);
    must((code == GANG_OK) == (error == NULL));
    must(!out || code == GANG_OK || code == GANG_ERROR_INVALID);
    /* the pods of a JobSet can conflict with a plan of which no object does */
    must(!is_held || code == GANG_ERROR_INVALID);
    must(code == GANG_OK || gang_plan_num_patches(out) == 0);
    must(code == GANG_OK || gang_error_num_diagnostics(error) > 0);
    gang_error_free(error);
    for (size_t i = 0; i < gang_plan_num_diagnostics(out); i++)
        must_be_complete(gang_plan_get_diagnostic(out, i));
    return out;
}

static struct gang_blob *
serialize(const struct gang_plan *plan, enum gang_target target, enum gang_format format)
{
    struct gang_blob *blob;
    struct gang_error *error;
    int code = gang_plan_serialize(NULL, plan, target, format, 0, &blob, &error);

    return must_agree(code, blob, error) ? blob : NULL;
}

static struct text
text_of(const struct gang_blob *blob)
{
    struct text text;

    text.data = gang_blob_get_data(blob, &text.len);
    return text;
}

static void
check_bytes(const struct gang_plan *plan, const struct gang_plan *again, enum gang_format format)
{
    struct gang_blob *blobs[] = {serialize(plan, GANG_TARGET_PLAN, format),
                                 serialize(again, GANG_TARGET_PLAN, format)};

    must((blobs[0] == NULL) == (blobs[1] == NULL));
    if (blobs[0]) {
        struct text one = text_of(blobs[0]);
        struct text other = text_of(blobs[1]);

        must(one.len == other.len && memcmp(one.data, other.data, one.len) == 0);
    }
    gang_blob_unref(blobs[0]);
    gang_blob_unref(blobs[1]);
}

static void
must_write_nothing(const struct gang_plan *plan)
{
    must(!count_actions(plan, GANG_ACTION_CREATE) && !count_actions(plan, GANG_ACTION_APPLY) &&
         !count_actions(plan, GANG_ACTION_RECREATE) && !count_actions(plan, GANG_ACTION_CONFLICT));
}

/* Reconciles again, with what was written in front of the earlier live state. */
static void
check_settles(const struct gang_plan *plan, struct text before)
{
    struct gang_blob *blob = serialize(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    struct gang_plan *again;
    struct text written;
    char *live;

    if (!blob)
        return;
    written = text_of(blob);
    live = malloc(written.len + before.len + 5);
    must(live != NULL);
    memcpy(live, written.data, written.len);
    memcpy(live + written.len, "---\n", 4);
    memcpy(live + written.len + 4, before.data, before.len);
    again = reconcile(plan, (struct text){live, written.len + 4 + before.len});
    if (again)
        must_write_nothing(again);
    gang_plan_unref(again);
    gang_blob_unref(blob);
    free(live);
}

/* Only Volcano changes an object that was just rendered: it releases a finished job. */
static void
check_own(const struct gang_plan *plan)
{
    struct gang_blob *blob = serialize(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    struct gang_plan *again = blob ? reconcile(plan, text_of(blob)) : NULL;

    must(!count_actions(again, GANG_ACTION_CREATE) && !count_actions(again, GANG_ACTION_RECREATE) &&
         !count_actions(again, GANG_ACTION_CONFLICT));
    must(!again || gang_plan_num_objects(again) == gang_plan_num_objects(plan));
    gang_plan_unref(again);
    gang_blob_unref(blob);
}

static void
check_plan(const struct gang_plan *plan, struct text live)
{
    struct gang_plan *one = reconcile(plan, live);
    struct gang_plan *other = reconcile(plan, live);

    check_own(plan);
    must((one == NULL) == (other == NULL));
    if (one) {
        check_bytes(one, other, GANG_FORMAT_JSON);
        check_bytes(one, other, GANG_FORMAT_YAML);
        if (!count_actions(one, GANG_ACTION_CONFLICT))
            check_settles(one, live);
    }
    gang_plan_unref(one);
    gang_plan_unref(other);
}

static void
check_decision(struct gang_decision *decision, struct text live)
{
    struct gang_plan *plan;

    if (decision && gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK) {
        check_plan(plan, live);
        gang_plan_unref(plan);
    }
    gang_decision_unref(decision);
}

static void
check_documents(const struct documents *documents, struct text live)
{
    struct gang_decision *decision;

    if (documents->runtime && documents->trainjob) {
        struct gang_document *inputs[] = {documents->runtime, documents->policy,
                                          documents->cluster};

        must(resolve_job(NULL, documents->trainjob, inputs, 3, 0, &decision, NULL) <= GANG_OK);
        check_decision(decision, live);
    }
    if (documents->podgang || documents->set) {
        struct gang_document *inputs[] = {documents->podgang ? documents->set : NULL,
                                          documents->policy, documents->cluster};

        must(resolve_job(NULL, documents->podgang ? documents->podgang : documents->set, inputs, 3,
                         0, &decision, NULL) <= GANG_OK);
        check_decision(decision, live);
    }
    if (documents->job) {
        struct gang_document *inputs[] = {documents->policy, documents->cluster};

        must(resolve_job(NULL, documents->job, inputs, 2, 0, &decision, NULL) <= GANG_OK);
        check_decision(decision, live);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents = {.runtime = NULL};
    struct gang_stream *stream;

    if (gang_stream_parse(NULL, (const char *)data, size, 0, &stream, NULL) != GANG_OK)
        return 0;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        read_document(&documents, stream, i);
    check_documents(&documents, (struct text){(const char *)data, size});
    gang_document_unref(documents.runtime);
    gang_document_unref(documents.trainjob);
    gang_document_unref(documents.podgang);
    gang_document_unref(documents.set);
    gang_document_unref(documents.policy);
    gang_document_unref(documents.cluster);
    gang_document_unref(documents.job);
    gang_stream_unref(stream);
    return 0;
}
