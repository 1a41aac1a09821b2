/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_READER_H
#define LIBGANG_DOCUMENT_READER_H

#include "libgang/base/context.h"
#include "libgang/document/document.h"

/* What the JSON and the YAML reader share: marks, findings about text, limits, duplicate keys. */

struct reader_mark {
    uint32_t line;
    uint32_t column;
};

/* Deepest nesting that any limit allows. */
enum { READER_DEEPEST = 128 };

/* A finding at a mark; `inside` is the container that was being read, NULL for none. Always returns false. */
LIKE_PRINTF(6, 7)
bool reader_fail(const struct document_request *request, enum gang_code code, struct reader_mark mark,
                 const struct node *inside, const char *hint, const char *message, ...);

/* Reports that a limit was passed. Always returns false. */
bool reader_report_limit(const struct document_request *request, enum gang_limit limit, uint64_t value,
                         struct reader_mark mark, const struct node *inside);

/* True when `value` is within the limit; otherwise reports. */
static inline bool
reader_within(const struct document_request *request, enum gang_limit limit, uint64_t value,
              struct reader_mark mark, const struct node *inside)
{
    return value <= limit_of(request->limits, limit) ||
           reader_report_limit(request, limit, value, mark, inside);
}

/* The document's size against its limit. */
bool reader_size_ok(const struct document_request *request, struct slice text);

/* "the document is empty" */
void reader_report_empty(const struct document_request *request);

/* Where the byte at `offset` stands. Only for the end of a failed read: it walks from the start. */
struct reader_mark reader_mark_of(struct slice text, size_t offset);

/* Reports every key of a map that stood before, naming both places. */
void reader_check_duplicates(const struct document_request *request, const struct node *map);

/* Puts a child behind `last`, which is NULL for the first one. */
static inline void
reader_append(struct node *parent, struct node *last, struct node *child)
{
    child->parent = parent;
    child->index = parent->len++;
    if (last)
        last->next = child;
    else
        parent->as.first = child;
}

#endif
