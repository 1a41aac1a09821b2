/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/limit_range.h"

#include "unit/limit_text.h"
#include "unit/pod_text.h"
#include "unit/suite.h"

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

START_TEST(marks_what_it_refuses)
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
    pod = pod_resources_read(spec, arena, &read);
    range = limit_range_from(arena, SLICE("limits"), slice_from_text(marked[_i].range), &read);
    limit_check(&range, &pod, spec, arena, &report);
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
    add_rows(cases, marks_what_it_refuses, marked, pod);
}
