/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes inputs through every stage of the library and lets callgrind count the instructions of each
 * input alone. ladder FOLDER NAME...: reads FOLDER/NAME and, if it exists, FOLDER/NAME.live; dumps
 * the count as NAME and prints "NAME" with the stages that succeeded. With --budget in front, the
 * steps have their default, and all other limits their ceilings.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>
#include <valgrind/callgrind.h>

#include "support/resolve.h"
#include "support/text.h"
#include "support/widest_context.h"

enum { MOST_DOCUMENTS = 4096, PATH_SIZE = 4096 };

/* The handles of one input. */
struct climb {
    struct gang_context *context;
    struct gang_document *job; /* borrowed: the first of the documents that can be resolved */
    struct gang_document *documents[MOST_DOCUMENTS];
    size_t count;
    struct gang_document *live;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_plan *reconciled;
    char stages[256];
    size_t len;
};

static void
note(struct climb *climb, const char *stage, int result)
{
    if (climb->len < sizeof(climb->stages) - 1)
        climb->len +=
            (size_t)snprintf(climb->stages + climb->len, sizeof(climb->stages) - climb->len,
                             " %s:%s", stage, gang_result_name(result));
}

static void
read_documents(struct climb *climb, const struct text *text)
{
    struct gang_stream *stream;
    struct gang_error *error;
    int worst = gang_stream_parse(climb->context, text->data, text->len, 0, &stream, &error);

    gang_error_free(error);
    for (size_t i = 0; i < gang_stream_num_documents(stream) && i < MOST_DOCUMENTS; i++) {
        struct gang_document *document;
        size_t len;
        const char *data = gang_stream_get_data(stream, i, &len);
        int result = gang_document_parse(climb->context, data, len, 0, &document, &error);

        gang_error_free(error);
        worst = result ? result : worst;
        if (!document)
            continue;
        climb->documents[climb->count++] = document;
        /* a PodGang is the job, even behind its PodCliqueSet */
        if (is_job(document) &&
            (!climb->job || gang_document_get_type(climb->job) == GANG_DOCUMENT_PODCLIQUESET))
            climb->job = document;
    }
    gang_stream_unref(stream);
    note(climb, "read", worst);
}

/* The picture and the texts for people. */
static int
draw(struct climb *climb, const struct gang_plan *plan)
{
    struct gang_blob *blob;
    int worst =
        gang_decision_serialize(climb->context, climb->decision, GANG_FORMAT_SVG, 0, &blob, NULL);

    gang_blob_unref(blob);
    for (int format = GANG_FORMAT_TEXT; plan && format <= GANG_FORMAT_HTML; format++) {
        int result = gang_plan_serialize(climb->context, plan, GANG_TARGET_PLAN, format,
                                         GANG_SERIALIZE_VERBOSE, &blob, NULL);

        worst = result ? result : worst;
        gang_blob_unref(blob);
    }
    return worst;
}

static int
write_targets(const struct climb *climb, const struct gang_plan *plan, enum gang_target first,
              enum gang_target last)
{
    int worst = GANG_OK;

    for (int target = (int)first; plan && target <= (int)last; target++) {
        for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++) {
            struct gang_blob *blob;
            int result = gang_plan_serialize(climb->context, plan, target, format, 0, &blob, NULL);

            worst = result ? result : worst;
            gang_blob_unref(blob);
        }
    }
    return worst;
}

static void
write_plan(struct climb *climb, const struct gang_plan *plan)
{
    int written = write_targets(climb, plan, GANG_TARGET_PLAN, GANG_TARGET_OBJECTS);
    int drawn = draw(climb, plan);

    note(climb, "write", written ? written : drawn);
    note(climb, "runtime", write_targets(climb, plan, GANG_TARGET_RUNTIME, GANG_TARGET_RUNTIME));
    /*
     * The target `job` of a job with several gangs resolves each of them: its cost is their number
     * times the size of the document. GANG_LIMIT_ROLES, 64 by default, bounds both.
     */
    if (gang_document_num_gangs(climb->job) <= 1)
        note(climb, "job", write_targets(climb, plan, GANG_TARGET_JOB, GANG_TARGET_JOB));
}

static void
decide(struct climb *climb)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_error *error;

    if (!inputs)
        exit(2);
    for (size_t i = 0; i < climb->count; i++)
        if (climb->documents[i] != climb->job && gang_inputs_add(inputs, climb->documents[i]))
            exit(2);
    note(climb, "resolve",
         gang_resolve(climb->context, climb->job, inputs, 0, &climb->decision, &error));
    gang_error_free(error);
    gang_inputs_free(inputs);
    if (!climb->decision)
        return;
    note(climb, "render", gang_render(climb->context, climb->decision, 0, &climb->plan, NULL));
    write_plan(climb, climb->plan);
}

static void
diagnose(struct climb *climb, const struct text *live)
{
    struct gang_document *objects = NULL;
    struct gang_blob *blob = NULL;

    if (climb->job && gang_document_parse_live(climb->context, live->data, live->len,
                                               GANG_LIVE_DIAGNOSE, &objects, NULL) == GANG_OK)
        note(climb, "diagnose",
             gang_diagnose(climb->context, climb->job, NULL, objects, NULL, GANG_FORMAT_JSON, 0,
                           &blob, NULL));
    gang_blob_unref(blob);
    gang_document_unref(objects);
}

static void
compare(struct climb *climb, const struct text *live)
{
    struct gang_error *error;

    diagnose(climb, live);
    note(climb, "live",
         gang_document_parse_live(climb->context, live->data, live->len, 0, &climb->live, &error));
    gang_error_free(error);
    if (!climb->plan || !climb->live)
        return;
    note(climb, "reconcile",
         gang_reconcile(climb->context, climb->plan, climb->live, 0, &climb->reconciled, &error));
    gang_error_free(error);
    write_plan(climb, climb->reconciled);
}

static void
release(struct climb *climb)
{
    gang_plan_unref(climb->reconciled);
    gang_plan_unref(climb->plan);
    gang_decision_unref(climb->decision);
    gang_document_unref(climb->live);
    for (size_t i = 0; i < climb->count; i++)
        gang_document_unref(climb->documents[i]);
}

static struct text
text_if_there(const char *folder, const char *name, const char *ending)
{
    char path[PATH_SIZE];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
    file = fopen(path, "rb");
    if (!file)
        return (struct text){NULL, 0};
    fclose(file);
    return text_read(path);
}

static void
climb_one(struct gang_context *context, const char *folder, const char *name)
{
    static struct climb climb;
    struct text text = text_if_there(folder, name, "");
    struct text live = text_if_there(folder, name, ".live");

    climb = (struct climb){.context = context};
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    read_documents(&climb, &text);
    if (climb.job)
        decide(&climb);
    if (live.data)
        compare(&climb, &live);
    release(&climb);
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS_AT(name);
    printf("%s%s\n", name, climb.stages);
    text_free(&text);
    text_free(&live);
}

int
main(int argc, char **argv)
{
    const bool has_budget = argc > 1 && strcmp(argv[1], "--budget") == 0;
    struct gang_context *context = widest_context(has_budget);

    for (int i = 2 + has_budget; i < argc; i++)
        climb_one(context, argv[1 + has_budget], argv[i]);
    gang_context_unref(context);
    return 0;
}
