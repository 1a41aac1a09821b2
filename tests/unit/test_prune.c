/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include "unit/suite.h"
#include "unit/tree.h"

static const struct schema text = {.type = SCHEMA_STRING};
static const struct schema anything = {.type = SCHEMA_ANY};
static const struct schema words = {.type = SCHEMA_OBJECT, .values = &text};
static const struct schema_field item_fields[] = {{SLICE_INIT("labels"), &words, false},
                                                  {SLICE_INIT("name"), &text, false}};
static const struct schema item = {.type = SCHEMA_OBJECT, .fields = item_fields, .num_fields = 2};
static const struct schema items = {.type = SCHEMA_LIST, .values = &item};
static const struct schema open_item = {
    .type = SCHEMA_OBJECT, .fields = item_fields, .num_fields = 2, .open = true};
static const struct schema empty = {.type = SCHEMA_OBJECT};
static const struct schema_field fields[] = {
    {SLICE_INIT("any"), &anything, false},   {SLICE_INIT("empty"), &empty, false},
    {SLICE_INIT("item"), &item, false},      {SLICE_INIT("items"), &items, false},
    {SLICE_INIT("open"), &open_item, false},
};
static const struct schema root = {.type = SCHEMA_OBJECT, .fields = fields, .num_fields = 5};

static const struct {
    const char *written;
    const char *pruned; /* NULL when the tree itself comes back */
} trees[] = {
    {"{}", NULL},
    {"{\"item\":{\"name\":\"a\",\"labels\":{\"any\":\"thing\"}}}", NULL},
    {"{\"any\":{\"x\":[{\"y\":1}]}}", NULL},
    {"{\"open\":{\"x\":1,\"name\":\"a\"}}", NULL},
    {"{\"item\":[1],\"items\":{\"x\":1}}", NULL},
    {"{\"x\":1}", "{}"},
    {"{\"x\":1,\"item\":{\"name\":\"a\"},\"y\":2}", "{\"item\":{\"name\":\"a\"}}"},
    {"{\"item\":{\"y\":2,\"name\":\"a\",\"x\":1}}", "{\"item\":{\"name\":\"a\"}}"},
    {"{\"empty\":{\"name\":\"a\"}}", "{\"empty\":{}}"},
    {"{\"items\":[{\"name\":\"a\"},{\"x\":1},null]}", "{\"items\":[{\"name\":\"a\"},{},null]}"},
    {"{\"open\":{\"x\":1,\"labels\":1},\"any\":{\"x\":1},\"x\":null}",
     "{\"open\":{\"x\":1,\"labels\":1},\"any\":{\"x\":1}}"},
};

START_TEST(drops_unknown_fields)
{
    struct arena *arena = arena_new(0);
    const struct node *tree = tree_of(arena, trees[_i].written);
    const struct node *pruned = prune_unknown(arena, &root, tree);

    if (trees[_i].pruned)
        ck_assert(node_equal(pruned, tree_of(arena, trees[_i].pruned)));
    else
        ck_assert_ptr_eq(pruned, tree);
    ck_assert(node_equal(tree, tree_of(arena, trees[_i].written)));
    arena_free(arena);
}
END_TEST

START_TEST(shares_what_stays_whole)
{
    struct arena *arena = arena_new(0);
    const struct node *tree = tree_of(
        arena, "{\"x\":1,\"item\":{\"name\":\"a\"},\"items\":[{\"x\":1},{\"name\":\"b\"}]}");
    const struct node *pruned = prune_unknown(arena, &root, tree);

    ck_assert_ptr_eq(node_at(pruned, "item")->as.first, node_at(tree, "item")->as.first);
    ck_assert_ptr_eq(node_item(node_at(pruned, "items"), 1)->as.first,
                     node_item(node_at(tree, "items"), 1)->as.first);
    ck_assert_ptr_eq(node_at(pruned, "item")->parent, tree);
    ck_assert_uint_eq(node_at(pruned, "item")->index, 1);
    arena_free(arena);
}
END_TEST

START_TEST(takes_an_absent_tree)
{
    struct arena *arena = arena_new(0);

    ck_assert_ptr_null(prune_unknown(arena, &root, NULL));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, drops_unknown_fields, trees, written);
    tcase_add_test(cases, shares_what_stays_whole);
    tcase_add_test(cases, takes_an_absent_tree);
}
