/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime_patches.h"

#include <stdio.h>

#include "unit/suite.h"
#include "unit/tree.h"

#define SPEC(jobs) "{\"replicatedJobs\":[" jobs "]}"
#define JOB(name) "{\"name\":\"" name "\",\"template\":{\"spec\":{\"parallelism\":2}}}"
#define PATCH(jobs)                                                                                \
    "{\"manager\":\"a.io/b\",\"trainingRuntimeSpec\":{\"template\":{\"spec\":" SPEC(jobs) "}}}"
#define LABEL(name, key, value)                                                                    \
    "{\"name\":\"" name "\",\"template\":{\"metadata\":{\"labels\":{\"" key "\":\"" value "\"}}}}"

static const struct {
    const char *runtime;
    const char *patches;
    const char *order;
} orders[] = {
    {SPEC(JOB("a") "," JOB("b") "," JOB("c")),
     "[" PATCH(LABEL("c", "x", "1") "," LABEL("a", "x", "1")) "]", "a b c"},
    {SPEC(JOB("a") "," JOB("b")),
     "[" PATCH(LABEL("b", "x", "1")) "," PATCH(LABEL("a", "x", "1")) "]", "a b"},
    /* Unknown names sort as the runtime's first: before it when the merge put them there. */
    {SPEC(JOB("a") "," JOB("b")), "[" PATCH(LABEL("new", "x", "1")) "]", "new a b"},
    {SPEC(JOB("a") "," JOB("b")), "[" PATCH(LABEL("a", "x", "1") "," LABEL("new", "x", "1")) "]",
     "a new b"},
    {SPEC(JOB("a") "," JOB("b")), "[" PATCH(LABEL("b", "x", "1") "," LABEL("new", "x", "1")) "]",
     "a new b"},
    {SPEC(JOB("a")), "[" PATCH(LABEL("y", "x", "1")) "," PATCH(LABEL("z", "x", "1")) "]", "z y a"},
    {"{}", "[" PATCH(LABEL("y", "x", "1") "," LABEL("x", "x", "1")) "]", "y x"},
};

static void
check_names(const struct node *spec, const char *wanted)
{
    char actual[256] = "";

    for (NODE_EACH(job, node_at(spec, "replicatedJobs"))) {
        size_t len = strlen(actual);

        snprintf(actual + len, sizeof(actual) - len, "%s%.*s", len ? " " : "",
                 SLICE_ARG(node_text(node_at(job, "name"))));
    }
    ck_assert_str_eq(actual, wanted);
}

START_TEST(restores_the_order_of_roles)
{
    struct arena *arena = arena_new(0);
    const struct node *spec = runtime_patches_apply(arena, tree_of(arena, orders[_i].runtime),
                                                    tree_of(arena, orders[_i].patches));

    check_names(spec, orders[_i].order);
    arena_free(arena);
}
END_TEST

START_TEST(lets_the_later_patch_win)
{
    struct arena *arena = arena_new(0);
    const struct node *spec = runtime_patches_apply(
        arena, tree_of(arena, SPEC(JOB("a"))),
        tree_of(arena, "[" PATCH(LABEL("a", "x", "1")) "," PATCH(LABEL("a", "x", "2")) "]"));

    ck_slice_eq(node_text(node_at(node_item(node_at(spec, "replicatedJobs"), 0),
                                  "template.metadata.labels.x")),
                "2");
    arena_free(arena);
}
END_TEST

#define IDLE(text) "[{\"manager\":\"a.io/b\",\"trainingRuntimeSpec\":" text "}]"

/* Patches that change nothing. */
static const char *const idle[] = {
    "null",
    "[]",
    "[{\"manager\":\"a.io/b\"}]",
    IDLE("null"),
    IDLE("{\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}}}"),
};

