/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

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

    if (gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    return tree_member(tree_must(json_of_blob(blob)), "backends");
}

static void
add_gates(struct text *out, struct json_object *version)
{
    struct json_object *fields = tree_member(version, "fields");

    if (!fields)
        return;
    text_addf(out, "\n%s needs the feature gates: %s", text_of(version, "apiVersion"),
              tree_join(tree_member(version, "gates"), ", "));
    for (size_t i = 0; i < tree_length(fields); i++) {
        struct json_object *field = json_object_array_get_idx(fields, i);
        const char *gate = text_of(field, "gate");

        text_addf(out, "%s%s%s%s%s", i ? ", " : "; it has ", text_of(field, "name"),
                  *gate ? " (" : "", gate, *gate ? ")" : "");
    }
}

static void
backends_as_text(struct text *out, struct json_object *backends)
{
    static const char *const titles[] = {"NAME",    "API VERSION",  "KUBERNETES",
                                         "OBJECTS", "MARK ON PODS", "SCHEDULER"};
    struct table table = {.num_columns = COUNT_OF(titles)};
    struct text *notes = text_new();

    for (size_t i = 0; i < COUNT_OF(titles); i++)
        table_add(&table, titles[i]);
    for (TREE_EACH(backend, backends)) {
        struct json_object *versions = tree_member(*backend, "versions");
        const char *lacks = tree_join(tree_member(*backend, "lacks"), ", ");
        const char *options = tree_join(tree_member(*backend, "options"), ", ");

        for (TREE_EACH(version, versions)) {
            table_add(&table, text_of(*backend, "name"));
            table_add(&table, text_of(*version, "apiVersion"));
            table_add(&table, text_of(*version, "kubernetes"));
            table_add(&table, tree_join(tree_member(*version, "objects"), ", "));
            table_add(&table, text_of(*version, "mark"));
            table_add(&table, text_of(*backend, "schedulerName"));
            add_gates(notes, *version);
        }
        if (*lacks)
            text_addf(notes, "\n%s does not support: %s", text_of(*backend, "name"), lacks);
        if (*options)
            text_addf(notes, "\n%s policy options: %s", text_of(*backend, "name"), options);
        if (*text_of(*backend, "experimental"))
            text_addf(notes,
                      "\n%s: %s is experimental: it follows a change that is not merged upstream",
                      text_of(*backend, "name"), text_of(*backend, "experimental"));
    }
    table_move(out, &table);
    text_addf(out, "%s\n", or_empty(notes->data));
}

int
command_backends(struct run *run)
{
    const enum output output = run->options->output;
    struct gang_blob *blob = NULL;

    if (output == OUTPUT_JSON || output == OUTPUT_YAML) {
        if (gang_backends_serialize(NULL, (int)options_format(run->options), 0, &blob, NULL))
            out_of_memory();
        text_add(&run->out, gang_blob_get_data(blob, NULL));
        gang_blob_unref(blob);
    } else {
        backends_as_text(&run->out, schedulers_read());
    }
    return EXIT_DONE;
}

int
command_version(struct run *run)
{
    const enum output output = run->options->output;
    struct json_object *version = tree_map();
    struct json_object *backends;

    tree_put_text(version, "gangctl", GANG_VERSION_TEXT);
    tree_put_text(version, "libgang", gang_version_string());
    tree_put_text(version, "soname", GANGCTL_SONAME);
    backends = tree_put_list(version, "backends");
    for (size_t i = 0; gang_backend_name(i); i++)
        tree_add_text(backends, gang_backend_name(i));
    tree_put(version, "yaml", tree_must(json_object_new_boolean(gang_has_yaml())));
    if (output == OUTPUT_TEXT) {
        text_addf(&run->out, "gangctl   %s\nlibgang   %s\nsoname    %s\nbackends  ",
                  GANG_VERSION_TEXT, gang_version_string(), GANGCTL_SONAME);
        text_addf(&run->out, "%s\nYAML      %s\n", tree_join(backends, ", "),
                  gang_has_yaml() ? "yes" : "no");
        json_object_put(version);
    } else {
        tree_move(&run->out, version, output, JSON_C_TO_STRING_PLAIN);
    }
    return EXIT_DONE;
}
