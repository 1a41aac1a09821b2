/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_COMPLAIN_H
#define GANGCTL_COMPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gang/gang.h>

#include "text.h"

/* Where a document stands: its file, and how many lines of the file come before its text. */
struct origin {
    const char *file;
    uint32_t lines_before;
    bool is_place; /* false: there is no such document */
};

struct complaint {
    int severity;     /* enum gang_severity */
    const char *file; /* borrowed; NULL: about no file */
    uint32_t line;    /* of the file; 0: unknown */
    uint32_t column;
    size_t order;
    const char *id;     /* "GANG012"; NULL: found by gangctl itself, as is `reason` */
    const char *reason; /* "StructuralDeadlock" */
    char *path;         /* NULL or "": none */
    char *message;
    char *hint; /* NULL: none */
    char *job;  /* "namespace/name" that a finding in a policy or cluster is about; NULL: none */
};

/* Everything that is to be said on stderr, collected so that the reader sees all of it, in order,
 * once. */
struct complaints {
    struct complaint *items;
    size_t count;
    size_t errors;
    bool could_not_run; /* out of memory or a fault of this program: exit 2 */
    bool verbose;
};

/* The documents that a diagnostic of the library may point into. */
struct origins {
    struct origin runtime;
    struct origin trainjob;
    struct origin podgang;
    struct origin podcliqueset;
    struct origin pod;
    struct origin topologybinding;
    struct origin policy;
    struct origin cluster;
    struct origin live;
};

__attribute__((format(printf, 5, 6))) void complain(struct complaints *complaints,
                                                    enum gang_severity severity,
                                                    const struct origin *origin, uint32_t line,
                                                    const char *format, ...);
/* Takes over the diagnostics of a failed call and frees it. `fallback` is for those that name no
 * document. */
void complain_error(struct complaints *complaints, const struct origins *origins,
                    const struct origin *fallback, int result, struct gang_error *error);
void complain_diagnostic(struct complaints *complaints, const struct origins *origins,
                         const struct origin *fallback, const struct gang_diagnostic *diagnostic);
/* Puts everything in order of files and lines, and drops what is said of one place twice. */
void complaints_settle(struct complaints *complaints);
/* The exit status that they amount to. */
int complaints_status(const struct complaints *complaints);
/* Settles and prints everything on stderr, and returns the exit status. */
int complaints_print(struct complaints *complaints);
/* "error: file:line:column: path: message (job a/b) [GANG012]", and the hint on a line below. */
void complaint_add_text(struct text *out, const struct complaint *complaint);
void complaints_free(struct complaints *complaints);

/* Of an enum gang_document_type; NULL for none. */
const struct origin *origins_of(const struct origins *origins, int document);

#endif
