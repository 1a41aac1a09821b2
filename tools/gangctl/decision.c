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

/* Doubles the backslash of escaped control characters, but not of quotes and backslashes. */
static void
keep_escapes(struct text *out, const struct text *json)
{
    for (size_t i = 0; i < json->len; i++) {
        bool is_escape = json->data[i] == '\\' && i + 1 < json->len;

        if (is_escape && !strchr("\"\\/", json->data[i + 1]))
            text_add(out, "\\");
        text_add_bytes(out, json->data + i, is_escape ? 2 : 1);
        i += is_escape;
    }
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

/* Frees `raw`. */
static struct json_object *
read_printable(struct workbench *bench, const struct job *job, struct text *raw)
{
    struct json_object *object;
    struct text text = {0};

    keep_escapes(&text, raw);
    object = read_decision(bench, job, &text);
    text_free(raw);
    text_free(&text);
    return object;
}

struct json_object *
decision_as_printable_json(struct workbench *bench, const struct job *job)
{
    struct text raw = {0};

    write_decision(&raw, bench, job);
    return read_printable(bench, job, &raw);
}

struct json_object *
plan_as_printable_json(struct workbench *bench, const struct job *job)
{
    struct text raw = {0};

    if (!job->plan)
        return NULL;
    add_plan(&raw, bench, job, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    return read_printable(bench, job, &raw);
}

size_t
kind_of_error(const char *message)
{
    static const char *const kinds[] = {"Forbidden: ", "Required value: "};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strncmp(message, kinds[i], strlen(kinds[i])) == 0)
            return strlen(kinds[i]);
    }
    return 0;
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

void
add_reason(struct text *out, const struct gang_decision *decision)
{
    const struct gang_diagnostic *error = first_error_of(decision);
    const char *path = gang_diagnostic_get_path(error);
    const char *reason = gang_decision_get_reason(decision);

    if (error && path && *path && gang_diagnostic_get_document(error) != GANG_DOCUMENT_POLICY)
        text_addf(out, "%s: %s", path, gang_diagnostic_get_message(error));
    else if (reason)
        text_add(out, reason + kind_of_error(reason));
}
