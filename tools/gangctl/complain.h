/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_COMPLAIN_H
#define GANGCTL_COMPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

struct part;

/* The origin of a document: its file, and what is in the file before its text. */
struct origin {
    const char *file;
    uint32_t lines_before;
    uint32_t first_line; /* in the file: no line of the text is before it, nor one that was added */
    /* The line of the file in which the text starts behind other characters, and their number. */
    uint32_t shared_line; /* 0: the text starts with a line */
    uint32_t columns_before;
    bool is_place; /* false: there is no such document */
    bool is_point; /* the text is written otherwise in the file: all of it has the place of its
                      start */
    /* A text that gangctl put together of several documents, in the order of their lines. */
    const struct part *parts;
    size_t num_parts;
};

/* A document within such a text: how many lines and columns of the text are before its own. */
struct part {
    uint32_t lines_before;
    uint32_t columns;
    struct origin origin;
};

/* A place in a file; the line is 0 if unknown. */
struct spot {
    const char *file;
    uint32_t line;
    uint32_t column;
};

/* Returns the place of a line and column of a document. */
struct spot spot_of(const struct origin *origin, uint32_t line, uint32_t column);

/* Returns the line of the file in which a document starts. */
uint32_t first_line_of(const struct origin *origin);

/*
 * Returns the origin of a text that starts at a line and column of another text. `lines_before` is
 * the offset for a line of it: less than `line` - 1 if lines were added before it.
 */
struct origin origin_within(const struct origin *origin, uint32_t lines_before, uint32_t line,
                            uint32_t column);

struct complaint {
    int severity;     /* enum gang_severity */
    const char *file; /* borrowed; NULL if it is about no file */
    uint32_t line;    /* in the file; 0 if unknown */
    uint32_t column;
    size_t order;
    const char *id;     /* "GANG012"; NULL, like `reason`, if gangctl itself reports it */
    const char *reason; /* "StructuralDeadlock" */
    char *path;         /* NULL or "" if absent */
    char *message;
    char *hint; /* NULL if absent */
    /*
     * "namespace/name" of the job, for a finding in a policy or cluster, and with lint for every
     * finding about a job; NULL if absent
     */
    char *job;
    bool is_shared;   /* the place belongs to several jobs, as a runtime does */
    size_t more_jobs; /* with the same finding */
};

/* The complaints for stderr, collected so that they are printed sorted and without duplicates. */
struct complaints {
    struct complaint *items;
    size_t count;
    size_t errors;
    bool could_not_run; /* out of memory or an internal error: exit 2 */
    bool verbose;
};

enum { NUM_DOCUMENT_TYPES = GANG_DOCUMENT_JOB + 1 };

/* The origins of the documents that a diagnostic of the library can refer to, by their type. */
struct origins {
    struct origin of[NUM_DOCUMENT_TYPES];
    enum gang_document_type
        usual;       /* of diagnostics without a document, or of one that is not here */
    const char *job; /* to name in every finding; NULL to name it only where the library does */
};

void complain_words(struct complaints *complaints, enum gang_severity severity,
                    const struct origin *origin, uint32_t line, const char *words);
#define complain(complaints, severity, origin, line, ...)                                          \
    complain_words(complaints, severity, origin, line, formatted(__VA_ARGS__))
/* Gives the complaint that was added last a column, a hint and a job; NULL for none of them. */
void complain_detail(struct complaints *complaints, uint32_t column, const char *hint,
                     const char *job);
/* Takes over the diagnostics of a call, if it has failed, and frees its error. */
void complain_error(struct complaints *complaints, const struct origins *origins, int result,
                    struct gang_error *error);
void complain_diagnostic(struct complaints *complaints, const struct origins *origins,
                         const struct gang_diagnostic *diagnostic);
/* Sorts by file and line, and removes duplicates. */
void complaints_settle(struct complaints *complaints);
/* Removes the complaint that was added last if an equal one is there, which then counts its job. */
void complaints_fold_last(struct complaints *complaints);
/* Returns the exit status for the complaints. */
int complaints_status(const struct complaints *complaints);
/* Settles and prints everything on stderr, and returns the exit status. */
int complaints_print(struct complaints *complaints);
/* Adds "file:line:column: ". */
void complaint_add_place(struct text *out, const struct complaint *complaint);
/* Adds "path: message (job a/b); hint", without the place and the code. */
void complaint_add_message(struct text *out, const struct complaint *complaint);
/*
 * Adds "error: file:line:column: path: message (job a/b) [GANG012]", and the hint on the next line.
 */
void complaint_add_text(struct text *out, const struct complaint *complaint);
/* Removes the complaints from an index on. */
void complaints_cut(struct complaints *complaints, size_t first);
/* Adds copies of all complaints. */
void complaints_copy(struct complaints *to, const struct complaints *from);
/* Moves all complaints. */
void complaints_move(struct complaints *to, struct complaints *from);
void complaints_free(struct complaints *complaints);

/* Returns the origins with this one of a type, which is the usual one. */
struct origins origins_with(enum gang_document_type type, const struct origin *origin);

struct finding_counts {
    size_t documents;                    /* that were read */
    size_t resolved[NUM_DOCUMENT_TYPES]; /* jobs with a decision, by their type */
    size_t errors;
    size_t warnings;
};

/* Adds settled complaints in the requested format. Sets the severities in `counts`. */
void findings_add(struct text *out, const struct complaints *complaints,
                  struct finding_counts *counts, enum output output);

/* Adds "::error file=a,line=1,col=2::message\n". A place on standard input is in the message. */
void annotation_add(struct text *out, const struct complaint *complaint);

/* The `id` of complaints that are no diagnostics of the library, but of policy tests. */
#define SARIF_RULE_OF_TESTS "policy-test"
#define SARIF_RULE_OF_COVERAGE "policy-coverage"

/* Adds settled complaints as a log of SARIF 2.1.0 with one run. */
void sarif_add(struct text *out, const struct complaints *complaints);

#endif
