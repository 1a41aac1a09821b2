/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "text.h"
#include "tree.h"

/* ---- totals ---- */

/* A frequent reason moves to the front, so that the search is short for most jobs. */
static struct audit_reason *
move_forward(struct audit_totals *totals, size_t index)
{
    struct audit_reason known = totals->reasons[index];

    if (index == 0)
        return &totals->reasons[0];
    totals->reasons[index] = totals->reasons[index / 2];
    totals->reasons[index / 2] = known;
    return &totals->reasons[index / 2];
}

static struct audit_reason *
find_reason(struct audit_totals *totals, int outcome, const char *reason)
{
    for (size_t i = 0; i < totals->num_reasons; i++) {
        const struct audit_reason *known = &totals->reasons[i];

        if (known->outcome == outcome && strcmp(known->reason, reason) == 0)
            return move_forward(totals, i);
    }
    if (totals->num_reasons == MOST_REASONS)
        return NULL;
    APPEND(totals->reasons, totals->num_reasons,
           (struct audit_reason){.outcome = outcome, .reason = copy_text(reason)});
    return &totals->reasons[totals->num_reasons - 1];
}

void
audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair)
{
    const struct audit_row *row = &pair->row;
    struct audit_reason *reason;

    totals->jobs += row->is_first;
    totals->gangs++;
    totals->changed += pair->is_changed;
    if (row->outcome >= 0 && row->outcome < NUM_OUTCOMES)
        totals->by_outcome[row->outcome]++;
    if (pair->is_compared && !pair->is_changed)
        return;
    reason = find_reason(totals, row->outcome, row->group ? row->group : "no reason");
    if (reason)
        reason->count++;
    else
        totals->other_reasons++;
}

/* Equally frequent ones by outcome and text, so that the order of the input has no effect. */
static int
compare_reasons(const void *a, const void *b)
{
    const struct audit_reason *left = a;
    const struct audit_reason *right = b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    if (left->outcome != right->outcome)
        return left->outcome < right->outcome ? -1 : 1;
    return strcmp(left->reason, right->reason);
}

static void
audit_totals_sort(struct audit_totals *totals)
{
    if (totals->num_reasons)
        qsort(totals->reasons, totals->num_reasons, sizeof(*totals->reasons), compare_reasons);
}

/* ---- rows ---- */

/* Adds the name of the job, and the number of the gang if it has several: `chat#1`. */
static void
add_row_title(struct text *out, const struct audit_row *row)
{
    const char *name = row->cells[COLUMN_NAME];

    text_add_printable(out, name ? name : "-");
    if (row->cells[COLUMN_GANG])
        text_addf(out, "#%s", row->cells[COLUMN_GANG]);
}

/* Prints what was added if it is long. */
static void
audit_print_flush(struct audit_printer *printer, size_t at_least)
{
    bool is_document = printer->output == OUTPUT_JSON || printer->output == OUTPUT_NDJSON ||
                       printer->output == OUTPUT_YAML;

    if (printer->out.len < at_least || printer->failed)
        return;
    printer->failed = !print_as(&printer->out, is_document ? OUTPUT_JSON : OUTPUT_TEXT);
    printer->out.len = 0;
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
    const struct audit_column_row *row = &audit_columns[column];
    const bool is_narrow = printer->output == OUTPUT_UNSET || printer->output == OUTPUT_TEXT;

    return (!row->is_wide || !is_narrow) && (!row->is_of_change || printer->is_compared);
}

/* ---- a table ---- */

/* The widths of the columns are those of the first thousand rows; later ones only grow. */
enum { ROWS_TOGETHER = 1000, WIDEST_COLUMN = 60 };

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
add_shown(struct text *out, const struct audit_row *row, int column)
{
    if (column == COLUMN_NAME)
        add_row_title(out, row);
    else if (column == COLUMN_OUTCOME)
        add_outcome_name(out, row->outcome);
    else
        text_add_printable(out, row->cells[column] ? row->cells[column] : "-");
}

/* Adds "a", or "a->b" for an answer that changes. */
static void
add_cell(struct text *out, const struct audit_pair *pair, int column)
{
    struct text *old = text_new();
    struct text *new = text_new();

    add_shown(new, &pair->row, column);
    if (pair->is_compared)
        add_shown(old, &pair->old, column);
    if (pair->is_compared && column != COLUMN_CHANGED && strcmp(old->data, new->data) != 0)
        text_addf(out, column == COLUMN_REASON ? "%s -> " : "%s->", old->data);
    text_add(out, new->data);
}

