/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PodGangs, a PodCliqueSet, a ClusterTopologyBinding, pods, a policy and a cluster in one stream,
 * processed up to the rendered text. The first PodGang is resolved with the others and the binding,
 * with and without the fallback for an unknown scheduler, and alone. Each decision prepares the
 * pods. The binding is compared with the whole stream as the live state. Equal calls must give
 * equal bytes.
 */
#include "fuzz/documents.h"
#include "fuzz/topologies.h"

/* Resolves the first PodGang with everything else in the stream, or the PodCliqueSet alone. */
static int
resolve_documents(const struct documents *documents, uint32_t flags,
                  struct gang_decision **decision, struct gang_error **error)
{
    const size_t num_podgangs = documents->num_typed[GANG_DOCUMENT_PODGANG];
    struct gang_document *const *podgangs = documents->typed[GANG_DOCUMENT_PODGANG];
    struct gang_document *set = documents_first(documents, GANG_DOCUMENT_PODCLIQUESET);
    struct gang_document *inputs[MOST_DOCUMENTS + 4] = {
        documents_first(documents, GANG_DOCUMENT_POLICY),
        documents_first(documents, GANG_DOCUMENT_CLUSTER),
    };
    size_t count = 2;

    if (!num_podgangs)
        return resolve_job(NULL, set, inputs, count, flags, decision, error);
    inputs[count++] = set;
    inputs[count++] = documents_first(documents, GANG_DOCUMENT_TOPOLOGYBINDING);
    for (size_t i = 1; i < num_podgangs; i++)
        inputs[count++] = podgangs[i];
    return resolve_job(NULL, podgangs[0], inputs, count, flags, decision, error);
}

static void
check_resolve(const struct documents *documents, uint32_t flags)
{
    struct gang_decision *decision;
    struct gang_error *error;
    int code = resolve_documents(documents, flags, &decision, &error);

    check_decision(documents, code, decision, error);
}

/* The first PodGang, or else the PodCliqueSet, with no other document. */
static void
check_alone(const struct documents *documents)
{
    struct gang_document *podgang = documents_first(documents, GANG_DOCUMENT_PODGANG);
    struct gang_document *job =
        podgang ? podgang : documents_first(documents, GANG_DOCUMENT_PODCLIQUESET);
    struct gang_decision *decision;
    struct gang_error *error;
    int code = gang_resolve(NULL, job, NULL, 0, &decision, &error);

    check_decision(documents, code, decision, error);
}

static void
check_binding(const struct documents *documents, const char *live, size_t len)
{
    struct gang_document *binding = documents_first(documents, GANG_DOCUMENT_TOPOLOGYBINDING);
    size_t place = documents->places[GANG_DOCUMENT_TOPOLOGYBINDING][0];

    if (!binding)
        return;
    check_topology(binding);
    check_printed(binding, documents->stream, place);
    check_schedulers(binding, documents_first(documents, GANG_DOCUMENT_POLICY));
    check_comparison(binding, live, len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents;

    if (!documents_open(&documents, data, size))
        return 0;
    documents.least_objects = documents.most_objects = 1;
    if (documents_first(&documents, GANG_DOCUMENT_PODGANG) ||
        documents_first(&documents, GANG_DOCUMENT_PODCLIQUESET)) {
        check_resolve(&documents, GANG_RESOLVE_NO_FLAGS);
        check_resolve(&documents, GANG_RESOLVE_FALL_BACK);
        check_alone(&documents);
    }
    check_binding(&documents, (const char *)data, size);
    documents_close(&documents);
    return 0;
}
