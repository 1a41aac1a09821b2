/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_DOCUMENT_H
#define LIBGANG_DOCUMENT_DOCUMENT_H

#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/base/refcount.h"
#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Takes the items of the list `items` of the root one by one, so that a long list needs no more
 * memory than its largest item and what the taker keeps.
 */
struct item_taker {
    /* The reader releases the item after the call. False ends the read, after a report. */
    bool (*take)(struct item_taker *taker, const struct node *item);
};

/* The input of a reader; borrowed for the call. */
struct document_request {
    struct arena *arena; /* owns the tree and a copy of every text in it */
    /*
     * NULL: the tree has every list. With a taker the limits of one document apply to each item,
     * and the text and the number of items have the limits of live objects. Nothing else may
     * allocate from `arena` during the read; the report has its own.
     */
    struct item_taker *taker;
    const struct limits *limits;
    struct report *report; /* gets every finding, with `document` set */
    enum gang_document_type document;
    bool allow_merge;   /* YAML merge keys: allowed in runtimes and TrainJobs, not in policies */
    bool allow_aliases; /* YAML anchors and aliases: not allowed in policies */
    /* lines of a stream before the text; only for a second place in a message */
    uint32_t lines_before;
};

/*
 * Reads one document: JSON if its first byte that is not white space is `{`, else YAML. Returns the
 * root, which is always a map. Returns NULL after it has reported the problem (report_has_errors()
 * or arena_failed() is then true). Every text and key of the tree ends in NUL.
 */
const struct node *document_read(const struct document_request *request, struct slice text);

/* The two readers that document_read() calls. The root may have any node kind. */
const struct node *json_read(const struct document_request *request, struct slice text);
const struct node *yaml_read(const struct document_request *request, struct slice text);

/*
 * Returns the result code of a public function for a report with errors: a limit, invalid text, or
 * invalid content.
 */
int document_result(const struct report *report);

/* Whether the text is read as JSON. kubectl uses the same test. */
bool document_looks_like_json(struct slice text);

struct parse_call;
struct gang_document;

/*
 * Reads the fields of a document from `call->root`. Continues after errors to report all of them.
 */
typedef void (*document_compile)(struct gang_document *document, struct parse_call *call);

/* A kind of document that libgang reads. */
struct document_kind {
    struct slice kind; /* unset: any kind; the compile step checks it */
    /* Whether a document of another kind is read in the same way; NULL: none is. */
    bool (*reads)(struct slice kind);
    enum gang_document_type type;
    size_t size; /* of the struct, whose first member must be a gang_document */
    document_compile compile;
    /*
     * Returns the object of the given kind that the document refers to; unset if none. The function
     * is NULL if documents of this kind refer to no object.
     */
    struct slice (*reference)(const struct gang_document *document, struct slice kind);
    /*
     * Reports what decisions report about the document alone. It is called for a document that is
     * refused, which gets no decision, so that all its errors are reported at once. NULL if there
     * is nothing more to report.
     */
    void (*judge)(const struct gang_document *document, struct report *report);
    /*
     * documents of the administrator: strict regardless of flags, without anchors, aliases and
     * merge keys
     */
    bool is_administrators;
};

/* The arguments of gang_document_parse() and the kinds that it reads. */
struct parse_input {
    const struct gang_context *context;
    const char *data;
    size_t len;
    uint32_t flags;
    bool has_out; /* the caller passed a pointer for the result */
    const struct document_kind *kinds;
    size_t num_kinds;
};

/* The state of one parse. */
struct parse_call {
    const struct limits *limits;
    struct arena *arena;
    struct report report;
    const struct document_kind *kind; /* NULL if not known yet or not supported */
    const struct node *root;
    struct slice written; /* the kind, as the document has it; unset if it is no text */
};

/*
 * A parsed document: the first member of the struct of each kind. It is allocated in its own arena
 * and freed with it.
 */
struct gang_document {
    struct refcount references;
    struct arena *arena;
    const struct document_kind *entry;
    const struct node *root;
    struct slice kind; /* as the document has it; unset if it is no text */
    /* findings that are not errors in every mode; each resolve evaluates them again */
    struct report findings;
};

/*
 * Reads the text, finds its kind in `input`, allocates a zeroed document of the size of that kind,
 * compiles it, and stores it in `*out`. Stores NULL if a finding is an error under every policy, or
 * if a document of the administrator has any error.
 */
int document_parse(const struct parse_input *input, struct gang_document **out,
                   struct gang_error **err);

/* Returns `metadata.name`; unset if absent. */
struct slice document_name(const struct gang_document *document);

/* Returns `<kind> <namespace>/<name>` for a message; absent parts are omitted. */
const char *document_full_name(const struct gang_document *document, struct arena *arena);

static inline bool
document_is(const struct gang_document *document, enum gang_document_type type)
{
    return document && document->entry->type == type;
}

#endif
