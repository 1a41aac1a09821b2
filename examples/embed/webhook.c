/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core of a mutating admission webhook: one AdmissionReview with a new job in each line of
 * standard input, its answer in a line of standard output. The server around it needs TLS and HTTP
 * alone. The marks of the gang are merged into the pod templates of the job by a JSONPatch.
 *
 *     webhook POLICY [CLUSTER] < reviews.ndjson
 */
#define _POSIX_C_SOURCE 200809L
#include <gang/gang.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every diagnostic but infos; an error explains a refusal, a warning is shown by kubectl. */
static void
tell(struct json_object *warnings, const struct gang_diagnostic *diagnostic, char *message,
     size_t size)
{
    const char *hint = gang_diagnostic_get_hint(diagnostic);
    size_t used = strlen(message);
    char text[2048];

    snprintf(text, sizeof(text), "%s: %s%s%s [%s]", gang_diagnostic_get_path(diagnostic),
             gang_diagnostic_get_message(diagnostic), hint ? "; " : "", hint ? hint : "",
             gang_diagnostic_get_id(diagnostic));
    if (gang_diagnostic_get_severity(diagnostic) == GANG_SEVERITY_ERROR)
        snprintf(message + used, size - used, "%s%s", used ? "\n" : "", text);
    else if (gang_diagnostic_get_severity(diagnostic) == GANG_SEVERITY_WARNING)
        json_object_array_add(warnings, json_object_new_string(text));
}

static void
refuse(struct json_object *response, const struct gang_error *error)
{
    struct json_object *status = json_object_new_object();
    struct json_object *warnings = json_object_new_array();
    char message[16384] = "";

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        tell(warnings, gang_error_get_diagnostic(error, i), message, sizeof(message));
    json_object_object_add(status, "message", json_object_new_string(message));
    json_object_object_add(response, "allowed", json_object_new_boolean(0));
    json_object_object_add(response, "status", status);
    json_object_object_add(response, "warnings", warnings);
}

/* JSON in base64, as `patch` of an AdmissionReview is. */
static struct json_object *
base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t len = strlen(text);
    char *out = malloc(4 * ((len + 2) / 3) + 1), *at = out;
    struct json_object *result;

    for (size_t i = 0; out && i < len; i += 3) {
        const unsigned char *in = (const unsigned char *)text + i;
        unsigned bits = (unsigned)in[0] << 16 | (i + 1 < len ? (unsigned)in[1] << 8 : 0) |
                        (i + 2 < len ? in[2] : 0);

        *at++ = digits[bits >> 18];
        *at++ = digits[bits >> 12 & 63];
        *at++ = i + 1 < len ? digits[bits >> 6 & 63] : '=';
        *at++ = i + 2 < len ? digits[bits & 63] : '=';
    }
    result = out ? json_object_new_string_len(out, (int)(at - out)) : NULL;
    free(out);
    return result;
}

/* The library writes the marked job; the patch replaces the parts that differ. */
static void
allow(struct json_object *response, struct json_object *job, const char *marked_text)
{
    static const char *const parts[] = {"metadata", "spec"};
    struct json_object *marked = json_tokener_parse(marked_text);
    struct json_object *patch = json_object_new_array();
    struct json_object *managed = NULL;

    /* The library leaves them out, and the patch must not remove them. */
    if (json_object_object_get_ex(json_object_object_get(job, "metadata"), "managedFields",
                                  &managed))
        json_object_object_add(json_object_object_get(marked, "metadata"), "managedFields",
                               json_object_get(managed));
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct json_object *part = json_object_object_get(marked, parts[i]);
        struct json_object *step = json_object_new_object();
        char path[16];

        if (json_object_equal(part, json_object_object_get(job, parts[i]))) {
            json_object_put(step);
            continue;
        }
        snprintf(path, sizeof(path), "/%s", parts[i]);
        json_object_object_add(step, "op", json_object_new_string("replace"));
        json_object_object_add(step, "path", json_object_new_string(path));
        json_object_object_add(step, "value", json_object_get(part));
        json_object_array_add(patch, step);
    }
    json_object_object_add(response, "allowed", json_object_new_boolean(1));
    if (json_object_array_length(patch)) {
        json_object_object_add(response, "patchType", json_object_new_string("JSONPatch"));
        json_object_object_add(
            response, "patch",
            base64(json_object_to_json_string_ext(patch, JSON_C_TO_STRING_PLAIN)));
    }
    json_object_put(patch);
    json_object_put(marked);
}

/* From the text of a job to the text of the job with its marks, in four calls. */
static struct json_object *
review(struct json_object *request, const struct gang_inputs *inputs)
{
    struct json_object *response = json_object_new_object();
    struct json_object *warnings = json_object_new_array();
    struct json_object *object = json_object_object_get(request, "object");
    const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE);
    struct gang_document *job = NULL;
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_blob *marked = NULL;
    struct gang_error *error = NULL;
    char unused[1] = "";

    if (gang_document_parse(NULL, text, strlen(text), 0, &job, &error) ||
        gang_resolve(NULL, job, inputs, 0, &decision, &error) ||
        gang_render(NULL, decision, 0, &plan, &error) ||
        gang_plan_serialize(NULL, plan, GANG_TARGET_JOB, GANG_FORMAT_JSON, 0, &marked, &error))
        refuse(response, error);
    else
        allow(response, object, gang_blob_get_data(marked, NULL));
    for (size_t i = 0; !error && i < gang_decision_num_diagnostics(decision); i++)
        tell(warnings, gang_decision_get_diagnostic(decision, i), unused, sizeof(unused));
    if (!error)
        json_object_object_add(response, "warnings", json_object_get(warnings));
    json_object_object_add(response, "uid",
                           json_object_get(json_object_object_get(request, "uid")));
    gang_error_free(error);
    gang_blob_unref(marked);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_document_unref(job);
    json_object_put(warnings);
    return response;
}

/* Adds the document of a file, and keeps its text no longer than that. */
static int
add_file(struct gang_inputs *inputs, const char *name)
{
    struct gang_document *document = NULL;
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t size = 0;
    ssize_t len = file ? getdelim(&text, &size, '\0', file) : -1;
    int result = len < 0 ? -1 : gang_document_parse(NULL, text, (size_t)len, 0, &document, NULL);

    if (result == GANG_OK)
        result = gang_inputs_add(inputs, document);
    gang_document_unref(document);
    free(text);
    if (file)
        fclose(file);
    return result;
}

int
main(int argc, char **argv)
{
    struct gang_inputs *inputs = gang_inputs_new();
    char *line = NULL;
    size_t size = 0;

    for (int i = 1; i < argc; i++)
        if (add_file(inputs, argv[i]) != GANG_OK)
            return fprintf(stderr, "%s is no document; gangctl lint says why\n", argv[i]), 1;
    while (getline(&line, &size, stdin) > 0) {
        struct json_object *in = json_tokener_parse(line);
        struct json_object *response;

        if (!in)
            return fputs("the line is no JSON\n", stderr), 1;
        response = review(json_object_object_get(in, "request"), inputs);
        json_object_object_del(in, "request");
        json_object_object_add(in, "response", response);
        puts(json_object_to_json_string_ext(in, JSON_C_TO_STRING_PLAIN));
        fflush(stdout);
        json_object_put(in);
    }
    free(line);
    gang_inputs_free(inputs);
    return 0;
}
