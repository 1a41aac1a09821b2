/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

/* The other library's trees are those that the JSON reader makes, without their places. */

static void
look(const void *value, struct tree_value *out)
{
    const struct node *node = value;

    out->kind = (enum node_kind)node->kind;
    out->text = node_text(node);
}

static bool
next(const void *container, struct tree_place *place, struct tree_child *child)
{
    const struct node *node = place->index++ ? place->next : node_first(container);

    if (!node)
        return false;
    place->next = node->next;
    *child = (struct tree_child){node_key(node), node};
    return true;
}

static const struct node *
read_tree(struct reading *reading, const struct node *root)
{
    const struct document_tree tree = {.root = root, .look = look, .next = next};

    return tree_read(&reading->request, &tree);
}

static const char *const good_texts[] = {
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "[1,-1,0,9223372036854775807,18446744073709551615,2.5,1e+30]",
    "{\"a\":{\"b\":[{\"c\":null},[[]],\"d\"]},\"\":false}",
    "{\"key\":\"\\u00e9\\ud83d\\ude00\\\"\\\\\"}",
};

START_TEST(reads)
{
    struct reading text;
    struct reading tree;
    const struct node *root;

    reading_start(&text);
    reading_start(&tree);
    root = json_read(&text.request, slice_from_text(good_texts[_i]));
    ck_assert_str_eq(reading_json(&tree, read_tree(&tree, root)), reading_json(&text, root));
    ck_assert_uint_eq(tree.report.count, 0);
    reading_end(&text);
    reading_end(&tree);
}
END_TEST

/* Values and keys are numbered in their order, and have no line. */
START_TEST(numbers_places)
{
    struct reading text;
    struct reading tree;
    const struct node *root;
    const struct node *second;

    reading_start(&text);
    reading_start(&tree);
    root = read_tree(&tree, json_read(&text.request, SLICE("{\"a\":[true],\"b\":2}")));
    second = node_member(root, SLICE("b"));
    ck_assert_uint_eq(root->column, 1);
    ck_assert_uint_eq(node_first(root)->key_column, 2);
    ck_assert_uint_eq(node_first(root)->column, 3);
    ck_assert_uint_eq(node_first(node_first(root))->column, 4);
    ck_assert_uint_eq(second->key_column, 5);
    ck_assert_uint_eq(second->column, 6);
    ck_assert_uint_eq(second->line + second->key_line, 0);
    reading_end(&text);
    reading_end(&tree);
}
END_TEST

/* A limit that is one below what the text has refuses the tree as it refuses the text. */
static const struct {
    const char *text;
    enum gang_limit limit;
    uint64_t value;
    const char *path; /* of the finding */
} limit_rows[] = {
    {"[[1]]", GANG_LIMIT_DEPTH, 1, "[0]"},
    {"{\"a\":{\"b\":{}}}", GANG_LIMIT_DEPTH, 2, "a.b"},
    {"[1,2,3]", GANG_LIMIT_NODES, 3, ""},
    {"{\"l\":[1,2,3]}", GANG_LIMIT_LIST_ITEMS, 2, "l"},
    {"{\"m\":{\"a\":1,\"b\":2}}", GANG_LIMIT_MAP_KEYS, 1, "m"},
    {"{\"m\":{\"long\":1}}", GANG_LIMIT_KEY_BYTES, 3, "m"},
    {"{\"m\":\"long\"}", GANG_LIMIT_SCALAR_BYTES, 3, "m"},
    {"[\"abc\",\"def\"]", GANG_LIMIT_DOCUMENT_BYTES, 5, "[1]"},
};

START_TEST(keeps_limits)
{
    struct reading text;
    struct reading tree;
    const struct node *root;

    for (uint64_t more = 0; more <= 1; more++) {
        reading_start(&text);
        reading_start(&tree);
        root = json_read(&text.request, slice_from_text(limit_rows[_i].text));
        tree.limits.value[limit_rows[_i].limit] = limit_rows[_i].value + more;
        ck_assert_int_eq(read_tree(&tree, root) != NULL, (int)more);
        ck_assert_uint_eq(tree.report.count, 1 - more);
        if (!more) {
            ck_assert_int_eq(tree.report.items[0].code, limit_table[limit_rows[_i].limit].code);
            ck_assert_str_eq(tree.report.items[0].path, limit_rows[_i].path);
            ck_assert_uint_eq(tree.report.items[0].line, 0);
        }
        reading_end(&text);
        reading_end(&tree);
    }
}
END_TEST

/* What no text can have. */
static const struct {
    enum node_kind kind;
    struct slice text;
    enum gang_code code;
} bad_values[] = {
    {NODE_STRING, SLICE_INIT("\xFF"), GANG_CODE_ENCODING},
    {NODE_STRING, SLICE_INIT("a\xE2\x82"), GANG_CODE_ENCODING},
    {NODE_NUMBER, {0}, GANG_CODE_NUMBER_PRECISION},
    {NODE_NUMBER, SLICE_INIT("1e400"), GANG_CODE_NUMBER_PRECISION},
    {NODE_INT, SLICE_INIT("18446744073709551616"), GANG_CODE_NUMBER_PRECISION},
};

static void
look_at_bad_value(const void *value, struct tree_value *out)
{
    const size_t row = (size_t)((const struct node *)value)->index;

    *out = (struct tree_value){.kind = bad_values[row].kind, .text = bad_values[row].text};
}

START_TEST(refuses_values)
{
    const struct node root = {.index = (uint32_t)_i};
    const struct document_tree tree = {.root = &root, .look = look_at_bad_value, .next = next};
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(tree_read(&reading.request, &tree));
    ck_assert_uint_eq(reading.report.count, 1);
    ck_assert_int_eq(reading.report.items[0].code, bad_values[_i].code);
    reading_end(&reading);
}
END_TEST

START_TEST(refuses_a_key_that_is_not_utf8)
{
    const struct node bad = {.key = "\x80", .key_len = 1, .kind = NODE_NULL};
    const struct node root = {.kind = NODE_MAP, .as.first = &bad, .len = 1};
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(read_tree(&reading, &root));
    ck_assert_int_eq(reading.report.items[0].code, GANG_CODE_ENCODING);
    reading_end(&reading);
}
END_TEST

static const struct {
    const char *text;
    const char *kind; /* NULL: none */
} kind_rows[] = {
    {"{\"kind\":\"Job\"}", "Job"},
    {"{\"a\":{\"kind\":\"Job\"},\"kind\":\"JobSet\"}", "JobSet"},
    {"{\"kind\":1}", NULL},
    {"{\"kind\":null}", NULL},
    {"{\"kinds\":\"Job\"}", NULL},
    {"[\"kind\"]", NULL},
    {"\"kind\"", NULL},
};

START_TEST(finds_the_kind)
{
    struct reading reading;
    struct document_tree tree = {.look = look, .next = next};

    reading_start(&reading);
    tree.root = json_read(&reading.request, slice_from_text(kind_rows[_i].text));
    if (kind_rows[_i].kind)
        ck_slice_eq(document_tree_kind(&tree), kind_rows[_i].kind);
    else
        ck_assert(!slice_is_set(document_tree_kind(&tree)));
    reading_end(&reading);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, reads, good_texts);
    tcase_add_test(cases, numbers_places);
    add_rows(cases, keeps_limits, limit_rows, text, value);
    add_rows(cases, refuses_values, bad_values, kind);
    tcase_add_test(cases, refuses_a_key_that_is_not_utf8);
    add_rows(cases, finds_the_kind, kind_rows, text);
}
