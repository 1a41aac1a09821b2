/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_DOCUMENT_H
#define LIBGANG_DOCUMENT_DOCUMENT_H

#include "libgang/base/context.h"
#include "libgang/base/report.h"
#include "libgang/document/node.h"

/* What a reader needs to know; borrowed for the call. */
struct document_request {
    struct arena *arena; /* owns the tree and a copy of every text in it */
    const struct limits *limits;
    struct report *report; /* gets every finding, with `document` set on each */
    enum gang_document document;
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

#endif
