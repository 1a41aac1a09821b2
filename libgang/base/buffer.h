/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_BUFFER_H
#define LIBGANG_BASE_BUFFER_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * A growable buffer for output. A failure is sticky: append without checks, and check once at the
 * end. The capacity never exceeds the limit.
 */
struct buffer {
    char *data;
    size_t len;
    size_t capacity;
    size_t limit; /* in bytes; 0 means unlimited */
    bool failed;
    bool hit_limit;
};

void buffer_append(struct buffer *buffer, const void *data, size_t len);
void buffer_append_repeated(struct buffer *buffer, char byte, size_t count);
/* Makes room for `extra` more bytes. False after the buffer has failed. */
bool buffer_reserve(struct buffer *buffer, size_t extra);

/*
 * `capacity` never exceeds the limit and is equal to `len` after a failure, so free room implies
 * that the buffer has not failed.
 */
static inline void
buffer_append_byte(struct buffer *buffer, char byte)
{
    if (buffer->len < buffer->capacity)
        buffer->data[buffer->len++] = byte;
    else
        buffer_append(buffer, &byte, 1);
}

/*
 * Appends `len` bytes (not 0) and returns their address. The caller must write all of them. Returns
 * NULL after the buffer has failed.
 */
static inline char *
buffer_extend(struct buffer *buffer, size_t len)
{
    if (len > buffer->capacity - buffer->len && !buffer_reserve(buffer, len))
        return NULL;
    buffer->len += len;
    return buffer->data + buffer->len - len;
}

static inline void
buffer_append_slice(struct buffer *buffer, struct slice s)
{
    buffer_append(buffer, s.data, s.len);
}

/* Frees the memory. The buffer may be used again. */
void buffer_clear(struct buffer *buffer);

#endif
