/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"

#include <errno.h>
#include <stddef.h>

/* glibc's own, under the names that a replacement may call. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *block);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *block);

struct allocator_counts allocator_counts;

static uint64_t fail_at;
static enum allocator_failure fail_how;
static bool did_fail;
static void (*noted_by)(void);

void
allocator_fail(uint64_t number, enum allocator_failure how)
{
    fail_at = allocator_counts.calls + number;
    fail_how = how;
    did_fail = false;
}

bool
allocator_recover(void)
{
    fail_at = 0;
    return did_fail;
}

void
allocator_watch(void (*note)(void))
{
    noted_by = note;
}

static bool
may_allocate(size_t size)
{
    uint64_t number = ++allocator_counts.calls;

    if (noted_by)
        noted_by();
    allocator_counts.bytes += size;
    if (!fail_at || number < fail_at || (number > fail_at && fail_how == ALLOCATOR_FAILS_ONCE))
        return true;
    did_fail = true;
    errno = ENOMEM;
    return false;
}

static void *
note_block(void *block)
{
    allocator_counts.live += block != NULL;
    return block;
}

void *
malloc(size_t size)
{
    return may_allocate(size) ? note_block(__libc_malloc(size)) : NULL;
}

void *
calloc(size_t count, size_t size)
{
    return may_allocate(count * size) ? note_block(__libc_calloc(count, size)) : NULL;
}

void *
realloc(void *old, size_t size)
{
    if (!may_allocate(size))
        return NULL;
    return old ? __libc_realloc(old, size) : note_block(__libc_malloc(size));
}

void
free(void *block)
{
    allocator_counts.live -= block != NULL;
    __libc_free(block);
}
