/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "audit.h"

/* ---- totals ---- */

/* So that reasons that are all different take no memory without a bound. */
enum { MOST_REASONS = 1000 };

void
audit_totals_start(struct audit_totals *totals, bool is_compared)
{
    struct json_object *outcomes;

    *totals = (struct audit_totals){tree_map_of_step(), tree_map_of_step()};
    outcomes = tree_map_in(totals->sums, "outcomes");
    for (int i = 1; i <= GANG_OUTCOME_INVALID; i++)
        tree_put_number(outcomes, gang_outcome_name(i), 0);
    tree_put_number(totals->sums, "jobs", 0);
    tree_put_number(totals->sums, "gangs", 0);
    if (is_compared)
        tree_put_number(totals->sums, "changed", 0);
    tree_put_list(totals->sums, "reasons");
}

void
audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair)
{
    const char *outcome = tree_text(pair->row.tree, "outcome");
    const char *reason = *or_empty(pair->row.group) ? pair->row.group : "no reason";
    const char *key = formatted("%s %s", outcome, reason);
    struct json_object *item = tree_member(totals->reasons, key);

    if (!tree_int(pair->row.tree, "gang"))
        tree_count(totals->sums, "jobs");
    tree_count(totals->sums, "gangs");
    tree_count(tree_member(totals->sums, "outcomes"), outcome);
    if (tree_length(pair->changed))
        tree_count(totals->sums, "changed");
    else if (pair->changed)
        return;
    if (!item && json_object_object_length(totals->reasons) == MOST_REASONS) {
        /* of gangs with a reason after the first thousand different ones */
        tree_count(totals->sums, "otherReasons");
        return;
    }
    if (!item) {
        item = tree_map_in(totals->reasons, key);
        tree_put_text(item, "outcome", outcome);
        tree_put_text(item, "reason", reason);
    }
    tree_count(item, "gangs");
}

/* The place of an outcome among them; other words are equal. */
static int
rank_of(const char *outcome)
{
    int rank = 0;

    while (rank <= GANG_OUTCOME_INVALID && strcmp(or_empty(gang_outcome_name(rank)), outcome) != 0)
        rank++;
    return rank;
}

static const char *
group_of(struct json_object *item)
{
    const char *outcome = tree_text(item, "outcome");

    return outcome ? outcome : tree_text(item, "verdict");
}

/* Equally frequent ones by group and text, so that the order of the input has no effect. */
static int
compare_reasons(const void *a, const void *b)
{
    struct json_object *left = *(struct json_object *const *)a;
    struct json_object *right = *(struct json_object *const *)b;
    const int64_t more = tree_int(right, "gangs") - tree_int(left, "gangs");
    const char *groups[] = {group_of(left), group_of(right)};
    int order = rank_of(groups[0]) - rank_of(groups[1]);

    if (more)
        return more > 0 ? 1 : -1;
    if (!order)
        order = strcmp(groups[0], groups[1]);
    return order ? order : strcmp(tree_text(left, "reason"), tree_text(right, "reason"));
}

struct json_object *
sorted_by_gangs(struct json_object *map)
{
    struct json_object *list = tree_sorted_values(map);

    json_object_array_sort(list, compare_reasons);
    return list;
}

/* ---- rows ---- */

/* Returns the text of a cell, of a list with commas between its items; NULL without a value. */
static const char *
cell_of(const struct audit_pair *pair, const struct audit_row *row, size_t column)
{
    struct json_object *value = column == COLUMN_CHANGED
                                    ? pair->changed
                                    : tree_member(row->tree, audit_columns[column].key);

    return json_object_is_type(value, json_type_array) ? tree_join(value, ",")
                                                       : json_object_get_string(value);
}

