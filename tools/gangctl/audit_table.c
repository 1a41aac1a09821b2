/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "audit_print.h"

/* The widths of the columns are those of the first thousand rows; later ones only grow. */
enum { ROWS_TOGETHER = 1000, WIDEST_COLUMN = 60 };

static bool
is_shown(const struct audit_printer *printer, int column)
{
    const struct audit_column_row *row = &audit_columns[column];

    return (!row->is_wide || printer->output == OUTPUT_WIDE) &&
           (!row->is_of_change || printer->is_compared);
}

/* Adds "GANG" or "NO_GANG". */
static void
add_outcome_name(struct text *out, int value)
{
    const char *outcome = gang_outcome_name(value);

    for (size_t i = 0; outcome && outcome[i]; i++) {
        char upper = (char)toupper((unsigned char)outcome[i]);

        if (i && isupper((unsigned char)outcome[i]))
            text_add(out, "_");
        text_add_bytes(out, &upper, 1);
    }
}

static void
add_value(struct text *out, const struct audit_row *row, int column)
{
    if (column == COLUMN_NAME)
        audit_row_add_title(out, row);
    else if (column == COLUMN_OUTCOME)
        add_outcome_name(out, row->outcome);
    else
        text_add_printable(out, row->cells[column] ? row->cells[column] : "-");
}

/* Adds "a", or "a->b" for an answer that changes. */
static void
add_cell(struct text *out, const struct audit_pair *pair, int column)
{
    struct text old = {0};
    struct text new = {0};

    add_value(&new, &pair->row, column);
    if (pair->is_compared)
        add_value(&old, &pair->old, column);
    if (pair->is_compared && column != COLUMN_CHANGED && strcmp(old.data, new.data) != 0)
        text_addf(out, column == COLUMN_REASON ? "%s -> " : "%s->", old.data);
    text_add(out, new.data);
    text_free(&old);
    text_free(&new);
}

static void
add_padded(struct audit_printer *printer, const char *text, int column)
{
    if (column == COLUMN_REASON)
        text_addf(&printer->out, "%s\n", text);
    else
        text_addf(&printer->out, "%-*s  ", (int)printer->widths[column], text);
}

static void
widen(struct audit_printer *printer, const char *text, int column)
{
    size_t width = strlen(text);

    if (width > printer->widths[column] && width <= WIDEST_COLUMN)
        printer->widths[column] = width;
}

static void
measure(struct audit_printer *printer, const struct audit_pair *pair)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        struct text cell = {0};

        add_cell(&cell, pair, i);
        widen(printer, cell.data, i);
        text_free(&cell);
    }
}

static void
add_head(struct audit_printer *printer)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        widen(printer, audit_columns[i].title, i);
        if (is_shown(printer, i))
            add_padded(printer, audit_columns[i].title, i);
    }
}

static void
print_waiting(struct audit_printer *printer)
{
    bool is_first = printer->printed <= ROWS_TOGETHER;

    for (size_t i = 0; i < printer->num_waiting; i++)
        measure(printer, &printer->waiting[i]);
    if (is_first && printer->num_waiting)
        add_head(printer);
    for (size_t i = 0; i < printer->num_waiting; i++) {
        for (int j = 0; j < COLUMN_COUNT; j++) {
            struct text cell = {0};

            if (!is_shown(printer, j))
                continue;
            add_cell(&cell, &printer->waiting[i], j);
            add_padded(printer, cell.data, j);
            text_free(&cell);
        }
        audit_pair_free(&printer->waiting[i]);
    }
    printer->num_waiting = 0;
}

static void
add_row(struct audit_printer *printer, struct audit_pair *pair)
{
    if (!printer->waiting)
        printer->waiting = must_reallocate(NULL, ROWS_TOGETHER, sizeof(*printer->waiting));
    if (printer->num_waiting == ROWS_TOGETHER)
        print_waiting(printer);
    printer->waiting[printer->num_waiting++] = *pair;
    *pair = (struct audit_pair){0};
}

static void
add_reasons(struct text *out, const struct audit_totals *totals)
{
    for (size_t i = 0; i < totals->num_reasons; i++) {
        struct text outcome = {0};

        add_outcome_name(&outcome, totals->reasons[i].outcome);
        text_addf(out, "%7zu  %-8s ", totals->reasons[i].count, outcome.data);
        text_add_printable(out, totals->reasons[i].reason);
        text_add(out, "\n");
        text_free(&outcome);
    }
    if (totals->other_reasons)
        text_addf(out, "%7zu  with other reasons\n", totals->other_reasons);
}

/* Adds "3 jobs, 4 gangs: 3 GANG, 1 DENIED". */
static void
add_outcomes(struct text *out, const struct audit_totals *totals)
{
    const char *before = ": ";

    text_addf(out, "%zu job%s", totals->jobs, totals->jobs == 1 ? "" : "s");
    if (totals->gangs != totals->jobs)
        text_addf(out, ", %zu gangs", totals->gangs);
    for (int i = 1; i < NUM_OUTCOMES; i++) {
        if (!totals->by_outcome[i])
            continue;
        text_addf(out, "%s%zu ", before, totals->by_outcome[i]);
        add_outcome_name(out, i);
        before = ", ";
    }
}

static void
add_totals(struct audit_printer *printer, const struct audit_totals *totals)
{
    struct text *out = &printer->out;

    print_waiting(printer);
    if (totals->num_reasons)
        text_add(out, "\n");
    add_reasons(out, totals);
    add_outcomes(out, totals);
    if (printer->is_compared)
        text_addf(out, "; the answer of %zu changes", totals->changed);
    text_add(out, "\n");
}

const struct audit_format audit_table_format = {.row = add_row, .end = add_totals};
