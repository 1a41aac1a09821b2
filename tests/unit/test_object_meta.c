/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"

#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* A document with one label and one annotation, each with marks of its own. */
struct marked_document {
    struct node root;
    struct node metadata;
    struct node name;
    struct node labels;
    struct node label;
    struct node annotations;
    struct node annotation;
};

static void
marked_string(struct node *node, const struct node *parent, struct slice key, struct slice text,
              uint32_t line)
{
    *node = (struct node){.kind = NODE_STRING,
                          .parent = parent,
                          .key = key.data,
                          .key_len = (uint32_t)key.len,
                          .as.text = text.data,
                          .len = (uint32_t)text.len,
                          .line = line,
                          .column = 20,
                          .key_line = line,
                          .key_column = 5,
                          .document = GANG_DOCUMENT_TRAINJOB};
}

static void
marked_map(struct node *node, const struct node *parent, struct slice key, const struct node *first,
           uint32_t line)
{
    marked_string(node, parent, key, NO_SLICE, line);
    node->kind = NODE_MAP;
    node->as.first = first;
    node->len = 0;
    for (const struct node *child = first; child; child = child->next)
        node->len++;
}

static void
marked_document_init(struct marked_document *tree, struct slice name, struct slice label,
                     struct slice value, struct slice annotation, struct slice text)
{
    marked_string(&tree->name, &tree->metadata, SLICE("name"), name, 3);
    marked_string(&tree->label, &tree->labels, label, value, 5);
    marked_string(&tree->annotation, &tree->annotations, annotation, text, 7);
    marked_map(&tree->annotations, &tree->metadata, SLICE("annotations"), &tree->annotation, 6);
    marked_map(&tree->labels, &tree->metadata, SLICE("labels"), &tree->label, 4);
    tree->name.next = &tree->labels;
    tree->labels.next = &tree->annotations;
    marked_map(&tree->metadata, &tree->root, SLICE("metadata"), &tree->name, 2);
    marked_map(&tree->root, NULL, NO_SLICE, &tree->metadata, 1);
}