/* Returns the name of the job, and the number of the gang if it has several: `chat#1`. */
static const char *
row_title(const struct audit_row *row)
{
    const char *name = tree_text(row->tree, "name");
    const char *prefix = tree_text(row->tree, "generateName");

    name = printable(name ? name : prefix ? formatted("%s*", prefix) : "-");
    return tree_member(row->tree, "gang")
               ? formatted("%s#%lld", name, (long long)tree_int(row->tree, "gang"))
               : name;
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

static bool
is_shown(const struct audit_printer *printer, size_t column)
{
    return (!audit_columns[column].is_wide || printer->output != OUTPUT_TEXT) &&
           (column != COLUMN_CHANGED || printer->is_compared);
}

/* ---- a table ---- */

/* The widths of the columns are those of the first thousand rows; later ones only grow. */
enum { ROWS_TOGETHER = 1000, WIDEST_COLUMN = 60 };

/* Returns "NO_GANG" for "NoGang". */
static const char *
shown_outcome(const char *outcome)
{
    struct text *out = text_new();

    for (size_t i = 0; outcome[i]; i++) {
        const int c = (unsigned char)outcome[i];

        text_addf(out, i && isupper(c) ? "_%c" : "%c", toupper(c));
    }
    return out->data;
}

static const char *
shown(const struct audit_pair *pair, const struct audit_row *row, size_t column)
{
    const char *cell = cell_of(pair, row, column);

    if (strcmp(audit_columns[column].key, "name") == 0)
        return row_title(row);
    if (strcmp(audit_columns[column].key, "outcome") == 0)
        return shown_outcome(cell);
    return printable(cell ? cell : "-");
}

static void
start_table(struct audit_printer *printer)
{
    printer->table.widest = WIDEST_COLUMN;
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++)
        printer->table.num_columns += is_shown(printer, i);
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++)
        if (is_shown(printer, i))
            table_add(&printer->table, audit_columns[i].title);
}

static void
add_table_row(struct audit_printer *printer, struct audit_pair *pair)
{
    if (printer->printed && printer->printed % ROWS_TOGETHER == 0)
        table_move(&printer->out, &printer->table);
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++) {
        const bool has_two = pair->changed && i != COLUMN_CHANGED;
        const char *new = shown(pair, &pair->row, i);
        const char *old = has_two ? shown(pair, &pair->old, i) : new;

        /* "a->b" for an answer that changes */
        if (strcmp(old, new) != 0)
            new = formatted(i == COLUMN_REASON ? "%s -> %s" : "%s->%s", old, new);
        if (is_shown(printer, i))
            table_add(&printer->table, new);
    }
}

/* Adds the reasons, and "3 jobs, 4 gangs: 3 GANG, 1 DENIED". */
static void
end_table(struct audit_printer *printer, struct json_object *sums)
{
    struct json_object *reasons = tree_member(sums, "reasons");
    const long long jobs = tree_int(sums, "jobs");
    struct text *out = &printer->out;
    const char *before = ": ";

    if (printer->printed)
        table_move(out, &printer->table);
    text_add(out, tree_length(reasons) ? "\n" : "");
    for (TREE_EACH(item, reasons)) {
        text_addf(out, "%7lld  %-8s ", (long long)tree_int(*item, "gangs"),
                  shown_outcome(tree_text(*item, "outcome")));
        text_add_line(out, tree_text(*item, "reason"));
    }
    if (tree_member(sums, "otherReasons"))
        text_addf(out, "%7lld  with other reasons\n", (long long)tree_int(sums, "otherReasons"));
    text_addf(out, "%lld job%s", jobs, jobs == 1 ? "" : "s");
    if (tree_int(sums, "gangs") != jobs)
        text_addf(out, ", %lld gangs", (long long)tree_int(sums, "gangs"));
    json_object_object_foreach(tree_member(sums, "outcomes"), outcome, count)
    {
        if (!json_object_get_int64(count))
            continue;
        text_addf(out, "%s%lld %s", before, (long long)json_object_get_int64(count),
                  shown_outcome(outcome));
        before = ", ";
    }
    if (printer->is_compared)
        text_addf(out, "; the answer of %lld changes", (long long)tree_int(sums, "changed"));
    text_add(out, "\n");
}

