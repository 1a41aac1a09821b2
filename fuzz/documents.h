/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_DOCUMENTS_H
#define FUZZ_DOCUMENTS_H

#include "fuzz/pods.h"

enum { MOST_DOCUMENTS = 4, NUM_DOCUMENT_TYPES = GANG_DOCUMENT_JOB + 1 };

/* The documents of one stream by type, and its pods: the first MOST_DOCUMENTS of each. */
struct documents {
    size_t size; /* of the text */
    struct gang_stream *stream;
    struct gang_document *typed[NUM_DOCUMENT_TYPES][MOST_DOCUMENTS];
    size_t places[NUM_DOCUMENT_TYPES][MOST_DOCUMENTS]; /* in the stream */
    size_t num_typed[NUM_DOCUMENT_TYPES];
    size_t pods[MOST_DOCUMENTS]; /* in the stream */
    size_t num_pods;
    /* what a plan of a gang has at least and at most; set by the target */
    size_t least_objects;
    size_t most_objects;
};

/* The first document of the type, or NULL. */
static inline struct gang_document *
documents_first(const struct documents *documents, enum gang_document_type type)
{
    return documents->typed[type][0];
}

/* Whether more documents of the type are needed. */
static inline bool
documents_want(const struct documents *documents, int type)
{
    return type > GANG_DOCUMENT_NONE && type < NUM_DOCUMENT_TYPES &&
           documents->num_typed[type] < MOST_DOCUMENTS;
}

/* Parses a document of a kind that the library reads. The API version may be unknown to it. */
static inline void
documents_read(struct documents *documents, size_t place, int type)
{
    struct gang_error *error = NULL;
    struct gang_document *document = NULL;
    size_t len;
    const char *text = gang_stream_get_data(documents->stream, place, &len);
    int code = gang_document_parse(NULL, text, len, 0, &document, &error);

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        must_have_a_place(gang_error_get_diagnostic(error, i));
    if (!must_agree(code, document, error))
        return;
    for (size_t i = 0; i < gang_document_num_diagnostics(document); i++)
        must_have_a_place(gang_document_get_diagnostic(document, i));
    must(gang_document_get_type(document) == type);
    documents->places[type][documents->num_typed[type]] = place;
    documents->typed[type][documents->num_typed[type]++] = document;
}

static inline void
documents_add(struct documents *documents, size_t place)
{
    const char *kind = gang_stream_get_kind(documents->stream, place);
    int type = kind ? gang_document_type_of(NULL, kind) : GANG_DOCUMENT_NONE;

    if (documents_want(documents, type))
        documents_read(documents, place, type);
    if (kind && strcmp(kind, "Pod") == 0 && documents->num_pods < MOST_DOCUMENTS)
        documents->pods[documents->num_pods++] = place;
}

/* Returns whether the text is a stream. If so, release it with documents_close(). */
static inline bool
documents_open(struct documents *documents, const uint8_t *data, size_t size)
{
    memset(documents, 0, sizeof(*documents));
    documents->size = size;
    if (gang_stream_parse(NULL, (const char *)data, size, 0, &documents->stream, NULL) != GANG_OK)
        return false;
    for (size_t i = 0; i < gang_stream_num_documents(documents->stream); i++)
        documents_add(documents, i);
    return true;
}

static inline void
documents_close(struct documents *documents)
{
    for (size_t type = 0; type < NUM_DOCUMENT_TYPES; type++)
        for (size_t i = 0; i < documents->num_typed[type]; i++)
            gang_document_unref(documents->typed[type][i]);
    gang_stream_unref(documents->stream);
}

/* Prepares each pod of the stream for the decision. */
static inline void
check_pods(const struct documents *documents, const struct gang_decision *decision)
{
    for (size_t i = 0; i < documents->num_pods; i++) {
        size_t len;
        const char *text = gang_stream_get_data(documents->stream, documents->pods[i], &len);

        check_pod(decision, text, len);
    }
}

static inline void
check_plan(const struct documents *documents, struct gang_decision *decision)
{
    const bool is_gang = gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG;
    struct gang_error *error;
    struct gang_plan *plan;
    int code = gang_render(NULL, decision, 0, &plan, &error);

    if (!must_agree(code, plan, error))
        return;
    must(gang_plan_num_objects(plan) >= (is_gang ? documents->least_objects : 0));
    must(gang_plan_num_objects(plan) <= (is_gang ? documents->most_objects : 0));
    must_print_alike(plan);
    gang_plan_unref(plan);
}

/* Checks all that is made of a decision, and releases both. */
static inline void
check_decision(const struct documents *documents, int code, struct gang_decision *decision,
               struct gang_error *error)
{
    must(gang_error_get_code(error) == code);
    must((code == GANG_OK || code == GANG_ERROR_INVALID || code == GANG_ERROR_DENIED) ==
         (decision != NULL));
    gang_error_free(error);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        must_be_complete(gang_decision_get_diagnostic(decision, i));
    must_count(decision);
    if (decision) {
        check_plan(documents, decision);
        check_pods(documents, decision);
    }
    gang_decision_unref(decision);
}

#endif
