/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "libgang/base/arena.h"

enum { WORKSPACE_BLOCKS = 32 }; /* few enough to look at each of them */

struct workspace {
    struct refcount references; /* of its owner, and of each block in use */
    atomic_flag is_busy;
    size_t largest; /* bytes of the spare blocks, at most */
    size_t kept;
    size_t count;
    struct block *spare[WORKSPACE_BLOCKS];
};

struct workspace *
workspace_new(size_t largest)
{
    struct workspace *workspace = malloc(sizeof(*workspace));

    if (!workspace)
        return NULL;
    refcount_init(&workspace->references);
    atomic_flag_clear_explicit(&workspace->is_busy, memory_order_relaxed);
    workspace->largest = largest;
    workspace->kept = 0;
    workspace->count = 0;
    return workspace;
}

/* No thread waits: one that finds it busy does without the workspace. */
static bool
workspace_enter(struct workspace *workspace)
{
    return !atomic_flag_test_and_set_explicit(&workspace->is_busy, memory_order_acquire);
}

static void
workspace_leave(struct workspace *workspace)
{
    atomic_flag_clear_explicit(&workspace->is_busy, memory_order_release);
}

static void
workspace_free_spare(struct workspace *workspace)
{
    while (workspace->count > 0)
        free(workspace->spare[--workspace->count]);
}

static void
workspace_unref(struct workspace *workspace)
{
    if (!refcount_drop(&workspace->references))
        return;
    workspace_free_spare(workspace);
    free(workspace);
}

void
workspace_drop(struct workspace *workspace)
{
    if (!workspace)
        return;
    if (workspace_enter(workspace)) {
        workspace->largest = 0;
        workspace_free_spare(workspace);
        workspace_leave(workspace);
    }
    workspace_unref(workspace);
}

static struct block *
workspace_take(struct workspace *workspace, size_t capacity)
{
    struct block *found = NULL;

    if (!workspace_enter(workspace))
        return NULL;
    for (size_t i = workspace->count; i-- > 0 && !found;)
        if (workspace->spare[i]->capacity == capacity) {
            found = workspace->spare[i];
            workspace->spare[i] = workspace->spare[--workspace->count];
            workspace->kept -= capacity;
        }
    workspace_leave(workspace);
    if (found)
        ASAN_UNPOISON_MEMORY_REGION(found->bytes, capacity);
    return found;
}

static bool
workspace_keep(struct workspace *workspace, struct block *block)
{
    bool is_kept;

    if (!workspace_enter(workspace))
        return false;
    is_kept = workspace->count < WORKSPACE_BLOCKS && workspace->largest >= block->capacity &&
              workspace->kept <= workspace->largest - block->capacity;
    if (is_kept) {
        ASAN_POISON_MEMORY_REGION(block->bytes, block->capacity);
        workspace->spare[workspace->count++] = block;
        workspace->kept += block->capacity;
    }
    workspace_leave(workspace);
    return is_kept;
}

struct block *
block_new(struct workspace *workspace, size_t capacity)
{
    struct block *block = workspace ? workspace_take(workspace, capacity) : NULL;

    if (!block)
        block = malloc(sizeof(*block) + capacity);
    if (!block)
        return NULL;
    block->workspace = workspace;
    block->capacity = capacity;
    if (workspace)
        refcount_take(&workspace->references);
    return block;
}

struct block *
block_grow(struct block *block, size_t capacity)
{
    struct block *grown;

    if (block->workspace) {
        grown = block_new(block->workspace, capacity);
        if (!grown)
            return NULL;
        memcpy(grown->bytes, block->bytes, block->capacity);
        block_free(block);
        return grown;
    }
    grown = realloc(block, sizeof(*block) + capacity);
    if (grown)
        grown->capacity = capacity;
    return grown;
}

void
block_free(struct block *block)
{
    struct workspace *workspace = block->workspace;

    if (!workspace || !workspace_keep(workspace, block))
        free(block);
    if (workspace)
        workspace_unref(workspace);
}