static void
start_table(struct audit_printer *printer)
{
    printer->table.widest = WIDEST_COLUMN;
    for (int i = 0; i < COLUMN_COUNT; i++)
        printer->table.num_columns += is_shown(printer, i);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (is_shown(printer, i))
            table_add(&printer->table, audit_columns[i].title);
}

static void
add_table_row(struct audit_printer *printer, struct audit_pair *pair)
{
    if (printer->printed && printer->printed % ROWS_TOGETHER == 0)
        table_move(&printer->out, &printer->table);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        struct text *cell = text_new();

        if (!is_shown(printer, i))
            continue;
        add_cell(cell, pair, i);
        table_add(&printer->table, cell->data);
    }
}

static void
add_reasons(struct text *out, const struct audit_totals *totals)
{
    for (size_t i = 0; i < totals->num_reasons; i++) {
        struct text *outcome = text_new();

        add_outcome_name(outcome, totals->reasons[i].outcome);
        text_addf(out, "%7zu  %-8s ", totals->reasons[i].count, outcome->data);
        text_add_line(out, totals->reasons[i].reason);
    }
    if (totals->other_reasons)
        text_addf(out, "%7zu  with other reasons\n", totals->other_reasons);
}

/* Adds the reasons, and "3 jobs, 4 gangs: 3 GANG, 1 DENIED". */
static void
end_table(struct audit_printer *printer, const struct audit_totals *totals)
{
    struct text *out = &printer->out;
    const char *before = ": ";

    if (printer->printed)
        table_move(out, &printer->table);
    if (totals->num_reasons)
        text_add(out, "\n");
    add_reasons(out, totals);
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
    if (printer->is_compared)
        text_addf(out, "; the answer of %zu changes", totals->changed);
    text_add(out, "\n");
}

/* ---- CSV ---- */

/* RFC 4180: a field with a comma, a quote or the end of a line is in quotes. */
static void
add_field(struct text *out, const struct audit_row *row, int column)
{
    const char *value = or_empty(row->cells[column]);
    struct text *field = text_new();

    if (strspn(value, "=+-@\t\r") > 0)
        text_add(field, "'"); /* a spreadsheet shows such a cell, instead of computing it */
    text_add_printable(field, value);
    if (!strpbrk(field->data, ",\"\r\n")) {
        text_add(out, field->data);
    } else {
        text_add(out, "\"");
        for (const char *c = field->data; *c; c++)
            text_addf(out, *c == '"' ? "\"%c" : "%c", *c);
        text_add(out, "\"");
    }
}

static void
start_csv(struct audit_printer *printer)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(printer, i))
            continue;
        text_add(&printer->out, i ? "," : "");
        if (has_old(printer, i))
            text_addf(&printer->out, "old.%s,", audit_columns[i].key);
        text_add(&printer->out, audit_columns[i].key);
    }
    text_add(&printer->out, "\n");
}

static void
add_csv_row(struct audit_printer *printer, struct audit_pair *pair)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!is_shown(printer, i))
            continue;
        text_add(&printer->out, i ? "," : "");
        if (has_old(printer, i)) {
            add_field(&printer->out, &pair->old, i);
            text_add(&printer->out, ",");
        }
        add_field(&printer->out, &pair->row, i);
    }
    text_add(&printer->out, "\n");
}

/* ---- JSON and YAML ---- */

static struct json_object *
list_value(const char *items)
{
    struct json_object *list = tree_list();

    while (items && *items) {
        size_t len = strcspn(items, ",");

        json_object_array_add(list, tree_new_text(items, len));
        items += len + (items[len] == ',');
    }
    return list;
}

/* Returns the value of a cell; NULL, which is null in JSON, if it has none. */
static struct json_object *
cell_value(const struct audit_row *row, int column)
{
    const char *cell = row->cells[column];

    if (audit_columns[column].kind == CELL_LIST)
        return list_value(cell);
    if (!cell)
        return NULL;
    if (audit_columns[column].kind == CELL_NUMBER)
        return tree_number(strtoull(cell, NULL, 10));
    return tree_new_text(cell, strlen(cell));
}

static struct json_object *
row_value(const struct audit_row *row)
{
    struct json_object *object = tree_map();

    tree_put_text(object, "apiVersion", GANG_API_VERSION);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (!audit_columns[i].is_of_change)
            tree_put(object, audit_columns[i].key, cell_value(row, i));
    return object;
}

