/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "audit_print.h"
#include "tree.h"
#include "yaml_text.h"

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
