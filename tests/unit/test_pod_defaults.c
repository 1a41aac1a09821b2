/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_admission.h"

#include "unit/pod_text.h"
#include "unit/suite.h"

/* Clause by clause of SetDefaults_Pod@v1.36.2; test_pod_admission has what the real one gives for
 * whole pods. */
static const struct {
    const char *pod;
    const char *
        container; /* requests of the first container, or without one of the first init container */
    const char *pod_level; /* requests of the pod */
} filled[] = {
    {"c{}", "", ""},
    {"c{|cpu=1,memory=1Gi}", "cpu=1,memory=1Gi", ""},
    {"c{cpu=1|cpu=2,memory=1Gi}", "cpu=1,memory=1Gi", ""},
    {"i{|cpu=1}", "cpu=1", ""},
    {"c{cpu=1} p{|memory=2Gi}", "cpu=1", "cpu=1,memory=2Gi"},
    {"c{|cpu=1} c{cpu=2} p{|cpu=4}", "cpu=1", "cpu=3"},
    {"c{cpu=1} p{cpu=2|cpu=4}", "cpu=1", "cpu=2"},
    {"c{cpu=1} p{cpu=2}", "cpu=1", "cpu=2"},
    {"c{} p{|cpu=4}", "", "cpu=4"},
    {"c{nvidia.com/gpu=1} p{|cpu=4,nvidia.com/gpu=8}", "nvidia.com/gpu=1", "cpu=4"},
    {"c{hugepages-2Mi=2Mi} p{|hugepages-2Mi=8Mi}", "hugepages-2Mi=2Mi", "hugepages-2Mi=8Mi"},
    {"c{cpu=1} i{cpu=4} s{cpu=1} p{|memory=2Gi}", "cpu=1", "cpu=4,memory=2Gi"},
};

START_TEST(fills_in_what_is_missing)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct resources_text text;
    struct pod_resources pod;

    report_init(&report, arena, &standard_limits);
    pod = pod_resources_read(pod_build(arena, filled[_i].pod), arena, &report);
    ck_assert(pod_defaults_apply(&pod, arena));
    ck_assert_str_eq(resources_print(&text, pod.num_containers ? &pod.containers[0].requests
                                                               : &pod.init_containers[0].requests),
                     filled[_i].container);
    ck_assert_str_eq(resources_print(&text, &pod.pod_requests), filled[_i].pod_level);
    arena_free(arena);
}
END_TEST

START_TEST(says_when_a_sum_is_too_large)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct pod_resources pod;

    report_init(&report, arena, &standard_limits);
    pod = pod_resources_read(
        pod_build(arena, "c{cpu=9223372036854775807} c{cpu=9223372036854775807} p{|memory=1}"),
        arena, &report);
    ck_assert(!pod_defaults_apply(&pod, arena));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, fills_in_what_is_missing, filled, pod, container);
    tcase_add_test(cases, says_when_a_sum_is_too_large);
}