/* ---- CSV ---- */

/* RFC 4180: a field with a comma, a quote or the end of a line is in quotes. */
static void
add_field(struct text *out, const char *cell)
{
    const char *value = or_empty(cell);
    /* a spreadsheet shows such a cell, instead of computing it */
    const char *before = strspn(value, "=+-@\t\r") > 0 ? "'" : "";
    const char *field = formatted("%s%s", before, printable(value));

    if (!strpbrk(field, ",\"\r\n")) {
        text_add(out, field);
    } else {
        text_add(out, "\"");
        for (const char *c = field; *c; c++)
            text_addf(out, *c == '"' ? "\"%c" : "%c", *c);
        text_add(out, "\"");
    }
}

/* NULL adds the head. */
static void
add_csv_row(struct audit_printer *printer, struct audit_pair *pair)
{
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++) {
        const char *key = audit_columns[i].key;
        const bool has_old =
            printer->is_compared && (audit_columns[i].is_answer || i == COLUMN_REASON);

        if (!is_shown(printer, i))
            continue;
        text_add(&printer->out, i ? "," : "");
        if (has_old) {
            add_field(&printer->out,
                      pair ? cell_of(pair, &pair->old, i) : formatted("old.%s", key));
            text_add(&printer->out, ",");
        }
        add_field(&printer->out, pair ? cell_of(pair, &pair->row, i) : key);
    }
    text_add(&printer->out, "\n");
}

static void
start_csv(struct audit_printer *printer)
{
    add_csv_row(printer, NULL);
}

/* ---- JSON and YAML ---- */

/* Adds a value, of YAML with a text before its first line and spaces before the others. */
static void
add_value(struct audit_printer *printer, struct json_object *value, const char *first)
{
    struct text *yaml = text_new();

    if (printer->output == OUTPUT_YAML) {
        tree_move(yaml, value, OUTPUT_YAML, JSON_C_TO_STRING_PLAIN);
        text_add_indented(&printer->out, yaml->data, first, "  ");
        return;
    }
    tree_add_json(&printer->out, value, JSON_C_TO_STRING_PLAIN);
    json_object_put(value);
}

/* Adds the row; with --against what changes, the old and the new row. */
static void
add_item(struct audit_printer *printer, struct audit_pair *pair)
{
    static const char *const keys[] = {"namespace", "name", "gang"};
    const bool is_json = printer->output == OUTPUT_JSON;
    const bool is_line = printer->output == OUTPUT_NDJSON;
    struct json_object *row = pair->row.tree;
    struct json_object *value = pair->changed ? tree_map() : json_object_get(row);

    for (size_t i = 0; pair->changed && i < COUNT_OF(keys); i++)
        tree_put(value, keys[i], json_object_get(tree_member(row, keys[i])));
    if (pair->changed) {
        tree_share(value, "changed", pair->changed);
        tree_share(value, "old", pair->old.tree);
        tree_share(value, "new", row);
    }
    if (!is_line)
        text_add(&printer->out, !printer->printed ? "\n" : is_json ? ",\n" : "");
    add_value(printer, value, "- ");
    if (is_line)
        text_add(&printer->out, "\n");
}

