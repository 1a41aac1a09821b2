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

/* The arguments of a gang_*_parse function, and what its kind of document allows. */
struct parse_input {
    const struct gang_context *context;
    const char *data;
    size_t len;
    uint32_t flags;
    enum gang_document_type document;
    bool allow_merge; /* YAML anchors, aliases and merge keys */
    bool has_out;     /* the caller gave a place for the result */
};

/* What every gang_*_parse function does around the reading of its own kind. */
struct parse_call {
    const struct limits *limits;
    struct arena *arena;
    struct report report;
    const struct node *root;
};

/* The first member of every parsed document: it lives in its own arena and goes with it. */
struct document_handle {
    struct refcount references;
    struct arena *arena;
    struct report findings; /* not errors in every mode: judged anew by each resolve */
};

/* Reads a document's own fields from `call->root` into `handle`, going on after errors to report them all. */
typedef void (*document_compile)(struct document_handle *handle, struct parse_call *call);

/*
 * The body of every gang_*_parse function: reads the text, makes a zeroed handle of `size` bytes, compiles it, and
 * stores it in `*out` unless something found forbids the document whatever a policy says, or it is a document of our
 * own and has any error at all; NULL otherwise.
 */
int document_parse(const struct parse_input *input, size_t size, document_compile compile,
                   struct document_handle **out, struct gang_error **err);

/* All accept NULL. */
void document_handle_ref(struct document_handle *handle);
void document_handle_unref(struct document_handle *handle);
size_t document_handle_num_findings(const struct document_handle *handle);
/* NULL past the end. */
const struct gang_diagnostic *document_handle_finding(const struct document_handle *handle, size_t index);

#endif
