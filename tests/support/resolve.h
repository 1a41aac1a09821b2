/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_RESOLVE_H
#define TESTS_SUPPORT_RESOLVE_H

#include <stdbool.h>
#include <stdlib.h>

#include <gang/gang.h>

/* Whether the document can be resolved: it is a job of any kind. */
static inline bool
is_job(const struct gang_document *document)
{
    int type = gang_document_get_type(document);

    return type == GANG_DOCUMENT_TRAINJOB || type == GANG_DOCUMENT_PODGANG ||
           type == GANG_DOCUMENT_PODCLIQUESET || type == GANG_DOCUMENT_JOB;
}

/* Inputs of the documents, of which each may be NULL. Ends the process without memory. */
static inline struct gang_inputs *
inputs_of(struct gang_document *const *documents, size_t count)
{
    struct gang_inputs *inputs = gang_inputs_new();

    if (!inputs)
        exit(2);
    for (size_t i = 0; i < count; i++)
        if (documents[i] && gang_inputs_add(inputs, documents[i]))
            exit(2);
    return inputs;
}

/* Resolves a job with the documents, of which each may be NULL. */
static inline int
resolve_job(const struct gang_context *context, struct gang_document *job,
            struct gang_document *const *documents, size_t count, uint32_t flags,
            struct gang_decision **decision, struct gang_error **error)
{
    struct gang_inputs *inputs = inputs_of(documents, count);
    int result = gang_resolve(context, job, inputs, flags, decision, error);

    gang_inputs_free(inputs);
    return result;
}

#endif