START_TEST(returns_the_spec_itself)
{
    struct arena *arena = arena_new(0);
    const struct node *original = tree_of(arena, SPEC(JOB("a")));
    const struct node *patches = _i == 0 ? NULL : tree_of(arena, idle[_i]);

    ck_assert_ptr_eq(runtime_patches_apply(arena, original, patches), original);
    arena_free(arena);
}
END_TEST

/* Fields that a patch may not have are dropped by the API server. */
static const struct {
    const char *job;
    const char *path;
    const char *text;
} pruned[] = {
    {"{\"name\":\"a\",\"template\":{\"spec\":{\"parallelism\":9}}}", "template.spec.parallelism",
     "2"},
    {"{\"name\":\"a\",\"replicas\":9}", "replicas", NULL},
    {"{\"name\":\"a\",\"template\":{\"spec\":{\"template\":{\"spec\":{\"schedulerName\":\"x\"}}}}}",
     "template.spec.template.spec.schedulerName", NULL},
    {"{\"name\":\"a\",\"template\":{\"spec\":{\"template\":{\"spec\":{\"serviceAccountName\":\"x\"}"
     "}}}}",
     "template.spec.template.spec.serviceAccountName", "x"},
    {"{\"name\":\"a\",\"template\":{\"spec\":{\"template\":{\"spec\":{\"priorityClassName\":\"x\","
     "\"serviceAccountName\":\"y\"}}}}}",
     "template.spec.template.spec.priorityClassName", NULL},
};

START_TEST(prunes_what_a_patch_may_not_set)
{
    struct arena *arena = arena_new(0);
    char patches[512];
    const struct node *spec;
    struct slice text;

    snprintf(patches, sizeof(patches),
             "[{\"trainingRuntimeSpec\":{\"template\":{\"spec\":{\"replicatedJobs\":[%s]}}}}]",
             pruned[_i].job);
    spec = runtime_patches_apply(arena, tree_of(arena, SPEC(JOB("a"))), tree_of(arena, patches));
    text = node_text(node_at(node_item(node_at(spec, "replicatedJobs"), 0), pruned[_i].path));
    if (pruned[_i].text)
        ck_slice_eq(text, pruned[_i].text);
    else
        ck_assert(!slice_is_set(text));
    arena_free(arena);
}
END_TEST

START_TEST(keeps_untouched_roles_shared)
{
    struct arena *arena = arena_new(0);
    const struct node *original = tree_of(arena, SPEC(JOB("a") "," JOB("b")));
    const struct node *spec =
        runtime_patches_apply(arena, original, tree_of(arena, "[" PATCH(LABEL("b", "x", "1")) "]"));
    const struct node *before = node_at(original, "replicatedJobs");
    const struct node *after = node_at(spec, "replicatedJobs");

    ck_assert_ptr_eq(node_item(after, 0)->as.first, node_item(before, 0)->as.first);
    ck_assert_ptr_ne(node_item(after, 1)->as.first, node_item(before, 1)->as.first);
    arena_free(arena);
}
END_TEST

START_TEST(fails_cleanly_without_memory)
{
    struct arena *source = arena_new(0);
    const struct node *original = tree_of(source, orders[4].runtime);
    const struct node *patches = tree_of(source, orders[4].patches);
    size_t failures = 0;
    bool done = false;

    for (size_t limit = 64; !done; limit += 64) {
        struct arena *arena = arena_new(limit);
        const struct node *spec = arena ? runtime_patches_apply(arena, original, patches) : NULL;

        done = spec != NULL;
        failures += !done;
        if (done)
            check_names(spec, orders[4].order);
        arena_free(arena);
    }
    ck_assert_uint_gt(failures, 0);
    arena_free(source);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, restores_the_order_of_roles, orders, runtime, patches);
    tcase_add_test(cases, lets_the_later_patch_win);
    add_items(cases, returns_the_spec_itself, idle);
    add_rows(cases, prunes_what_a_patch_may_not_set, pruned, job, text);
    tcase_add_test(cases, keeps_untouched_roles_shared);
    tcase_add_test(cases, fails_cleanly_without_memory);
}
