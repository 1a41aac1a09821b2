/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PodGangs, a PodCliqueSet, a ClusterTopologyBinding, pods, a policy and a cluster in one stream,
 * processed up to the rendered text. The first PodGang is resolved with the others and the binding,
 * with and without the fallback for an unknown scheduler. Each decision prepares the pods. The
 * binding is compared with the whole stream as the live state. Equal calls must give equal bytes.
 */
#include "fuzz/pods.h"
#include "fuzz/topologies.h"

enum { MOST_PODGANGS = 4, MOST_PODS = 4 };

struct documents {
    const struct gang_stream *stream;
    struct gang_document *podgangs[MOST_PODGANGS];
    size_t num_podgangs;
    struct gang_document *set;
    struct gang_document *binding;
    size_t binding_index; /* in the stream, like those of the pods */
    size_t pods[MOST_PODS];
    size_t num_pods;
    struct gang_document *policy;
    struct gang_document *cluster;
};

static void
read_podgang(struct documents *documents, const char *text, size_t len)
{
    struct gang_error *error;
    struct gang_document *podgang;
    int code = gang_document_parse(NULL, text, len, 0, &podgang, &error);

    if (must_agree(code, podgang, error))
        documents->podgangs[documents->num_podgangs++] = podgang;
}

static void
read_document(struct documents *documents, size_t index)
{
    const struct gang_stream *stream = documents->stream;
    const char *kind = gang_stream_get_kind(stream, index);
    struct gang_error *error = NULL;
    size_t len;
    const char *text = gang_stream_get_data(stream, index, &len);
    int code;

    if (!kind)
        return;
    if (strcmp(kind, GANG_KIND_PODGANG) == 0 && documents->num_podgangs < MOST_PODGANGS) {
        read_podgang(documents, text, len);
    } else if (strcmp(kind, GANG_KIND_PODCLIQUESET) == 0 && !documents->set) {
        code = gang_document_parse(NULL, text, len, 0, &documents->set, &error);
        must_agree(code, documents->set, error);
    } else if (strcmp(kind, GANG_KIND_TOPOLOGYBINDING) == 0 && !documents->binding) {
        code = gang_document_parse(NULL, text, len, 0, &documents->binding, &error);
        must_agree(code, documents->binding, error);
        documents->binding_index = index;
    } else if (strcmp(kind, "Pod") == 0 && documents->num_pods < MOST_PODS) {
        documents->pods[documents->num_pods++] = index;
    } else if (strcmp(kind, GANG_KIND_POLICY) == 0 && !documents->policy) {
        code = gang_document_parse(NULL, text, len, 0, &documents->policy, &error);
        must_agree(code, documents->policy, error);
    } else if (strcmp(kind, GANG_KIND_CLUSTER) == 0 && !documents->cluster) {
        code = gang_document_parse(NULL, text, len, 0, &documents->cluster, &error);
        must_agree(code, documents->cluster, error);
    }
}

static void
check_plan(struct gang_decision *decision)
{
    struct gang_error *error;
    struct gang_plan *plan;
    int code = gang_render(NULL, decision, 0, &plan, &error);

    if (!must_agree(code, plan, error))
        return;
    must(gang_plan_num_objects(plan) == (gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG));
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

/* Resolves the first PodGang with everything else in the stream, or the PodCliqueSet alone. */
static int
resolve_documents(const struct documents *documents, uint32_t flags,
                  struct gang_decision **decision, struct gang_error **error)
{
    struct gang_document *inputs[MOST_PODGANGS + 4] = {documents->policy, documents->cluster};
    size_t count = 2;

    if (!documents->num_podgangs)
        return resolve_job(NULL, documents->set, inputs, count, flags, decision, error);
    inputs[count++] = documents->set;
    inputs[count++] = documents->binding;
    for (size_t i = 1; i < documents->num_podgangs; i++)
        inputs[count++] = documents->podgangs[i];
    return resolve_job(NULL, documents->podgangs[0], inputs, count, flags, decision, error);
}

static void
check_resolve(const struct documents *documents, uint32_t flags)
{
    struct gang_decision *decision;
    struct gang_error *error;
    int code = resolve_documents(documents, flags, &decision, &error);

    must(gang_error_get_code(error) == code);
    must((code == GANG_OK || code == GANG_ERROR_INVALID || code == GANG_ERROR_DENIED) ==
         (decision != NULL));
    gang_error_free(error);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        must_be_complete(gang_decision_get_diagnostic(decision, i));
    if (decision) {
        check_plan(decision);
        check_pods(documents, decision);
    }
    gang_decision_unref(decision);
}

static void
check_binding(const struct documents *documents, const char *live, size_t len)
{
    check_topology(documents->binding);
    check_printed(documents->binding, documents->stream, documents->binding_index);
    check_schedulers(documents->binding, documents->policy);
    check_comparison(documents->binding, live, len);
}

static void
check_documents(const struct documents *documents)
{
    if (!documents->num_podgangs && !documents->set)
        return;
    check_resolve(documents, GANG_RESOLVE_NO_FLAGS);
    check_resolve(documents, GANG_RESOLVE_FALL_BACK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents = {.num_podgangs = 0};
    struct gang_stream *stream;

    if (gang_stream_parse(NULL, (const char *)data, size, 0, &stream, NULL) != GANG_OK)
        return 0;
    documents.stream = stream;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        read_document(&documents, i);
    check_documents(&documents);
    if (documents.binding)
        check_binding(&documents, (const char *)data, size);
    for (size_t i = 0; i < documents.num_podgangs; i++)
        gang_document_unref(documents.podgangs[i]);
    gang_document_unref(documents.set);
    gang_document_unref(documents.binding);
    gang_document_unref(documents.policy);
    gang_document_unref(documents.cluster);
    gang_stream_unref(stream);
    return 0;
}
