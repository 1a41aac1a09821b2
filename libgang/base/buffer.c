/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stdalign.h>
#include <stdlib.h>

#include "libgang/base/arena.h"

enum { BUFFER_FIRST_CAPACITY = 1024 };

static bool
buffer_give_up(struct buffer *buffer, bool hit_limit)
{
    buffer->failed = true;
    buffer->hit_limit |= hit_limit;
    buffer->capacity = buffer->len;
    return false;
}

bool
buffer_reserve(struct buffer *buffer, size_t extra)
{
    size_t limit = buffer->limit ? buffer->limit : SIZE_MAX / 4;
    size_t capacity = buffer->capacity ? buffer->capacity : BUFFER_FIRST_CAPACITY;
    char *data;

    if (buffer->failed)
        return false;
    if (extra > limit || buffer->len > limit - extra)
        return buffer_give_up(buffer, true);
    if (buffer->data && extra <= buffer->capacity - buffer->len)
        return true;
    while (capacity < buffer->len + extra)
        capacity *= 2;
    if (capacity > limit)
        capacity = limit;
    data = realloc(buffer->data, capacity);
    if (!data)
        return buffer_give_up(buffer, false);
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void
buffer_append(struct buffer *buffer, const void *data, size_t len)
{
    if (len == 0 || (len > buffer->capacity - buffer->len && !buffer_reserve(buffer, len)))
        return;
    memcpy(buffer->data + buffer->len, data, len);
    buffer->len += len;
}

void
buffer_append_repeated(struct buffer *buffer, char byte, size_t count)
{
    if (count == 0 || (count > buffer->capacity - buffer->len && !buffer_reserve(buffer, count)))
        return;
    memset(buffer->data + buffer->len, byte, count);
    buffer->len += count;
}

void
buffer_clear(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){.limit = buffer->limit};
}

/* ---- blob ---- */

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
gang_blob_ref(const struct gang_blob *blob)
{
    if (blob)
        refcount_take(&blob->references);
    return (struct gang_blob *)blob;
}

void
gang_blob_unref(const struct gang_blob *blob)
{
    if (!blob || !refcount_drop(&blob->references))
        return;
    free(blob->data);
}
