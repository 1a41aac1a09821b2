/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/tree.h"

/* ---- finding ---- */

#define TEN "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

/* Lines 2 to 8 hold one value each; its key is in column 2. */
static const char text_of_finding[] = "{\n"
                                      " \"text\": \"wor\\\"d\",\n"
                                      " \"long\": \"" SIXTY TEN "\",\n"
                                      " \"number\": 1.25,\n"
                                      " \"truth\": false,\n"
                                      " \"map\": {\"a\": 1},\n"
                                      " \"list\": [1],\n"
                                      " \"nothing\": null}\n";

static const struct node *root_of_finding;

static void
open_document(void)
{
    open_arena();
    root_of_finding = tree_of(test_arena, text_of_finding);
}

/* The only finding. */
static void
check_found(enum gang_code code, const char *path, uint32_t line, uint32_t column,
            const char *message, const char *hint)
{
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, code);
    ck_assert_int_eq(test_report.items[0].document,
                     line ? GANG_DOCUMENT_TRAINJOB : GANG_DOCUMENT_NONE);
    ck_assert_str_eq(test_report.items[0].path, path);
    ck_assert_uint_eq(test_report.items[0].line, line);
    ck_assert_uint_eq(test_report.items[0].column, column);
    ck_assert_str_eq(test_report.items[0].message, message);
    ck_assert_pstr_eq(test_report.items[0].hint, hint);
}

/* How k8s.io/apimachinery prints a value in field.Error, texts cut after 64 bytes. */
static const struct {
    const char *key, *shown;
    uint32_t line, column;
} values[] = {
    {"text", "\"wor\\\"d\"", 2, 10}, {"long", "\"" SIXTY "0123...\"", 3, 10},
    {"number", "1.25", 4, 12},       {"truth", "false", 5, 11},
    {"map", "{...}", 6, 9},          {"list", "[...]", 7, 10},
    {"nothing", "null", 8, 13},
};

static const struct node *
value_of(int row)
{
    return node_member_or_null(root_of_finding, slice_from_text(values[row].key));
}

START_TEST(values_are_shown)
{
    struct quoted value;

    ck_assert_str_eq(finding_value(&value, value_of(_i)), values[_i].shown);
}
END_TEST

START_TEST(an_invalid_value)
{
    find_invalid(&test_report, value_of(_i), GANG_CODE_VALUE_OUT_OF_RANGE, "smaller",
                 "must be %d or less", 4);
    check_found(GANG_CODE_VALUE_OUT_OF_RANGE, values[_i].key, values[_i].line, values[_i].column,
                arena_format(test_arena, "Invalid value: %s: must be 4 or less", values[_i].shown),
                "smaller");
}
END_TEST

START_TEST(an_unsupported_value)
{
    static const struct slice supported[] = {SLICE_INIT("None"), SLICE_INIT("Kube\"flow")};

    find_unsupported(&test_report, value_of(_i), GANG_CODE_UNSUPPORTED_VALUE, NULL, supported, 2);
    check_found(GANG_CODE_UNSUPPORTED_VALUE, values[_i].key, values[_i].line, values[_i].column,
                arena_format(test_arena,
                             "Unsupported value: %s: supported values: \"None\", \"Kube\\\"flow\"",
                             values[_i].shown),
                NULL);
}
END_TEST

START_TEST(a_duplicate_value)
{
    find_duplicate(&test_report, value_of(_i), GANG_CODE_DUPLICATE_ITEM, "rename it");
    check_found(GANG_CODE_DUPLICATE_ITEM, values[_i].key, values[_i].line, values[_i].column,
                arena_format(test_arena, "Duplicate value: %s", values[_i].shown), "rename it");
}
END_TEST

START_TEST(a_forbidden_value)
{
    find_forbidden(&test_report, value_of(0), GANG_CODE_UNKNOWN_FIELD, NULL,
                   "a %s has no namespace", "policy");
    check_found(GANG_CODE_UNKNOWN_FIELD, "text", 2, 10, "Forbidden: a policy has no namespace",
                NULL);
}
END_TEST

