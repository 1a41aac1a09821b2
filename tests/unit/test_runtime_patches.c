/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include <stdio.h>

#include "unit/suite.h"
#include "unit/patch_zeros.h"
#include "unit/tree.h"
#include "unit/front.h"

/* ---- runtime patches ---- */

#define SPEC(jobs) "{\"replicatedJobs\":[" jobs "]}"
#define JOB(name) "{\"name\":\"" name "\",\"template\":{\"spec\":{\"parallelism\":2}}}"
#define PATCH(jobs)                                                                                \
    "{\"manager\":\"a.io/b\",\"trainingRuntimeSpec\":{\"template\":{\"spec\":" SPEC(jobs) "}}}"
#define RUNTIME_PATCHES_LABEL(name, key, value)                                                    \
    "{\"name\":\"" name "\",\"template\":{\"metadata\":{\"labels\":{\"" key "\":\"" value "\"}}}}"

static const struct {
    const char *runtime;
    const char *patches;
    const char *order;
} orders[] = {
    {SPEC(JOB("a") "," JOB("b") "," JOB("c")),
     "[" PATCH(RUNTIME_PATCHES_LABEL("c", "x", "1") "," RUNTIME_PATCHES_LABEL("a", "x", "1")) "]",
     "a b c"},
    {SPEC(JOB("a") "," JOB("b")),
     "[" PATCH(RUNTIME_PATCHES_LABEL("b", "x", "1")) "," PATCH(
         RUNTIME_PATCHES_LABEL("a", "x", "1")) "]",
     "a b"},
    /* Unknown names sort as the runtime's first: before it when the merge put them there. */
    {SPEC(JOB("a") "," JOB("b")), "[" PATCH(RUNTIME_PATCHES_LABEL("new", "x", "1")) "]", "new a b"},
    {SPEC(JOB("a") "," JOB("b")),
     "[" PATCH(RUNTIME_PATCHES_LABEL("a", "x", "1") "," RUNTIME_PATCHES_LABEL("new", "x", "1")) "]",
     "a new b"},
    {SPEC(JOB("a") "," JOB("b")),
     "[" PATCH(RUNTIME_PATCHES_LABEL("b", "x", "1") "," RUNTIME_PATCHES_LABEL("new", "x", "1")) "]",
     "a new b"},
    {SPEC(JOB("a")),
     "[" PATCH(RUNTIME_PATCHES_LABEL("y", "x", "1")) "," PATCH(
         RUNTIME_PATCHES_LABEL("z", "x", "1")) "]",
     "z y a"},
    {"{}",
     "[" PATCH(RUNTIME_PATCHES_LABEL("y", "x", "1") "," RUNTIME_PATCHES_LABEL("x", "x", "1")) "]",
     "y x"},
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
                                                    tree_of(arena, orders[_i].patches), true);

    check_names(spec, orders[_i].order);
    arena_free(arena);
}
END_TEST

