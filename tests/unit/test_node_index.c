/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node_index.h"

#include "unit/suite.h"
#include "unit/workloads.h"

/* ---- node index ---- */

/* A map with as many members, of which every third is null. Neither order nor steps are regular. */
static const struct node *
map_of(struct arena *arena, unsigned count)
{
    const char *text = "{";

    for (unsigned i = 0; i < count; i++)
        text = arena_format(arena, "%s%s'%u':%s", text, i ? "," : "", i * 7919 % 1009,
                            i % 3 ? "'v'" : "null");
    return workload_tree(arena, arena_format(arena, "%s}", text));
}

static const unsigned counts[] = {0, 1, 2, 15, 16, 17, 18, 33, 40};

START_TEST(finds_the_members_that_the_map_has)
{
    struct arena *arena = arena_new(0);
    const struct node *map = map_of(arena, counts[_i]);
    struct node_index index = node_index_make(map, arena);

    ck_assert_int_eq(index.sorted != NULL, counts[_i] > 16);
    for (unsigned i = 0; i < 1009; i++) {
        struct slice key = slice_from_text(arena_format(arena, "%u", i));

        ck_assert_ptr_eq(node_index_member(&index, key), node_member(map, key));
    }
    arena_free(arena);
}
END_TEST

START_TEST(what_is_no_map_has_no_members)
{
    struct arena *arena = arena_new(0);
    struct node_index none = node_index_make(NULL, arena);
    struct node_index list = node_index_make(workload_tree(arena, "['a']"), arena);

    ck_assert_ptr_null(node_index_member(&none, SLICE("a")));
    ck_assert_ptr_null(node_index_member(&list, SLICE("a")));
    arena_free(arena);
}
END_TEST

START_TEST(finds_without_memory)
{
    struct arena *arena = arena_new(0);
    struct arena *full = arena_new(16);
    const struct node *map = map_of(arena, 40);
    struct node_index index = node_index_make(map, full);

    ck_assert(arena_failed(full));
    ck_assert_ptr_null(index.sorted);
    ck_assert_ptr_eq(node_index_member(&index, SLICE("856")), node_member(map, SLICE("856")));
    arena_free(full);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, finds_the_members_that_the_map_has, counts);
    tcase_add_test(cases, what_is_no_map_has_no_members);
    tcase_add_test(cases, finds_without_memory);
}
