/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a job as an API server returns it, and for the decision and the plan as its guests. */
enum { ARENA_FIRST_CHUNK = 24 * 1024, ARENA_LARGEST_CHUNK = 256 * 1024 };
enum { ARENA_ROOM_OF_GUEST = 4 * 1024 }; /* the least that is lent */
enum { ARENA_STEP_BYTES = 64 }; /* of new memory, which the system clears and the library fills */
enum { ARENA_SHORT_TEXT = 24 }; /* copied faster without a call */

/* At the start of a block. */
struct arena_chunk {
    struct arena_chunk *older;
    alignas(max_align_t) char bytes[];
};

/* The arena and its first chunk are one piece of memory. */
enum {
    ARENA_HEADER = (sizeof(struct arena) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT
};

/*
 * Takes the room that is left. Returns 0 if it is too little or a guest has it: threads that share
 * the host do not wait for each other.
 */
static size_t
arena_lend_room(struct arena *host)
{
    size_t room;

    if (atomic_flag_test_and_set_explicit(&host->is_lending, memory_order_acquire) ||
        host->room < ARENA_ROOM_OF_GUEST) /* and so it stays */
        return 0;
    room = host->room;
    host->room = 0;
    return room;
}

static void
arena_return_room(const struct arena *guest)
{
    struct arena *host = guest->host;
    const size_t room = guest->borrowed;

    ASAN_POISON_MEMORY_REGION(guest, room);
    if (host->next == (const char *)guest) /* otherwise the host has a newer chunk */
        host->room = room;
    atomic_flag_clear_explicit(&host->is_lending, memory_order_release);
}

struct arena *
arena_new_from(struct workspace *workspace, struct arena *host, size_t byte_limit)
{
    const size_t borrowed = host ? arena_lend_room(host) : 0;
    const size_t limit = (byte_limit ? byte_limit : SIZE_MAX) & ~(size_t)(ARENA_ALIGNMENT - 1);
    const size_t most = borrowed ? borrowed - ARENA_HEADER : ARENA_FIRST_CHUNK;
    const size_t room = limit < most ? limit : most;
    struct block *block = borrowed ? NULL : block_new(workspace, ARENA_HEADER + room);
    char *memory = borrowed ? host->next : block ? block->bytes : NULL;
    struct arena *arena = (struct arena *)(void *)memory;

    if (!arena)
        return NULL;
    ASAN_UNPOISON_MEMORY_REGION(memory, ARENA_HEADER);
    ASAN_POISON_MEMORY_REGION(memory + ARENA_HEADER, room);
    *arena = (struct arena){
        .next = memory + ARENA_HEADER,
        .room = room,
        .total = room,
        .limit = limit,
        .steps = UINT64_MAX,
        .next_capacity = ARENA_FIRST_CHUNK,
        .workspace = workspace,
        .host = borrowed ? host : NULL,
        .borrowed = borrowed,
    };
    atomic_flag_clear_explicit(&arena->is_lending, memory_order_relaxed);
    return arena;
}

SELDOM struct arena *
arena_new(size_t byte_limit)
{
    return arena_new_from(NULL, NULL, byte_limit);
}

void
arena_free(struct arena *arena)
{
    struct arena_chunk *chunk = arena ? arena->chunks : NULL;

    while (chunk) {
        struct arena_chunk *older = chunk->older;

        block_free(block_of(chunk));
        chunk = older;
    }
    if (arena && arena->host)
        arena_return_room(arena);
    else if (arena)
        block_free(block_of(arena));
}

struct arena_mark
arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->chunks, arena->next, arena->room};
}

void
arena_rewind(struct arena *arena, const struct arena_mark *mark)
{
    /* Without this, a loop that needs the same memory again and again would cost nothing. */
    if (arena->chunks == mark->chunks)
        arena_spend(arena, (mark->room - arena->room) / ARENA_STEP_BYTES + 1);
    if (arena->failed)
        return;
    while (arena->chunks != mark->chunks) {
        struct arena_chunk *newest = arena->chunks;

        arena->chunks = newest->older;
        arena->total -= block_of(newest)->capacity - sizeof(*newest);
        block_free(block_of(newest));
    }
    arena->next = mark->next;
    arena->room = mark->room;
    ASAN_POISON_MEMORY_REGION(arena->next, arena->room);
}

void
arena_fail(struct arena *arena)
{
    arena->failed = true;
    arena->next = NULL;
    arena->room = 0;
}

void
arena_fail_at_limit(struct arena *arena)
{
    arena_fail(arena);
    arena->hit_limit = true;
}

bool
arena_end_steps(struct arena *arena)
{
    if (!arena->failed) {
        arena_fail_at_limit(arena);
        arena->is_out_of_steps = true;
    }
    arena->steps = 0;
    return false;
}

static void *
arena_give_up(struct arena *arena, bool hit_limit)
{
    arena_fail(arena);
    arena->hit_limit |= hit_limit;
    return NULL;
}

