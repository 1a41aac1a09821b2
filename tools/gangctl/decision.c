/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "jobs.h"

/* The library writes no deeper documents than it reads. */
enum { JSON_DEPTH = 1100 };

/* Reads the value at the start of the text. */
static struct json_object *
read_value(const char *data, size_t len)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    struct json_object *object = NULL;

    if (!tokener)
        out_of_memory();
    if (len)
        object = json_tokener_parse_ex(tokener, data, (int)len);
    json_tokener_free(tokener);
    return object;
}

struct json_object *
json_read(const struct text *text)
{
    return read_value(text->data, text->len);
}

struct json_object *
document_tree(const char *data, size_t len)
{
    struct gang_context *context = must_make_widest_context();
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    struct json_object *root = NULL;

    if (gang_stream_parse(context, data, len, 0, &stream, NULL) == GANG_OK &&
        gang_stream_num_documents(stream) == 1 &&
        gang_stream_serialize(context, stream, 0, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK) {
        const char *json = gang_blob_get_data(blob, &len);

        root = read_value(json, len);
    }
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    gang_context_unref(context);
    return root;
}

/* Returns the serialized decision; empty after reporting an error. */
static void
write_decision(struct text *out, struct workbench *bench, const struct job *job)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob;
    int result =
        gang_decision_serialize(bench->context, job->decision, GANG_FORMAT_JSON, 0, &blob, &error);

    if (result)
        complain_error(&bench->complaints, &job->origins, &job->document->origin, result, error);
    else
        add_blob(out, blob, GANG_FORMAT_JSON);
    gang_blob_unref(blob);
}

static struct json_object *
read_decision(struct workbench *bench, const struct job *job, const struct text *text)
{
    struct json_object *decision = json_read(text);

    if (!decision && text->len) {
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the library's answer cannot be read");
        bench->complaints.could_not_run = true;
    }
    return decision;
}

struct json_object *
decision_as_json(struct workbench *bench, const struct job *job)
{
    struct json_object *decision;
    struct text text = {0};

    write_decision(&text, bench, job);
    decision = read_decision(bench, job, &text);
    text_free(&text);
    return decision;
}

const struct gang_diagnostic *
first_error_of(const struct gang_decision *decision)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(diagnostic) == GANG_SEVERITY_ERROR)
            return diagnostic;
    }
    return NULL;
}
