/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_REPORT_H
#define LIBGANG_BASE_REPORT_H

#include <stdint.h>

#include "libgang/base/arena.h"
#include "libgang/base/format.h"
#include "libgang/base/context.h"
#include <gang/gang.h>

struct node;

/* Which document a finding is in. NUL-terminated, borrowed from its tree; NULL for what it does not
 * say. */
struct document_identity {
    const char *kind;
    const char *namespace_;
    const char *name;
};

/* Text fields are NUL-terminated; `path` and `message` are never NULL. */
struct gang_diagnostic {
    enum gang_code code;
    enum gang_severity severity;
    enum gang_document_type document;
    uint32_t line; /* 1-based; 0 when unknown */
    uint32_t column;
    const char *path;
    const char *message;
    const char *hint; /* NULL: none */
    const char *job;  /* "namespace/name", of a finding in a policy or cluster; NULL: none */
    struct document_identity identity; /* the document, as far as it is known */
};

enum { REPORT_ROOTS = GANG_DOCUMENT_TOPOLOGYBINDING + 1 };

/* Where a finding stands. `path` ends in NUL and is a constant or lives as long as the report's
 * arena. */
struct report_place {
    enum gang_document_type document;
    uint32_t line;
    uint32_t column;
    struct slice path;
    struct document_identity identity;
};

/* The job that the findings of one decision are about. */
struct report_job {
    struct slice namespace_; /* unset: none */
    struct slice name;       /* unset: the report is about no job */
    const char *text;        /* made for the first finding that needs it */
};

/*
 * Collects findings instead of stopping at the first. Messages live in `arena`, control characters
 * escaped, so that nothing a document says can pass for a finding of its own. Beyond `largest` the
 * gravest are kept. Severity follows the registry's column for the mode: the strict flag turns
 * `strict` codes into errors, compatibility turns what the upstream operator accepts into warnings.
 */
struct report {
    struct arena *arena;
    struct gang_diagnostic *items;
    size_t count;
    size_t capacity;
    size_t largest; /* after this many, one last entry, as grave as what it stands for, says that
                       more were left out */
    size_t errors;
    bool strict;
    bool compatibility;
    struct report_job job;
    /* The documents of the call, by enum gang_document_type, for findings about a document as a
     * whole. */
    const struct node *roots[REPORT_ROOTS];
    /* The root that the last finding was below and its identity: most findings share one. */
    const struct node *last_root;
    struct document_identity last_identity;
};

void report_init(struct report *report, struct arena *arena, const struct limits *limits);

/* `format` and `hint` are constants or live as long as the arena. */
LIKE_PRINTF(5, 6)
void report_add(struct report *report, enum gang_code code, const struct report_place *place,
                const char *hint, const char *format, ...);
LIKE_PRINTF(5, 0)
void report_add_list(struct report *report, enum gang_code code, const struct report_place *place,
                     const char *hint, const char *format, va_list arguments);

/* Gives the findings so far that name no document this one: what a reader finds before the tree is
 * there. */
void report_identify(struct report *report, const struct document_identity *identity);

/* Takes over every finding of another report, judging its severity anew by this report's mode. */
void report_merge(struct report *report, const struct gang_diagnostic *items, size_t count);

/* Makes warnings of the errors of this code that were reported so far. */
void report_soften(struct report *report, enum gang_code code);

/* Orders by document, position, code, job, identity, and drops doubles; the order is total, so
 * equal inputs print equal bytes. */
void report_sort(struct report *report);

static inline bool
report_has_errors(const struct report *report)
{
    return report->errors > 0;
}

/* Text that outlives the call, for messages built in steps. NUL-terminated; "" when the arena has
 * failed. */
LIKE_PRINTF(2, 3)
const char *arena_format(struct arena *arena, const char *format, ...);

#endif
