/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

#include "unit/suite.h"

static struct arena *arena;

static void
open_arena(void)
{
    arena = arena_new(0);
}

static void
close_arena(void)
{
    arena_free(arena);
}

/* {"metadata": {"labels": {"a.b/c": "x"}}, "items": [{"n": 4, "ok": true}, "text"]} */
static const struct node *
sample(void)
{
    struct builder root = build_map(arena);
    struct builder metadata = build_map_member(&root, SLICE("metadata"));
    struct builder labels = build_map_member(&metadata, SLICE("labels"));
    struct builder items = build_list_member(&root, SLICE("items"));
    struct builder item = build_map_item(&items);

    build_string(&labels, SLICE("a.b/c"), SLICE("x"));
    build_int(&item, SLICE("n"), 4);
    build_bool(&item, SLICE("ok"), true);
    build_string_if_set(&item, SLICE("absent"), NO_SLICE);
    build_string_item(&items, SLICE("text"));
    return root.node;
}

START_TEST(built_tree_can_be_read)
{
    const struct node *root = sample();
    int64_t value = 0;

    ck_assert_uint_eq(node_count(root), 2);
    ck_slice_eq(node_string(node_member(node_at(root, "metadata.labels"), SLICE("a.b/c"))), "x");
    ck_assert_uint_eq(node_count(node_at(root, "items")), 2);
    ck_assert(node_int(node_member(node_item(node_at(root, "items"), 0), SLICE("n")), &value));
    ck_assert_int_eq(value, 4);
    ck_assert(node_is_true(node_member(node_item(node_at(root, "items"), 0), SLICE("ok"))));
    ck_assert_ptr_null(node_member(node_item(node_at(root, "items"), 0), SLICE("absent")));
    ck_slice_eq(node_text(node_item(node_at(root, "items"), 1)), "text");
    ck_assert_ptr_null(node_item(node_at(root, "items"), 2));
}
END_TEST

START_TEST(shared_values_keep_their_children)
{
    struct builder copy = build_map(arena);
    const struct node *root = sample();

    build_node(&copy, SLICE("taken"), node_at(root, "items"));
    build_node(&copy, SLICE("nothing"), NULL);
    ck_assert_uint_eq(node_count(copy.node), 1);
    ck_assert_ptr_eq(node_first(node_at(copy.node, "taken")), node_first(node_at(root, "items")));
}
END_TEST

START_TEST(building_after_a_failure_is_safe)
{
    struct arena *small = arena_new(8192);
    struct builder root = build_map(small);

    for (int i = 0; i < 1000; i++)
        build_int(&root, SLICE("n"), i);
    ck_assert(arena_failed(small));
    arena_free(small);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    tcase_add_test(cases, built_tree_can_be_read);
    tcase_add_test(cases, shared_values_keep_their_children);
    tcase_add_test(cases, building_after_a_failure_is_safe);
}
