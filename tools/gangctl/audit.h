/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_AUDIT_H
#define GANGCTL_AUDIT_H

#include <stdio.h>

#include "jobs.h"

/* A column of a table, and a member of its rows. */
struct audit_column {
    const char *title;
    const char *key; /* of JSON and CSV */
    bool is_wide;    /* a table has it only if it is requested */
    bool is_answer;  /* a difference is another answer */
};

/* The first of these is there only with --against, and not in the rows of JSON. */
enum { COLUMN_CHANGED = 16, COLUMN_REASON, NUM_AUDIT_COLUMNS };
/* In the order in which they are printed. */
extern const struct audit_column audit_columns[NUM_AUDIT_COLUMNS];

/* The answer for one gang of a job, of the step. */
struct audit_row {
    struct json_object *tree; /* as JSON has it: a member is null if there is no value */
    const char *group;        /* the reason without what is of this job alone, for the totals */
    const char *written;      /* what is to be applied; NULL if it was not requested */
};

/* A row, and with --against the one of the other policy. */
struct audit_pair {
    struct audit_row row;
    struct audit_row old;        /* used only if they are compared */
    struct json_object *changed; /* the keys that differ; NULL: the rows are not compared */
};

struct audit_totals {
    struct json_object *sums;    /* as JSON has them */
    struct json_object *reasons; /* of those, the items by outcome and reason */
};

void audit_totals_start(struct audit_totals *totals, bool is_compared);
/* With --against, the reasons are those of the gangs whose answer changes. */
void audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair);
/* Returns the values of a map, of which each has its number of `gangs`: the most frequent first. */
struct json_object *sorted_by_gangs(struct json_object *map);

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
