/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/blob.h"

#include <stdlib.h>

#include "libgang/base/refcount.h"

struct gang_blob {
    struct refcount references;
    char *data;
    size_t len;
};

struct gang_blob *
blob_take(struct buffer *buffer)
{
    struct gang_blob *blob;

    buffer->limit = 0;
    buffer_append_byte(buffer, '\0');
    blob = buffer->failed ? NULL : malloc(sizeof(*blob));
    if (!blob) {
        buffer_clear(buffer);
        return NULL;
    }
    refcount_init(&blob->references);
    blob->data = buffer->data;
    blob->len = buffer->len - 1;
    *buffer = (struct buffer){0};
    return blob;
}

const char *
gang_blob_get_data(const struct gang_blob *blob, size_t *len)
{
    if (len)
        *len = blob ? blob->len : 0;
    return blob ? blob->data : NULL;
}

struct gang_blob *
gang_blob_ref(struct gang_blob *blob)
{
    if (blob)
        refcount_take(&blob->references);
    return blob;
}

void
gang_blob_unref(struct gang_blob *blob)
{
    if (!blob || !refcount_drop(&blob->references))
        return;
    free(blob->data);
    free(blob);
}
