/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_AUDIT_ROW_H
#define GANGCTL_AUDIT_ROW_H

#include "jobs.h"

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

/* The answer for one job. */
struct audit_row {
    char *cells[COLUMN_COUNT]; /* NULL: it has none; a list has commas between its items */
    char *group;               /* the reason without what is of this job alone, for the totals */
    struct text written;       /* what is to be applied; empty if it was not requested */
    int outcome;               /* enum gang_outcome */
    bool is_first;             /* of the rows of its job */
};

/* A row, and with --against the one of the other policy. */
struct audit_pair {
    struct audit_row row;
    struct audit_row old; /* used only if `is_compared` */
    bool is_compared;
    bool is_changed;
};

/*
 * Makes the row of a job that was decided, or that has complaints from `first` on. `is_written`
 * says whether two rows will be compared.
 */
void audit_row_make(struct audit_row *row, struct workbench *bench, const struct job *job,
                    size_t first, bool is_written);
/* Adds the name of the job, and the number of the gang if it has several: `chat#1`. */
void audit_row_add_title(struct text *out, const struct audit_row *row);
/* Compares the two rows, and lists what changes. */
void audit_pair_compare(struct audit_pair *pair);
void audit_pair_free(struct audit_pair *pair);

#endif
