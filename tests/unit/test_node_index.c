/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

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

/* A list of as many items; each name occurs twice, and every third item has none. */
static const struct node *
list_of(struct arena *arena, unsigned count)
{
    struct builder list = build_list(arena);

    for (unsigned i = 0; i < count; i++) {
        struct builder item = build_map_item(&list);

        build_string(&item, i % 3 ? SLICE("name") : SLICE("id"),
                     slice_from_text(arena_format(arena, "%u", i / 2 * 7919 % 1009)));
    }
    return list.node;
}

static const unsigned counts[] = {0, 1, 2, 15, 16, 17, 18, 33, 40};

/* Every key is found as `find` does. */
static void
check_index(const struct node *container, struct arena *arena,
            const struct node *(*find)(const struct node *container, struct slice key))
{
    struct node_index index = node_index_make(container, arena);

    ck_assert_int_eq(index.sorted != NULL, node_count(container) > 16);
    for (unsigned i = 0; i < 1009; i++) {
        struct slice key = slice_from_text(arena_format(arena, "%u", i));

        ck_assert_ptr_eq(node_index_find(&index, key), find(container, key));
    }
    arena_free(arena);
}

START_TEST(finds_the_members_that_the_map_has)
{
    struct arena *arena = arena_new(0);

    check_index(map_of(arena, counts[_i]), arena, node_member);
}
END_TEST

START_TEST(finds_the_first_item_of_a_name)
{
    struct arena *arena = arena_new(0);

    check_index(list_of(arena, counts[_i]), arena, node_item_named);
}
END_TEST

static const char *const others[] = {"null", "'a'", "1", "['a']", "{'name':'a'}"};

START_TEST(other_values_have_no_members)
{
    struct arena *arena = arena_new(0);
    const char *text = arena_format(arena, "[%s]", others[_i]);
    struct node_index index = node_index_make(node_item(workload_tree(arena, text), 0), arena);

    ck_assert_ptr_null(node_index_find(&index, SLICE("a")));
    arena_free(arena);
}
END_TEST

START_TEST(null_has_no_members)
{
    struct arena *arena = arena_new(0);
    struct node_index none = node_index_make(NULL, arena);

    ck_assert_ptr_null(node_index_find(&none, SLICE("a")));
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
    ck_assert_ptr_eq(node_index_find(&index, SLICE("856")), node_member(map, SLICE("856")));
    arena_free(full);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, finds_the_members_that_the_map_has, counts);
    add_items(cases, finds_the_first_item_of_a_name, counts);
    add_items(cases, other_values_have_no_members, others);
    tcase_add_test(cases, null_has_no_members);
    tcase_add_test(cases, finds_without_memory);
}
