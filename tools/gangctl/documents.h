/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DOCUMENTS_H
#define GANGCTL_DOCUMENTS_H

#include "complain.h"
#include "input.h"

/* How gangctl uses a document. */
enum role_of_document {
    DOCUMENT_FOREIGN,
    DOCUMENT_IS_TRAINJOB,
    DOCUMENT_IS_JOB, /* a GangJob, or a job that is read as one */
    DOCUMENT_IS_RUNTIME,
    DOCUMENT_IS_PODGANG,
    DOCUMENT_IS_PODCLIQUESET,
    DOCUMENT_IS_POD, /* of Grove */
    DOCUMENT_IS_TOPOLOGYBINDING,
    DOCUMENT_IS_POLICY,
    DOCUMENT_IS_CLUSTER,
};

/* One document of the input. Strings are borrowed from its stream. */
struct document {
    struct origin origin;
    const char *api_version; /* NULL if absent */
    const char *kind;
    const char *name;
    const char *namespace_;
    const char *data;
    size_t len;
    enum role_of_document role; /* set by the workbench */
    const char *list;           /* of a pod in a group: the text of its PodList */
};

/*
 * Documents in the order of the input; the items of a list replace the list. Owns streams and
 * copied strings.
 */
struct documents {
    struct document *items;
    size_t count;
    struct gang_stream **streams;
    size_t num_streams;
    char **texts;
    size_t num_texts;
};

/*
 * Splits a text, or a source, and adds its documents. Documents that are not well-formed are added
 * to the complaints.
 */
void documents_add_text(struct documents *documents, const struct origin *origin, const char *data,
                        size_t len, const struct gang_context *context,
                        struct complaints *complaints);
void documents_add(struct documents *documents, const struct source *source,
                   const struct gang_context *context, struct complaints *complaints);
/* Adds a document whose texts are kept. */
void documents_push(struct documents *documents, const struct document *document);
/* Keeps memory as long as the documents, which free it. Returns it. */
char *documents_keep(struct documents *documents, char *memory);
/* Whether the text has the word. */
bool document_mentions(const struct document *document, const char *word);
void documents_free(struct documents *documents);

#endif
