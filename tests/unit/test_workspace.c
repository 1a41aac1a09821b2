/* SPDX-License-Identifier: Apache-2.0 */
/* How much a workspace keeps is in tests/oom/workspace.c, which counts allocations. */
#include "libgang/base/arena.h"

#include "unit/suite.h"

START_TEST(a_freed_block_is_used_again)
{
    struct workspace *workspace = workspace_new(1000);
    struct block *block = block_new(workspace, 100);
    struct block *again;

    block_free(block);
    again = block_new(workspace, 100);
    ck_assert_ptr_eq(again, block);
    memset(again->bytes, 'x', 100); /* AddressSanitizer lets it be written again */
    block_free(again);
    workspace_drop(workspace);
}
END_TEST

/* A larger one would change what an arena counts against its limit. */
START_TEST(a_block_of_another_size_is_not_used)
{
    static const size_t other[] = {99, 101, 200};
    struct workspace *workspace = workspace_new(1000);
    struct block *block = block_new(workspace, 100);
    struct block *different;

    block_free(block);
    different = block_new(workspace, other[_i]);
    ck_assert_ptr_ne(different, block);
    ck_assert_uint_eq(different->capacity, other[_i]);
    block_free(different);
    workspace_drop(workspace);
}
END_TEST

/* Of the blocks of one size, wherever they are among those of another. */
START_TEST(each_spare_block_is_found_once)
{
    struct workspace *workspace = workspace_new(1000);
    struct block *large = block_new(workspace, 200);
    struct block *small[3];
    struct block *found[3];

    for (int i = 0; i < 3; i++)
        small[i] = block_new(workspace, 100);
    block_free(small[0]);
    block_free(large);
    block_free(small[1]);
    block_free(small[2]);
    ck_assert_ptr_eq(block_new(workspace, 200), large);
    for (int i = 0; i < 3; i++)
        found[i] = block_new(workspace, 100);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq((small[i] == found[0]) + (small[i] == found[1]) + (small[i] == found[2]),
                         1);
    for (int i = 0; i < 3; i++)
        block_free(found[i]);
    block_free(large);
    workspace_drop(workspace);
}
END_TEST

START_TEST(a_grown_block_keeps_its_bytes)
{
    struct workspace *workspaces[] = {NULL, workspace_new(1000)};
    struct block *block = block_new(workspaces[_i], 4);
    struct block *grown;

    memcpy(block->bytes, "abcd", 4);
    grown = block_grow(block, 100);
    ck_assert_mem_eq(grown->bytes, "abcd", 4);
    ck_assert_uint_eq(grown->capacity, 100);
    ck_assert_ptr_eq(grown->workspace, workspaces[_i]);
    block_free(grown);
    workspace_drop(workspaces[1]);
}
END_TEST

/* The sanitizers and valgrind see a block that is freed twice, or never. */
START_TEST(a_block_outlives_its_workspace)
{
    struct workspace *workspace = workspace_new(1000);
    struct block *spare = block_new(workspace, 100);
    struct block *first = block_new(workspace, 100);
    struct block *last = block_new(workspace, 100);

    block_free(spare);
    workspace_drop(workspace);
    memset(first->bytes, 'x', 100);
    block_free(first);
    block_free(block_grow(last, 200));
}
END_TEST

START_TEST(an_arena_is_the_same_with_a_workspace)
{
    struct workspace *workspace = workspace_new((size_t)1 << 20);
    const size_t limit = 100 * 1024;

    for (int round = 0; round < 3; round++) {
        struct arena *plain = arena_new(limit);
        struct arena *arena = arena_new_from(workspace, NULL, limit);

        while (!arena_failed(plain)) {
            ck_assert_int_eq(arena_alloc(plain, 600) != NULL, arena_alloc(arena, 600) != NULL);
            ck_assert_uint_eq(plain->total, arena->total);
        }
        ck_assert(arena->hit_limit);
        arena_free(arena);
        arena_free(plain);
    }
    workspace_drop(workspace);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_freed_block_is_used_again);
    tcase_add_loop_test(cases, a_block_of_another_size_is_not_used, 0, 3);
    tcase_add_test(cases, each_spare_block_is_found_once);
    tcase_add_loop_test(cases, a_grown_block_keeps_its_bytes, 0, 2);
    tcase_add_test(cases, a_block_outlives_its_workspace);
    tcase_add_test(cases, an_arena_is_the_same_with_a_workspace);
}
