/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <gang/gang.h>
#include <json-c/json.h>

#include "commands.h"
#include "jobs.h"
#include "text.h"
#include "tree.h"

const char *scheduler_names[SCHEDULERS_MOST + 1];

void
schedulers_list_names(void)
{
    for (size_t i = 0; gang_backend_name(i) && i < SCHEDULERS_MOST; i++)
        scheduler_names[i] = gang_backend_name(i);
}

struct json_object *
schedulers_read(void)
{
    struct gang_blob *blob = NULL;
    struct json_object *document;
    struct json_object *list;
    struct text json = {0};
    const char *data;
    size_t len;

    if (gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    data = gang_blob_get_data(blob, &len);
    text_add_bytes(&json, data, len);
    gang_blob_unref(blob);
    document = tree_must(json_read(&json));
    list = json_object_get(tree_member(document, "backends"));
    json_object_put(document);
    text_free(&json);
    return list;
}

struct json_object *
schedulers_find(struct json_object *schedulers, const char *name)
{
    for (size_t i = 0; i < tree_length(schedulers); i++) {
        struct json_object *scheduler = json_object_array_get_idx(schedulers, i);

        if (tree_text_is(scheduler, "name", name))
            return scheduler;
    }
    return NULL;
}

enum { COLUMN_COUNT = 6 };

/* A row of the table; an empty cell is "". */
struct row {
    struct text cells[COLUMN_COUNT];
};

struct table {
    struct row *rows;
    size_t count;
};

static const char *const titles[COLUMN_COUNT] = {"NAME",    "API VERSION",  "KUBERNETES",
                                                 "OBJECTS", "MARK ON PODS", "SCHEDULER"};

static struct row *
table_add(struct table *table)
{
    table->rows = must_reallocate(table->rows, table->count + 1, sizeof(*table->rows));
    table->rows[table->count] = (struct row){0};
    return &table->rows[table->count++];
}

static const char *
text_of(struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);

    return value ? json_object_get_string(value) : "";
}

static void
add_words(struct text *cell, struct json_object *list)
{
    text_add(cell, "");
    for (size_t i = 0; list && i < json_object_array_length(list); i++)
        text_addf(cell, "%s%s", i ? ", " : "",
                  json_object_get_string(json_object_array_get_idx(list, i)));
}

static void
add_version(struct table *table, struct json_object *backend, struct json_object *version)
{
    struct row *row = table_add(table);

    text_add(&row->cells[0], text_of(backend, "name"));
    text_add(&row->cells[1], text_of(version, "apiVersion"));
    text_add(&row->cells[2], text_of(version, "kubernetes"));
    add_words(&row->cells[3], json_object_object_get(version, "objects"));
    text_add(&row->cells[4], text_of(version, "mark"));
    text_add(&row->cells[5], text_of(backend, "schedulerName"));
}

static void
add_titles(struct table *table)
{
    struct row *row = table_add(table);

    for (int i = 0; i < COLUMN_COUNT; i++)
        text_add(&row->cells[i], titles[i]);
}

static void
print_table(struct text *out, const struct table *table)
{
    size_t widths[COLUMN_COUNT] = {0};

    for (size_t i = 0; i < table->count; i++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            if (table->rows[i].cells[k].len > widths[k])
                widths[k] = table->rows[i].cells[k].len;
    for (size_t i = 0; i < table->count; i++) {
        for (int k = 0; k < COLUMN_COUNT; k++)
            text_addf(out, "%-*s%s", k + 1 < COLUMN_COUNT ? (int)widths[k] : 0,
                      table->rows[i].cells[k].len ? table->rows[i].cells[k].data : "-",
                      k + 1 < COLUMN_COUNT ? "  " : "\n");
    }
}

static void
table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            text_free(&table->rows[i].cells[k]);
    free(table->rows);
}

/* Adds lines about unsupported fields, policy options and experimental options. */
static void
add_notes(struct text *out, struct json_object *backend)
{
    struct text lacks = {0};
    struct text options = {0};

    add_words(&lacks, json_object_object_get(backend, "lacks"));
    add_words(&options, json_object_object_get(backend, "options"));
    if (lacks.len)
        text_addf(out, "\n%s does not support: %s", text_of(backend, "name"), lacks.data);
    if (options.len)
        text_addf(out, "\n%s policy options: %s", text_of(backend, "name"), options.data);
    if (*text_of(backend, "experimental"))
        text_addf(out, "\n%s: %s is experimental: it follows a change that is not merged upstream",
                  text_of(backend, "name"), text_of(backend, "experimental"));
    text_free(&lacks);
    text_free(&options);
}