/* The mark is that of the map that lacks the value. */
static const struct {
    const char *member, *detail, *path, *message;
} required[] = {
    {"name", "", "map.name", "Required value"},
    {"name", "of the job", "map.name", "Required value: of the job"},
    {"", "", "map", "Required value"},
    {"a.b", "", "map.a.b", "Required value"},
};

/* The hint is behind the message, with arguments of its own; a document's text does not end it. */
START_TEST(a_hint_with_arguments)
{
    const struct node *at = value_of(3);

    find_note(&test_report, at, GANG_CODE_INVALID_NAME, HINT_IN_MESSAGE,
              "100%% of %s" HINT_MARK "write %.*s, or %lld", "it\v%", 3, "maybe", 7LL);
    check_found(GANG_CODE_INVALID_NAME, "truth", 5, 11, "100% of it\\x0b%", "write may, or 7");
    test_report.count = 0;
    find_invalid(&test_report, at, GANG_CODE_INVALID_NAME, HINT_IN_MESSAGE, "is %s" HINT_MARK "%s",
                 "wrong", "mend it");
    check_found(GANG_CODE_INVALID_NAME, "truth", 5, 11, "Invalid value: false: is wrong",
                "mend it");
}
END_TEST

START_TEST(a_missing_value)
{
    find_missing(&test_report, root_of_finding, SLICE("absent"));
    check_found(GANG_CODE_REQUIRED_FIELD, "absent", 1, 1, "Required value", NULL);
}
END_TEST

START_TEST(a_required_value)
{
    find_required(&test_report, node_at(root_of_finding, "map"),
                  slice_from_text(required[_i].member), GANG_CODE_REQUIRED_FIELD, NULL, "%s",
                  required[_i].detail);
    check_found(GANG_CODE_REQUIRED_FIELD, required[_i].path, 6, 9, required[_i].message, NULL);
}
END_TEST

START_TEST(a_note_at_the_value)
{
    find_note(&test_report, value_of(3), GANG_CODE_LATE_MEMBERS, NULL, "%d of %d", 1, 2);
    check_found(GANG_CODE_LATE_MEMBERS, "truth", 5, 11, "1 of 2", NULL);
}
END_TEST

START_TEST(a_note_at_the_key)
{
    find_note_at_key(&test_report, value_of(3), GANG_CODE_UNKNOWN_FIELD, NULL, "unknown");
    check_found(GANG_CODE_UNKNOWN_FIELD, "truth", 5, 2, "unknown", NULL);
}
END_TEST

/* The root has no key. */
START_TEST(a_note_at_no_key)
{
    find_note_at_key(&test_report, root_of_finding, GANG_CODE_UNKNOWN_FIELD, NULL, "unknown");
    check_found(GANG_CODE_UNKNOWN_FIELD, "", 1, 1, "unknown", NULL);
}
END_TEST

START_TEST(a_note_below)
{
    find_note_below(&test_report, node_at(root_of_finding, "map"), SLICE("replicas"),
                    GANG_CODE_DEFAULT_APPLIED, NULL, "defaults to 1");
    check_found(GANG_CODE_DEFAULT_APPLIED, "map.replicas", 6, 9, "defaults to 1", NULL);
}
END_TEST

START_TEST(a_note_below_missing_parents)
{
    find_note_below(&test_report, root_of_finding, SLICE("map.replicas.of"),
                    GANG_CODE_DEFAULT_APPLIED, NULL, "none");
    check_found(GANG_CODE_DEFAULT_APPLIED, "map.replicas.of", 6, 9, "none", NULL);
}
END_TEST

START_TEST(a_note_without_a_node)
{
    find_note(&test_report, NULL, GANG_CODE_EMPTY_GANG, NULL, "empty");
    check_found(GANG_CODE_EMPTY_GANG, "", 0, 0, "empty", NULL);
}
END_TEST

