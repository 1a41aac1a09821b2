/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_AUDIT_H
#define GANGCTL_AUDIT_H

#include <stdio.h>

#include "jobs.h"
#include "options.h"

/* In the order in which they are printed. */
enum audit_column {
    COLUMN_NAMESPACE,
    COLUMN_NAME,
    COLUMN_GANG,
    COLUMN_KIND,
    COLUMN_OUTCOME,
    COLUMN_BACKEND,
    COLUMN_QUEUE,
    COLUMN_MINIMUM,
    COLUMN_MEMBERS,
    COLUMN_PODS,
    COLUMN_GPUS,
    COLUMN_SCHEDULER,
    COLUMN_RUNTIME,
    COLUMN_FINDINGS,
    COLUMN_FILE,
    COLUMN_LINE,
    COLUMN_CHANGED,
    COLUMN_REASON,
    COLUMN_COUNT
};

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_LIST };

struct audit_column_row {
    const char *title; /* of a table */
    const char *key;   /* of JSON and CSV */
    enum cell_kind kind;
    bool is_wide;      /* a table has it only if it is requested */
    bool is_answer;    /* a difference is another answer */
    bool is_of_change; /* only with --against */
};

extern const struct audit_column_row audit_columns[COLUMN_COUNT];

/* The answer for one job. The texts are of the step. */
struct audit_row {
    const char *cells[COLUMN_COUNT]; /* NULL: it has none; a list has commas between its items */
    const char *group;   /* the reason without what is of this job alone, for the totals */
    const char *written; /* what is to be applied; NULL if it was not requested */
    int outcome;         /* enum gang_outcome */
    bool is_first;       /* of the rows of its job */
};

/* A row, and with --against the one of the other policy. */
struct audit_pair {
    struct audit_row row;
    struct audit_row old; /* used only if `is_compared` */
    bool is_compared;
    bool is_changed;
};

/* So that reasons that are all different take no memory without a bound. */
enum { MOST_REASONS = 1000, NUM_OUTCOMES = GANG_OUTCOME_INVALID + 1 };

/* With --against, of the gangs whose answer changes. */
struct audit_reason {
    int outcome;
    char *reason;
    size_t count;
};

struct audit_totals {
    size_t jobs;
    size_t gangs; /* of all jobs, which have one row each */
    size_t by_outcome[NUM_OUTCOMES];
    size_t changed; /* with --against */
    struct audit_reason *reasons;
    size_t num_reasons;
    size_t other_reasons; /* gangs with a reason after the first thousand different ones */
};

void audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair);

/* Prints rows as they come; its memory does not grow with their number. */
struct audit_printer {
    enum output output;
    bool is_compared;
    bool failed; /* standard output cannot be written */
    struct text out;
    size_t printed;
    struct table table; /* rows that wait until the widths of the columns are known */
    /* JUnit: its head has the totals, so the cases wait in a file */
    FILE *cases;
};

/* Returns false after reporting an error on stderr. */
bool audit_print_start(struct audit_printer *printer, enum output output, bool is_compared);
void audit_print_row(struct audit_printer *printer, struct audit_pair *pair);
/* Prints what waits, and the totals. */
void audit_print_end(struct audit_printer *printer, struct audit_totals *totals);

#endif