START_TEST(lets_the_later_patch_win)
{
    struct arena *arena = arena_new(0);
    const struct node *spec = runtime_patches_apply(
        arena, tree_of(arena, SPEC(JOB("a"))),
        tree_of(arena, "[" PATCH(RUNTIME_PATCHES_LABEL("a", "x", "1")) "," PATCH(
                           RUNTIME_PATCHES_LABEL("a", "x", "2")) "]"),
        true);

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

    ck_assert_ptr_eq(runtime_patches_apply(arena, original, patches, true), original);
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
    spec =
        runtime_patches_apply(arena, tree_of(arena, SPEC(JOB("a"))), tree_of(arena, patches), true);
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
    const struct node *spec = runtime_patches_apply(
        arena, original, tree_of(arena, "[" PATCH(RUNTIME_PATCHES_LABEL("b", "x", "1")) "]"), true);
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
        const struct node *spec =
            arena ? runtime_patches_apply(arena, original, patches, true) : NULL;

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

/* The API server drops parallelism, which a patch does not have, so the role keeps one pod. */
START_TEST(a_dropped_field_of_a_job_is_not_merged)
{
    struct front front;

    front_open(
        &front, RUNTIME("", NODE_ROLE),
        TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node','template':{'spec':{'parallelism':7}}}"))),
        COMPATIBILITY_NONE);
    ck_assert_int_eq(front.wishes.roles[0].count, 1);
    front_close(&front);
}
END_TEST

/* ---- patch metadata ---- */

static const struct {
    const char *parent;
    const char *member;
    bool omitted;
} members[] = {
    {"env", "{\"value\":\"\"}", true},
    {"env", "{\"value\":\"x\"}", false},
    {"labels", "{\"value\":\"\"}", false},
    {"env", "{\"valueFrom\":null}", true},
    {"env", "{\"valueFrom\":{}}", false},
    {"volumeMounts", "{\"readOnly\":false}", true},
    {"volumeMounts", "{\"readOnly\":true}", false},
    {"csi", "{\"readOnly\":false}", false},
    {"gcePersistentDisk", "{\"partition\":0}", true},
    {"gcePersistentDisk", "{\"partition\":1}", false},
    {"securityContext", "{\"runAsUser\":0}", false},
    {"spec", "{\"tolerations\":[]}", true},
    {"spec", "{\"tolerations\":[{}]}", false},
    {"projected", "{\"sources\":[]}", false},
};

START_TEST(omits_empty_values_like_go)
{
    struct arena *arena = arena_new(0);
    const struct node *member = node_first(tree_of(arena, members[_i].member));

    ck_assert_int_eq(patch_omits(slice_from_text(members[_i].parent), member), members[_i].omitted);
    arena_free(arena);
}
END_TEST

START_TEST(omits_the_zeros_that_go_omits)
{
    struct arena *arena = arena_new(0);

    ck_assert_int_eq(patch_omits(slice_from_text(patch_zeros[_i].parent),
                                 node_first(tree_of(arena, patch_zeros[_i].member))),
                     patch_zeros[_i].omitted);
    arena_free(arena);
}
END_TEST

/* ---- patch rules ---- */

/* Sources: pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0, IsDomainPrefixedPath of
 * apimachinery. */
#define PATCH_RULES_PATCH(index) "spec.runtimePatches[" index "]"
#define PATCHED(index) ".trainingRuntimeSpec.template.spec.replicatedJobs[" index "]"
#define POD_SPEC ".template.spec.template.spec"
#define IN_POD(name, members)                                                                      \
    "{'name':'" name "','template':{'spec':{'template':{'spec':{" members "}}}}}"
#define SIDECAR                                                                                    \
    ROLE("node", "", LABEL("trainer"), "",                                                         \
         "'initContainers':[" CONTAINER("first", "") "]," POD(                                     \
             CONTAINER("node", "") "," CONTAINER("log", "")))
#define INITIALIZERS                                                                               \
    ROLE("dataset-initializer", "", LABEL("dataset-initializer"), "",                              \
         POD(CONTAINER("dataset-initializer", "")))                                                \
    "," ROLE("model-initializer", "", LABEL("model-initializer"), "",                              \
             POD(CONTAINER("model-initializer", "")))

static const struct {
    const char *manager;
    bool good;
} managers[] = {
    {"example.com/x", true},
    {"a/b", true},
    {"example.com/x/y", true},
    {"example.com/X_y-1.2", true},
    {"example.com", false},
    {"example.com/", false},
    {"/x", false},
    {"Example.com/x", false},
    {"example..com/x", false},
    {"-a.com/x", false},
    {"x", false},
    {"example.com/x y", false},
};

START_TEST(managers_are_domain_prefixed_paths)
{
    char trainjob[DOCUMENT_SIZE];
    const struct remark remark = {RUNTIME("", NODE_ROLE), trainjob, GANG_CODE_PATCH_MANAGER,
                                  PATCH_RULES_PATCH("0") ".manager"};

    snprintf(trainjob, sizeof(trainjob), TRAINJOB(PATCHES("{'manager':@'%s'}")),
             managers[_i].manager);
    if (managers[_i].good) {
        check_no_remark(&remark, COMPATIBILITY_NONE);
    } else {
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    }
}
END_TEST

/* The operator would add them, so only a warning where its behaviour is asked for. */
static const struct remark unknown[] = {
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_JOBS("x", "@{'name':'nodes'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("0") PATCHED("0")},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'},@{'name':'Node'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("0") PATCHED("1")},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'}") "," PATCH_JOBS("y", "@{'name':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("1") PATCHED("0")},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".containers[0]"},
    {RUNTIME("", SIDECAR),
     TRAINJOB(
         PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'log'},@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".containers[1]"},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'initContainers':[@{'name':'x'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN,
     PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".initContainers[0]"},
    /* a role that an earlier patch has added is not the runtime's either */
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'b'}") "," PATCH_JOBS("y", "@{'name':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, PATCH_RULES_PATCH("1") PATCHED("0")},
};

START_TEST(targets_must_exist)
{
    check_remark(&unknown[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&unknown[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark reserved_env[] = {
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(
         PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'node','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN,
     PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
    {RUNTIME("", SIDECAR "," INITIALIZERS),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("dataset-initializer",
                     "'containers':[{'name':'dataset-initializer','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN,
     PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
    {RUNTIME("", SIDECAR "," INITIALIZERS),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("model-initializer",
                     "'containers':[{'name':'model-initializer','env':@[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN,
     PATCH_RULES_PATCH("0") PATCHED("0") POD_SPEC ".containers[0].env"},
};

START_TEST(env_of_some_containers_is_the_operators)
{
    check_remark(&reserved_env[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&reserved_env[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(
         PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'log','env':[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS("x", IN_POD("node", "'containers':[{'name':'node','env':[]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("node", "'initContainers':[{'name':'first','env':[{'name':'A'}]}]")))),
     GANG_CODE_PATCH_ENV_FORBIDDEN, NULL},
    {RUNTIME("", SIDECAR),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", IN_POD("node", "'containers':[{'name':'node'},{'name':'log'}],'initContainers':"
                             "[{'name':'first'}]")))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES(PATCH_METADATA("x", "'labels':{'a':'b'}"))),
     GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
    {RUNTIME("", SIDECAR), TRAINJOB(PATCHES("")), GANG_CODE_PATCH_TARGET_UNKNOWN, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, restores_the_order_of_roles, orders, runtime, patches);
    tcase_add_test(cases, lets_the_later_patch_win);
    add_items(cases, returns_the_spec_itself, idle);
    add_rows(cases, prunes_what_a_patch_may_not_set, pruned, job, text);
    tcase_add_test(cases, a_dropped_field_of_a_job_is_not_merged);
    tcase_add_test(cases, keeps_untouched_roles_shared);
    tcase_add_test(cases, fails_cleanly_without_memory);
    add_rows(cases, omits_empty_values_like_go, members, parent, member);
    add_rows(cases, omits_the_zeros_that_go_omits, patch_zeros, parent, member);
    add_rows(cases, managers_are_domain_prefixed_paths, managers, manager);
    add_rows(cases, targets_must_exist, unknown, runtime, trainjob);
    add_rows(cases, env_of_some_containers_is_the_operators, reserved_env, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
}
