/* SPDX-License-Identifier: Apache-2.0 */

#include <stdalign.h>
#include <stdlib.h>

#include "libgang/base/arena.h"

struct gang_blob {
    struct refcount references;
    char *data; /* the start of the block; the blob is at its end */
    size_t len;
};

/* The blob is after its text, at the next suitably aligned address. */
struct gang_blob *
blob_take(struct buffer *buffer)
{
    const size_t len = buffer->len;
    const size_t place = (len + alignof(struct gang_blob)) & ~(alignof(struct gang_blob) - 1);
    struct gang_blob *blob;

    buffer->limit = 0;
    if (!buffer_extend(buffer, place + sizeof(*blob) - len)) {
        buffer_clear(buffer);
        return NULL;
    }
    buffer->data[len] = '\0';
    blob = (struct gang_blob *)(void *)(buffer->data + place);
    refcount_init(&blob->references);
    blob->data = buffer->data;
    blob->len = len;
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
}
