/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DOCUMENTS_H
#define GANGCTL_DOCUMENTS_H

#include "complain.h"
#include "input.h"

/* What a document is to gangctl. */
enum role_of_document {
    DOCUMENT_FOREIGN,
    DOCUMENT_IS_TRAINJOB,
    DOCUMENT_IS_RUNTIME,
    DOCUMENT_IS_PODGANG,
    DOCUMENT_IS_PODCLIQUESET,
    DOCUMENT_IS_POD, /* of Grove */
    DOCUMENT_IS_TOPOLOGYBINDING,
    DOCUMENT_IS_POLICY,
    DOCUMENT_IS_CLUSTER,
};

/* One document of the input. Texts are borrowed from its stream. */
struct document {
    struct origin origin;
    const char *api_version; /* NULL: none */
    const char *kind;
    const char *name;
    const char *namespace_;
    const char *data;
    size_t len;
    enum role_of_document role; /* once the workbench has looked at it */
};

/*
 * Documents in the order of the input, the items of lists in place of their list. Owns streams and
 * copied texts.
 */
struct documents {
    struct document *items;
    size_t count;
    struct gang_stream **streams;
    size_t num_streams;
    char **texts;
    size_t num_texts;
};

/* Splits a source and adds what it holds; what is not well-formed lands in the complaints. */
void documents_add(struct documents *documents, const struct source *source,
                   const struct gang_context *context, struct complaints *complaints);
void documents_free(struct documents *documents);

#endif
