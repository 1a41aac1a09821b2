/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_ARENA_H
#define LIBGANG_BASE_ARENA_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libgang/base/text.h"

struct refcount {
    atomic_uint value;
};

static inline void
refcount_init(struct refcount *count)
{
    atomic_init(&count->value, 1);
}

/* The count is all that changes of an object that callers share through pointers to const. */
static inline void
refcount_take(const struct refcount *count)
{
    atomic_fetch_add_explicit(&((struct refcount *)count)->value, 1, memory_order_relaxed);
}

/* True for the caller that dropped the last reference. This caller must destroy the object. */
static inline bool
refcount_drop(const struct refcount *count)
{
    return atomic_fetch_sub_explicit(&((struct refcount *)count)->value, 1, memory_order_acq_rel) ==
           1;
}

enum { ARENA_ALIGNMENT = alignof(max_align_t) };

/* With AddressSanitizer, a gap follows every block, and only allocated bytes are accessible. */
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

/*
 * The memory of a context: blocks that were freed and that the next handles get again. A block is
 * found by its capacity, so an arena has the same chunks with a workspace as without. Any thread
 * may take a block and free it.
 */
struct workspace;

/* For spare blocks of so many bytes. Returns NULL if out of memory. */
struct workspace *workspace_new(size_t largest);
/* Frees the spare blocks. Those in use are freed when they come back. NULL is allowed. */
void workspace_drop(struct workspace *workspace);

/* Memory from malloc(). */
struct block {
    struct workspace *workspace; /* where it goes when it is freed; NULL: the memory is freed */
    size_t capacity;
    alignas(max_align_t) char bytes[];
};

/* `workspace` may be NULL. The bytes are not initialized. Returns NULL if out of memory. */
struct block *block_new(struct workspace *workspace, size_t capacity);
/* Keeps the bytes. Returns NULL if out of memory; the block is then as it was. */
struct block *block_grow(struct block *block, size_t capacity);
void block_free(struct block *block);

/* The block that begins with this. */
static inline struct block *
block_of(const void *bytes)
{
    return (struct block *)(void *)((char *)bytes - offsetof(struct block, bytes));
}

/*
 * Memory with the lifetime of one handle: bump allocation in chunks, all freed together.
 *
 * A failed allocation is sticky. Callers may continue with NULL results (every function that reads
 * a NULL node or slice treats it as absent) and must check arena_failed() before they return a
 * result.
 */
struct arena_chunk;

struct arena {
    char *next; /* in the newest chunk; NULL without a chunk and after the arena has failed */
    size_t room;
    struct arena_chunk *chunks;
    size_t total; /* bytes of all chunks */
    size_t limit;
    uint64_t steps; /* left; see arena_spend() */
    uint64_t budget;
    uint32_t next_capacity;
    bool failed;
    bool hit_limit; /* it failed because of the limits, not because the system had no memory */
    bool is_out_of_steps;
    struct workspace *workspace; /* of its blocks, and of text beside it; NULL: of none */
    atomic_flag is_lending;      /* a guest has the room that was left */
    struct arena *host;          /* of a guest */
    size_t borrowed;             /* the room of the host that a guest has */
};

/* `byte_limit` 0 means unlimited. Returns NULL if out of memory. */
struct arena *arena_new(size_t byte_limit);
/*
 * The same with memory of a workspace and of a host, which may be NULL. The arena is a guest of the
 * host if this has enough room left and no other guest has it: it begins in that room, and must be
 * freed before the host. Threads may share the host of a handle that does not change.
 */
struct arena *arena_new_from(struct workspace *workspace, struct arena *host, size_t byte_limit);

/* Starts a budget of steps, for a call or for one of many documents. Without it steps are free. */
static inline void
arena_start_steps(struct arena *arena, uint64_t budget)
{
    arena->steps = arena->budget = budget;
}

/* The arena fails as at its limit, and then says that it was for the steps. */
bool arena_end_steps(struct arena *arena);

/*
 * Draws steps of work from the budget: before a loop over input, as many as it has rounds. False if
 * the budget does not have them: the arena has then failed, and the loop must not run. A step is
 * about 50 instructions. What is allocated draws its steps by itself.
 */
static inline bool
arena_spend(struct arena *arena, uint64_t steps)
{
    if (steps > arena->steps)
        return arena_end_steps(arena);
    arena->steps -= steps;
    return true;
}
void arena_free(struct arena *arena);

