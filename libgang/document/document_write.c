/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document_write.h"

#include "libgang/base/blob.h"
#include "libgang/base/error.h"
#include "libgang/document/write.h"

bool
document_format_is_known(enum gang_format format)
{
    return format == GANG_FORMAT_JSON || format == GANG_FORMAT_YAML;
}

void
document_write(struct buffer *out, const struct node *root, enum gang_format format)
{
    if (format == GANG_FORMAT_YAML) {
        yaml_write(out, root);
    } else {
        json_write(out, root);
        buffer_append_byte(out, '\n');
    }
}

int
document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err)
{
    bool failed = buffer->failed;
    bool hit_limit = buffer->hit_limit;

    *out = failed ? NULL : blob_take(buffer);
    buffer_clear(buffer);
    if (*out)
        return GANG_OK;
    return failed && hit_limit
               ? error_limit(err, GANG_CODE_LIMIT_OUTPUT_BYTES, "the output is larger than the limit")
               : error_no_memory(err);
}