/* The row; with --against what changes, the old and the new row. */
static struct json_object *
pair_value(const struct audit_pair *pair)
{
    struct json_object *object;

    if (!pair->is_compared)
        return row_value(&pair->row);
    object = tree_map();
    tree_put(object, "namespace", cell_value(&pair->row, COLUMN_NAMESPACE));
    tree_put(object, "name", cell_value(&pair->row, COLUMN_NAME));
    tree_put(object, "gang", cell_value(&pair->row, COLUMN_GANG));
    tree_put(object, "changed", cell_value(&pair->row, COLUMN_CHANGED));
    tree_put(object, "old", row_value(&pair->old));
    tree_put(object, "new", row_value(&pair->row));
    return object;
}

static struct json_object *
reasons_value(const struct audit_totals *totals)
{
    struct json_object *list = tree_list();

    for (size_t i = 0; i < totals->num_reasons; i++) {
        struct json_object *item = tree_map();

        tree_put_text(item, "outcome", gang_outcome_name(totals->reasons[i].outcome));
        tree_put_text(item, "reason", totals->reasons[i].reason);
        tree_put_number(item, "gangs", totals->reasons[i].count);
        json_object_array_add(list, item);
    }
    return list;
}

static struct json_object *
totals_value(const struct audit_printer *printer, const struct audit_totals *totals)
{
    struct json_object *object = tree_map();
    struct json_object *outcomes = tree_map_in(object, "outcomes");

    tree_put_number(object, "jobs", totals->jobs);
    tree_put_number(object, "gangs", totals->gangs);
    for (int i = 1; i < NUM_OUTCOMES; i++)
        tree_put_number(outcomes, gang_outcome_name(i), totals->by_outcome[i]);
    if (printer->is_compared)
        tree_put_number(object, "changed", totals->changed);
    tree_put(object, "reasons", reasons_value(totals));
    if (totals->other_reasons)
        tree_put_number(object, "otherReasons", totals->other_reasons);
    return object;
}

static void
add_line(struct audit_printer *printer, struct audit_pair *pair)
{
    tree_move(&printer->out, pair_value(pair), OUTPUT_JSON, JSON_C_TO_STRING_PLAIN);
}

/* One document, written as it comes: the totals follow the rows. */

static void
start_json(struct audit_printer *printer)
{
    text_add(&printer->out, "{\"jobs\":[");
}

static void
add_json_item(struct audit_printer *printer, struct audit_pair *pair)
{
    struct json_object *value = pair_value(pair);

    text_add(&printer->out, printer->printed ? ",\n" : "\n");
    tree_add_json(&printer->out, value, JSON_C_TO_STRING_PLAIN);
    json_object_put(value);
}

static void
end_json(struct audit_printer *printer, const struct audit_totals *totals)
{
    struct json_object *value = totals_value(printer, totals);

    text_add(&printer->out, "\n],\n\"totals\":");
    tree_add_json(&printer->out, value, JSON_C_TO_STRING_PLAIN);
    text_add(&printer->out, "}\n");
    json_object_put(value);
}

/* Adds the value as YAML, with a text before its first line and spaces before the others. */
static void
add_yaml(struct text *out, struct json_object *value, const char *first)
{
    struct text *yaml = text_new();

    tree_move(yaml, value, OUTPUT_YAML, JSON_C_TO_STRING_PLAIN);
    text_add_indented(out, yaml->data, first, "  ");
}

static void
start_yaml(struct audit_printer *printer)
{
    text_add(&printer->out, "jobs:");
}

static void
add_yaml_item(struct audit_printer *printer, struct audit_pair *pair)
{
    text_add(&printer->out, printer->printed ? "" : "\n");
    add_yaml(&printer->out, pair_value(pair), "- ");
}

static void
end_yaml(struct audit_printer *printer, const struct audit_totals *totals)
{
    text_add(&printer->out, printer->printed ? "totals:\n" : " []\ntotals:\n");
    add_yaml(&printer->out, totals_value(printer, totals), "  ");
}

/* ---- JUnit ---- */

static void
start_junit(struct audit_printer *printer)
{
    printer->cases = tmpfile();
    printer->failed = !printer->cases;
    if (printer->failed)
        print_errorf("error: a temporary file cannot be created\n");
}

