/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/arena.h"

#include <stdalign.h>
#include <stdint.h>

#include "unit/suite.h"

START_TEST(allocations_are_zeroed_and_aligned)
{
    struct arena *arena = arena_new(0);

    for (size_t size = 1; size < 100; size++) {
        unsigned char *memory = arena_alloc(arena, size);

        ck_assert_uint_eq((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            ck_assert_uint_eq(memory[i], 0);
        memset(memory, 0xFF, size);
    }
    arena_free(arena);
}
END_TEST

START_TEST(copies_end_in_nul_and_keep_inner_nul)
{
    struct arena *arena = arena_new(0);
    struct slice copy = arena_copy(arena, (struct slice){"a\0b", 3});

    ck_assert_uint_eq(copy.len, 3);
    ck_assert_mem_eq(copy.data, "a\0b", 4);
    ck_assert(!slice_is_set(arena_copy(arena, NO_SLICE)));
    arena_free(arena);
}
END_TEST

/* What would pass the limit fails, and so does everything after it. */
START_TEST(failure_at_the_limit_is_sticky)
{
    struct arena *arena = arena_new(64 * 1024);

    ck_assert_ptr_nonnull(arena_alloc(arena, 32 * 1024));
    ck_assert_ptr_null(arena_alloc(arena, 64 * 1024));
    ck_assert_ptr_null(arena_alloc(arena, 1));
    ck_assert(arena_failed(arena));
    ck_assert(arena_hit_limit(arena));
    arena_free(arena);
}
END_TEST

/* With any chunk size: exactly as much as the limit can be allocated. */
START_TEST(the_limit_can_be_used_up)
{
    static const size_t limits[] = {16, 160, 10 * 1024, 16 * 1024, 30 * 1024, 80 * 1024};
    struct arena *arena = arena_new(limits[_i]);

    for (size_t left = limits[_i]; left >= 16 + ARENA_GAP; left -= 16 + ARENA_GAP)
        ck_assert_ptr_nonnull(arena_alloc(arena, 16));
    ck_assert(!arena_failed(arena));
    ck_assert_ptr_null(arena_alloc(arena, 1));
    ck_assert(arena_hit_limit(arena));
    arena_free(arena);
}
END_TEST

/* Every block takes a multiple of the alignment, so what is left of an odd limit is no room at all.
 */
START_TEST(an_odd_limit_is_rounded_down)
{
    static const size_t limits[] = {1, 15, 17, 1000, 10 * 1024 + 8, 30 * 1024 - 1};
    struct arena *arena = arena_new(limits[_i]);
    size_t count = 0;

    while (arena_alloc(arena, 1))
        count++;
    ck_assert_uint_eq(count, limits[_i] / (16 + ARENA_GAP));
    ck_assert(arena_hit_limit(arena));
    arena_free(arena);
}
END_TEST

START_TEST(allocation_of_zero_bytes_takes_no_chunk)
{
    struct arena *arena = arena_new(0);
    size_t before = arena_bytes(arena);

    ck_assert_ptr_nonnull(arena_alloc(arena, 0));
    ck_assert_uint_eq(arena_bytes(arena), before);
    arena_free(arena);
}
END_TEST

/* The last bytes of a chunk are used, and what does not fit starts a new one. */
START_TEST(chunks_are_filled_to_the_end)
{
    struct arena *arena = arena_new(0);
    size_t first = arena_bytes(arena);

    ck_assert_ptr_nonnull(arena_alloc(arena, first - ARENA_GAP));
    ck_assert_uint_eq(arena_bytes(arena), first);
    ck_assert_ptr_nonnull(arena_alloc(arena, 1));
    ck_assert_uint_gt(arena_bytes(arena), first);
    arena_free(arena);
}
END_TEST

START_TEST(overflowing_sizes_are_refused)
{
    volatile size_t impossible = SIZE_MAX - 8; /* or the compiler itself refuses it */
    struct arena *arena = arena_new(0);

    ck_assert_ptr_null(arena_array(arena, SIZE_MAX / 2, 3));
    ck_assert(arena_failed(arena));
    arena_free(arena);
    arena = arena_new(0);
    ck_assert_ptr_null(arena_alloc(arena, impossible));
    arena_free(arena);
}
END_TEST

START_TEST(growing_keeps_the_content)
{
    struct arena *arena = arena_new(0);
    int *numbers = arena_array(arena, 2, sizeof(*numbers));

    numbers[0] = 7;
    numbers[1] = 8;
    numbers = arena_grow(arena, numbers, 2, 4, sizeof(*numbers));
    ck_assert_int_eq(numbers[0], 7);
    ck_assert_int_eq(numbers[1], 8);
    ck_assert_int_eq(numbers[3], 0);
    arena_free(arena);
}
END_TEST

START_TEST(freeing_nothing_is_allowed)
{
    arena_free(NULL);
}
END_TEST

/* The same memory again and again, in the first block and in blocks after it. */
START_TEST(rewinding_gives_memory_back)
{
    struct arena *arena = arena_new(0);
    char *before = arena_copy(arena, SLICE("before")).data ? arena_alloc(arena, 16) : NULL;
    struct arena_mark mark = arena_mark(arena);
    size_t bytes = arena_bytes(arena);
    const char *first = arena_take(arena, 32);

    memset(before, 'x', 16);
    for (int i = 0; i < 50; i++) {
        arena_rewind(arena, &mark);
        ck_assert_ptr_eq(arena_take(arena, 32), first);
        ck_assert_ptr_nonnull(arena_take(arena, 100 * 1024));
    }
    arena_rewind(arena, &mark);
    ck_assert_uint_eq(arena_bytes(arena), bytes);
    ck_assert_int_eq(before[15], 'x');
    arena_free(arena);
}
END_TEST

START_TEST(rewinding_does_not_repair)
{
    struct arena *arena = arena_new(1024);
    struct arena_mark mark = arena_mark(arena);

    ck_assert_ptr_null(arena_take(arena, 2048));
    arena_rewind(arena, &mark);
    ck_assert(arena_failed(arena));
    ck_assert_ptr_null(arena_take(arena, 16));
    arena_free(arena);
}
END_TEST

/* The budget allows as many steps as it has, and one more fails as the limit on bytes does. */
START_TEST(steps_end_with_the_budget)
{
    struct arena *arena = arena_new(0);

    ck_assert(arena_spend(arena, UINT64_MAX / 2)); /* without a budget */
    arena_start_steps(arena, 10);
    ck_assert(arena_spend(arena, 10));
    ck_assert(!arena_failed(arena));
    ck_assert(!arena_spend(arena, 1));
    ck_assert(arena_failed(arena) && arena_hit_limit(arena) && arena->is_out_of_steps);
    ck_assert_ptr_null(arena_alloc(arena, 1));
    ck_assert(!arena_spend(arena, 1));
    arena_free(arena);
}
END_TEST

/* Memory that is used again and again is work; within the first chunk it draws as elsewhere. */
START_TEST(rewinding_and_new_memory_draw_steps)
{
    struct arena *arena = arena_new(0);
    struct arena_mark mark = arena_mark(arena);
    int rounds = 0;

    arena_start_steps(arena, 1000);
    for (; !arena_failed(arena); rounds++) {
        arena_alloc(arena, 640);
        arena_rewind(arena, &mark);
    }
    ck_assert_int_eq(rounds, 1000 / (640 / 64 + 1) + 1);
    arena_free(arena);
    arena = arena_new(0);
    arena_start_steps(arena, 1000);
    ck_assert_ptr_null(arena_alloc(arena, 64 * 1001));
    ck_assert(arena->is_out_of_steps);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, allocations_are_zeroed_and_aligned);
    tcase_add_test(cases, copies_end_in_nul_and_keep_inner_nul);
    tcase_add_test(cases, failure_at_the_limit_is_sticky);
    tcase_add_loop_test(cases, the_limit_can_be_used_up, 0, 6);
    tcase_add_loop_test(cases, an_odd_limit_is_rounded_down, 0, 6);
    tcase_add_test(cases, allocation_of_zero_bytes_takes_no_chunk);
    tcase_add_test(cases, chunks_are_filled_to_the_end);
    tcase_add_test(cases, overflowing_sizes_are_refused);
    tcase_add_test(cases, growing_keeps_the_content);
    tcase_add_test(cases, freeing_nothing_is_allowed);
    tcase_add_test(cases, rewinding_gives_memory_back);
    tcase_add_test(cases, rewinding_does_not_repair);
    tcase_add_test(cases, steps_end_with_the_budget);
    tcase_add_test(cases, rewinding_and_new_memory_draw_steps);
}
