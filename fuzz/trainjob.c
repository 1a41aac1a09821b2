/* SPDX-License-Identifier: Apache-2.0 */
/* The first byte chooses strictness, the rest is the document. */
#include "fuzz/promises.h"

#include "libgang/trainer/trainer.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gang_document *trainjob;
    struct gang_error *error;
    int code;

    if (size == 0)
        return 0;
    code = gang_document_parse(NULL, (const char *)data + 1, size - 1, data[0] & GANG_PARSE_STRICT,
                               &trainjob, &error);
    must_agree(code, trainjob, error);
    must(!trainjob || gang_document_get_name(trainjob) ||
         trainjob_of(trainjob)->meta.name_is_generated);
    gang_document_unref(trainjob);
    return 0;
}
