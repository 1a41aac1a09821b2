/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/promises.h"

/* A document of a stream is the text that stands there, and splits no further. */
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
    gang_stream_unref(stream);
    return 0;
}