/* What makes the test of a job fail: NULL if it passes. */
static const char *
verdict_of(const struct audit_pair *pair)
{
    if (pair->is_compared)
        return "failure";
    if (pair->row.outcome == GANG_OUTCOME_DENIED)
        return "failure";
    return pair->row.outcome == GANG_OUTCOME_INVALID ? "error" : NULL;
}

static void
add_case(struct audit_printer *printer, struct audit_pair *pair)
{
    const char *const *cells = pair->row.cells;
    const char *verdict = verdict_of(pair);
    const char *reason = or_empty(cells[COLUMN_REASON]);
    struct text *text = text_new();
    struct text *name = text_new();

    text_add(text, "  <testcase");
    xml_add_attribute(text, "classname", cells[COLUMN_NAMESPACE] ? cells[COLUMN_NAMESPACE] : "-");
    add_row_title(name, &pair->row);
    xml_add_attribute(text, "name", name->data);
    text_add(text, verdict ? ">\n" : "/>\n");
    if (pair->is_compared)
        reason = formatted("%s -> %s", or_empty(pair->old.cells[COLUMN_REASON]), reason);
    if (verdict) {
        xml_add_element(text, verdict, pair->is_compared ? "Changed" : cells[COLUMN_OUTCOME],
                        cells[COLUMN_CHANGED] ? cells[COLUMN_CHANGED] : cells[COLUMN_REASON],
                        reason);
        text_add(text, "  </testcase>\n");
    }
    if (printer->cases && fwrite(text->data, 1, text->len, printer->cases) != text->len)
        printer->failed = true;
}

static void
copy_cases(struct audit_printer *printer)
{
    char bytes[16384];
    size_t got;

    if (!printer->cases || fflush(printer->cases))
        return;
    rewind(printer->cases);
    while ((got = fread(bytes, 1, sizeof(bytes), printer->cases)) > 0) {
        text_add_bytes(&printer->out, bytes, got);
        audit_print_flush(printer, 1 << 16);
    }
}

static void
end_junit(struct audit_printer *printer, const struct audit_totals *totals)
{
    size_t denied = totals->by_outcome[GANG_OUTCOME_DENIED];
    size_t invalid = totals->by_outcome[GANG_OUTCOME_INVALID];

    text_addf(&printer->out,
              XML_TESTSUITES "<testsuite name=\"gangctl audit\" tests=\"%zu\" failures=\"%zu\" "
                             "errors=\"%zu\">\n",
              printer->printed, printer->is_compared ? totals->changed : denied,
              printer->is_compared ? 0 : invalid);
    copy_cases(printer);
    text_add(&printer->out, "</testsuite>\n</testsuites>\n");
}

enum { FLUSH_BYTES = 1 << 16 };

/* How each format writes; a function that is NULL writes nothing. */
#define AUDIT_TABLE                                                                                \
    {                                                                                              \
        start_table, add_table_row, end_table                                                      \
    }
static const struct {
    void (*start)(struct audit_printer *printer);
    void (*row)(struct audit_printer *printer, struct audit_pair *pair);
    void (*end)(struct audit_printer *printer, const struct audit_totals *totals);
} formats[] = {
    [OUTPUT_UNSET] = AUDIT_TABLE,
    [OUTPUT_TEXT] = AUDIT_TABLE,
    [OUTPUT_WIDE] = AUDIT_TABLE,
    [OUTPUT_JSON] = {start_json, add_json_item, end_json},
    [OUTPUT_NDJSON] = {.row = add_line},
    [OUTPUT_CSV] = {start_csv, add_csv_row, NULL},
    [OUTPUT_JUNIT] = {start_junit, add_case, end_junit},
    [OUTPUT_YAML] = {start_yaml, add_yaml_item, end_yaml},
};

bool
audit_print_start(struct audit_printer *printer, enum output output, bool is_compared)
{
    *printer = (struct audit_printer){.output = output, .is_compared = is_compared};
    if (formats[output].start)
        formats[output].start(printer);
    return !printer->failed;
}

void
audit_print_row(struct audit_printer *printer, struct audit_pair *pair)
{
    formats[printer->output].row(printer, pair);
    printer->printed++;
    audit_print_flush(printer, FLUSH_BYTES);
}

void
audit_print_end(struct audit_printer *printer, struct audit_totals *totals)
{
    audit_totals_sort(totals);
    if (formats[printer->output].end)
        formats[printer->output].end(printer, totals);
    audit_print_flush(printer, 1);
}
