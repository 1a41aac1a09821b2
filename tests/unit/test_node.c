/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/tree.h"

static const char every_kind[] =
    "{\"null\": null, \"bool\": true, \"int\": -7, \"number\": 1.5, \"string\": \"s\", "
    "\"list\": [1, 2], \"map\": {\"a\": 1}}";

/* What each reader makes of each kind; NULL where the answer is unset. */
static const struct {
    const char *key;
    enum node_kind kind;
    bool absent;
    const char *text, *string;
    size_t count;
} kinds[] = {
    {"null", NODE_NULL, true, NULL, NULL, 0},    {"bool", NODE_BOOL, false, "true", NULL, 0},
    {"int", NODE_INT, false, "-7", NULL, 0},     {"number", NODE_NUMBER, false, "1.5", NULL, 0},
    {"string", NODE_STRING, false, "s", "s", 0}, {"list", NODE_LIST, false, NULL, NULL, 2},
    {"map", NODE_MAP, false, NULL, NULL, 1},
};

static void
check_text_of(struct slice text, const char *wanted)
{
    ck_assert_int_eq(slice_is_set(text), wanted != NULL);
    if (wanted)
        ck_slice_eq(text, wanted);
}

START_TEST(each_kind_is_read)
{
    const struct node *root = tree_of(test_arena, every_kind);
    const struct node *node = node_member_or_null(root, slice_from_text(kinds[_i].key));

    ck_assert(node_is(node, kinds[_i].kind));
    for (int other = NODE_NULL; other <= NODE_MAP; other++)
        ck_assert_int_eq(node_is(node, (enum node_kind)other), other == (int)kinds[_i].kind);
    ck_assert_int_eq(node_is_absent(node), kinds[_i].absent);
    ck_assert_int_eq(node_member(root, slice_from_text(kinds[_i].key)) == NULL, kinds[_i].absent);
    ck_slice_eq(node_key(node), kinds[_i].key);
    check_text_of(node_text(node), kinds[_i].text);
    check_text_of(node_string(node), kinds[_i].string);
    ck_assert_uint_eq(node_count(node), kinds[_i].count);
    ck_assert_int_eq(node_first(node) != NULL, kinds[_i].count > 0);
    ck_assert_ptr_null(node_member(node, SLICE("x")));
    ck_assert_int_eq(node_is_true(node), kinds[_i].kind == NODE_BOOL);
}
END_TEST

static const struct {
    const char *text;
    bool is_int;
    int64_t value;
} integers[] = {
    {"0", true, 0},
    {"-1", true, -1},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"\"4\"", false, 0},
    {"4.5", false, 0},
    {"true", false, 0},
    {"null", false, 0},
    {"[4]", false, 0},
};

START_TEST(only_integers_are_integers)
{
    const struct node *root =
        tree_of(test_arena, arena_format(test_arena, "{\"n\": %s}", integers[_i].text));
    int64_t value = 12345;

    ck_assert_int_eq(node_int(node_member_or_null(root, SLICE("n")), &value), integers[_i].is_int);
    ck_assert_int_eq(value, integers[_i].is_int ? integers[_i].value : 12345);
}
END_TEST

static const struct {
    const char *text;
    bool is_true;
} truths[] = {{"true", true}, {"false", false}, {"\"true\"", false},
              {"1", false},   {"null", false},  {"{}", false}};

START_TEST(only_true_is_true)
{
    const struct node *root =
        tree_of(test_arena, arena_format(test_arena, "{\"n\": %s}", truths[_i].text));

    ck_assert_int_eq(node_is_true(node_member_or_null(root, SLICE("n"))), truths[_i].is_true);
}
END_TEST

static const struct {
    const char *path, *text; /* NULL: nothing there */
} places[] = {
    {"a.b.c", "deep"}, {"a.list", NULL},  {"a", NULL},      {"a.x.c", NULL},
    {"x", NULL},       {"a.b.c.d", NULL}, {"a.none", NULL}, {"a.none.x", NULL},
    {"a.B", NULL},     {"a.b.", NULL},    {"plain", "top"},
};

START_TEST(members_are_followed)
{
    const struct node *root =
        tree_of(test_arena, "{\"a\": {\"b\": {\"c\": \"deep\"}, \"none\": null, "
                            "\"list\": [\"x\"]}, \"plain\": \"top\"}");

    check_text_of(node_string(node_at(root, places[_i].path)), places[_i].text);
    ck_assert_ptr_eq(node_at(root, ""), root);
}
END_TEST

START_TEST(items_are_counted_from_zero)
{
    const struct node *list = node_at(tree_of(test_arena, "{\"l\": [\"a\", null, \"c\"]}"), "l");
    size_t seen = 0;

    ck_slice_eq(node_text(node_item(list, 0)), "a");
    ck_assert(node_is(node_item(list, 1), NODE_NULL));
    ck_slice_eq(node_text(node_item(list, 2)), "c");
    ck_assert_ptr_null(node_item(list, 3));
    ck_assert_ptr_null(node_item(node_item(list, 0), 0));
    for (NODE_EACH(item, list)) {
        ck_assert_uint_eq(item->index, seen++);
        ck_assert_ptr_eq(item->parent, list);
        ck_assert(!slice_is_set(node_key(item)));
    }
    ck_assert_uint_eq(seen, 3);
}
END_TEST

