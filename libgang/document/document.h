/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_DOCUMENT_H
#define LIBGANG_DOCUMENT_DOCUMENT_H

#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/base/refcount.h"
#include "libgang/base/report.h"
#include "libgang/document/node.h"

/* What a reader needs to know; borrowed for the call. */
struct document_request {
    struct arena *arena; /* owns the tree and a copy of every text in it */
    const struct limits *limits;
    struct report *report; /* gets every finding, with `document` set on each */
    enum gang_document_type document;
    bool allow_merge;   /* YAML merge keys: runtimes and trainjobs yes, policies no */
    bool allow_aliases; /* YAML anchors and aliases: policies no */
    uint32_t
        lines_before; /* of a stream, in front of the text: only for a second place that a message names */
};

/*
 * Reads one document, JSON when its first byte that is no white space is `{`, else YAML. Returns the root, or NULL
 * after reporting why not (report_has_errors() or arena_failed() is then true). The root is always a map. Every text
 * and key of the tree ends in NUL.
 */
const struct node *document_read(const struct document_request *request, struct slice text);

/* The two readers behind it. The root may be of any kind. */
const struct node *json_read(const struct document_request *request, struct slice text);
const struct node *yaml_read(const struct document_request *request, struct slice text);

/* What a public function returns for a report with errors: a limit, the text itself, or what it says. */
int document_result(const struct report *report);

/* Whether the text is read as JSON, as kubectl decides it. */
bool document_looks_like_json(struct slice text);

struct parse_call;
struct gang_document;

/* Reads a document's own fields from `call->root`, going on after errors to report them all. */
typedef void (*document_compile)(struct gang_document *document, struct parse_call *call);

/* One kind of document that is read. */
struct document_kind {
    struct slice kind; /* unset: whatever the text says; the compile step judges it */
    enum gang_document_type type;
    size_t size; /* of the struct, whose first member is a gang_document */
    document_compile compile;
    /* The object of that kind that the document refers to; unset: none. NULL: documents of this kind refer to none. */
    struct slice (*reference)(const struct gang_document *document, struct slice kind);
    bool is_administrators; /* strict whatever the flags, and without anchors, aliases and merge keys */
};

/* The arguments of gang_document_parse(), and the kinds that are read. */
struct parse_input {
    const struct gang_context *context;
    const char *data;
    size_t len;
    uint32_t flags;
    bool has_out; /* the caller gave a place for the result */
    const struct document_kind *kinds;
    size_t num_kinds;
};

/* The state of one parse. */
struct parse_call {
    const struct limits *limits;
    struct arena *arena;
    struct report report;
    const struct document_kind *kind; /* NULL: not known yet, or none of ours */
    const struct node *root;
};

/*
 * Any parsed document. The first member of the struct of each kind: it lives in its own arena and goes with it. The texts
 * end in NUL and are unset where the document does not have them.
 */
struct gang_document {
    struct refcount references;
    struct arena *arena;
    const struct document_kind *entry;
    const struct node *root;
    struct slice api_version;
    struct slice kind;
    struct slice namespace_;
    struct slice name;
    struct slice uid;
    struct report findings; /* not errors in every mode: judged anew by each resolve */
};

/*
 * Reads the text, finds its kind among those of the input, makes a zeroed document of that kind's size, compiles it, and
 * stores it in `*out`, unless something found forbids the document whatever a policy says, or it is an administrator's
 * and has any error at all; NULL otherwise.
 */
int document_parse(const struct parse_input *input, struct gang_document **out, struct gang_error **err);

/* `<kind> <namespace>/<name>`, without what is not there, for a message. */
const char *document_full_name(const struct gang_document *document, struct arena *arena);

static inline bool
document_is(const struct gang_document *document, enum gang_document_type type)
{
    return document && document->entry->type == type;
}

#endif
