/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_DIAGNOSTIC_TABLE_H
#define LIBGANG_BASE_DIAGNOSTIC_TABLE_H

#include <gang/gang.h>

struct diagnostic_entry {
    enum gang_code code;
    const char *id;     /* "GANG012" */
    const char *reason; /* "StructuralDeadlock" */
    enum gang_severity severity;
    enum gang_severity strict_severity;        /* 0: as `severity` */
    enum gang_severity compatibility_severity; /* 0: as `severity` */
};

/* Generated from doc/diagnostics.yaml, in ascending order of code. */
extern const struct diagnostic_entry diagnostic_table[];
extern const size_t diagnostic_table_size;

/* The row of each code; 0 for numbers that are none. */
extern const uint16_t diagnostic_rows[];
extern const size_t diagnostic_rows_size;

/* Never NULL: an unknown code yields the first row. */
const struct diagnostic_entry *diagnostic_entry_of(enum gang_code code);

#endif
