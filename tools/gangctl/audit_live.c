/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "live.h"
#include "text.h"
#include "tree.h"

/* `gangctl audit --live`: why each gang of a cluster does not start, and totals by cause. */

static const struct {
    const char *title; /* of a table; NULL: not there */
    const char *key;
    const char *parent; /* in the answer; NULL: the answer itself */
} live_columns[] = {
    {"NAMESPACE", "namespace", "job"},
    {"NAME", "name", "job"},
    {NULL, "gang", "job"},
    {"KIND", "kind", "job"},
    {"VERDICT", "verdict", NULL},
    {NULL, "code", "cause"},
    {"CAUSE", "reason", "cause"},
    {"CERTAINTY", "certainty", "cause"},
    {"MESSAGE", "message", "cause"},
};
enum { NUM_LIVE_COLUMNS = sizeof(live_columns) / sizeof(*live_columns) };

struct live_audit {
    struct json_object *rows;
    struct json_object *causes; /* map by verdict and reason of the items of `totals.causes` */
    struct json_object *verdicts;
};

static void
add_one(struct json_object *map, const char *key)
{
    int64_t count = json_object_get_int64(tree_member(map, key));

    tree_put(map, key, tree_must(json_object_new_int64(count + 1)));
}

static void
count_row(struct live_audit *audit, struct json_object *row)
{
    const char *verdict = tree_text(row, "verdict");
    const char *reason = tree_text(row, "reason");
    struct text key = {0};
    struct json_object *cause;

    if (!verdict || !reason)
        return;
    text_addf(&key, "%s %s", verdict, reason);
    cause = tree_map_in(audit->causes, key.data);
    text_free(&key);
    tree_put_text(cause, "verdict", verdict);
    tree_put_text(cause, "code", tree_text(row, "code"));
    tree_put_text(cause, "reason", reason);
    add_one(cause, "gangs");
    add_one(audit->verdicts, verdict);
}

static void
take_row(void *context, struct json_object *why, const struct gang_blob *blob)
{
    struct live_audit *audit = context;
    struct json_object *row = tree_map();

    (void)blob;
    tree_put_text(row, "apiVersion", GANG_API_VERSION);
    for (size_t i = 0; i < NUM_LIVE_COLUMNS; i++) {
        const char *parent = live_columns[i].parent;

        tree_share(row, live_columns[i].key,
                   tree_member(parent ? tree_member(why, parent) : why, live_columns[i].key));
    }
    count_row(audit, row);
    json_object_array_add(audit->rows, row);
}

/* ---- totals ---- */

/* The most frequent first, so that the order of the input has no effect. */
static int
compare_causes(const void *a, const void *b)
{
    struct json_object *left = *(struct json_object *const *)a;
    struct json_object *right = *(struct json_object *const *)b;
    const int64_t more = json_object_get_int64(tree_member(right, "gangs")) -
                         json_object_get_int64(tree_member(left, "gangs"));
    const int order = strcmp(tree_text(left, "verdict"), tree_text(right, "verdict"));

    if (more)
        return more > 0 ? 1 : -1;
    return order ? order : strcmp(tree_text(left, "reason"), tree_text(right, "reason"));
}

/* The caller puts it. */
static struct json_object *
totals_of(const struct live_audit *audit)
{
    struct json_object *totals = tree_map();
    struct json_object *causes = tree_must(json_object_new_array());

    tree_put(totals, "gangs", tree_must(json_object_new_int64((int64_t)tree_length(audit->rows))));
    tree_put(totals, "verdicts", tree_sorted_map(audit->verdicts));
    json_object_object_foreach(audit->causes, key, cause)
    {
        (void)key;
        json_object_array_add(causes, json_object_get(cause));
    }
    json_object_array_sort(causes, compare_causes);
    tree_put(totals, "causes", causes);
    return totals;
}

/* ---- formats ---- */

/* A cell of a table, as a terminal shows it; of the head if there is no row. */
static struct text
cell_of(struct json_object *row, size_t column)
{
    const char *value = row ? tree_text(row, live_columns[column].key) : live_columns[column].title;
    struct text cell = {0};

    text_add_printable(&cell, value ? value : "-");
    return cell;
}

