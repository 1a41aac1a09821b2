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
    return digest_number(digest, gang_decision_get_outcome(decision));
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