static void
end_document(struct audit_printer *printer, struct json_object *sums)
{
    const bool is_json = printer->output == OUTPUT_JSON;
    const char *end = printer->printed ? "totals:\n" : " []\ntotals:\n";

    text_add(&printer->out, is_json ? "\n],\n\"totals\":" : end);
    add_value(printer, json_object_get(sums), "  ");
    text_add(&printer->out, is_json ? "}\n" : "");
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

static void
add_case(struct audit_printer *printer, struct audit_pair *pair)
{
    const char *space = tree_text(pair->row.tree, "namespace");
    const char *reason = text_of(pair->row.tree, "reason");
    const int rank = rank_of(tree_text(pair->row.tree, "outcome"));
    const char *verdict = pair->changed || rank == GANG_OUTCOME_DENIED ? "failure"
                          : rank == GANG_OUTCOME_INVALID               ? "error"
                                                                       : NULL; /* it passes */
    struct text *text = text_new();

    text_add(text, "  <testcase");
    xml_add_attribute(text, "classname", space ? space : "-");
    xml_add_attribute(text, "name", row_title(&pair->row));
    text_add(text, verdict ? ">\n" : "/>\n");
    if (verdict && pair->changed)
        xml_add_element(text, verdict, "Changed", cell_of(pair, &pair->row, COLUMN_CHANGED),
                        formatted("%s -> %s", text_of(pair->old.tree, "reason"), reason));
    else if (verdict)
        xml_add_element(text, verdict, tree_text(pair->row.tree, "outcome"),
                        tree_text(pair->row.tree, "reason"), reason);
    text_add(text, verdict ? "  </testcase>\n" : "");
    if (fwrite(text->data, 1, text->len, printer->cases) != text->len)
        printer->failed = true;
}

static void
end_junit(struct audit_printer *printer, struct json_object *sums)
{
    struct json_object *outcomes = tree_member(sums, "outcomes");
    const int64_t denied = tree_int(outcomes, gang_outcome_name(GANG_OUTCOME_DENIED));
    const int64_t invalid = tree_int(outcomes, gang_outcome_name(GANG_OUTCOME_INVALID));
    char bytes[16384];
    size_t got;

    if (printer->failed || fflush(printer->cases) != 0) {
        print_errorf("error: a temporary file cannot be written\n");
        printer->failed = true;
        return;
    }
    text_addf(&printer->out,
              XML_TESTSUITES "<testsuite name=\"gangctl audit\" tests=\"%zu\" failures=\"%lld\" "
                             "errors=\"%lld\">\n",
              printer->printed,
              (long long)(printer->is_compared ? tree_int(sums, "changed") : denied),
              (long long)(printer->is_compared ? 0 : invalid));
    rewind(printer->cases);
    while ((got = fread(bytes, 1, sizeof(bytes), printer->cases)) > 0) {
        text_add_bytes(&printer->out, bytes, got);
        audit_print_flush(printer, 1 << 16);
    }
    text_add(&printer->out, "</testsuite>\n</testsuites>\n");
}

enum { FLUSH_BYTES = 1 << 16 };

/*
 * How each format writes: its first text, or what starts it, the rows, and what follows them. What
 * is NULL writes nothing. A document of JSON or YAML is written as it comes.
 */
static const struct {
    const char *head;
    void (*start)(struct audit_printer *printer);
    void (*row)(struct audit_printer *printer, struct audit_pair *pair);
    void (*end)(struct audit_printer *printer, struct json_object *sums);
} formats[] = {
    [OUTPUT_TEXT] = {NULL, start_table, add_table_row, end_table},
    [OUTPUT_WIDE] = {NULL, start_table, add_table_row, end_table},
    [OUTPUT_JSON] = {"{\"jobs\":[", NULL, add_item, end_document},
    [OUTPUT_NDJSON] = {.row = add_item},
    [OUTPUT_CSV] = {NULL, start_csv, add_csv_row, NULL},
    [OUTPUT_JUNIT] = {NULL, start_junit, add_case, end_junit},
    [OUTPUT_YAML] = {"jobs:", NULL, add_item, end_document},
};

bool
audit_print_start(struct audit_printer *printer, enum output output, bool is_compared)
{
    *printer = (struct audit_printer){.output = output, .is_compared = is_compared};
    if (formats[output].head)
        text_add(&printer->out, formats[output].head);
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
    tree_put(totals->sums, "reasons", sorted_by_gangs(totals->reasons));
    if (formats[printer->output].end)
        formats[printer->output].end(printer, totals->sums);
    audit_print_flush(printer, 1);
}
