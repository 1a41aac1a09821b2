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
    ck_assert(arena->hit_limit);
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
    ck_assert(arena->hit_limit);
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
    ck_assert(arena->hit_limit);
    arena_free(arena);
}
END_TEST

START_TEST(allocation_of_zero_bytes_takes_no_chunk)
{
    struct arena *arena = arena_new(0);
    size_t before = arena->total;

    ck_assert_ptr_nonnull(arena_alloc(arena, 0));
    ck_assert_uint_eq(arena->total, before);
    arena_free(arena);
}
END_TEST

/* The last bytes of a chunk are used, and what does not fit starts a new one. */
START_TEST(chunks_are_filled_to_the_end)
{
    struct arena *arena = arena_new(0);
    size_t first = arena->total;

    ck_assert_ptr_nonnull(arena_alloc(arena, first - ARENA_GAP));
    ck_assert_uint_eq(arena->total, first);
    ck_assert_ptr_nonnull(arena_alloc(arena, 1));
    ck_assert_uint_gt(arena->total, first);
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

/* Leaves this much room in the first chunk of a new arena. */
static struct arena *
arena_with_room(size_t room)
{
    struct arena *arena = arena_new(0);

    ck_assert_ptr_nonnull(arena_alloc(arena, arena->room - room - ARENA_GAP));
    ck_assert_uint_eq(arena->room, room);
    return arena;
}

START_TEST(a_guest_begins_in_the_room_that_its_host_has_left)
{
    struct arena *host = arena_with_room(8 * 1024);
    char *before = arena_alloc(host, 100);
    struct arena *guest = arena_new_from(NULL, host, 0);
    char *inside = arena_alloc(guest, 100);

    ck_assert_ptr_eq(guest->host, host);
    ck_assert(inside > before && inside < before + 8 * 1024);
    ck_assert_uint_eq((uintptr_t)inside % alignof(max_align_t), 0);
    memset(inside, 'x', 100);
    ck_assert_int_eq(before[99], 0);
    arena_free(guest);
    arena_free(host);
}
END_TEST

START_TEST(the_room_has_one_guest_at_a_time)
{
    struct arena *host = arena_with_room(8 * 1024);
    struct arena *first = arena_new_from(NULL, host, 0);
    struct arena *second = arena_new_from(NULL, host, 0);

    ck_assert_ptr_eq(first->host, host);
    ck_assert_ptr_null(second->host);
    arena_free(first);
    first = arena_new_from(NULL, host, 0);
    ck_assert_ptr_eq(first->host, host);
    memset(arena_alloc(first, 4 * 1024), 'x', 4 * 1024); /* AddressSanitizer lets it be written */
    arena_free(second);
    arena_free(first);
    arena_free(host);
}
END_TEST

START_TEST(a_guest_has_a_guest)
{
    struct arena *host = arena_with_room(16 * 1024);
    struct arena *guest = arena_new_from(NULL, host, 0);
    struct arena *inner = arena_new_from(NULL, guest, 0);

    ck_assert_ptr_eq(guest->host, host);
    ck_assert_ptr_eq(inner->host, guest);
    arena_free(inner);
    arena_free(guest);
    arena_free(host);
}
END_TEST

/* A chunk would follow at once. */
START_TEST(less_than_four_kibibytes_are_not_lent)
{
    struct arena *enough = arena_with_room(4 * 1024);
    struct arena *less = arena_with_room(4 * 1024 - ARENA_ALIGNMENT);
    struct arena *guest = arena_new_from(NULL, enough, 0);
    struct arena *other = arena_new_from(NULL, less, 0);

    ck_assert_ptr_eq(guest->host, enough);
    ck_assert_ptr_null(other->host);
    arena_free(guest);
    arena_free(other);
    arena_free(enough);
    arena_free(less);
}
END_TEST

START_TEST(a_failed_host_lends_nothing)
{
    struct arena *host = arena_with_room(8 * 1024);
    struct arena *other;

    arena_fail(host);
    other = arena_new_from(NULL, host, 0);
    ck_assert_ptr_null(other->host);
    ck_assert(!arena_failed(other));
    arena_free(other);
    arena_free(host);
}
END_TEST

/* Within the room of its host and beyond it. */
START_TEST(a_guest_can_use_up_its_limit)
{
    static const size_t limits[] = {16, 160, 4 * 1024, 80 * 1024};
    struct arena *host = arena_with_room(8 * 1024);
    struct arena *guest = arena_new_from(NULL, host, limits[_i]);

    ck_assert_ptr_eq(guest->host, host);
    for (size_t left = limits[_i]; left >= 16 + ARENA_GAP; left -= 16 + ARENA_GAP)
        ck_assert_ptr_nonnull(arena_alloc(guest, 16));
    ck_assert(!arena_failed(guest));
    ck_assert_ptr_null(arena_alloc(guest, 1));
    ck_assert(guest->hit_limit);
    arena_free(guest);
    arena_free(host);
}
END_TEST

/* It gets another chunk, which the guest does not touch when it returns the room. */
START_TEST(a_host_that_allocates_leaves_its_guest_alone)
{
    struct arena *host = arena_with_room(8 * 1024);
    struct arena *guest = arena_new_from(NULL, host, 0);
    char *inside = arena_alloc(guest, 100);
    char *newer = arena_alloc(host, 100);
    const size_t room = host->room;

    memset(newer, 'x', 100);
    ck_assert_int_eq(inside[0], 0);
    arena_free(guest);
    ck_assert_uint_eq(host->room, room);
    ck_assert_ptr_ne(arena_alloc(host, 100), newer);
    arena_free(host);
}
END_TEST

/* Room is made for 4 items, then for 8 and 16; in between the array stays where it is. */
START_TEST(appending_moves_an_array_only_when_it_is_full)
{
    struct arena *arena = arena_new(0);
    int *numbers = NULL;
    size_t count = 0;

    for (int i = 0; i < 16; i++) {
        const int *before = numbers;

        ARENA_APPEND(arena, numbers, count, 4, i);
        ck_assert(before == numbers || i == 0 || i == 4 || i == 8);
        ck_assert_uint_eq(count, (size_t)i + 1);
    }
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(numbers[i], i);
    arena_fail(arena);
    ARENA_APPEND(arena, numbers, count, 4, 16);
    ck_assert_uint_eq(count, 16);
    ck_assert_int_eq(numbers[15], 15);
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
    size_t bytes = arena->total;
    const char *first = arena_take(arena, 32);

    memset(before, 'x', 16);
    for (int i = 0; i < 50; i++) {
        arena_rewind(arena, &mark);
        ck_assert_ptr_eq(arena_take(arena, 32), first);
        ck_assert_ptr_nonnull(arena_take(arena, 100 * 1024));
    }
    arena_rewind(arena, &mark);
    ck_assert_uint_eq(arena->total, bytes);
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
    ck_assert(arena_failed(arena) && arena->hit_limit && arena->is_out_of_steps);
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

/* ---- sort ---- */

/* Sorted by the first letter; the second distinguishes equal ones. */
static int
compare_first_letters(const void *a, const void *b, const void *context)
{
    const char *left = a;
    const char *right = b;

    ++*(size_t *)(uintptr_t)context;
    return left[0] - right[0];
}

static const struct {
    const char *items[9];
    size_t count;
    const char *sorted;
} lists[] = {
    {{0}, 0, ""},
    {{"a1"}, 1, "a1"},
    {{"b1", "a1"}, 2, "a1b1"},
    {{"a2", "a1"}, 2, "a2a1"},
    {{"c1", "a1", "b1"}, 3, "a1b1c1"},
    {{"b1", "a1", "b2", "a2", "b3"}, 5, "a1a2b1b2b3"},
    {{"h1", "g1", "f1", "e1", "d1", "c1", "b1", "a1"}, 8, "a1b1c1d1e1f1g1h1"},
    {{"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2"}, 9, "a1a2b1c1d1e1f1g1h1"},
};

START_TEST(keeps_the_order_of_equals)
{
    const void *items[9] = {0};
    struct arena *arena = arena_new(0);
    char actual[32] = "";
    size_t compared = 0;

    for (size_t i = 0; i < lists[_i].count; i++)
        items[i] = lists[_i].items[i];
    ck_assert(stable_sort(items, lists[_i].count, compare_first_letters, &compared, arena));
    for (size_t i = 0; i < lists[_i].count; i++)
        strcat(actual, items[i]);
    ck_assert_str_eq(actual, lists[_i].sorted);
    arena_free(arena);
}
END_TEST

/* No input may make it quadratic: n log2 n comparisons at most. */
START_TEST(compares_rarely)
{
    enum { COUNT = 10000, LOG2 = 14 };
    static const char *const patterns[] = {"a", "abcdefghijklmnopqrstuvwxyz",
                                           "zyxwvutsrqponmlkjihgfedcba", "azbycx"};
    const char *pattern = patterns[_i];
    const void **items = calloc(COUNT, sizeof(*items));
    struct arena *arena = arena_new(0);
    size_t compared = 0;
    bool sorted = true;

    ck_assert(items && arena);
    for (size_t i = 0; i < COUNT; i++)
        items[i] = pattern + i % strlen(pattern);
    ck_assert(stable_sort(items, COUNT, compare_first_letters, &compared, arena));
    for (size_t i = 1; i < COUNT; i++)
        sorted = sorted && *(const char *)items[i - 1] <= *(const char *)items[i];
    ck_assert(sorted);
    ck_assert_uint_le(compared, (size_t)COUNT * LOG2);
    free(items);
    arena_free(arena);
}
END_TEST

/* Without memory for a second array the items stay as they are. */
START_TEST(sorting_needs_memory)
{
    const void *items[] = {"b", "a"};
    struct arena *arena = arena_new(0);
    size_t compared = 0;

    arena_fail(arena);
    ck_assert(!stable_sort(items, 2, compare_first_letters, &compared, arena));
    ck_assert_ptr_null(stable_sort_array("ba", 2, 1, compare_first_letters, &compared, arena));
    ck_assert_str_eq(items[0], "b");
    ck_assert_uint_eq(compared, 0);
    arena_free(arena);
}
END_TEST

START_TEST(sorting_an_array_leaves_it)
{
    static const char letters[] = "cab";
    struct arena *arena = arena_new(0);
    size_t compared = 0;
    const void **sorted = stable_sort_array(letters, 3, 1, compare_first_letters, &compared, arena);

    ck_assert_ptr_eq(sorted[0], letters + 1);
    ck_assert_ptr_eq(sorted[1], letters + 2);
    ck_assert_ptr_eq(sorted[2], letters);
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
    tcase_add_test(cases, a_guest_begins_in_the_room_that_its_host_has_left);
    tcase_add_test(cases, the_room_has_one_guest_at_a_time);
    tcase_add_test(cases, a_guest_has_a_guest);
    tcase_add_test(cases, less_than_four_kibibytes_are_not_lent);
    tcase_add_test(cases, a_failed_host_lends_nothing);
    tcase_add_loop_test(cases, a_guest_can_use_up_its_limit, 0, 4);
    tcase_add_test(cases, a_host_that_allocates_leaves_its_guest_alone);
    tcase_add_test(cases, overflowing_sizes_are_refused);
    tcase_add_test(cases, growing_keeps_the_content);
    tcase_add_test(cases, appending_moves_an_array_only_when_it_is_full);
    tcase_add_test(cases, freeing_nothing_is_allowed);
    tcase_add_test(cases, rewinding_gives_memory_back);
    tcase_add_test(cases, rewinding_does_not_repair);
    tcase_add_test(cases, steps_end_with_the_budget);
    tcase_add_test(cases, rewinding_and_new_memory_draw_steps);
    add_rows(cases, keeps_the_order_of_equals, lists, sorted, items[0], items[1]);
    tcase_add_loop_test(cases, compares_rarely, 0, 4);
    tcase_add_test(cases, sorting_needs_memory);
    tcase_add_test(cases, sorting_an_array_leaves_it);
}
