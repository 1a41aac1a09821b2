/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "unit/suite.h"
#include "unit/tree.h"

/* Compact, in the order of the tree: what is read is what is written. */
static const char *const texts[] = {
    "{}",
    "{\"a\":[]}",
    "{\"a\":{},\"b\":[{}]}",
    "{\"b\":1,\"a\":-2}",
    "{\"a\":true,\"b\":false,\"c\":null}",
    "{\"a\":\"\",\"\":\"a\"}",
    "{\"a\":[1,[2,[3,[4]]],5]}",
    "{\"a\":{\"b\":{\"c\":{\"d\":\"e\"}}},\"f\":\"g\"}",
    "{\"a\":9223372036854775807,\"b\":-9223372036854775808}",
    "{\"a\":18446744073709551615,\"b\":0.5,\"c\":1e+21}",
    "{\"quote\\\"d\":\"line\\nbreak \\u0000\"}",
};

START_TEST(writes_what_was_read)
{
    struct arena *arena = arena_new(0);
    struct buffer out = {0};

    json_write(&out, tree_of(arena, texts[_i]));
    ck_slice_eq(((struct slice){out.data, out.len}), texts[_i]);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

START_TEST(null_node_is_written_as_null)
{
    struct buffer out = {0};

    json_write(&out, NULL);
    ck_slice_eq(((struct slice){out.data, out.len}), "null");
    buffer_clear(&out);
}
END_TEST

/* Deeper than any reader lets in: refused, not cut. */
START_TEST(cyclic_trees_fail)
{
    struct arena *arena = arena_new(0);
    struct builder root = build_map(arena);
    struct builder inner = root;
    struct buffer out = {0};

    for (int i = 0; i < 159; i++)
        inner = build_map_member(&inner, SLICE("a"));
    json_write(&out, root.node);
    ck_assert(!out.failed);
    buffer_clear(&out);
    for (int i = 0; i < 10; i++)
        inner = build_map_member(&inner, SLICE("a"));
    json_write(&out, root.node);
    ck_assert(out.failed);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

START_TEST(limits_end_the_output)
{
    struct arena *arena = arena_new(0);
    const struct node *root = tree_of(arena, "{\"a\":[1,2,3]}");
    struct buffer out = {.limit = 13};

    json_write(&out, root);
    ck_assert(!out.failed);
    buffer_clear(&out);
    out.limit = 12;
    json_write(&out, root);
    ck_assert(out.hit_limit);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, writes_what_was_read, texts);
    tcase_add_test(cases, null_node_is_written_as_null);
    tcase_add_test(cases, cyclic_trees_fail);
    tcase_add_test(cases, limits_end_the_output);
}
