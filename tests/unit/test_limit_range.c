/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/limit_text.h"
#include "unit/pod_text.h"

/* ---- limit range ---- */

/* kubernetes/kubernetes:pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem@v1.36.2, clause by
 * clause. */
static const struct {
    const char *limit;
    const char *default_limits;
    const char *default_requests;
    unsigned infos; /* the fields that were set, one list each */
} defaults[] = {
    {"Container default{cpu=2} defaultRequest{cpu=1}", "cpu=2", "cpu=1", 0},
    {"Container max{cpu=4}", "cpu=4", "cpu=4", 2},
    {"Container max{cpu=4} default{cpu=2}", "cpu=2", "cpu=2", 1},
    {"Container max{cpu=4} defaultRequest{cpu=1}", "cpu=4", "cpu=1", 1},
    {"Container default{cpu=2}", "cpu=2", "cpu=2", 1},
    {"Container min{cpu=100m}", "", "cpu=100m", 1},
    {"Container min{cpu=100m} defaultRequest{cpu=1}", "", "cpu=1", 0},
    {"Container min{cpu=100m} default{cpu=2}", "cpu=2", "cpu=2", 1},
    {"Container min{cpu=100m,memory=1Mi} max{memory=1Gi}", "memory=1Gi", "cpu=100m,memory=1Gi", 2},
    {"Container", "", "", 0},
    {"Container ratio{cpu=2}", "", "", 0},
    {"Pod max{cpu=4} min{cpu=1}", "", "", 0},
    {"PersistentVolumeClaim max{storage=4}", "", "", 0},
};

START_TEST(fills_in_its_own_defaults)
{
    struct limit_range range = limit_range_from(test_arena, SLICE("limits"),
                                                slice_from_text(defaults[_i].limit), &test_report);
    struct resources_text text;

    ck_assert_uint_eq(range.num_limits, 1);
    ck_assert_str_eq(resources_print(&text, &range.limits[0].default_limits),
                     defaults[_i].default_limits);
    ck_assert_str_eq(resources_print(&text, &range.limits[0].default_requests),
                     defaults[_i].default_requests);
    ck_assert_uint_eq(test_report.count, defaults[_i].infos);
    for (size_t i = 0; i < test_report.count; i++)
        ck_assert_int_eq(test_report.items[i].code, GANG_CODE_DEFAULT_APPLIED);
}
END_TEST

START_TEST(reads_every_part)
{
    struct limit_range range = limit_range_from(
        test_arena, SLICE("limits"),
        SLICE("Pod max{cpu=8}; Container min{cpu=1} ratio{cpu=3} max{cpu=4}"), &test_report);
    struct resources_text text;

    ck_slice_eq(range.name, "limits");
    ck_slice_eq(range.namespace_, "ml");
    ck_assert_uint_eq(range.num_limits, 2);
    ck_assert_int_eq(range.limits[0].type, LIMIT_OF_POD);
    ck_slice_eq(range.limits[0].type_text, "Pod");
    ck_assert_str_eq(resources_print(&text, &range.limits[0].maximum), "cpu=8");
    ck_assert_int_eq(range.limits[1].type, LIMIT_OF_CONTAINER);
    ck_assert_str_eq(resources_print(&text, &range.limits[1].minimum), "cpu=1");
    ck_assert_str_eq(resources_print(&text, &range.limits[1].maximum), "cpu=4");
    ck_assert_str_eq(resources_print(&text, &range.limits[1].ratio), "cpu=3");
    ck_assert_ptr_nonnull(range.limits[1].source);
}
END_TEST

START_TEST(an_absent_range_limits_nothing)
{
    struct limit_range range = limit_range_read(NULL, &test_report);

    ck_assert_uint_eq(range.num_limits, 0);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

/* Source: TestMergePodResourceRequirements of the same plugin: what is there stays. */
static const struct {
    const char *pod;
    const char *range;
    const char *requests; /* of the first container, as the next */
    const char *limits;
} filled[] = {
    {"c{}", "Container default{cpu=2} defaultRequest{cpu=1}", "cpu=1", "cpu=2"},
    {"c{cpu=3}", "Container default{cpu=2} defaultRequest{cpu=1}", "cpu=3", "cpu=2"},
    {"c{|cpu=3}", "Container default{cpu=2} defaultRequest{cpu=1}", "cpu=1", "cpu=3"},
    {"c{memory=1}", "Container default{cpu=2} defaultRequest{cpu=1}", "cpu=1,memory=1", "cpu=2"},
    {"c{}", "Pod max{cpu=2}", "", ""},
    {"c{}", "PersistentVolumeClaim max{cpu=2}", "", ""},
};

START_TEST(sets_missing_requests_of_a_container)
{
    const struct node *spec = pod_build(test_arena, filled[_i].pod);
    struct limit_range range = limit_range_from(test_arena, SLICE("limits"),
                                                slice_from_text(filled[_i].range), &test_report);
    struct pod_resources pod = pod_resources_read(spec, &test_report);
    struct resources_text text;

    limit_range_fill(&range, &pod, test_arena);
    ck_assert_str_eq(resources_print(&text, &pod.containers[0].requests), filled[_i].requests);
    ck_assert_str_eq(resources_print(&text, &pod.containers[0].limits), filled[_i].limits);
}
END_TEST

/* ---- limit check ---- */

/* What is refused and in which words: see test_pod_admission. Here is where a refusal is marked. */
static const struct {
    const char *pod;
    const char *range;
    const char *path;
    const char *message;
} marked[] = {
    {"c{cpu=1} c{cpu=3}", "Container min{cpu=2}", "containers[0]",
     "Forbidden: minimum cpu usage per Container is 2, but request is 1"},
    {"c{cpu=2} i{cpu=1} s{cpu=2}", "Container min{cpu=2}", "initContainers[0]",
     "Forbidden: minimum cpu usage per Container is 2, but request is 1"},
    {"c{cpu=1} c{cpu=3}", "Pod min{cpu=5}", "",
     "Forbidden: minimum cpu usage per Pod is 5, but request is 4"},
    {"c{}", "Container min{memory=1Gi}", "containers[0]",
     "Forbidden: minimum memory usage per Container is 1Gi.  No request is specified"},
    {"c{cpu=1}", "Container max{cpu=2}", "containers[0]",
     "Forbidden: maximum cpu usage per Container is 2.  No limit is specified"},
};

START_TEST(reports_violations_at_the_value)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct report read;
    struct limit_range range;
    struct pod_resources pod;
    const struct node *spec;

    report_init(&report, arena, &standard_limits);
    report_init(&read, arena, &standard_limits);
    spec = pod_build(arena, marked[_i].pod);
    pod = pod_resources_read(spec, &read);
    range = limit_range_from(arena, SLICE("limits"), slice_from_text(marked[_i].range), &read);
    limit_check(&range, &pod, spec, &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.items[0].code, GANG_CODE_LIMIT_RANGE_VIOLATED);
    ck_assert_int_eq(report.items[0].severity, GANG_SEVERITY_ERROR);
    ck_assert_str_eq(report.items[0].hint, "see LimitRange \"limits\" of the namespace");
    ck_assert_str_eq(report.items[0].path, marked[_i].path);
    ck_assert_str_eq(report.items[0].message, marked[_i].message);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, fills_in_its_own_defaults, defaults, limit);
    tcase_add_test(cases, reads_every_part);
    tcase_add_test(cases, an_absent_range_limits_nothing);
    add_rows(cases, sets_missing_requests_of_a_container, filled, pod);
    add_rows(cases, reports_violations_at_the_value, marked, pod);
}
