/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_ARENA_H
#define LIBGANG_BASE_ARENA_H

#include <stdalign.h>
#include <stddef.h>

#include "libgang/base/slice.h"

/*
 * Memory that lives and dies with one handle: bump allocation in chunks, released in one walk.
 *
 * A failed allocation is sticky. Callers may go on with NULL results (every reader of a NULL node or slice
 * treats it as absent) and must ask arena_failed() before they hand anything out.
 */
enum { ARENA_ALIGNMENT = alignof(max_align_t) };

/* Under AddressSanitizer a gap stands behind every block, and nothing but what was taken may be touched. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_IS_WATCHED 1
#endif
#endif
#ifdef ARENA_IS_WATCHED
#include <sanitizer/asan_interface.h>
enum { ARENA_GAP = ARENA_ALIGNMENT };
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
enum { ARENA_GAP = 0 };
#endif

struct arena_chunk;

struct arena {
    char *next; /* of the newest chunk; NULL without one and once the arena has failed */
    size_t room;
    struct arena_chunk *chunks;
    size_t next_capacity;
    size_t total;
    size_t limit;
    bool failed;
    bool hit_limit;
};

/* `byte_limit` 0 means unlimited. NULL when out of memory. */
struct arena *arena_new(size_t byte_limit);
void arena_free(struct arena *arena);

/* What arena_take() does when the newest chunk has no room. */
void *arena_take_from_chunk(struct arena *arena, size_t size);

/*
 * Aligned for any object, and not cleared: for what the caller writes whole. NULL once the arena has failed. Here, so
 * that fixed sizes cost a few instructions.
 */
static inline void *
arena_take(struct arena *arena, size_t size)
{
    char *memory = arena->next;
    size_t taken;

    if (size - 1 >= arena->room) /* no room, or nothing wanted */
        return arena_take_from_chunk(arena, size);
    taken = ((size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1)) + ARENA_GAP;
    if (ARENA_GAP && taken > arena->room)
        return arena_take_from_chunk(arena, size);
    arena->next += taken;
    arena->room -= taken;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    return memory;
}

/* The same, filled with zeros. */
static inline void *
arena_alloc(struct arena *arena, size_t size)
{
    void *memory = arena_take(arena, size);

    return memory ? memset(memory, 0, size) : NULL;
}

void *arena_array(struct arena *arena, size_t count, size_t size);
/* An array that is not cleared. */
void *arena_take_array(struct arena *arena, size_t count, size_t size);

/* Grows an array: a new block with the `old_count` items copied and the others zero, the old one abandoned. */
void *arena_grow(struct arena *arena, const void *old, size_t old_count, size_t new_count, size_t size);

/* A NUL-terminated copy; NO_SLICE when the arena has failed or the source is unset. */
struct slice arena_copy(struct arena *arena, struct slice source);

/* For a library that ran out of memory while it worked for the handle: as if the arena itself had. */
void arena_fail(struct arena *arena);
bool arena_failed(const struct arena *arena);
/* Whether the failure was the byte limit rather than the system's memory. */
bool arena_hit_limit(const struct arena *arena);
size_t arena_bytes(const struct arena *arena);

#endif
