/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stddef.h>

#include "libgang/base/arena.h"

/* The head of a text that can be handed out, at the start of its block. */
struct gang_blob {
    struct refcount references;
    size_t len;
    char text[];
};

enum { BUFFER_FIRST_BYTES = 1024 }; /* from malloc(), with both heads and the NUL */

/* The head of the text that a buffer holds. */
static struct gang_blob *
buffer_blob(const struct buffer *buffer)
{
    return (struct gang_blob *)(void *)(buffer->data - offsetof(struct gang_blob, text));
}

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
    const size_t first = BUFFER_FIRST_BYTES - sizeof(struct block) - sizeof(struct gang_blob) - 1;
    size_t capacity = buffer->capacity ? buffer->capacity : first;
    struct block *block;
    size_t size;

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
    size = offsetof(struct gang_blob, text) + capacity + 1;
    block = buffer->data ? block_grow(block_of(buffer_blob(buffer)), size)
                         : block_new(buffer->workspace, size);
    if (!block)
        return buffer_give_up(buffer, false);
    buffer->data = block->bytes + offsetof(struct gang_blob, text);
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
    if (buffer->data)
        block_free(block_of(buffer_blob(buffer)));
    *buffer = (struct buffer){.limit = buffer->limit, .workspace = buffer->workspace};
}

/* ---- blob ---- */

struct gang_blob *
blob_take(struct buffer *buffer)
{
    struct gang_blob *blob;

    if (!buffer->data && !buffer_reserve(buffer, 0))
        return NULL;
    blob = buffer_blob(buffer);
    refcount_init(&blob->references);
    blob->len = buffer->len;
    blob->text[blob->len] = '\0';
    *buffer = (struct buffer){0};
    return blob;
}

const char *
gang_blob_get_data(const struct gang_blob *blob, size_t *len)
{
    if (len)
        *len = blob ? blob->len : 0;
    return blob ? blob->text : NULL;
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
    block_free(block_of(blob));
}