START_TEST(a_note_about_a_document)
{
    find_in_document(&test_report, GANG_DOCUMENT_POLICY, GANG_CODE_NO_OWNER_UID, "hint", "of %s",
                     "it");
    ck_assert_int_eq(test_report.items[0].document, GANG_DOCUMENT_POLICY);
    ck_assert_str_eq(test_report.items[0].path, "");
    ck_assert_uint_eq(test_report.items[0].line, 0);
    ck_assert_str_eq(test_report.items[0].message, "of it");
    ck_assert_str_eq(test_report.items[0].hint, "hint");
}
END_TEST

/* A number of any length is cut; so is a detail. */
/* A merge copies a node with its place; nodes of other places keep their own paths. */
START_TEST(a_path_that_is_known)
{
    const struct node *list = node_member(root_of_finding, SLICE("list"));
    const struct node *map = node_member(root_of_finding, SLICE("map"));
    const struct node merged = *node_first(list);
    const struct report_path known = {node_first(list), SLICE("known")};

    test_report.paths = &known;
    test_report.num_paths = 1;
    find_note(&test_report, &merged, GANG_CODE_LATE_MEMBERS, NULL, "merged");
    find_note(&test_report, node_first(map), GANG_CODE_LATE_MEMBERS, NULL, "of another parent");
    find_note(&test_report, list, GANG_CODE_LATE_MEMBERS, NULL, "with another index");
    find_note(&test_report, root_of_finding, GANG_CODE_LATE_MEMBERS, NULL, "without a parent");
    ck_assert_str_eq(test_report.items[0].path, "known");
    ck_assert_str_eq(test_report.items[1].path, "map.a");
    ck_assert_str_eq(test_report.items[2].path, "list");
    ck_assert_str_eq(test_report.items[3].path, "");
}
END_TEST

START_TEST(long_texts_are_cut)
{
    static const char digits[] = "0." SIXTY TEN TEN;
    const struct node number = {.kind = NODE_NUMBER, .as.text = digits, .len = sizeof(digits) - 1};
    struct quoted value;
    char detail[2000];

    ck_assert_uint_eq(strlen(finding_value(&value, &number)), 64);
    memset(detail, 'x', sizeof(detail) - 1);
    detail[sizeof(detail) - 1] = '\0';
    find_invalid(&test_report, value_of(0), GANG_CODE_VALUE_OUT_OF_RANGE, NULL, "%s", detail);
    ck_assert_uint_lt(strlen(test_report.items[0].message), 600);
    ck_assert_uint_gt(strlen(test_report.items[0].message), 400);
}
END_TEST

/* ---- path ---- */

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
    /* Keys that users choose are in brackets. */
    {"{\"metadata\": {\"labels\": {\"a.b/c\": \"here\"}}}", "metadata.labels[a.b/c]"},
    {"{\"metadata\": {\"labels\": {\"app\": \"here\"}}}", "metadata.labels[app]"},
    {"{\"metadata\": {\"annotations\": {\"app\": \"here\"}}}", "metadata.annotations[app]"},
    {"{\"resources\": {\"limits\": {\"cpu\": \"here\"}}}", "resources.limits[cpu]"},
    {"{\"resources\": {\"requests\": {\"nvidia.com/gpu\": \"here\"}}}",
     "resources.requests[nvidia.com/gpu]"},
    {"{\"spec\": {\"nodeSelector\": {\"zone\": \"here\"}}}", "spec.nodeSelector[zone]"},
    {"{\"spec\": {\"overhead\": {\"cpu\": \"here\"}}}", "spec.overhead[cpu]"},
    {"{\"selector\": {\"matchLabels\": {\"app\": \"here\"}}}", "selector.matchLabels[app]"},
    /* So are keys that are no field names, at any place. */
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
    const struct node *here = find_here(tree_of(test_arena, paths[_i].text));

    ck_assert_ptr_nonnull(here);
    ck_slice_eq(path_of(test_arena, here), paths[_i].path);
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
    const struct node *root = tree_of(test_arena, "{\"items\": [{}]}");
    struct slice child = slice_from_text(missing[_i].child);

    ck_slice_eq(path_below(test_arena, root, child), missing[_i].of_root);
    ck_slice_eq(path_below(test_arena, NULL, child), missing[_i].of_root);
    ck_slice_eq(path_below(test_arena, node_item(node_at(root, "items"), 0), child),
                missing[_i].of_item);
}
END_TEST

