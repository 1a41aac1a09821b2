/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_admission.h"

#include "unit/resource_text.h"
#include "unit/suite.h"

static struct arena *arena;
static struct report report;
static struct runtime_class classes[3];

static struct runtime_class
class_from(const char *name, const char *overhead)
{
    struct builder class = build_map(arena);
    struct builder amounts;

    build_string(&class, SLICE("name"), slice_from_text(name));
    amounts = build_map_member(&class, SLICE("overhead"));
    text_build_resources(&amounts, slice_from_text(overhead));
    return runtime_class_read(class.node, arena, &report);
}

static void
open_arena(void)
{
    arena = arena_new(0);
    report_init(&report, arena, &standard_limits);
    classes[0] = class_from("gvisor", "cpu=100m");
    classes[1] = class_from("kata", "cpu=250m,memory=120Mi");
    classes[2] = class_from("runc", "");
}

static void
close_arena(void)
{
    ck_assert(!arena_failed(arena));
    arena_free(arena);
}

/* The words of kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go@v1.36.2. */
static const struct {
    const char *name;     /* of the pod's class; NULL: none */
    const char *overhead; /* that the pod states; NULL: none */
    const char *result;   /* the overhead that it has then */
    int code;             /* 0: silence */
    const char *path;
    const char *message;
} pods[] = {
    {NULL, NULL, "", 0, NULL, NULL},
    {"runc", NULL, "", 0, NULL, NULL},
    {"gvisor", NULL, "cpu=100m", GANG_CODE_DEFAULT_APPLIED, "runtimeClassName",
     "each pod requests the overhead of RuntimeClass \"gvisor\" too: cpu 100m"},
    {"kata", NULL, "cpu=250m,memory=120Mi", GANG_CODE_DEFAULT_APPLIED, "runtimeClassName",
     "each pod requests the overhead of RuntimeClass \"kata\" too: cpu 250m, memory 120Mi"},
    {"kata", "cpu=250m,memory=120Mi", "cpu=250m,memory=120Mi", 0, NULL, NULL},
    {"kata", "cpu=0.25,memory=122880Ki", "cpu=250m,memory=120Mi", 0, NULL, NULL},
    {"kata", "cpu=250m", "cpu=250m", GANG_CODE_OVERHEAD_MISMATCH, "overhead",
     "Forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"},
    {"kata", "cpu=250m,memory=121Mi", "cpu=250m,memory=121Mi", GANG_CODE_OVERHEAD_MISMATCH,
     "overhead",
     "Forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"},
    {"kata", "cpu=250m,storage=120Mi", "cpu=250m,storage=120Mi", GANG_CODE_OVERHEAD_MISMATCH,
     "overhead",
     "Forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"},
    {"runc", "cpu=1", "cpu=1", GANG_CODE_OVERHEAD_MISMATCH, "overhead",
     "Forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined "
     "Overhead"},
    {NULL, "cpu=1", "cpu=1", GANG_CODE_OVERHEAD_MISMATCH, "overhead",
     "Forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined "
     "Overhead"},
    {"kato", NULL, "", GANG_CODE_UNKNOWN_RUNTIME_CLASS, "runtimeClassName",
     "Forbidden: pod rejected: RuntimeClass \"kato\" not found"},
    {"", NULL, "", GANG_CODE_UNKNOWN_RUNTIME_CLASS, "runtimeClassName",
     "Forbidden: pod rejected: RuntimeClass \"\" not found"},
};

START_TEST(applies_the_class)
{
    struct builder spec = build_map(arena);
    struct pod_resources pod = {0};
    struct resources_text text;

    if (pods[_i].name)
        build_string(&spec, SLICE("runtimeClassName"), slice_from_text(pods[_i].name));
    if (pods[_i].overhead) {
        struct builder overhead = build_map_member(&spec, SLICE("overhead"));

        text_build_resources(&overhead, slice_from_text(pods[_i].overhead));
        pod.overhead = resource_list_read(overhead.node, arena, &report);
    }
    runtime_class_apply(classes, 3, spec.node, &pod, &report);
    ck_assert_str_eq(resources_print(&text, &pod.overhead), pods[_i].result);
    ck_assert_uint_eq(report.count, pods[_i].code ? 1 : 0);
    if (!pods[_i].code)
        return;
    ck_assert_int_eq(report.items[0].code, pods[_i].code);
    ck_assert_str_eq(report.items[0].path, pods[_i].path);
    ck_assert_str_eq(report.items[0].message, pods[_i].message);
}
END_TEST

START_TEST(finds_a_class_by_name)
{
    ck_assert_ptr_eq(runtime_class_find(classes, 3, SLICE("gvisor")), &classes[0]);
    ck_assert_ptr_eq(runtime_class_find(classes, 3, SLICE("kata")), &classes[1]);
    ck_assert_ptr_eq(runtime_class_find(classes, 3, SLICE("runc")), &classes[2]);
    ck_assert_ptr_null(runtime_class_find(classes, 3, SLICE("a")));
    ck_assert_ptr_null(runtime_class_find(classes, 3, SLICE("kat")));
    ck_assert_ptr_null(runtime_class_find(classes, 3, SLICE("z")));
    ck_assert_ptr_null(runtime_class_find(classes, 0, SLICE("kata")));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, applies_the_class, pods, name, overhead);
    tcase_add_test(cases, finds_a_class_by_name);
}
