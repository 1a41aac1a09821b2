/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/tree.h"

/* {"metadata": {"labels": {"a.b/c": "x"}}, "items": [{"n": 4, "ok": true}, "text"]} */
static const struct node *
sample(void)
{
    struct builder root = build_map(test_arena);
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
    struct builder copy = build_map(test_arena);
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

/* ---- edit ---- */

enum edit { EDIT_MEMBER, EDIT_AT, EDIT_WITHOUT_ITEM };

/* `place` is a key, a path, or the index of an item. A `value` of NULL removes. */
static const struct edit_row {
    enum edit edit;
    const char *text, *place, *value, *expected;
} rows[] = {
    {EDIT_MEMBER, "{\"a\":1,\"b\":2,\"c\":3}", "b", "x", "{\"a\":1,\"b\":\"x\",\"c\":3}"},
    {EDIT_MEMBER, "{\"a\":1,\"b\":2,\"c\":3}", "b", NULL, "{\"a\":1,\"c\":3}"},
    {EDIT_MEMBER, "{\"a\":1}", "z", "x", "{\"a\":1,\"z\":\"x\"}"},
    {EDIT_MEMBER, "{\"a\":1}", "z", NULL, "{\"a\":1}"},
    {EDIT_MEMBER, "{\"a\":null}", "a", "x", "{\"a\":\"x\"}"},
    {EDIT_MEMBER, NULL, "a", "x", "{\"a\":\"x\"}"},
    {EDIT_AT, "{\"a\":{\"b\":{\"c\":1,\"d\":2}},\"e\":3}", "a.b.c", "x",
     "{\"a\":{\"b\":{\"c\":\"x\",\"d\":2}},\"e\":3}"},
    {EDIT_AT, "{\"a\":{\"b\":{\"c\":1,\"d\":2}},\"e\":3}", "a.b.c", NULL,
     "{\"a\":{\"b\":{\"d\":2}},\"e\":3}"},
    {EDIT_AT, "{\"a\":{}}", "a.b.c", "x", "{\"a\":{\"b\":{\"c\":\"x\"}}}"},
    {EDIT_AT, "{\"a\":{}}", "a.b.c", NULL, "{\"a\":{}}"},
    {EDIT_WITHOUT_ITEM, "[1,2,3]", "0", NULL, "[2,3]"},
    {EDIT_WITHOUT_ITEM, "[1,2,3]", "1", NULL, "[1,3]"},
    {EDIT_WITHOUT_ITEM, "[1,2,3]", "2", NULL, "[1,2]"},
    {EDIT_WITHOUT_ITEM, "[1]", "0", NULL, "[]"},
};

static const struct node *
edited(struct arena *arena, const struct edit_row *row, const struct node *root)
{
    const struct node *value = row->value ? edit_string(arena, slice_from_text(row->value)) : NULL;

    switch (row->edit) {
    case EDIT_MEMBER:
        return edit_member(arena, root, slice_from_text(row->place), value);
    case EDIT_AT:
        return edit_at(arena, root, row->place, value);
    case EDIT_WITHOUT_ITEM:
        return edit_without_item(arena, root, node_item(root, (size_t)atoi(row->place)));
    }
    return NULL;
}

static const char *
json_of(const struct node *root, char out[256])
{
    struct buffer buffer = {.limit = 255};
    size_t len;

    document_write(&buffer, root, GANG_FORMAT_JSON);
    len = buffer.len && buffer.data[buffer.len - 1] == '\n' ? buffer.len - 1 : buffer.len;
    memcpy(out, buffer.data, len);
    out[len] = '\0';
    buffer_clear(&buffer);
    return out;
}

START_TEST(edits_a_copy)
{
    struct arena *arena = arena_new(0);
    const struct edit_row *row = &rows[_i];
    const struct node *root = row->text ? tree_of(arena, row->text) : NULL;
    char text[256];

    ck_assert_str_eq(json_of(edited(arena, row, root), text), row->expected);
    if (root)
        ck_assert_str_eq(json_of(root, text), row->text); /* the original is unchanged */
    arena_free(arena);
}
END_TEST

START_TEST(a_copied_member_keeps_its_marks)
{
    struct arena *arena = arena_new(0);
    const struct node *root = tree_of(arena, "{\"a\":1,\n \"b\":2}");
    const struct node *copy = edit_member(arena, root, SLICE("a"), NULL);
    const struct node *member = node_member(copy, SLICE("b"));

    ck_assert_uint_eq(node_count(copy), 1);
    ck_assert_uint_eq(member->line, 2);
    ck_assert_uint_eq(member->column, 6);
    arena_free(arena);
}
END_TEST

START_TEST(nodes_are_exchanged_where_they_are)
{
    struct arena *arena = arena_new(0);
    const struct node *root = tree_of(arena, "{\"a\":{\"b\":1,\"c\":[2,3]},\"d\":{\"b\":1}}");
    struct edit_exchange exchanges[] = {
        {.from = node_at(root, "a.b"), .to = edit_string(arena, SLICE("x"))},
        {.from = node_item(node_at(root, "a.c"), 1), .to = edit_string(arena, SLICE("y"))},
        {.from = tree_of(arena, "4"), .to = edit_string(arena, SLICE("z"))},
    };
    struct edit_exchange *sorted[] = {&exchanges[2], &exchanges[1], &exchanges[0]};
    struct edit_exchange *strange[] = {&exchanges[2]};
    const struct node *copy;
    char text[256];

    edit_exchanges_sort(sorted, COUNT_OF(sorted), arena);
    copy = edit_exchange(arena, root, sorted, COUNT_OF(sorted));

    ck_assert_str_eq(json_of(copy, text), "{\"a\":{\"b\":\"x\",\"c\":[2,\"y\"]},\"d\":{\"b\":1}}");
    ck_assert(exchanges[0].was_found && exchanges[1].was_found && !exchanges[2].was_found);
    ck_assert_ptr_eq(edit_exchange(arena, root, strange, 1), root);
    arena_fail(arena);
    ck_assert_ptr_null(edit_exchange(arena, root, sorted, COUNT_OF(sorted)));
    arena_free(arena);
}
END_TEST

START_TEST(a_failed_arena_gives_null)
{
    struct arena *arena = arena_new(0);
    const struct node *root = tree_of(arena, "{\"a\":1}");

    arena_fail(arena);
    ck_assert_ptr_null(edit_member(arena, root, SLICE("a"), NULL));
    ck_assert_ptr_null(edit_without_item(arena, NULL, root));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    tcase_add_test(cases, built_tree_can_be_read);
    tcase_add_test(cases, shared_values_keep_their_children);
    tcase_add_test(cases, building_after_a_failure_is_safe);
    add_rows(cases, edits_a_copy, rows, text);
    tcase_add_test(cases, a_copied_member_keeps_its_marks);
    tcase_add_test(cases, nodes_are_exchanged_where_they_are);
    tcase_add_test(cases, a_failed_arena_gives_null);
}
