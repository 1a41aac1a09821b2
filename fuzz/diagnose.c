/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live objects in one stream, and perhaps a runtime, a policy and a cluster. Why each job among
 * them does not start, with these and without: the answer is complete, and equal in every format
 * and in a second call. A gang with enough running members is not stuck, and what is proved of
 * nodes needs nodes.
 */
#include <stdio.h>

#include "fuzz/promises.h"

enum { DIAGNOSE_MOST_JOBS = 4 };

static bool
has(const char *text, const char *words)
{
    return strstr(text, words) != NULL;
}

static void
check_answer(const char *text)
{
    static const char *const verdicts[] = {"Started", "Finished",   "Waiting",
                                           "Stuck",   "Impossible", "CannotTell"};
    const bool has_fit = has(text, "\"fit\":{");
    size_t found = 0;

    for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
        char wanted[64];

        snprintf(wanted, sizeof(wanted), "\"verdict\":\"%s\"", verdicts[i]);
        found += has(text, wanted);
    }
    must(found == 1);
    must(has(text, "\"cause\":{\"code\":\"GANG1") && has(text, "\"remedy\":{"));
    must(has_fit || !has(text, "\"answer\":\"Never\""));
}

static struct gang_blob *
ask(const struct gang_document *job, const struct gang_inputs *inputs,
    const struct gang_document *live, enum gang_format format)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int code = gang_diagnose(NULL, job, inputs, live, NULL, (int)format, 0, &blob, &error);

    return must_agree(code, blob, error) ? blob : NULL;
}

static void
check_job(const struct gang_document *job, const struct gang_inputs *inputs,
          const struct gang_document *live)
{
    struct gang_blob *one = ask(job, inputs, live, GANG_FORMAT_JSON);
    struct gang_blob *again = ask(job, inputs, live, GANG_FORMAT_JSON);
    struct gang_blob *yaml = ask(job, inputs, live, GANG_FORMAT_YAML);
    size_t lengths[2] = {0};

    must((one == NULL) == (again == NULL) && (one == NULL) == (yaml == NULL));
    if (one) {
        const char *text = gang_blob_get_data(one, &lengths[0]);
        const char *second = gang_blob_get_data(again, &lengths[1]);

        must(lengths[0] == lengths[1] && memcmp(text, second, lengths[0]) == 0);
        check_answer(text);
    }
    gang_blob_unref(one);
    gang_blob_unref(again);
    gang_blob_unref(yaml);
}

static bool
is_input(const char *kind)
{
    return strcmp(kind, GANG_KIND_POLICY) == 0 || strcmp(kind, GANG_KIND_CLUSTER) == 0 ||
           strstr(kind, GANG_KIND_TRAINING_RUNTIME) != NULL;
}

/* The documents that are jobs, and those that belong beside them. */
static size_t
read_documents(const struct gang_stream *stream, struct gang_inputs *inputs,
               struct gang_document **jobs)
{
    size_t count = 0;

    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const char *kind = gang_stream_get_kind(stream, i);
        struct gang_document *document = NULL;
        size_t len;
        const char *text = gang_stream_get_data(stream, i, &len);
        int type = kind ? gang_document_type_of(gang_stream_get_api_version(stream, i), kind)
                        : GANG_DOCUMENT_NONE;

        if (!kind || gang_document_parse(NULL, text, len, 0, &document, NULL) != GANG_OK)
            continue;
        if (is_input(kind))
            must(gang_inputs_add(inputs, document) <= GANG_OK);
        else if (count < DIAGNOSE_MOST_JOBS &&
                 (type == GANG_DOCUMENT_JOB || type == GANG_DOCUMENT_TRAINJOB))
            jobs[count++] = gang_document_ref(document);
        gang_document_unref(document);
    }
    return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gang_document *jobs[DIAGNOSE_MOST_JOBS];
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_stream *stream = NULL;
    struct gang_document *live = NULL;
    size_t count = 0;

    if (!inputs)
        return 0;
    if (gang_stream_parse(NULL, (const char *)data, size, 0, &stream, NULL) == GANG_OK)
        count = read_documents(stream, inputs, jobs);
    if (count)
        (void)gang_document_parse_live(NULL, (const char *)data, size, GANG_LIVE_DIAGNOSE, &live,
                                       NULL);
    for (size_t i = 0; i < count; i++) {
        if (live) {
            check_job(jobs[i], inputs, live);
            check_job(jobs[i], NULL, live);
        }
        gang_document_unref(jobs[i]);
    }
    gang_document_unref(live);
    gang_stream_unref(stream);
    gang_inputs_free(inputs);
    return 0;
}
