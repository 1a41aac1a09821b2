/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_PROMISES_H
#define FUZZ_PROMISES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

#include "tests/support/live.h"
#include "tests/support/resolve.h"

/*
 * Checks a promise that every call must keep for any input. A broken promise is a crash, whose
 * input the fuzzer keeps.
 */
static inline void
must(bool promise)
{
    if (!promise)
        abort();
}

/* Text of a document must not look like another finding and must not control a terminal. */
static inline void
must_be_one_line(const char *text)
{
    for (; text && *text; text++)
        must((unsigned char)*text >= 0x20 && *text != 0x7f);
}

static inline void
must_be_complete(const struct gang_diagnostic *diagnostic)
{
    must(gang_diagnostic_get_code(diagnostic) > 0);
    must(strncmp(gang_diagnostic_get_id(diagnostic), "GANG", 4) == 0);
    must(gang_code_name(gang_diagnostic_get_code(diagnostic))[0] != '\0');
    must(gang_diagnostic_get_severity(diagnostic) != GANG_SEVERITY_NONE);
    must(gang_diagnostic_get_path(diagnostic) != NULL);
    must(gang_diagnostic_get_message(diagnostic)[0] != '\0');
    must_be_one_line(gang_diagnostic_get_path(diagnostic));
    must_be_one_line(gang_diagnostic_get_message(diagnostic));
    must_be_one_line(gang_diagnostic_get_hint(diagnostic));
}

/*
 * An error of the parser must have a place in the text. A warning or info may be about the document
 * as a whole, and what is said about the findings themselves has no place.
 */
static inline void
must_have_a_place(const struct gang_diagnostic *finding)
{
    const bool has_place = gang_diagnostic_get_line(finding) > 0;

    if (gang_diagnostic_get_code(finding) == GANG_CODE_TOO_MANY_DIAGNOSTICS)
        return;
    must(has_place == (gang_diagnostic_get_column(finding) > 0));
    must(has_place || gang_diagnostic_get_severity(finding) != GANG_SEVERITY_ERROR);
    must(has_place || gang_diagnostic_get_document(finding) != GANG_DOCUMENT_NONE);
}

/* The pods that must start together are members, and the members are pods of the job. */
static inline void
must_count(const struct gang_decision *decision)
{
    const bool is_gang = gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG;

    must(gang_decision_get_minimum(decision) >= 0);
    must(gang_decision_get_members(decision) >= gang_decision_get_minimum(decision));
    must(gang_decision_get_pods(decision) >= gang_decision_get_members(decision));
    must(is_gang || gang_decision_get_members(decision) == 0); /* a PodGang may have no pods yet */
}

/*
 * A failed call must return no result, an error with its code, and at least one finding of severity
 * error.
 */
static inline bool
must_agree(int code, const void *out, struct gang_error *error)
{
    size_t errors = 0;

    must((code == GANG_OK) == (out != NULL));
    must((code == GANG_OK) == (error == NULL));
    must(gang_error_get_code(error) == code);
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        must_be_complete(gang_error_get_diagnostic(error, i));
        errors += gang_diagnostic_get_severity(gang_error_get_diagnostic(error, i)) ==
                  GANG_SEVERITY_ERROR;
    }
    must((code == GANG_OK) == (errors == 0));
    gang_error_free(error);
    return code == GANG_OK;
}

static inline void
must_be_equal(const struct gang_blob *one, const struct gang_blob *other)
{
    size_t len, len_other;
    const char *text = gang_blob_get_data(one, &len);
    const char *text_other = gang_blob_get_data(other, &len_other);

    must(len == len_other && memcmp(text, text_other, len) == 0);
}

/* Checks that a printed text is one document of the given kind. Returns it as JSON. */
static inline struct gang_blob *
must_be_one(const struct gang_blob *blob, const char *kind)
{
    struct gang_stream *stream;
    struct gang_blob *json;
    size_t len;
    const char *text = gang_blob_get_data(blob, &len);

    must(gang_stream_parse(NULL, text, len, 0, &stream, NULL) == GANG_OK);
    must(gang_stream_num_documents(stream) == 1);
    must(strcmp(gang_stream_get_kind(stream, 0), kind) == 0);
    must(gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 0, &json, NULL) == GANG_OK);
    gang_stream_unref(stream);
    return json;
}

/*
 * A document with the plan in it must be as valid as the input was, but for its size: a runtime, or
 * a job of any kind.
 */
static inline void
must_be_valid(const char *text, size_t len, bool is_runtime)
{
    struct gang_document *document;
    int code = gang_document_parse(NULL, text, len, 0, &document, NULL);
    int type = gang_document_get_type(document);

    must(code == GANG_OK || code == GANG_ERROR_LIMIT);
    must(!document || is_runtime == (type == GANG_DOCUMENT_RUNTIME));
    must(!document || is_runtime || type == GANG_DOCUMENT_TRAINJOB || type == GANG_DOCUMENT_JOB);
    gang_document_unref(document);
}

/* The form in which an answer can be read back beside JSON; JSON again in a build without YAML. */
static inline enum gang_format
other_format(void)
{
    return gang_has_yaml() ? GANG_FORMAT_YAML : GANG_FORMAT_JSON;
}

/* Equal calls must give equal bytes, which must read back as the same number of documents. */
static inline void
must_read_back(const struct gang_plan *plan, enum gang_target target, enum gang_format format)
{
    struct gang_blob *blob, *again;
    struct gang_stream *stream;
    struct gang_error *error;
    size_t len, len_again;
    const char *text;
    int code = gang_plan_serialize(NULL, plan, target, format, 0, &blob, &error);

    if (!must_agree(code, blob, error))
        return;
    must(gang_plan_serialize(NULL, plan, target, format, 0, &again, NULL) == GANG_OK);
    text = gang_blob_get_data(blob, &len);
    must(memcmp(text, gang_blob_get_data(again, &len_again), len + 1) == 0 && len == len_again);
    must(gang_stream_parse(NULL, text, len, 0, &stream, NULL) == GANG_OK);
    must(gang_stream_num_documents(stream) ==
         (target == GANG_TARGET_OBJECTS ? gang_plan_num_objects(plan) : 1));
    if (target == GANG_TARGET_RUNTIME || target == GANG_TARGET_JOB)
        must_be_valid(text, len, target == GANG_TARGET_RUNTIME);
    gang_stream_unref(stream);
    gang_blob_unref(again);
    gang_blob_unref(blob);
}

static inline void
must_print_alike(const struct gang_plan *plan)
{
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++)
        for (int format = GANG_FORMAT_JSON; format <= (int)other_format(); format++)
            must_read_back(plan, (enum gang_target)target, (enum gang_format)format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
