/* SPDX-License-Identifier: Apache-2.0 */
#include "support/digest.h"

#include <string.h>

uint64_t
digest_bytes(uint64_t digest, const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        digest = (digest ^ (unsigned char)data[i]) * 1099511628211u;
    return digest;
}

uint64_t
digest_text(uint64_t digest, const char *text)
{
    return text ? digest_bytes(digest, text, strlen(text) + 1) : digest_number(digest, -1);
}

uint64_t
digest_number(uint64_t digest, int64_t number)
{
    return digest_bytes(digest, (const char *)&number, sizeof(number));
}

uint64_t
digest_diagnostic(uint64_t digest, const struct gang_diagnostic *diagnostic)
{
    digest = digest_number(digest, gang_diagnostic_get_code(diagnostic));
    digest = digest_number(digest, gang_diagnostic_get_severity(diagnostic));
    digest = digest_number(digest, gang_diagnostic_get_document(diagnostic));
    digest = digest_number(digest, gang_diagnostic_get_line(diagnostic));
    digest = digest_number(digest, gang_diagnostic_get_column(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_kind(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_namespace(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_name(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_job(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_path(diagnostic));
    digest = digest_text(digest, gang_diagnostic_get_message(diagnostic));
    return digest_text(digest, gang_diagnostic_get_hint(diagnostic));
}

uint64_t
digest_error(uint64_t digest, const struct gang_error *error)
{
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        digest = digest_diagnostic(digest, gang_error_get_diagnostic(error, i));
    return digest_number(digest, gang_error_get_code(error));
}

uint64_t
digest_decision(uint64_t digest, const struct gang_decision *decision)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        digest = digest_diagnostic(digest, gang_decision_get_diagnostic(decision, i));
    digest = digest_text(digest, gang_decision_get_backend(decision));
    digest = digest_text(digest, gang_decision_get_scheduler_name(decision));
    digest = digest_text(digest, gang_decision_get_queue(decision));
    digest = digest_text(digest, gang_decision_get_reason(decision));
    digest = digest_number(digest, gang_decision_get_minimum(decision));
    digest = digest_number(digest, gang_decision_get_members(decision));
    digest = digest_number(digest, gang_decision_get_pods(decision));
    return digest_number(digest, gang_decision_get_outcome(decision));
}

static uint64_t
digest_object(uint64_t digest, const struct gang_object *object)
{
    digest = digest_number(digest, gang_object_get_action(object));
    digest = digest_text(digest, gang_object_get_api_version(object));
    digest = digest_text(digest, gang_object_get_kind(object));
    digest = digest_text(digest, gang_object_get_namespace(object));
    return digest_text(digest, gang_object_get_name(object));
}

static uint64_t
digest_patch(uint64_t digest, const struct gang_patch *patch)
{
    digest = digest_text(digest, gang_patch_get_role(patch));
    digest = digest_text(digest, gang_patch_get_target(patch));
    for (int section = GANG_PATCH_LABELS; section <= GANG_PATCH_SPEC; section++)
        for (size_t i = 0; i < gang_patch_num_fields(patch, section); i++) {
            digest = digest_text(digest, gang_patch_get_key(patch, section, i));
            digest = digest_text(digest, gang_patch_get_value(patch, section, i));
        }
    return digest;
}

uint64_t
digest_plan(uint64_t digest, const struct gang_plan *plan)
{
    for (size_t i = 0; i < gang_plan_num_objects(plan); i++)
        digest = digest_object(digest, gang_plan_get_object(plan, i));
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++)
        digest = digest_patch(digest, gang_plan_get_patch(plan, i));
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        digest = digest_diagnostic(digest, gang_plan_get_diagnostic(plan, i));
    return digest;
}

uint64_t
digest_blob(uint64_t digest, const struct gang_blob *blob)
{
    size_t len;
    const char *data = gang_blob_get_data(blob, &len);

    return digest_bytes(digest, data, len);
}

uint64_t
digest_stream(uint64_t digest, const struct gang_stream *stream)
{
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        size_t len;
        const char *data = gang_stream_get_data(stream, i, &len);

        digest = digest_bytes(digest, data, len);
        digest = digest_text(digest, gang_stream_get_kind(stream, i));
        digest = digest_text(digest, gang_stream_get_name(stream, i));
        digest = digest_text(digest, gang_stream_get_namespace(stream, i));
        digest = digest_number(digest, gang_stream_get_line(stream, i));
    }
    return digest;
}
