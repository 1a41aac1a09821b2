/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what the library answers to every folder of documents, one JSON object a line, so that the
 * tests of a binding can ask the same and compare the bytes. answers FOLDER...
 *
 *   {"case": FOLDER, "documents": {"runtime": TEXT, ...}, "answers": {STEP: {"result": NUMBER,
 *    "error": TEXT, "text": TEXT}, ...}}
 *
 * The documents are converted to JSON, which every binding reads. A document that is not
 * well-formed is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include <gang/gang.h>

#include "support/cases.h"
#include "support/resolve.h"

struct answers {
    struct json_object *documents;
    struct json_object *steps;
};

static struct json_object *
as_json(const char *data, size_t len)
{
    return json_object_new_string_len(data ? data : "", (int)len);
}

/* Takes over error and blob. */
static void
add_step(struct answers *answers, const char *name, int result, struct gang_error *error,
         struct gang_blob *blob)
{
    struct json_object *step = json_object_new_object();
    struct gang_blob *list = NULL;
    size_t len = 0;
    const char *text;

    json_object_object_add(step, "result", json_object_new_int(result));
    if (error && gang_error_serialize(NULL, error, GANG_FORMAT_JSON, 0, &list, NULL) == GANG_OK) {
        text = gang_blob_get_data(list, &len);
        json_object_object_add(step, "error", as_json(text, len));
    }
    if (blob) {
        text = gang_blob_get_data(blob, &len);
        json_object_object_add(step, "text", as_json(text, len));
    }
    json_object_object_add(answers->steps, name, step);
    gang_blob_unref(list);
    gang_blob_unref(blob);
    gang_error_free(error);
}

/* Every document of the text as JSON, one behind the other; NULL if it is not well-formed. */
static struct json_object *
converted(const struct text *text)
{
    struct gang_stream *stream;
    struct gang_blob *blob;
    struct json_object *joined;
    char *all = NULL;
    size_t used = 0, len;

    if (!text->data || gang_stream_parse(NULL, text->data, text->len, 0, &stream, NULL) < 0)
        return NULL;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const char *data;

        if (gang_stream_serialize(NULL, stream, i, GANG_FORMAT_JSON, 0, &blob, NULL) < 0)
            continue;
        data = gang_blob_get_data(blob, &len);
        all = realloc(all, used + len);
        if (!all)
            exit(2);
        memcpy(all + used, data, len);
        used += len;
        gang_blob_unref(blob);
    }
    gang_stream_unref(stream);
    joined = all ? as_json(all, used) : NULL;
    free(all);
    return joined;
}

static struct gang_document *
ask_document(struct answers *answers, const char *name, const struct text *text)
{
    struct json_object *document = converted(text);
    struct gang_document *parsed;
    struct gang_error *error;
    char step[64];
    int result;

    if (!document)
        return NULL;
    json_object_object_add(answers->documents, name, document);
    result = gang_document_parse(NULL, json_object_get_string(document),
                                 (size_t)json_object_get_string_len(document), 0, &parsed, &error);
    snprintf(step, sizeof(step), "parse %s", name);
    add_step(answers, step, result, error, NULL);
    return parsed;
}

static void
ask_plan(struct answers *answers, const char *prefix, const struct gang_plan *plan)
{
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++)
        for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++) {
            struct gang_blob *blob;
            struct gang_error *error;
            char step[64];
            int result = gang_plan_serialize(NULL, plan, target, format, 0, &blob, &error);

            snprintf(step, sizeof(step), "%s %s %s", prefix, gang_target_name(target),
                     gang_format_name(format));
            add_step(answers, step, result, error, blob);
        }
}

/* What exists: the live objects of the case, or what the plan itself would write. */
static void
ask_reconcile(struct answers *answers, const struct gang_plan *plan, const struct text *live)
{
    struct gang_document *existing = NULL;
    struct gang_plan *reconciled = NULL;
    struct gang_error *error;
    struct json_object *text = converted(live);
    int result;

    if (!text)
        json_object_object_get_ex(json_object_object_get(answers->steps, "render objects json"),
                                  "text", &text);
    if (text && live->data)
        json_object_object_add(answers->documents, "live", text);
    result =
        gang_document_parse_live(NULL, json_object_get_string(text),
                                 (size_t)json_object_get_string_len(text), 0, &existing, &error);
    add_step(answers, "parse live", result, error, NULL);
    if (result < 0)
        return;
    result = gang_reconcile(NULL, plan, existing, 0, &reconciled, &error);
    add_step(answers, "reconcile", result, error, NULL);
    if (reconciled)
        ask_plan(answers, "reconcile", reconciled);
    gang_plan_unref(reconciled);
    gang_document_unref(existing);
}

static void
ask_decision(struct answers *answers, struct gang_decision *decision, const struct text *live)
{
    struct gang_plan *plan;
    struct gang_blob *blob;
    struct gang_error *error;
    int result = gang_decision_serialize(NULL, decision, GANG_FORMAT_JSON, 0, &blob, &error);

    add_step(answers, "decision", result, error, blob);
    result = gang_render(NULL, decision, 0, &plan, &error);
    add_step(answers, "render", result, error, NULL);
    if (result < 0)
        return;
    ask_plan(answers, "render", plan);
    ask_reconcile(answers, plan, live);
    gang_plan_unref(plan);
}

static void
ask(const struct test_case *input, struct answers *answers)
{
    struct gang_document *trainjob = ask_document(answers, "trainjob", &input->trainjob);
    struct gang_document *podgang = ask_document(answers, "podgang", &input->podgang);
    struct gang_document *inputs[] = {
        ask_document(answers, "runtime", &input->runtime),
        ask_document(answers, "podcliqueset", &input->podcliqueset),
        ask_document(answers, "policy", &input->policy),
        ask_document(answers, "cluster", &input->cluster),
    };
    struct gang_document *job = trainjob ? trainjob : podgang;
    struct gang_decision *decision = NULL;
    struct gang_error *error;
    int result;

    if (job) {
        result = resolve_job(NULL, job, inputs, sizeof(inputs) / sizeof(inputs[0]), 0, &decision,
                             &error);
        add_step(answers, "resolve", result, error, NULL);
    }
    if (decision)
        ask_decision(answers, decision, &input->live);
    gang_decision_unref(decision);
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
        gang_document_unref(inputs[i]);
    gang_document_unref(trainjob);
    gang_document_unref(podgang);
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);

    for (size_t i = 0; i < cases.count; i++) {
        struct json_object *line = json_object_new_object();
        struct answers answers = {json_object_new_object(), json_object_new_object()};

        ask(&cases.items[i], &answers);
        json_object_object_add(line, "case", json_object_new_string(cases.items[i].name));
        json_object_object_add(line, "documents", answers.documents);
        json_object_object_add(line, "answers", answers.steps);
        puts(json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
        json_object_put(line);
    }
    cases_free(&cases);
    return cases.count ? 0 : 2;
}
