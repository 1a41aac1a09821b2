/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_AUDIT_PRINT_H
#define GANGCTL_AUDIT_PRINT_H

#include <stdio.h>

#include "audit_totals.h"
#include "options.h"

/* Prints rows as they come; its memory does not grow with their number. */
struct audit_printer {
    enum output output;
    bool is_compared;
    bool failed; /* standard output cannot be written */
    struct text out;
    size_t printed;
    /* a table: rows that wait until the widths of the columns are known */
    struct audit_pair *waiting;
    size_t num_waiting;
    size_t widths[COLUMN_COUNT];
    /* JUnit: its head has the totals, so the cases wait in a file */
    FILE *cases;
};

/* Returns false after reporting an error on stderr. */
bool audit_print_start(struct audit_printer *printer, enum output output, bool is_compared);
/* Takes over what the pair holds. */
void audit_print_row(struct audit_printer *printer, struct audit_pair *pair);
/* Prints what waits, and the totals. */
void audit_print_end(struct audit_printer *printer, struct audit_totals *totals);
void audit_print_free(struct audit_printer *printer);

/* How one format writes; a function that is NULL writes nothing. */
struct audit_format {
    void (*start)(struct audit_printer *printer);
    void (*row)(struct audit_printer *printer, struct audit_pair *pair);
    void (*end)(struct audit_printer *printer, const struct audit_totals *totals);
};

extern const struct audit_format audit_table_format;
extern const struct audit_format audit_json_format;
extern const struct audit_format audit_yaml_format;
extern const struct audit_format audit_ndjson_format;
extern const struct audit_format audit_csv_format;
extern const struct audit_format audit_junit_format;

#endif
