/* SPDX-License-Identifier: Apache-2.0 */
#include <json-c/json.h>

#include "commands.h"
#include "exit.h"

/* The library writes JSON on one line; this one is indented, for editors and readers. */
static bool
add_pretty(struct text *out, const char *json)
{
    struct json_object *root = json_tokener_parse(json);
    const char *pretty = root ? json_object_to_json_string_ext(
                                    root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
                                              JSON_C_TO_STRING_NOSLASHESCAPE)
                              : NULL;

    if (pretty)
        text_addf(out, "%s\n", pretty);
    json_object_put(root);
    return pretty != NULL;
}

int
command_policy_schema(const struct options *options)
{
    enum gang_format format = options->output == OUTPUT_YAML ? GANG_FORMAT_YAML : GANG_FORMAT_JSON;
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    struct text out = {0};
    bool printed = false;

    if (gang_schema_serialize(NULL, GANG_KIND_POLICY, (int)format, 0, &blob, &error)) {
        gang_error_free(error);
        out_of_memory();
    }
    if (format == GANG_FORMAT_YAML)
        text_add(&out, gang_blob_get_data(blob, NULL));
    if (format == GANG_FORMAT_YAML || add_pretty(&out, gang_blob_get_data(blob, NULL)))
        printed = print_data(&out);
    gang_blob_unref(blob);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