/* The slow path of arena_take(), for a newest chunk without enough room. */
void *arena_take_from_chunk(struct arena *arena, size_t size);

/*
 * Allocates memory that is aligned for any object and not initialized, so the caller must write all
 * of it. Returns NULL after the arena has failed. Inline, so that fixed sizes cost only a few
 * instructions.
 */
static inline void *
arena_take(struct arena *arena, size_t size)
{
    char *memory = arena->next;
    size_t taken;

    if (size - 1 >= arena->room) /* no room, or `size` is 0 */
        return arena_take_from_chunk(arena, size);
    taken = ((size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1)) + ARENA_GAP;
    if (ARENA_GAP > 0 && taken > arena->room)
        return arena_take_from_chunk(arena, size);
    arena->next += taken;
    arena->room -= taken;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    return memory;
}

/* Like arena_take(), but filled with zeros. */
static inline void *
arena_alloc(struct arena *arena, size_t size)
{
    void *memory = arena_take(arena, size);

    return memory ? memset(memory, 0, size) : NULL;
}

void *arena_array(struct arena *arena, size_t count, size_t size);
/* Allocates an array that is not initialized. */
void *arena_take_array(struct arena *arena, size_t count, size_t size);

/*
 * What was allocated after a mark can be released at once, for work that needs the same memory
 * again and again. Only the newest mark may be used, and a mark any number of times. An arena that
 * has failed stays failed.
 */
struct arena_mark {
    struct arena_chunk *chunks;
    char *next;
    size_t room;
};

struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, const struct arena_mark *mark);

/*
 * Grows an array: allocates a new block, copies `old_count` items and sets the others to zero. The
 * old block stays allocated until the arena is freed.
 */
void *arena_grow(struct arena *arena, const void *old, size_t old_count, size_t new_count,
                 size_t size);

/*
 * Makes room for one more item in an array that only this function grows. The capacity is not
 * stored: it is the smallest power of two that is not less than the count, at least `first`, a
 * power of two, too. Returns the array, whose new items are not initialized; NULL if out of memory.
 */
void *arena_make_room(struct arena *arena, void *items, size_t count, size_t first, size_t size);

/* Adds an item to such an array. Without memory, the array stays as it was. */
#define ARENA_APPEND(arena, items, count, first, ...)                                              \
    do {                                                                                           \
        __typeof__(items) room_ =                                                                  \
            arena_make_room((arena), (items), (count), (first), sizeof(*(items)));                 \
        if (room_) {                                                                               \
            (items) = room_;                                                                       \
            room_[(count)++] = (__VA_ARGS__);                                                      \
        }                                                                                          \
    } while (0)

/* Returns a number less than, equal to or greater than zero, as strcmp() does. */
typedef int stable_sort_compare(const void *a, const void *b, const void *context);

/*
 * Sorts pointers with a merge sort: it is stable and takes O(n log n) for every input. False if the
 * arena has no memory for them a second time, which it has back afterwards.
 */
bool stable_sort(const void **items, size_t count, stable_sort_compare *compare,
                 const void *context, struct arena *arena);
/*
 * Compares structs that begin with a slice, by it. A slice alone is one, too. `context` is not
 * used.
 */
int slice_compare_first(const void *a, const void *b, const void *context);
/* Returns the index of the first of the sorted items that is not less than the wanted one. */
size_t sorted_search(const void *const *items, size_t count, const void *wanted,
                     stable_sort_compare *compare, const void *context);
/* Returns sorted pointers to the items of an array; NULL if out of memory. */
const void **stable_sort_array(const void *items, size_t count, size_t size,
                               stable_sort_compare *compare, const void *context,
                               struct arena *arena);

/* Returns a NUL-terminated copy; NO_SLICE if the arena has failed or the source is unset. */
struct slice arena_copy(struct arena *arena, struct slice source);

/* The same with ASCII letters in lower case. */
struct slice arena_lower(struct arena *arena, struct slice source);

/*
 * Marks the arena as failed, for a library that ran out of memory while it worked for the handle.
 */
void arena_fail(struct arena *arena);
/* The same for an arena that another one stands for, which has reached the byte limit. */
void arena_fail_at_limit(struct arena *arena);
bool arena_failed(const struct arena *arena);

#endif
