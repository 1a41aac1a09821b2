/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/promises.h"

/* The text of a document in a stream must be one document. */
static void
check_document(const struct gang_stream *stream, size_t index)
{
    struct gang_stream *again;
    size_t len;
    const char *text = gang_stream_get_data(stream, index, &len);

    must(text && len > 0 && gang_stream_get_line(stream, index) > 0);
    if (gang_stream_parse(NULL, text, len, 0, &again, NULL) == GANG_OK)
        must(gang_stream_num_documents(again) == 1);
    gang_stream_unref(again);
}

/*
 * What is written must read back as the same document, and must be written as the same bytes again.
 */
static void
check_spelling(const struct gang_stream *stream, size_t index, enum gang_format format)
{
    struct gang_stream *again = NULL;
    struct gang_blob *blobs[2] = {NULL, NULL};
    struct gang_error *error;
    size_t lens[2];
    const char *text;
    int code = gang_stream_serialize(NULL, stream, index, format, 0, &blobs[0], &error);

    if (!must_agree(code, blobs[0], error))
        return; /* the output may exceed its limit */
    text = gang_blob_get_data(blobs[0], &lens[0]);
    if (gang_stream_parse(NULL, text, lens[0], 0, &again, NULL) == GANG_OK) {
        must(gang_stream_num_documents(again) == 1);
        must(gang_stream_serialize(NULL, again, 0, format, 0, &blobs[1], NULL) == GANG_OK);
        must(strcmp(gang_blob_get_data(blobs[1], &lens[1]), text) == 0 && lens[0] == lens[1]);
    }
    gang_stream_unref(again);
    gang_blob_unref(blobs[0]);
    gang_blob_unref(blobs[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gang_stream *stream;
    struct gang_error *error;
    int code;

    code = gang_stream_parse(NULL, (const char *)data, size, 0, &stream, &error);
    if (!must_agree(code, stream, error))
        return 0;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        check_document(stream, i);
    for (size_t i = 0; i < gang_stream_num_documents(stream) && i < 4; i++) {
        check_spelling(stream, i, GANG_FORMAT_JSON);
        check_spelling(stream, i, other_format());
    }
    gang_stream_unref(stream);
    return 0;
}