START_TEST(reads_metadata)
{
    struct builder root = build_map(test_arena);
    struct builder metadata = build_map_member(&root, SLICE("metadata"));
    struct builder labels = build_map_member(&metadata, SLICE("labels"));
    struct object_meta meta;

    build_string(&labels, SLICE("kueue.x-k8s.io/queue-name"), SLICE("team-a"));
    build_string(&metadata, SLICE("name"), SLICE("deeps"));
    build_string(&metadata, SLICE("namespace"), SLICE("ml"));
    build_string(&metadata, SLICE("uid"), SLICE("5f0c"));
    meta = object_meta_read(root.node, NAMES_WRITTEN, &test_report);
    ck_slice_eq(meta.name, "deeps");
    ck_slice_eq(meta.namespace_, "ml");
    ck_slice_eq(meta.uid, "5f0c");
    ck_assert_ptr_eq(meta.labels, labels.node);
    ck_assert_ptr_null(meta.annotations);
    ck_assert_ptr_eq(meta.source, metadata.node);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

/* kubernetes/apimachinery:pkg/apis/meta/v1/types.go ObjectMeta@v0.36.3 */
START_TEST(knows_every_field)
{
    static const char *const fields[] = {
        "generateName",
        "selfLink",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "ownerReferences",
        "finalizers",
        "managedFields",
        "deletionTimestamp",
        "namespace",
        "uid",
        "deletionGracePeriodSeconds",
    };
    struct builder root = build_map(test_arena);
    struct builder metadata = build_map_member(&root, SLICE("metadata"));

    build_string(&metadata, SLICE("name"), SLICE("a"));
    for (int i = 0; i < ITEMS_OF(fields); i++)
        build_string(&metadata, slice_from_text(fields[i]), SLICE("a"));
    object_meta_read(root.node, NAMES_WRITTEN, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    build_string(&metadata, SLICE("clusterName"), SLICE("a"));
    object_meta_read(root.node, NAMES_WRITTEN, &test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, GANG_CODE_UNKNOWN_FIELD);
}
END_TEST

static const struct {
    struct slice name;
    struct slice label;
    struct slice value;
    struct slice annotation;
    enum gang_code code;
    const char *path;
    uint32_t line;
    uint32_t column;
    const char *message;
} wrong[] = {
    {SLICE_INIT(""), SLICE_INIT("a"), SLICE_INIT("b"), SLICE_INIT("c"), GANG_CODE_REQUIRED_FIELD,
     "metadata.name", 2, 20, "Required value"},
    {SLICE_INIT("x\0y"), SLICE_INIT("a"), SLICE_INIT("b"), SLICE_INIT("c"), GANG_CODE_NUL_CHARACTER,
     "metadata.name", 3, 20, "Invalid value: \"x\\x00y\": must not contain NUL characters"},
    {SLICE_INIT("x"), SLICE_INIT("/simple"), SLICE_INIT("b"), SLICE_INIT("c"),
     GANG_CODE_INVALID_LABEL_KEY, "metadata.labels[/simple]", 5, 5,
     "Invalid value: \"/simple\": prefix part must be non-empty"},
    {SLICE_INIT("x"), SLICE_INIT(A63 "a"), SLICE_INIT("b"), SLICE_INIT("c"),
     GANG_CODE_INVALID_LABEL_KEY, "metadata.labels[" A63 "a]", 5, 5,
     "Invalid value: \"" A63 "a\": name part must be no more than 63 bytes"},
    {SLICE_INIT("x"), SLICE_INIT("a"), SLICE_INIT("team a"), SLICE_INIT("c"),
     GANG_CODE_INVALID_LABEL_VALUE, "metadata.labels[a]", 5, 20,
     "Invalid value: \"team a\": a valid label must be an empty string or consist of alphanumeric "
     "characters, '-', "
     "'_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
     "'my_value',  or "
     "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
    {SLICE_INIT("x"), SLICE_INIT("a"), SLICE_INIT(A63 "a"), SLICE_INIT("c"),
     GANG_CODE_INVALID_LABEL_VALUE, "metadata.labels[a]", 5, 20,
     "Invalid value: \"" A63 "a\": must be no more than 63 bytes"},
    {SLICE_INIT("x"), SLICE_INIT("a"), SLICE_INIT("b"), SLICE_INIT("/c"),
     GANG_CODE_INVALID_LABEL_KEY, "metadata.annotations[/c]", 7, 5,
     "Invalid value: \"/c\": prefix part must be non-empty"},
};

START_TEST(reports_message_and_place)
{
    struct marked_document tree;

    marked_document_init(&tree, wrong[_i].name, wrong[_i].label, wrong[_i].value,
                         wrong[_i].annotation, SLICE("any text\n at all"));
    object_meta_read(&tree.root, NAMES_WRITTEN, &test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, wrong[_i].code);
    ck_assert_str_eq(test_report.items[0].path, wrong[_i].path);
    ck_assert_uint_eq(test_report.items[0].line, wrong[_i].line);
    ck_assert_uint_eq(test_report.items[0].column, wrong[_i].column);
    ck_assert_str_eq(test_report.items[0].message, wrong[_i].message);
    ck_assert_int_eq(test_report.items[0].document, GANG_DOCUMENT_TRAINJOB);
    ck_assert_uint_eq(test_report.errors, 1);
}
END_TEST

START_TEST(accepts_upper_case_prefixes_in_annotations_only)
{
    struct marked_document tree;

    marked_document_init(&tree, SLICE("x"), SLICE("Example.com/a"), SLICE(""),
                         SLICE("Example.com/a"), SLICE(""));
    object_meta_read(&tree.root, NAMES_WRITTEN, &test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_str_eq(test_report.items[0].path, "metadata.labels[Example.com/a]");
}
END_TEST

START_TEST(a_missing_name_is_reported)
{
    struct builder root = build_map(test_arena);
    struct object_meta meta;

    if (_i > 0) {
        struct builder metadata = build_map_member(&root, SLICE("metadata"));

        if (_i > 1)
            build_string(&metadata, SLICE("generateName"), SLICE("job-"));
    }
    meta = object_meta_read(root.node, NAMES_WRITTEN, &test_report);
    ck_assert(!slice_is_set(meta.name));
    ck_assert(!slice_is_set(meta.namespace_));
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, GANG_CODE_REQUIRED_FIELD);
    ck_assert_str_eq(test_report.items[0].path, "metadata.name");
    ck_assert_str_eq(test_report.items[0].message, "Required value");
    ck_assert_int_eq(strstr(test_report.items[0].hint, "generate") != NULL, _i > 1);
}
END_TEST

static struct object_meta
read_job_with(struct slice prefix)
{
    struct builder root = build_map(test_arena);
    struct builder metadata = build_map_member(&root, SLICE("metadata"));

    build_string(&metadata, SLICE("generateName"), prefix);
    return object_meta_read(root.node, NAMES_GENERATED_TOO, &test_report);
}

/* kubernetes/apiserver:pkg/storage/names/generate.go: 5 of bcdfghjklmnpqrstvwxz2456789. */
START_TEST(the_name_of_a_job_can_be_generated)
{
    struct object_meta meta = read_job_with(SLICE("job-"));

    ck_slice_eq(meta.name, "job-xxxxx");
    ck_assert(meta.name_is_generated);
    object_meta_check_name(&meta, NAME_DNS1035_LABEL, GANG_CODE_INVALID_NAME, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    meta = read_job_with(SLICE(A63)); /* MaxGeneratedNameLength of it */
    ck_assert_uint_eq(meta.name.len, 63);
    object_meta_check_name(&meta, NAME_DNS1035_LABEL, GANG_CODE_INVALID_NAME, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    meta = read_job_with(SLICE("Job-"));
    object_meta_check_name(&meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, &test_report);
    report_sort(&test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_str_eq(test_report.items[0].path, "metadata.generateName");
    ck_assert_int_eq(test_report.items[0].severity, GANG_SEVERITY_ERROR);
}
END_TEST

/* ValidateObjectMeta() of kubernetes/apimachinery checks them with maskTrailingDash(). */
START_TEST(an_impossible_prefix_is_refused)
{
    static const struct slice prefixes[] = {SLICE_INIT("a."), SLICE_INIT("a\0b"),
                                            SLICE_INIT(A63 A63 A63 A63 "aa"), SLICE_INIT("-")};

    read_job_with(prefixes[_i]);
    ck_assert_uint_gt(test_report.errors, 0);
    ck_assert_str_eq(test_report.items[0].path, "metadata.generateName");
}
END_TEST

START_TEST(an_empty_prefix_is_no_name)
{
    struct object_meta meta = read_job_with(SLICE(""));

    ck_assert(!slice_is_set(meta.name));
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_str_eq(test_report.items[0].path, "metadata.name");
}
END_TEST

START_TEST(reports_every_problem)
{
    struct builder labels = build_map(test_arena);

    build_string(&labels, SLICE("ok"), SLICE("ok"));
    build_string(&labels, SLICE("a/b/c"), SLICE("-"));
    build_string(&labels, SLICE(""), SLICE("x"));
    build_int(&labels, SLICE("n"), 1);
    object_meta_check_labels(labels.node, &test_report);
    ck_assert_uint_eq(test_report.count, 4);
    ck_assert_int_eq(test_report.items[0].code, GANG_CODE_INVALID_LABEL_KEY);
    ck_assert_int_eq(test_report.items[1].code, GANG_CODE_INVALID_LABEL_VALUE);
    ck_assert_int_eq(test_report.items[2].code, GANG_CODE_INVALID_LABEL_KEY);
    ck_assert_int_eq(test_report.items[3].code, GANG_CODE_INVALID_LABEL_KEY);
}
END_TEST

START_TEST(absent_metadata_is_accepted)
{
    struct marked_document tree;

    marked_document_init(&tree, SLICE("x"), SLICE("a"), SLICE("b"), SLICE("c"), SLICE("d"));
    object_meta_check_labels(NULL, &test_report);
    object_meta_check_annotations(NULL, &test_report);
    object_meta_check_labels(&tree.name, &test_report);
    object_meta_check_annotations(&tree.name, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

/* Keys and values together may take 262144 bytes. */
START_TEST(annotations_have_a_largest_size)
{
    enum { LARGEST = 262144 };
    struct builder annotations = build_map(test_arena);
    char *text = arena_alloc(test_arena, LARGEST);

    ck_assert_ptr_nonnull(text);
    memset(text, 'x', LARGEST);
    build_string(&annotations, SLICE("ab"), (struct slice){text, 1000});
    build_string(&annotations, SLICE("abc"), (struct slice){text, (size_t)(LARGEST - 1005 + _i)});
    object_meta_check_annotations(annotations.node, &test_report);
    ck_assert_uint_eq(test_report.count, (unsigned)_i);
    if (_i == 0)
        return;
    ck_assert_int_eq(test_report.items[0].code, GANG_CODE_ANNOTATIONS_TOO_LARGE);
    ck_assert_str_eq(test_report.items[0].message, "Too long: may not be more than 262144 bytes");
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    tcase_add_test(cases, reads_metadata);
    tcase_add_test(cases, knows_every_field);
    add_rows(cases, reports_message_and_place, wrong, name, label, value);
    tcase_add_test(cases, accepts_upper_case_prefixes_in_annotations_only);
    tcase_add_loop_test(cases, a_missing_name_is_reported, 0, 3);
    tcase_add_test(cases, the_name_of_a_job_can_be_generated);
    tcase_add_loop_test(cases, an_impossible_prefix_is_refused, 0, 4);
    tcase_add_test(cases, an_empty_prefix_is_no_name);
    tcase_add_test(cases, reports_every_problem);
    tcase_add_test(cases, absent_metadata_is_accepted);
    tcase_add_loop_test(cases, annotations_have_a_largest_size, 0, 2);
}