/* The last chunk gets the bytes that remain below the limit. */
static bool
arena_add_chunk(struct arena *arena, size_t size)
{
    size_t left = arena->limit - arena->total;
    size_t usual = arena->next_capacity < left ? arena->next_capacity : left;
    size_t capacity = size > usual ? size : usual;
    struct arena_chunk *chunk;
    struct block *block;

    if (capacity > left)
        return arena_give_up(arena, true) != NULL;
    if (!arena_spend(arena, capacity / ARENA_STEP_BYTES))
        return false;
    block = block_new(arena->workspace, sizeof(*chunk) + capacity);
    if (!block)
        return arena_give_up(arena, false) != NULL;
    chunk = (struct arena_chunk *)(void *)block->bytes;
    ASAN_POISON_MEMORY_REGION(chunk->bytes, capacity);
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->next = chunk->bytes;
    arena->room = capacity;
    arena->total += capacity;
    if (arena->next_capacity < ARENA_LARGEST_CHUNK)
        arena->next_capacity *= 2;
    return true;
}

void *
arena_take_from_chunk(struct arena *arena, size_t size)
{
    size_t needed;

    if (arena->failed)
        return NULL;
    if (size == 0)
        return arena_take(arena, 1);
    if (size > SIZE_MAX / 2)
        return arena_give_up(arena, true);
    needed = ((size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1)) + ARENA_GAP;
    return arena_add_chunk(arena, needed) ? arena_take(arena, size) : NULL;
}

void *
arena_take_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return arena_give_up(arena, true);
    return arena_take(arena, count * size);
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
    void *memory = arena_take_array(arena, count, size);

    return memory ? memset(memory, 0, count * size) : NULL;
}

void *
arena_grow(struct arena *arena, const void *old, size_t old_count, size_t new_count, size_t size)
{
    const size_t kept = old_count * size;
    char *memory = arena_take_array(arena, new_count, size);

    if (!memory)
        return NULL;
    if (kept)
        memcpy(memory, old, kept);
    memset(memory + kept, 0, new_count * size - kept);
    return memory;
}

void *
arena_make_room(struct arena *arena, void *items, size_t count, size_t first, size_t size)
{
    void *grown;

    if (count && (count < first || (count & (count - 1))))
        return items;
    grown = arena_take_array(arena, count ? 2 * count : first, size);
    if (grown && count)
        memcpy(grown, items, count * size);
    return grown;
}

struct stable_sort_order {
    stable_sort_compare *compare;
    const void *context;
};

/* Merges the sorted runs [0, middle) and [middle, count) of `from` into `to`. */
static void
stable_sort_merge(const void **to, const void **from, size_t middle, size_t count,
                  const struct stable_sort_order *order)
{
    size_t left = 0;
    size_t right = middle;

    for (size_t i = 0; i < count; i++) {
        bool take_right =
            left == middle ||
            (right < count && order->compare(from[right], from[left], order->context) < 0);

        to[i] = take_right ? from[right++] : from[left++];
    }
}

bool
stable_sort(const void **items, size_t count, stable_sort_compare *compare, const void *context,
            struct arena *arena)
{
    const struct stable_sort_order order = {compare, context};
    const struct arena_mark before = arena_mark(arena);
    const void **from = items;
    const void **to = arena_take_array(arena, count, sizeof(*to));

    if (!to)
        return false;
    for (size_t width = 1; width < count; width *= 2) {
        const void **filled = to;

        for (size_t start = 0; start < count; start += 2 * width) {
            size_t rest = count - start;
            size_t middle = rest < width ? rest : width;

            stable_sort_merge(to + start, from + start, middle, rest < 2 * width ? rest : 2 * width,
                              &order);
        }
        to = from;
        from = filled;
    }
    if (from != items)
        memcpy(items, from, count * sizeof(*items));
    arena_rewind(arena, &before);
    return true;
}

SELDOM const void **
stable_sort_array(const void *items, size_t count, size_t size, stable_sort_compare *compare,
                  const void *context, struct arena *arena)
{
    const void **sorted = arena_take_array(arena, count, sizeof(*sorted));

    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = (const char *)items + i * size;
    return sorted && stable_sort(sorted, count, compare, context, arena) ? sorted : NULL;
}

int
slice_compare_first(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

SELDOM size_t
sorted_search(const void *const *items, size_t count, const void *wanted,
              stable_sort_compare *compare, const void *context)
{
    size_t low = 0;

    SORTED_SEARCH(low, count, middle, compare(items[middle], wanted, context) < 0);
    return low;
}

struct slice
arena_copy(struct arena *arena, struct slice source)
{
    char *copy;

    if (!slice_is_set(source))
        return NO_SLICE;
    copy = arena_take(arena, source.len + 1);
    if (!copy)
        return NO_SLICE;
    if (source.len <= ARENA_SHORT_TEXT)
        slice_copy_text(copy, source);
    else
        memcpy(copy, source.data, source.len);
    copy[source.len] = '\0';
    return (struct slice){copy, source.len};
}

struct slice
arena_lower(struct arena *arena, struct slice source)
{
    char *lower = arena_alloc(arena, source.len + 1);

    for (size_t i = 0; lower && i < source.len; i++)
        lower[i] = ascii_lower(source.data[i]);
    return lower ? (struct slice){lower, source.len} : NO_SLICE;
}

bool
arena_failed(const struct arena *arena)
{
    return arena->failed;
}
