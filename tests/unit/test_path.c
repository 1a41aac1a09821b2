/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/finding.h"

#include "libgang/document/build.h"
#include "unit/suite.h"
#include "unit/tree.h"

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

/* k8s.io/apimachinery/pkg/util/validation/field/path.go: Child, Index, Key. The text holds one
 * value, "here". */
static const struct {
    const char *text, *path;
} paths[] = {
    {"{\"kind\": \"here\"}", "kind"},
    {"{\"spec\": {\"mlPolicy\": {\"numNodes\": \"here\"}}}", "spec.mlPolicy.numNodes"},
    {"{\"items\": [\"here\"]}", "items[0]"},
    {"{\"items\": [1, 2, \"here\"]}", "items[2]"},
    {"{\"items\": [[1, \"here\"]]}", "items[0][1]"},
    {"{\"a\": [{\"b\": [1, {\"c\": \"here\"}]}]}", "a[0].b[1].c"},
    /* Keys that users choose stand in brackets. */
    {"{\"metadata\": {\"labels\": {\"a.b/c\": \"here\"}}}", "metadata.labels[a.b/c]"},
    {"{\"metadata\": {\"labels\": {\"app\": \"here\"}}}", "metadata.labels[app]"},
    {"{\"metadata\": {\"annotations\": {\"app\": \"here\"}}}", "metadata.annotations[app]"},
    {"{\"resources\": {\"limits\": {\"cpu\": \"here\"}}}", "resources.limits[cpu]"},
    {"{\"resources\": {\"requests\": {\"nvidia.com/gpu\": \"here\"}}}",
     "resources.requests[nvidia.com/gpu]"},
    {"{\"spec\": {\"nodeSelector\": {\"zone\": \"here\"}}}", "spec.nodeSelector[zone]"},
    {"{\"spec\": {\"overhead\": {\"cpu\": \"here\"}}}", "spec.overhead[cpu]"},
    {"{\"selector\": {\"matchLabels\": {\"app\": \"here\"}}}", "selector.matchLabels[app]"},
    /* So do keys that are no field names, wherever they stand. */
    {"{\"spec\": {\"a.b\": \"here\"}}", "spec[a.b]"},
    {"{\"spec\": {\"a-b\": \"here\"}}", "spec[a-b]"},
    {"{\"spec\": {\"\": \"here\"}}", "spec[]"},
    {"{\"spec\": {\"a_1\": \"here\"}}", "spec.a_1"},
    {"{\"a.b\": {\"c\": \"here\"}}", "[a.b].c"},
    /* A field below a free key is a field again. */
    {"{\"labels\": {\"x\": {\"y\": \"here\"}}}", "labels[x].y"},
    {"{\"labels\": [\"here\"]}", "labels[0]"},
};

static const struct node *
find_here(const struct node *node)
{
    if (slice_equal(node_string(node), SLICE("here")))
        return node;
    for (NODE_EACH(child, node)) {
        const struct node *found = find_here(child);

        if (found)
            return found;
    }
    return NULL;
}

START_TEST(paths_follow_kubernetes)
{
    const struct node *here = find_here(tree_of(arena, paths[_i].text));

    ck_assert_ptr_nonnull(here);
    ck_slice_eq(path_of(arena, here), paths[_i].path);
}
END_TEST

/* What is missing is named below the map that lacks it. */
static const struct {
    const char *child, *of_root, *of_item;
} missing[] = {
    {"", "", "items[0]"},
    {"name", "name", "items[0].name"},
    {"spec.x.y", "spec.x.y", "items[0].spec.x.y"},
};

START_TEST(paths_of_what_is_missing)
{
    const struct node *root = tree_of(arena, "{\"items\": [{}]}");
    struct slice child = slice_from_text(missing[_i].child);

    ck_slice_eq(path_below(arena, root, child), missing[_i].of_root);
    ck_slice_eq(path_below(arena, NULL, child), missing[_i].of_root);
    ck_slice_eq(path_below(arena, node_item(node_at(root, "items"), 0), child),
                missing[_i].of_item);
}
END_TEST

START_TEST(the_root_has_no_path)
{
    ck_slice_eq(path_of(arena, tree_of(arena, "{}")), "");
    ck_slice_eq(path_of(arena, NULL), "");
}
END_TEST

/* The same for what was built instead of read. */
START_TEST(built_trees_have_paths)
{
    struct builder root = build_map(arena);
    struct builder items = build_list_member(&root, SLICE("items"));
    struct builder item = build_map_item(&items);

    build_int(&item, SLICE("n"), 4);
    ck_slice_eq(path_of(arena, item.last), "items[0].n");
}
END_TEST

/* Deeper than any reader lets a document be. */
START_TEST(very_deep_trees_have_whole_paths)
{
    struct builder list = build_list(arena);
    struct builder inner = list;
    struct slice path;

    for (int i = 0; i < 500; i++) {
        struct builder next = build_map_item(&inner);

        inner = build_list_member(&next, SLICE("l"));
    }
    path = path_of(arena, inner.node);
    ck_assert_uint_eq(path.len, 500 * strlen("[0].l"));
    ck_slice_eq(((struct slice){path.data + path.len - 5, 5}), "[0].l");
}
END_TEST

START_TEST(without_memory_a_path_is_empty)
{
    struct arena *small = arena_new(8192);
    const struct node *here = find_here(tree_of(arena, "{\"a\": \"here\"}"));

    ck_assert_ptr_null(arena_alloc(small, 100000));
    ck_slice_eq(path_of(small, here), "");
    arena_free(small);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, paths_follow_kubernetes, paths, text);
    add_rows(cases, paths_of_what_is_missing, missing, child);
    tcase_add_test(cases, the_root_has_no_path);
    tcase_add_test(cases, built_trees_have_paths);
    tcase_add_test(cases, very_deep_trees_have_whole_paths);
    tcase_add_test(cases, without_memory_a_path_is_empty);
}
