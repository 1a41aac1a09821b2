/* SPDX-License-Identifier: Apache-2.0 */
#include "audit_print.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "tree.h"

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

static struct json_object *
list_value(const char *items)
{
    struct json_object *list = tree_must(json_object_new_array());

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
        return tree_must(json_object_new_int64(strtoll(cell, NULL, 10)));
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

/* Frees the value. */
static void
add_value(struct text *out, struct json_object *value)
{
    tree_add_json(out, value, JSON_C_TO_STRING_PLAIN);
    json_object_put(value);
}

static void
add_line(struct audit_printer *printer, struct audit_pair *pair)
{
    add_value(&printer->out, pair_value(pair));
    text_add(&printer->out, "\n");
}

const struct audit_format audit_ndjson_format = {.row = add_line};

/* One document, written as it comes: the totals follow the rows. */

static void
start_document(struct audit_printer *printer)
{
    text_add(&printer->out, "{\"jobs\":[");
}

static void
add_item(struct audit_printer *printer, struct audit_pair *pair)
{
    text_add(&printer->out, printer->printed ? ",\n" : "\n");
    add_value(&printer->out, pair_value(pair));
}

static struct json_object *
number(size_t value)
{
    return tree_must(json_object_new_int64((int64_t)value));
}

static struct json_object *
reasons_value(const struct audit_totals *totals)
{
    struct json_object *list = tree_must(json_object_new_array());

    for (size_t i = 0; i < totals->num_reasons; i++) {
        struct json_object *item = tree_map();

        tree_put_text(item, "outcome", gang_outcome_name(totals->reasons[i].outcome));
        tree_put_text(item, "reason", totals->reasons[i].reason);
        tree_put(item, "gangs", number(totals->reasons[i].count));
        json_object_array_add(list, item);
    }
    return list;
}

static struct json_object *
totals_value(const struct audit_printer *printer, const struct audit_totals *totals)
{
    struct json_object *object = tree_map();
    struct json_object *outcomes = tree_map_in(object, "outcomes");

    tree_put(object, "jobs", number(totals->jobs));
    tree_put(object, "gangs", number(totals->gangs));
    for (int i = 1; i < NUM_OUTCOMES; i++)
        tree_put(outcomes, gang_outcome_name(i), number(totals->by_outcome[i]));
    if (printer->is_compared)
        tree_put(object, "changed", number(totals->changed));
    tree_put(object, "reasons", reasons_value(totals));
    if (totals->other_reasons)
        tree_put(object, "otherReasons", number(totals->other_reasons));
    return object;
}

static void
end_document(struct audit_printer *printer, const struct audit_totals *totals)
{
    text_add(&printer->out, "\n],\n\"totals\":");
    add_value(&printer->out, totals_value(printer, totals));
    text_add(&printer->out, "}\n");
}

/* The same in YAML. */

/* Adds the value as YAML, with a text before its first line and spaces before the others. */
static void
add_yaml(struct text *out, struct json_object *value, const char *first)
{
    struct text json = {0};
    struct text yaml = {0};

    add_value(&json, value);
    text_add_as_yaml(&yaml, &json);
    for (const char *line = yaml.data; line && *line;) {
        size_t len = strcspn(line, "\n");

        text_add(out, line == yaml.data ? first : "  ");
        text_add_bytes(out, line, len);
        text_add(out, "\n");
        line += len + (line[len] == '\n');
    }
    text_free(&json);
    text_free(&yaml);
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

const struct audit_format audit_yaml_format = {start_yaml, add_yaml_item, end_yaml};

const struct audit_format audit_json_format = {start_document, add_item, end_document};

static void
start(struct audit_printer *printer)
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
add_verdict(struct text *out, const struct audit_pair *pair, const char *verdict)
{
    const char *changed = pair->row.cells[COLUMN_CHANGED];

    text_addf(out, "    <%s", verdict);
    xml_add_attribute(out, "type", pair->is_compared ? "Changed" : pair->row.cells[COLUMN_OUTCOME]);
    xml_add_attribute(out, "message", changed ? changed : pair->row.cells[COLUMN_REASON]);
    text_add(out, ">");
    if (pair->is_compared && pair->old.cells[COLUMN_REASON])
        xml_add(out, pair->old.cells[COLUMN_REASON]);
    if (pair->is_compared)
        xml_add(out, " -> ");
    if (pair->row.cells[COLUMN_REASON])
        xml_add(out, pair->row.cells[COLUMN_REASON]);
    text_addf(out, "</%s>\n", verdict);
}

static void
add_case(struct audit_printer *printer, struct audit_pair *pair)
{
    const char *space = pair->row.cells[COLUMN_NAMESPACE];
    const char *verdict = verdict_of(pair);
    struct text text = {0};
    struct text name = {0};

    text_add(&text, "  <testcase");
    xml_add_attribute(&text, "classname", space ? space : "-");
    audit_row_add_title(&name, &pair->row);
    xml_add_attribute(&text, "name", name.data);
    text_add(&text, verdict ? ">\n" : "/>\n");
    if (verdict) {
        add_verdict(&text, pair, verdict);
        text_add(&text, "  </testcase>\n");
    }
    if (printer->cases && fwrite(text.data, 1, text.len, printer->cases) != text.len)
        printer->failed = true;
    text_free(&text);
    text_free(&name);
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
end(struct audit_printer *printer, const struct audit_totals *totals)
{
    size_t denied = totals->by_outcome[GANG_OUTCOME_DENIED];
    size_t invalid = totals->by_outcome[GANG_OUTCOME_INVALID];

    text_add(&printer->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_addf(&printer->out,
              "<testsuites>\n<testsuite name=\"gangctl audit\" tests=\"%zu\" failures=\"%zu\" "
              "errors=\"%zu\">\n",
              printer->printed, printer->is_compared ? totals->changed : denied,
              printer->is_compared ? 0 : invalid);
    copy_cases(printer);
    text_add(&printer->out, "</testsuite>\n</testsuites>\n");
}

const struct audit_format audit_junit_format = {start, add_case, end};

enum { FLUSH_BYTES = 1 << 16 };

static const struct audit_format *const formats[] = {
    [OUTPUT_UNSET] = &audit_table_format,   [OUTPUT_TEXT] = &audit_table_format,
    [OUTPUT_WIDE] = &audit_table_format,    [OUTPUT_JSON] = &audit_json_format,
    [OUTPUT_NDJSON] = &audit_ndjson_format, [OUTPUT_CSV] = &audit_csv_format,
    [OUTPUT_JUNIT] = &audit_junit_format,   [OUTPUT_YAML] = &audit_yaml_format,
};

bool
audit_print_start(struct audit_printer *printer, enum output output, bool is_compared)
{
    *printer = (struct audit_printer){.output = output, .is_compared = is_compared};
    if (formats[output]->start)
        formats[output]->start(printer);
    return !printer->failed;
}

void
audit_print_row(struct audit_printer *printer, struct audit_pair *pair)
{
    formats[printer->output]->row(printer, pair);
    printer->printed++;
    audit_pair_free(pair);
    audit_print_flush(printer, FLUSH_BYTES);
}

void
audit_print_end(struct audit_printer *printer, struct audit_totals *totals)
{
    audit_totals_sort(totals);
    if (formats[printer->output]->end)
        formats[printer->output]->end(printer, totals);
    audit_print_flush(printer, 1);
}

void
audit_print_free(struct audit_printer *printer)
{
    for (size_t i = 0; i < printer->num_waiting; i++)
        audit_pair_free(&printer->waiting[i]);
    free(printer->waiting);
    text_free(&printer->out);
    if (printer->cases)
        fclose(printer->cases);
}
