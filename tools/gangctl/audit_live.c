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
enum { NUM_LIVE_COLUMNS = COUNT_OF(live_columns) };

struct live_audit {
    struct json_object *rows;
    struct json_object *causes; /* map by verdict and reason of the items of `totals.causes` */
    struct json_object *verdicts;
};

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
    tree_count(cause, "gangs");
    tree_count(audit->verdicts, verdict);
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
    struct json_object *causes = tree_list();

    tree_put(totals, "gangs", tree_number(tree_length(audit->rows)));
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

static void
add_table(struct text *out, struct json_object *rows)
{
    struct table table = {0};

    for (size_t i = 0; i < NUM_LIVE_COLUMNS; i++)
        table.num_columns += live_columns[i].title != NULL;
    for (size_t i = 0; tree_length(rows) && i < NUM_LIVE_COLUMNS; i++)
        if (live_columns[i].title)
            table_add(&table, live_columns[i].title);
    for (size_t i = 0; i < tree_length(rows); i++)
        for (size_t k = 0; k < NUM_LIVE_COLUMNS; k++) {
            struct json_object *row = json_object_array_get_idx(rows, i);
            struct text cell = {0};

            text_add_printable(&cell, or_empty(tree_text(row, live_columns[k].key)));
            if (live_columns[k].title)
                table_add(&table, cell.data);
            text_free(&cell);
        }
    table_move(out, &table);
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

int
audit_live(struct run *run)
{
    const enum output output = run->options->output;
    struct live_audit audit = {.rows = tree_list(), .causes = tree_map(), .verdicts = tree_map()};
    int status = why_each(run, GANG_FORMAT_JSON, take_row, &audit);
    struct json_object *totals = totals_of(&audit);
    struct json_object *document = tree_map();

    tree_put(document, "jobs", audit.rows);
    tree_put(document, "totals", totals);
    if (output == OUTPUT_NDJSON) {
        for (size_t i = 0; i < tree_length(audit.rows); i++)
            tree_move(&run->out, json_object_get(json_object_array_get_idx(audit.rows, i)),
                      OUTPUT_JSON, JSON_C_TO_STRING_PLAIN);
    } else if (output == OUTPUT_JSON || output == OUTPUT_YAML) {
        tree_move(&run->out, json_object_get(document), output, JSON_C_TO_STRING_PLAIN);
    } else {
        add_table(&run->out, audit.rows);
        add_totals(&run->out, totals);
    }
    json_object_put(document);
    json_object_put(audit.causes);
    json_object_put(audit.verdicts);
    return status;
}