static void
add_gates(struct text *out, struct json_object *version)
{
    struct json_object *fields = json_object_object_get(version, "fields");
    struct text gates = {0};

    if (!fields)
        return;
    add_words(&gates, json_object_object_get(version, "gates"));
    text_addf(out, "\n%s needs the feature gates: %s", text_of(version, "apiVersion"), gates.data);
    for (size_t i = 0; i < json_object_array_length(fields); i++) {
        struct json_object *field = json_object_array_get_idx(fields, i);
        const char *gate = text_of(field, "gate");

        text_addf(out, "%s%s%s%s%s", i ? ", " : "; it has ", text_of(field, "name"),
                  *gate ? " (" : "", gate, *gate ? ")" : "");
    }
    text_free(&gates);
}

static void
backends_as_text(struct text *out, struct json_object *document)
{
    struct json_object *backends = json_object_object_get(document, "backends");
    struct text notes = {0};
    struct table table = {0};

    add_titles(&table);
    for (size_t i = 0; i < json_object_array_length(backends); i++) {
        struct json_object *backend = json_object_array_get_idx(backends, i);
        struct json_object *versions = json_object_object_get(backend, "versions");

        for (size_t k = 0; k < json_object_array_length(versions); k++) {
            add_version(&table, backend, json_object_array_get_idx(versions, k));
            add_gates(&notes, json_object_array_get_idx(versions, k));
        }
        add_notes(&notes, backend);
    }
    print_table(out, &table);
    text_addf(out, "%s\n", notes.len ? notes.data : "");
    table_free(&table);
    text_free(&notes);
}

int
command_backends(const struct options *options)
{
    struct gang_blob *blob = NULL;
    struct json_object *document;
    struct text json = {0};
    struct text out = {0};
    const char *data;
    bool printed;
    size_t len;

    if (gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    data = gang_blob_get_data(blob, &len);
    text_add_bytes(&json, data, len);
    gang_blob_unref(blob);
    document = json_read(&json);
    if (!document)
        out_of_memory();
    if (options->output == OUTPUT_JSON)
        text_add(&out, json.data);
    else if (options->output == OUTPUT_YAML)
        text_add_as_yaml(&out, &json);
    else
        backends_as_text(&out, document);
    printed = print_data(&out);
    json_object_put(document);
    text_free(&json);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}

static void
add_backends(struct text *out, const char *before, const char *between, const char *after)
{
    for (size_t i = 0; gang_backend_name(i); i++)
        text_addf(out, "%s%s%s%s", i ? between : "", before, gang_backend_name(i), after);
}

static void
version_as_text(struct text *out)
{
    text_addf(out, "gangctl   %s\nlibgang   %s\nsoname    %s\nbackends  ", GANG_VERSION_TEXT,
              gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "", ", ", "");
    text_addf(out, "\nYAML      %s\n", gang_has_yaml() ? "yes" : "no");
}

static void
version_as_json(struct text *out)
{
    text_addf(out, "{\"gangctl\":\"%s\",\"libgang\":\"%s\",\"soname\":\"%s\",\"backends\":[",
              GANG_VERSION_TEXT, gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "\"", ",", "\"");
    text_addf(out, "],\"yaml\":%s}\n", gang_has_yaml() ? "true" : "false");
}

static void
version_as_yaml(struct text *out)
{
    text_addf(out, "gangctl: \"%s\"\nlibgang: \"%s\"\nsoname: %s\nbackends:\n", GANG_VERSION_TEXT,
              gang_version_string(), GANGCTL_SONAME);
    add_backends(out, "- ", "", "\n");
    text_addf(out, "yaml: %s\n", gang_has_yaml() ? "true" : "false");
}

int
command_version(const struct options *options)
{
    struct text out = {0};
    bool printed;

    if (options->output == OUTPUT_UNSET || options->output == OUTPUT_TEXT)
        version_as_text(&out);
    else if (options->output == OUTPUT_JSON)
        version_as_json(&out);
    else
        version_as_yaml(&out);
    printed = print_data(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