/* `out` NULL: only the widths. */
static void
add_row_of_table(struct text *out, size_t *widths, struct json_object *row)
{
    for (size_t i = 0; i < NUM_LIVE_COLUMNS; i++) {
        struct text cell;

        if (!live_columns[i].title)
            continue;
        cell = cell_of(row, i);
        if (!out)
            widths[i] = cell.len > widths[i] ? cell.len : widths[i];
        else if (i + 1 == NUM_LIVE_COLUMNS)
            text_addf(out, "%s\n", cell.data);
        else
            text_addf(out, "%-*s  ", (int)widths[i], cell.data);
        text_free(&cell);
    }
}

/* The head, and a line for each row. */
static void
add_rows_of_table(struct text *out, size_t *widths, struct json_object *rows)
{
    if (tree_length(rows))
        add_row_of_table(out, widths, NULL);
    for (size_t i = 0; i < tree_length(rows); i++)
        add_row_of_table(out, widths, json_object_array_get_idx(rows, i));
}

static void
add_table(struct text *out, const struct live_audit *audit)
{
    size_t widths[NUM_LIVE_COLUMNS] = {0};

    add_rows_of_table(NULL, widths, audit->rows);
    add_rows_of_table(out, widths, audit->rows);
}

/* Adds "3 gangs: 2 Stuck, 1 Waiting" below the causes. */
static void
add_totals(struct text *out, struct json_object *totals)
{
    struct json_object *causes = tree_member(totals, "causes");
    const int64_t gangs = json_object_get_int64(tree_member(totals, "gangs"));
    const char *before = ": ";

    text_add(out, tree_length(causes) ? "\n" : "");
    for (size_t i = 0; i < tree_length(causes); i++) {
        struct json_object *cause = json_object_array_get_idx(causes, i);

        text_addf(out, "%7lld  %-10s %s %s\n",
                  (long long)json_object_get_int64(tree_member(cause, "gangs")),
                  tree_text(cause, "verdict"), tree_text(cause, "code"),
                  tree_text(cause, "reason"));
    }
    text_addf(out, "%lld gang%s", (long long)gangs, gangs == 1 ? "" : "s");
    json_object_object_foreach(tree_member(totals, "verdicts"), verdict, count)
    {
        text_addf(out, "%s%lld %s", before, (long long)json_object_get_int64(count), verdict);
        before = ", ";
    }
    text_add(out, "\n");
}

static void
add_lines(struct text *out, const struct live_audit *audit)
{
    for (size_t i = 0; i < tree_length(audit->rows); i++) {
        tree_add_json(out, json_object_array_get_idx(audit->rows, i), JSON_C_TO_STRING_PLAIN);
        text_add(out, "\n");
    }
}

static void
add_document(struct text *out, const struct live_audit *audit, struct json_object *totals,
             bool is_yaml)
{
    struct json_object *document = tree_map();
    struct text json = {0};

    tree_share(document, "jobs", audit->rows);
    tree_share(document, "totals", totals);
    tree_add_json(&json, document, JSON_C_TO_STRING_PLAIN);
    text_add(&json, "\n");
    if (is_yaml)
        text_add_as_yaml(out, &json);
    else
        text_add_bytes(out, json.data, json.len);
    json_object_put(document);
    text_free(&json);
}

int
audit_live(const struct options *options)
{
    struct live_audit audit = {
        .rows = tree_must(json_object_new_array()), .causes = tree_map(), .verdicts = tree_map()};
    int status = why_each(options, GANG_FORMAT_JSON, take_row, &audit);
    struct json_object *totals = totals_of(&audit);
    struct text out = {0};

    if (options->output == OUTPUT_NDJSON) {
        add_lines(&out, &audit);
    } else if (options->output == OUTPUT_JSON || options->output == OUTPUT_YAML) {
        add_document(&out, &audit, totals, options->output == OUTPUT_YAML);
    } else {
        add_table(&out, &audit);
        add_totals(&out, totals);
    }
    if (!print_as(&out, options->output))
        status = EXIT_COULD_NOT_RUN;
    json_object_put(totals);
    json_object_put(audit.rows);
    json_object_put(audit.causes);
    json_object_put(audit.verdicts);
    text_free(&out);
    return status;
}
