/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "audit_print.h"

/* RFC 4180: a field with a comma, a quote or the end of a line is in quotes. */
static void
add_field(struct text *out, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        text_add(out, field);
        return;
    }
    text_add(out, "\"");
    for (; *field; field++)
        text_addf(out, *field == '"' ? "\"%c" : "%c", *field);
    text_add(out, "\"");
}

/* Whether --against has a second field with the old value. */
static bool
has_old(const struct audit_printer *printer, int column)
{
    return printer->is_compared && (audit_columns[column].is_answer || column == COLUMN_REASON);
}

static bool
is_shown(const struct audit_printer *printer, int column)
{
    return !audit_columns[column].is_of_change || printer->is_compared;
}

static void
add_head(struct audit_printer *printer)
{
    const char *before = "";

    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(printer, i))
            continue;
        if (has_old(printer, i))
            text_addf(&printer->out, "%sold.%s,%s", before, audit_columns[i].key,
                      audit_columns[i].key);
        else
            text_addf(&printer->out, "%s%s", before, audit_columns[i].key);
        before = ",";
    }
    text_add(&printer->out, "\n");
}

static void
add_cell(struct audit_printer *printer, const struct audit_row *row, int column)
{
    const char *value = row->cells[column] ? row->cells[column] : "";
    struct text cell = {0};

    if (strspn(value, "=+-@\t\r") > 0)
        text_add(&cell, "'"); /* a spreadsheet shows such a cell, instead of computing it */
    text_add_printable(&cell, value);
    add_field(&printer->out, cell.data);
    text_free(&cell);
}

static void
add_row(struct audit_printer *printer, struct audit_pair *pair)
{
    const char *before = "";

    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(printer, i))
            continue;
        text_add(&printer->out, before);
        before = ",";
        if (has_old(printer, i)) {
            add_cell(printer, &pair->old, i);
            text_add(&printer->out, ",");
        }
        add_cell(printer, &pair->row, i);
    }
    text_add(&printer->out, "\n");
}

const struct audit_format audit_csv_format = {.start = add_head, .row = add_row};