static const struct {
    const char *a, *b;
    bool equal;
} pairs[] = {
    {"{}", "{}", true},
    {"{\"x\": 1, \"y\": \"1\"}", "{\"y\": \"1\", \"x\": 1}", true},
    {"{\"x\": 1}", "{\"x\": \"1\"}", false},
    {"{\"x\": 1}", "{\"x\": 1, \"z\": 1}", false},
    {"{\"x\": 1, \"z\": 1}", "{\"x\": 1}", false},
    {"{\"x\": 1}", "{\"y\": 1}", false},
    {"{\"x\": null}", "{}", true},
    {"{\"x\": null}", "{\"x\": null}", true},
    {"{\"x\": null, \"y\": 1}", "{\"y\": 1, \"z\": null}", true},
    {"{\"x\": null, \"y\": 1}", "{\"y\": null, \"x\": 1}", false},
    {"{\"x\": null}", "{\"x\": 1}", false},
    {"{\"x\": null}", "{\"x\": {}}", false},
    {"{\"x\": [{\"a\": 1, \"b\": null}]}", "{\"x\": [{\"a\": 1}]}", true},
    {"{\"x\": [null]}", "{\"x\": []}", false},
    {"{\"x\": [null, 1]}", "{\"x\": [null, 1]}", true},
    {"{\"x\": [1, 2]}", "{\"x\": [2, 1]}", false},
    {"{\"x\": [1, 2]}", "{\"x\": [1, 2]}", true},
    {"{\"x\": [1]}", "{\"x\": [1, 1]}", false},
    {"{\"x\": []}", "{\"x\": {}}", false},
    {"{\"x\": true}", "{\"x\": false}", false},
    {"{\"x\": {\"a\": [{\"b\": 1}]}}", "{\"x\": {\"a\": [{\"b\": 1}]}}", true},
    {"{\"x\": {\"a\": [{\"b\": 1}]}}", "{\"x\": {\"a\": [{\"b\": 2}]}}", false},
};

START_TEST(equality_ignores_the_order_of_keys)
{
    const struct node *a = tree_of(test_arena, pairs[_i].a);
    const struct node *b = tree_of(test_arena, pairs[_i].b);

    ck_assert_int_eq(node_equal(a, b), pairs[_i].equal);
    ck_assert_int_eq(node_equal(b, a), pairs[_i].equal);
    ck_assert(node_equal(a, a));
    ck_assert(!node_equal(a, NULL));
    ck_assert(!node_equal(NULL, b));
}
END_TEST

static const struct {
    const char *list, *name;
    int index; /* -1: none */
} named[] = {
    {"[{\"name\": \"a\"}, {\"name\": \"b\"}]", "b", 1},
    {"[{\"name\": \"a\", \"x\": 1}, {\"name\": \"a\", \"x\": 2}]", "a", 0},
    {"[{\"id\": \"a\"}, {\"name\": \"aa\"}, {\"name\": 1}, \"a\", null]", "a", -1},
    {"[{\"id\": \"a\"}, {\"x\": 1, \"name\": \"a\"}]", "a", 1},
    {"[]", "a", -1},
};

START_TEST(items_are_found_by_name)
{
    const struct node *list = tree_of(test_arena, named[_i].list);
    const struct node *found = node_item_named(list, slice_from_text(named[_i].name));

    ck_assert_ptr_eq(found, named[_i].index < 0 ? NULL : node_item(list, (size_t)named[_i].index));
    if (found)
        ck_slice_eq(node_name(found), named[_i].name);
}
END_TEST

START_TEST(readers_accept_null)
{
    int64_t value;

    ck_assert_ptr_null(node_member(NULL, SLICE("x")));
    ck_assert_ptr_null(node_member_or_null(NULL, SLICE("x")));
    ck_assert_ptr_null(node_at(NULL, "x.y"));
    ck_assert_ptr_null(node_item(NULL, 0));
    ck_assert_ptr_null(node_item_named(NULL, SLICE("x")));
    ck_assert(!slice_is_set(node_name(NULL)));
    ck_assert_ptr_null(node_first(NULL));
    ck_assert_uint_eq(node_count(NULL), 0);
    ck_assert(!node_int(NULL, &value));
    ck_assert(!node_is_true(NULL));
    ck_assert(!node_is(NULL, NODE_NULL));
    ck_assert(!slice_is_set(node_key(NULL)));
    ck_assert(!slice_is_set(node_text(NULL)));
    ck_assert(!slice_is_set(node_string(NULL)));
    ck_assert(node_is_absent(NULL));
    ck_assert(node_equal(NULL, NULL));
    ck_assert(node_equal(NULL, node_item(tree_of(test_arena, "[null]"), 0)));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, each_kind_is_read, kinds, key, kind, text);
    add_rows(cases, only_integers_are_integers, integers, text, value);
    add_rows(cases, only_true_is_true, truths, text);
    add_rows(cases, members_are_followed, places, path, text);
    tcase_add_test(cases, items_are_counted_from_zero);
    add_rows(cases, items_are_found_by_name, named, list, name);
    add_rows(cases, equality_ignores_the_order_of_keys, pairs, a);
    tcase_add_test(cases, readers_accept_null);
}
