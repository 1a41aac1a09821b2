/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/plan/plan.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/tree.h"

static const struct {
    const char *pod; /* NULL: none */
    enum pod_layout layout;
    const char *after;
} rows[] = {
    {NULL, POD_LAYOUT_POD,
     "{\"metadata\":{\"labels\":{\"group\":\"g\"}},"
     "\"spec\":{\"schedulerName\":\"s\",\"schedulingGroup\":{\"podGroupName\":\"p\"}}}"},
    {NULL, POD_LAYOUT_FLAT,
     "{\"labels\":{\"group\":\"g\"},\"schedulerName\":\"s\","
     "\"schedulingGroup\":{\"podGroupName\":\"p\"}}"},
    /* What is there stays; what changes comes last. A null counts as absent. */
    {"{\"metadata\":{\"labels\":{\"group\":\"old\",\"a\":\"b\"},\"annotations\":null},"
     "\"spec\":{\"schedulerName\":\"old\",\"containers\":[]}}",
     POD_LAYOUT_POD,
     "{\"metadata\":{\"labels\":{\"a\":\"b\",\"group\":\"g\"},\"annotations\":null},"
     "\"spec\":{\"containers\":[],\"schedulerName\":\"s\","
     "\"schedulingGroup\":{\"podGroupName\":\"p\"}}}"},
    /* a field with members is replaced as a whole */
    {"{\"schedulingGroup\":{\"podGroupName\":\"x\",\"other\":1},\"labels\":null}", POD_LAYOUT_FLAT,
     "{\"labels\":{\"group\":\"g\"},\"schedulerName\":\"s\","
     "\"schedulingGroup\":{\"podGroupName\":\"p\"}}"},
};

static struct gang_patch
patch_of_a_pod(void)
{
    struct gang_patch patch = {
        .scheduler_name = SLICE("s"), .scheduling_group = SLICE("p"), .num_labels = 1};

    patch.labels[0] = (struct plan_pair){SLICE("group"), SLICE("g")};
    return patch;
}

static void
check_tree(const struct node *root, const char *expected)
{
    struct buffer buffer = {.limit = 1000};

    document_write(&buffer, root, GANG_FORMAT_JSON);
    ck_assert_uint_eq(buffer.len, strlen(expected) + 1);
    ck_assert_mem_eq(buffer.data, expected, strlen(expected));
    buffer_clear(&buffer);
}

START_TEST(a_pod_gets_what_its_role_has)
{
    const struct gang_patch patch = patch_of_a_pod();
    struct arena *arena = arena_new(0);
    const struct node *pod = rows[_i].pod ? tree_of(arena, rows[_i].pod) : NULL;

    check_tree(pod_patch_apply(&patch, pod, rows[_i].layout, arena), rows[_i].after);
    if (pod)
        check_tree(pod, rows[_i].pod);
    arena_free(arena);
}
END_TEST

START_TEST(an_empty_patch_changes_nothing)
{
    const struct gang_patch patch = {.num_labels = 0};
    struct arena *arena = arena_new(0);
    const struct node *pod = tree_of(arena, "{\"spec\":{}}");

    ck_assert_ptr_eq(pod_patch_apply(&patch, pod, POD_LAYOUT_POD, arena), pod);
    arena_free(arena);
}
END_TEST

START_TEST(a_failed_arena_gives_null)
{
    const struct gang_patch patch = patch_of_a_pod();
    struct arena *arena = arena_new(0);

    arena_fail(arena);
    ck_assert_ptr_null(pod_patch_apply(&patch, NULL, POD_LAYOUT_POD, arena));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_pod_gets_what_its_role_has, rows, after);
    tcase_add_test(cases, an_empty_patch_changes_nothing);
    tcase_add_test(cases, a_failed_arena_gives_null);
}