/* The keys of labels and annotations contain dots, so a missing one is in brackets, too. */
START_TEST(paths_of_missing_annotations)
{
    const struct node *root = tree_of(test_arena, "{\"annotations\": {}, \"labels\": {}}");

    ck_slice_eq(path_below(test_arena, node_at(root, "annotations"), SLICE("a.b/c")),
                "annotations[a.b/c]");
    ck_slice_eq(path_below(test_arena, node_at(root, "labels"), SLICE("a")), "labels[a]");
    ck_slice_eq(path_below(test_arena, node_at(root, "labels"), SLICE("")), "labels");
}
END_TEST

START_TEST(the_root_has_no_path)
{
    ck_slice_eq(path_of(test_arena, tree_of(test_arena, "{}")), "");
    ck_slice_eq(path_of(test_arena, NULL), "");
}
END_TEST

/* The same for what was built instead of read. */
START_TEST(built_trees_have_paths)
{
    struct builder root = build_map(test_arena);
    struct builder items = build_list_member(&root, SLICE("items"));
    struct builder item = build_map_item(&items);

    build_int(&item, SLICE("n"), 4);
    ck_slice_eq(path_of(test_arena, item.last), "items[0].n");
}
END_TEST

/* Deeper than any reader lets a document be. */
START_TEST(very_deep_trees_have_whole_paths)
{
    struct builder list = build_list(test_arena);
    struct builder inner = list;
    struct slice path;

    for (int i = 0; i < 500; i++) {
        struct builder next = build_map_item(&inner);

        inner = build_list_member(&next, SLICE("l"));
    }
    path = path_of(test_arena, inner.node);
    ck_assert_uint_eq(path.len, 500 * strlen("[0].l"));
    ck_slice_eq(((struct slice){path.data + path.len - 5, 5}), "[0].l");
}
END_TEST

START_TEST(without_memory_a_path_is_empty)
{
    struct arena *small = arena_new(8192);
    const struct node *here = find_here(tree_of(test_arena, "{\"a\": \"here\"}"));

    ck_assert_ptr_null(arena_alloc(small, 100000));
    ck_slice_eq(path_of(small, here), "");
    arena_free(small);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_document, close_arena);
    add_rows(cases, values_are_shown, values, key);
    add_rows(cases, an_invalid_value, values, key);
    add_rows(cases, an_unsupported_value, values, key);
    add_rows(cases, a_duplicate_value, values, key);
    tcase_add_test(cases, a_forbidden_value);
    tcase_add_test(cases, a_hint_with_arguments);
    tcase_add_test(cases, a_missing_value);
    add_rows(cases, a_required_value, required, member);
    tcase_add_test(cases, a_note_at_the_value);
    tcase_add_test(cases, a_note_at_the_key);
    tcase_add_test(cases, a_note_at_no_key);
    tcase_add_test(cases, a_note_below);
    tcase_add_test(cases, a_note_below_missing_parents);
    tcase_add_test(cases, a_note_without_a_node);
    tcase_add_test(cases, a_note_about_a_document);
    tcase_add_test(cases, a_path_that_is_known);
    tcase_add_test(cases, long_texts_are_cut);
    add_rows(cases, paths_follow_kubernetes, paths, text);
    add_rows(cases, paths_of_what_is_missing, missing, child);
    tcase_add_test(cases, paths_of_missing_annotations);
    tcase_add_test(cases, the_root_has_no_path);
    tcase_add_test(cases, built_trees_have_paths);
    tcase_add_test(cases, very_deep_trees_have_whole_paths);
    tcase_add_test(cases, without_memory_a_path_is_empty);
}
