/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARENA_FIRST_CHUNK = 8 * 1024, ARENA_LARGEST_CHUNK = 256 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t capacity;
    size_t used;
    alignas(max_align_t) char bytes[];
};

struct arena {
    struct arena_chunk *chunks;
    size_t next_chunk;
    size_t total;
    size_t limit;
    bool failed;
    bool hit_limit;
};

struct arena *
arena_new(size_t byte_limit)
{
    struct arena *arena = calloc(1, sizeof(*arena));

    if (!arena)
        return NULL;
    arena->next_chunk = ARENA_FIRST_CHUNK;
    arena->limit = byte_limit ? byte_limit : SIZE_MAX;
    return arena;
}

void
arena_free(struct arena *arena)
{
    struct arena_chunk *chunk = arena ? arena->chunks : NULL;

    while (chunk) {
        struct arena_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    free(arena);
}

static void *
arena_give_up(struct arena *arena, bool hit_limit)
{
    arena->failed = true;
    arena->hit_limit |= hit_limit;
    return NULL;
}

static struct arena_chunk *
arena_add_chunk(struct arena *arena, size_t size)
{
    size_t capacity = size > arena->next_chunk ? size : arena->next_chunk;
    struct arena_chunk *chunk;

    if (capacity > arena->limit - arena->total)
        return arena_give_up(arena, true);
    chunk = malloc(sizeof(*chunk) + capacity);
    if (!chunk)
        return arena_give_up(arena, false);
    *chunk = (struct arena_chunk){.next = arena->chunks, .capacity = capacity};
    arena->chunks = chunk;
    arena->total += capacity;
    if (arena->next_chunk < ARENA_LARGEST_CHUNK)
        arena->next_chunk *= 2;
    return chunk;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    struct arena_chunk *chunk = arena->chunks;
    void *memory;

    if (arena->failed)
        return NULL;
    if (size > SIZE_MAX / 2)
        return arena_give_up(arena, true);
    size = (size + align - 1) & ~(align - 1);
    if (!chunk || size > chunk->capacity - chunk->used)
        chunk = arena_add_chunk(arena, size);
    if (!chunk)
        return NULL;
    memory = chunk->bytes + chunk->used;
    chunk->used += size;
    return memset(memory, 0, size);
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return arena_give_up(arena, true);
    return arena_alloc(arena, count * size);
}

void *
arena_grow(struct arena *arena, const void *old, size_t old_count, size_t new_count, size_t size)
{
    void *memory = arena_array(arena, new_count, size);

    if (memory && old_count)
        memcpy(memory, old, old_count * size);
    return memory;
}

struct slice
arena_copy(struct arena *arena, struct slice source)
{
    char *copy;

    if (!slice_is_set(source))
        return NO_SLICE;
    copy = arena_alloc(arena, source.len + 1);
    if (!copy)
        return NO_SLICE;
    memcpy(copy, source.data, source.len);
    return (struct slice){copy, source.len};
}

void
arena_fail(struct arena *arena)
{
    arena->failed = true;
}

bool
arena_failed(const struct arena *arena)
{
    return arena->failed;
}

bool
arena_hit_limit(const struct arena *arena)
{
    return arena->hit_limit;
}

size_t
arena_bytes(const struct arena *arena)
{
    return arena->total;
}
