/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/limit_text.h"
#include "unit/pod_text.h"
#include "unit/resource_text.h"
#include "unit/tree.h"

/* ---- pod admission ---- */

enum { MOST_RANGES = 4, MOST_WORDS = 16 };

/*
 * What Kubernetes' own code says (SetDefaults_Pod, SetDefaults_LimitRangeItem, PodMutateLimitFunc,
 * PodValidateLimitFunc of kubernetes/kubernetes v1.36.2, PodRequests of component-helpers v0.36.2,
 * run on these pods): what the pod requests before and after LimitRanger, and why it is refused,
 * one reason a line. `//` stands between ranges.
 */
static const struct {
    const char *pod;
    const char *ranges;
    const char *before;
    const char *after;
    const char *words;
} pods[] = {
    {"c{}", "Container default{cpu=1,memory=1Gi} defaultRequest{cpu=500m,memory=512Mi}", "",
     "cpu=500m,memory=512Mi", ""},
    {"c{cpu=2}", "Container default{cpu=1} defaultRequest{cpu=500m}", "cpu=2", "cpu=2", ""},
    {"c{|cpu=2}", "Container default{cpu=1} defaultRequest{cpu=500m}", "cpu=2", "cpu=2", ""},
    {"c{memory=1Gi|cpu=2}",
     "Container default{cpu=1,memory=2Gi} defaultRequest{cpu=500m,memory=3Gi}", "cpu=2,memory=1Gi",
     "cpu=2,memory=1Gi", ""},
    {"c{}", "Container max{cpu=4}", "", "cpu=4", ""},
    {"c{}", "Container min{cpu=100m}", "", "cpu=100m", ""},
    {"c{}", "Container min{cpu=100m} max{cpu=4}", "", "cpu=4", ""},
    {"c{}", "Container default{cpu=2} max{cpu=4} min{cpu=1}", "", "cpu=2", ""},
    {"c{}", "Container defaultRequest{cpu=1} max{cpu=4}", "", "cpu=1", ""},
    {"c{} c{cpu=3}", "Container default{cpu=1} defaultRequest{cpu=500m}", "cpu=3", "cpu=3500m", ""},
    {"c{} i{} s{}", "Container defaultRequest{cpu=1,memory=1Gi} default{cpu=1,memory=1Gi}", "",
     "cpu=2,memory=2Gi", ""},
    {"c{cpu=1} i{} s{cpu=2}", "Container defaultRequest{cpu=4} default{cpu=4}", "cpu=3", "cpu=4",
     ""},
    {"c{} p{|cpu=4,memory=8Gi}", "Container defaultRequest{cpu=500m} default{cpu=1}",
     "cpu=4,memory=8Gi", "cpu=4,memory=8Gi", ""},
    {"c{cpu=1} c{} p{|memory=8Gi}", "Container defaultRequest{cpu=500m} default{cpu=1}",
     "cpu=1,memory=8Gi", "cpu=1,memory=8Gi", ""},
    {"c{} p{cpu=2|memory=8Gi}", "Container defaultRequest{memory=1Gi} default{memory=1Gi}",
     "cpu=2,memory=8Gi", "cpu=2,memory=8Gi", ""},
    {"c{} p{memory=1Gi}", "Container defaultRequest{cpu=1,memory=2Gi} default{cpu=1,memory=2Gi}",
     "memory=1Gi", "cpu=1,memory=1Gi", ""},
    {"c{|hugepages-2Mi=4Mi} p{|hugepages-2Mi=8Mi,cpu=1}",
     "Container defaultRequest{cpu=2} default{cpu=2}", "cpu=1,hugepages-2Mi=8Mi",
     "cpu=1,hugepages-2Mi=8Mi", ""},
    {"c{} o{cpu=250m}", "Container defaultRequest{cpu=1} default{cpu=1}", "cpu=250m", "cpu=1250m",
     ""},
    {"c{|nvidia.com/gpu=8}", "Container default{nvidia.com/gpu=1,cpu=1}", "nvidia.com/gpu=8",
     "cpu=1,nvidia.com/gpu=8", ""},
    {"c{}", "Container default{nvidia.com/gpu=1}", "", "nvidia.com/gpu=1", ""},
    {"c{}", "Container default{cpu=1}//Container defaultRequest{memory=1Gi} default{memory=1Gi}",
     "", "cpu=1,memory=1Gi", ""},
    {"c{cpu=1}", "PersistentVolumeClaim min{cpu=2}", "cpu=1", "cpu=1", ""},
    {"c{cpu=100m}", "Container min{cpu=50m}", "cpu=100m", "cpu=100m", ""},
    {"c{cpu=100m|cpu=200m}", "Container min{cpu=50m}", "cpu=100m", "cpu=100m", ""},
    {"c{cpu=40m|cpu=200m}", "Container min{cpu=50m}", "cpu=40m", "cpu=40m",
     "minimum cpu usage per Container is 50m, but request is 40m"},
    {"c{cpu=40m}", "Container min{cpu=50m}", "cpu=40m", "cpu=40m",
     "minimum cpu usage per Container is 50m, but request is 40m"},
    {"c{cpu=60m|cpu=40m}", "Container min{cpu=50m}", "cpu=60m", "cpu=60m",
     "minimum cpu usage per Container is 50m, but limit is 40m"},
    {"c{cpu=500m|cpu=1}", "Container max{cpu=2}", "cpu=500m", "cpu=500m", ""},
    {"c{|cpu=1}", "Container max{cpu=2}", "cpu=1", "cpu=1", ""},
    {"c{cpu=500m|cpu=2500m}", "Container max{cpu=2}", "cpu=500m", "cpu=500m",
     "maximum cpu usage per Container is 2, but limit is 2500m"},
    {"c{|cpu=2500m}", "Container max{cpu=2}", "cpu=2500m", "cpu=2500m",
     "maximum cpu usage per Container is 2, but limit is 2500m"},
    {"c{cpu=3}", "Container max{cpu=2}", "cpu=3", "cpu=3",
     "maximum cpu usage per Container is 2, but request is 3"},
    {"c{cpu=3|cpu=1}", "Container max{cpu=2}", "cpu=3", "cpu=3",
     "maximum cpu usage per Container is 2, but request is 3"},
    {"c{memory=250Mi|memory=2Gi}", "Container max{memory=1Gi}", "memory=250Mi", "memory=250Mi",
     "maximum memory usage per Container is 1Gi, but limit is 2Gi"},
    {"c{cpu=500m|cpu=750m}", "Container ratio{cpu=1500m}", "cpu=500m", "cpu=500m", ""},
    {"c{cpu=1250m|cpu=2500m}", "Container ratio{cpu=1}", "cpu=1250m", "cpu=1250m",
     "cpu max limit to request ratio per Container is 1, but provided ratio is 2.000000"},
    {"c{cpu=1|cpu=3}", "Container ratio{cpu=2500m}", "cpu=1", "cpu=1",
     "cpu max limit to request ratio per Container is 2500m, but provided ratio is 3.000000"},
    {"c{cpu=3|cpu=7}", "Container ratio{cpu=2}", "cpu=3", "cpu=3",
     "cpu max limit to request ratio per Container is 2, but provided ratio is 2.333333"},
    {"c{cpu=1}", "Container ratio{cpu=2}", "cpu=1", "cpu=1",
     "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"},
    {"c{}", "Container ratio{cpu=2}", "", "",
     "cpu max limit to request ratio per Container is 2, but no request is specified or request is "
     "0"},
    {"c{cpu=0|cpu=1}", "Container ratio{cpu=2}", "cpu=0", "cpu=0",
     "cpu max limit to request ratio per Container is 2, but no request is specified or request is "
     "0"},
    {"c{cpu=1|cpu=0}", "Container ratio{cpu=2}", "cpu=1", "cpu=1",
     "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"},
    {"c{memory=1Gi|memory=1025Mi}", "Container ratio{memory=1}", "memory=1Gi", "memory=1Gi",
     "memory max limit to request ratio per Container is 1, but provided ratio is 1.000977"},
    {"c{cpu=75m} c{cpu=75m}", "Pod min{cpu=100m}", "cpu=150m", "cpu=150m", ""},
    {"c{cpu=75m}", "Pod min{cpu=100m}", "cpu=75m", "cpu=75m",
     "minimum cpu usage per Pod is 100m, but request is 75m"},
    {"c{}", "Pod min{cpu=100m}", "", "",
     "minimum cpu usage per Pod is 100m.  No request is specified"},
    {"c{cpu=500m|cpu=1} c{cpu=500m|cpu=1} c{cpu=500m|cpu=1}", "Pod max{cpu=2}", "cpu=1500m",
     "cpu=1500m", "maximum cpu usage per Pod is 2, but limit is 3"},
    {"c{cpu=500m|cpu=1} c{cpu=500m|cpu=1}", "Pod max{cpu=2}", "cpu=1", "cpu=1", ""},
    {"c{cpu=3}", "Pod max{cpu=2}", "cpu=3", "cpu=3",
     "maximum cpu usage per Pod is 2.  No limit is specified"},
    {"c{cpu=1500m} s{cpu=1}", "Pod max{cpu=2}", "cpu=2500m", "cpu=2500m",
     "maximum cpu usage per Pod is 2.  No limit is specified"},
    {"c{|memory=500Mi} i{|memory=1536Mi}", "Pod max{memory=1Gi}", "memory=1536Mi", "memory=1536Mi",
     "maximum memory usage per Pod is 1Gi, but limit is 1536Mi"},
    {"c{memory=60Mi} c{memory=60Mi} i{memory=100Mi}", "Pod min{memory=100Mi}", "memory=120Mi",
     "memory=120Mi", ""},
    {"c{memory=300Mi|memory=450Mi} c{memory=300Mi|memory=450Mi} c{memory=300Mi|memory=450Mi}",
     "Pod max{memory=2Gi} ratio{memory=1500m}", "memory=900Mi", "memory=900Mi", ""},
    {"c{memory=250Mi|memory=500Mi} c{memory=250Mi|memory=500Mi} c{memory=250Mi|memory=500Mi}",
     "Pod max{memory=2Gi} ratio{memory=1500m}", "memory=750Mi", "memory=750Mi",
     "memory max limit to request ratio per Pod is 1500m, but provided ratio is 2.000000"},
    {"c{cpu=1|cpu=1500m} s{|cpu=1500m}", "Pod max{cpu=2}", "cpu=2500m", "cpu=2500m",
     "maximum cpu usage per Pod is 2, but limit is 3"},
    {"c{cpu=100m,memory=60Mi|cpu=200m,memory=100Mi} p{cpu=200m,memory=180Mi|cpu=500m,memory=280Mi}",
     "Pod max{cpu=400m,memory=200Mi}", "cpu=200m,memory=180Mi", "cpu=200m,memory=180Mi",
     "maximum cpu usage per Pod is 400m, but limit is 500m\nmaximum memory usage per Pod is 200Mi, "
     "but limit "
     "is 280Mi"},
    {"c{cpu=50m,memory=60Mi} p{cpu=100m,memory=200Mi}", "Pod min{cpu=160m,memory=200Mi}",
     "cpu=100m,memory=200Mi", "cpu=100m,memory=200Mi",
     "minimum cpu usage per Pod is 160m, but request is 100m"},
    {"c{|cpu=50m,memory=60Mi} p{|cpu=160m,memory=300Mi}", "Pod max{cpu=160m,memory=200Mi}",
     "cpu=50m,memory=60Mi", "cpu=50m,memory=60Mi",
     "maximum memory usage per Pod is 200Mi, but limit is 300Mi"},
    {"c{|hugepages-2Mi=4Mi} p{|hugepages-2Mi=8Mi}", "Pod max{hugepages-2Mi=6Mi}",
     "hugepages-2Mi=8Mi", "hugepages-2Mi=8Mi", ""},
    {"c{} c{}", "Container defaultRequest{cpu=1} default{cpu=2}; Pod max{cpu=3}", "", "cpu=2",
     "maximum cpu usage per Pod is 3, but limit is 4"},
    {"c{cpu=1} c{cpu=9}", "Container max{cpu=4}; Pod max{cpu=6}", "cpu=10", "cpu=10",
     "maximum cpu usage per Container is 4, but request is 9\nmaximum cpu usage per Pod is 6, but "
     "limit is "
     "8"},
    {"c{cpu=1} i{cpu=9}", "Container max{cpu=4}", "cpu=9", "cpu=9",
     "maximum cpu usage per Container is 4, but request is 9"},
    {"c{cpu=1,memory=1Gi}", "Container max{cpu=500m,memory=512Mi}", "cpu=1,memory=1Gi",
     "cpu=1,memory=1Gi",
     "maximum cpu usage per Container is 500m, but request is 1\nmaximum memory usage per "
     "Container is "
     "512Mi, but request is 1Gi"},
    {"c{cpu=1}", "Container max{cpu=500m}//Container min{cpu=2}", "cpu=1", "cpu=1",
     "maximum cpu usage per Container is 500m, but request is 1\nminimum cpu usage per Container "
     "is 2, but "
     "request is 1"},
    {"c{cpu=500u}", "Container min{cpu=1m}", "cpu=500u", "cpu=500u", ""},
    {"c{cpu=1500u|cpu=1500u}", "Container max{cpu=1m}", "cpu=1500u", "cpu=1500u",
     "maximum cpu usage per Container is 1m, but limit is 1500u"},
    {"c{memory=9223372036854775807}", "Container max{memory=9223372036854775806} min{memory=1}",
     "memory=9223372036854775807", "memory=9223372036854775807",
     "maximum memory usage per Container is 9223372036854775806, but request is "
     "9223372036854775807"},
    {"c{|memory=9223372036854775807}", "Container max{memory=9223372036854775806}",
     "memory=9223372036854775807", "memory=9223372036854775807",
     "maximum memory usage per Container is 9223372036854775806, but limit is 9223372036854775807"},
    {"c{|example.com/x=9223372036854775}", "Container max{example.com/x=9223372036854774}",
     "example.com/x=9223372036854775", "example.com/x=9223372036854775",
     "maximum example.com/x usage per Container is 9223372036854774, but limit is "
     "9223372036854775"},
};

static size_t
read_ranges(const char *text, struct limit_range ranges[MOST_RANGES])
{
    static const struct slice names[MOST_RANGES] = {SLICE_INIT("a"), SLICE_INIT("b"),
                                                    SLICE_INIT("c"), SLICE_INIT("d")};
    size_t count = 0;

    for (const char *end; text; text = end ? end + 2 : NULL) {
        struct report ignored;

        end = strstr(text, "//");
        report_init(&ignored, test_arena, &standard_limits);
        ranges[count] = limit_range_from(
            test_arena, names[count],
            (struct slice){text, end ? (size_t)(end - text) : strlen(text)}, &ignored);
        count++;
    }
    return count;
}

static int
compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The refusals, sorted, one a line. */
static const char *
refusals(void)
{
    static const char prefix[] = "Forbidden: ";
    const char *words[MOST_WORDS];
    const char *joined = "";
    size_t count = 0;

    for (size_t i = 0; i < test_report.count; i++) {
        if (test_report.items[i].severity != GANG_SEVERITY_ERROR)
            continue;
        ck_assert_int_eq(test_report.items[i].code, GANG_CODE_LIMIT_RANGE_VIOLATED);
        words[count] = strstr(test_report.items[i].message, prefix);
        ck_assert_ptr_nonnull(words[count]);
        words[count++] += sizeof(prefix) - 1;
    }
    qsort(words, count, sizeof(words[0]), compare_words);
    for (size_t i = 0; i < count; i++)
        joined = arena_format(test_arena, "%s%s%s", joined, i ? "\n" : "", words[i]);
    return joined;
}

static struct pod_resources
read_pod(const char *text, const struct node **spec)
{
    *spec = pod_build(test_arena, text);
    return pod_resources_read(*spec, &test_report);
}

static void
check_sum(const struct pod_resources *pod, const char *wanted)
{
    struct resource_list sum;
    struct resources_text text;

    ck_assert(pod_requests_sum(pod, POD_REQUESTS_EFFECTIVE, test_arena, &sum));
    ck_assert_str_eq(resources_print(&text, &sum), wanted);
}

START_TEST(admits_like_kubernetes)
{
    const struct node *spec;
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};
    struct pod_resources pod = read_pod(pods[_i].pod, &spec);

    admission.num_limit_ranges = read_ranges(pods[_i].ranges, ranges);
    ck_assert(pod_admission_matters(&admission, spec));
    pod = pod_admission_apply(&admission, spec, &pod, &test_report);
    check_sum(&pod, pods[_i].after);
    ck_assert_str_eq(refusals(), pods[_i].words);
}
END_TEST

/*
 * From Kubernetes 1.37 on, pod-level requests are set after the limit ranges:
 * pkg/registry/core/pod/strategy.go PrepareForCreate@v1.37.2
 */
static const struct {
    const char *pod;
    const char *before_1_37;
    const char *after;
} pod_levels[] = {
    {"c{} c{} p{|cpu=2}", "cpu=2", "cpu=200m"},
    {"c{cpu=1} c{} p{|cpu=2}", "cpu=1", "cpu=1100m"},
    {"c{} p{cpu=1|cpu=2}", "cpu=1", "cpu=1"},
    {"c{} p{|memory=1Gi}", "cpu=100m,memory=1Gi", "cpu=100m,memory=1Gi"},
};

START_TEST(sums_pods_before_or_after_the_ranges)
{
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {
        .limit_ranges = ranges,
        .num_limit_ranges = read_ranges("Container defaultRequest{cpu=100m}", ranges)};
    const struct node *spec;
    struct pod_resources pod = read_pod(pod_levels[_i].pod, &spec);
    struct pod_resources admitted = pod_admission_apply(&admission, spec, &pod, &test_report);

    check_sum(&admitted, pod_levels[_i].before_1_37);
    admission.sums_at_last = true;
    admitted = pod_admission_apply(&admission, spec, &pod, &test_report);
    check_sum(&admitted, pod_levels[_i].after);
}
END_TEST

START_TEST(does_not_change_the_template)
{
    const struct node *spec;
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};
    struct pod_resources pod = read_pod(pods[_i].pod, &spec);

    admission.num_limit_ranges = read_ranges(pods[_i].ranges, ranges);
    pod_admission_apply(&admission, spec, &pod, &test_report);
    check_sum(&pod, pods[_i].before);
}
END_TEST

START_TEST(defaults_like_kubernetes)
{
    const struct node *spec;
    struct pod_resources pod = read_pod(pods[_i].pod, &spec);

    ck_assert(pod_defaults_apply(&pod, false, test_arena));
    check_sum(&pod, pods[_i].before);
}
END_TEST

/* Nothing known of the namespace, or nothing in it. */
START_TEST(without_ranges_nothing_changes)
{
    const struct node *spec;
    struct pod_resources pod = read_pod(pods[_i].pod, &spec);
    struct pod_admission admission = {0};

    ck_assert(pod_admission_matters(&admission, spec) == (strstr(pods[_i].pod, "o{") != NULL));
    pod = pod_admission_apply(&admission, spec, &pod, &test_report);
    check_sum(&pod, pods[_i].before);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

/*
 * kubernetes/kubernetes:pkg/apis/core/validation/validation.go
 * ValidateContainerResourceRequirements@v1.36.2: the path below the pod, and the words.
 */
static const struct {
    const char *pod;
    const char *ranges; /* NULL: none */
    const char *path;   /* NULL: nothing is found */
    const char *words;
} limits_of_requests[] = {
    {"c{nvidia.com/gpu=2}", NULL, "containers[0].resources.limits",
     "Required value: Limit must be set for non overcommitable resources"},
    {"c{nvidia.com/gpu=2|nvidia.com/gpu=2}", NULL, NULL, NULL},
    {"c{|nvidia.com/gpu=2}", NULL, NULL, NULL},
    {"c{nvidia.com/gpu=0}", NULL, "containers[0].resources.limits", "Required value: "},
    {"c{nvidia.com/gpu=2|cpu=2}", NULL, "containers[0].resources.limits", "Required value: "},
    {"c{nvidia.com/gpu=1|nvidia.com/gpu=2}", NULL,
     "containers[0].resources.requests[nvidia.com/gpu]",
     "Invalid value: \"1\": must be equal to nvidia.com/gpu limit of 2"},
    {"c{nvidia.com/gpu=3|nvidia.com/gpu=2}", NULL,
     "containers[0].resources.requests[nvidia.com/gpu]",
     "Invalid value: \"3\": must be equal to nvidia.com/gpu limit of 2"},
    {"c{cpu=2} c{hugepages-2Mi=4Mi}", NULL, "containers[1].resources.limits", "Required value: "},
    {"c{hugepages-2Mi=4Mi|hugepages-2Mi=8Mi}", NULL,
     "containers[0].resources.requests[hugepages-2Mi]",
     "Invalid value: \"4Mi\": must be equal to hugepages-2Mi limit of 8Mi"},
    {"c{} i{rdma/hca=1}", NULL, "initContainers[0].resources.limits", "Required value: "},
    {"c{cpu=2,memory=1Gi,ephemeral-storage=1Gi}", NULL, NULL, NULL},
    {"c{requests.kubernetes.io/a=1}", NULL, NULL, NULL},
    {"c{kubernetes.io/a=1}", NULL, NULL, NULL},
    {"c{my.io/a=1}", NULL, "containers[0].resources.limits", "Required value: "},
    {"c{cpu=2|cpu=2}", NULL, NULL, NULL},
    {"c{cpu=1|cpu=2}", NULL, NULL, NULL},
    {"c{cpu=1500m|cpu=1}", NULL, "containers[0].resources.requests[cpu]",
     "Invalid value: \"1500m\": must be less than or equal to cpu limit of 1"},
    /* the defaults of a LimitRange are set before the pod is validated */
    {"c{nvidia.com/gpu=1}", "Container default{nvidia.com/gpu=1}", NULL, NULL},
    {"c{nvidia.com/gpu=2}", "Container default{nvidia.com/gpu=1}",
     "containers[0].resources.requests[nvidia.com/gpu]",
     "Invalid value: \"2\": must be equal to nvidia.com/gpu limit of 1"},
    {"c{}", "Container default{nvidia.com/gpu=1}", NULL, NULL},
    {"c{}", "Container defaultRequest{cpu=2}", NULL, NULL},
};

START_TEST(compares_requests_with_limits)
{
    const struct node *spec;
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};
    struct pod_resources pod = read_pod(limits_of_requests[_i].pod, &spec);
    struct report *report = &test_report;

    if (limits_of_requests[_i].ranges)
        admission.num_limit_ranges = read_ranges(limits_of_requests[_i].ranges, ranges);
    pod = pod_admission_apply(&admission, spec, &pod, report);
    report->count = 0;
    pod_limits_check(&pod, NULL, report);
    ck_assert_uint_eq(report->count, limits_of_requests[_i].path != NULL);
    if (!limits_of_requests[_i].path)
        return;
    ck_assert_int_eq(report->items[0].code, GANG_CODE_LIMIT_MISMATCH);
    ck_assert_str_eq(report->items[0].path, limits_of_requests[_i].path);
    ck_assert_msg(strncmp(report->items[0].message, limits_of_requests[_i].words,
                          strlen(limits_of_requests[_i].words)) == 0,
                  "%s", report->items[0].message);
}
END_TEST

/* What a trainjob's resourcesPerNode replaces is marked there. */
START_TEST(marks_the_overlay)
{
    const struct node *spec;
    struct pod_resources pod = read_pod("c{nvidia.com/gpu=2,rdma/hca=1}", &spec);
    const struct node *overlay = tree_of(test_arena, "{\"requests\":{\"rdma/hca\":1}}");

    pod_limits_check(&pod, overlay, &test_report);
    ck_assert_uint_eq(test_report.count, 2);
    ck_assert_str_eq(test_report.items[0].path, "containers[0].resources.limits");
    ck_assert_str_eq(test_report.items[1].path, "limits");
    ck_assert_str_eq(test_report.items[1].hint, "add `rdma/hca: 1` to limits");
}
END_TEST

/* Each container with an added request is reported, with its limit range. */
START_TEST(reports_added_values)
{
    const struct node *spec;
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};
    struct pod_resources pod = read_pod("c{cpu=1} c{} i{memory=1Gi}", &spec);

    admission.num_limit_ranges =
        read_ranges("Container default{cpu=2}//Container default{memory=1Gi,cpu=3}", ranges);
    pod_admission_apply(&admission, spec, &pod, &test_report);
    ck_assert_uint_eq(test_report.count, 4);
    for (size_t i = 0; i < test_report.count; i++)
        ck_assert_int_eq(test_report.items[i].code, GANG_CODE_DEFAULT_APPLIED);
    ck_assert_str_eq(test_report.items[0].path, "containers[1].resources.requests");
    ck_assert_str_eq(test_report.items[0].message, "LimitRange \"a\" of the namespace adds cpu 2");
    ck_assert_str_eq(test_report.items[1].path, "initContainers[0].resources.requests");
    ck_assert_str_eq(test_report.items[2].message,
                     "LimitRange \"b\" of the namespace adds memory 1Gi");
    ck_assert_str_eq(test_report.items[3].message,
                     "LimitRange \"b\" of the namespace adds memory 1Gi");
}
END_TEST

static const struct {
    const char *ranges;
    bool disagree;
} several[] = {
    {"Container default{cpu=1}", false},
    {"Container default{cpu=1}//Container default{cpu=1000m}", false},
    {"Container default{cpu=1}//Container default{memory=1Gi}", false},
    {"Container default{cpu=1}//Container default{cpu=2}", true},
    {"Container default{cpu=1}//Pod max{cpu=2}", false},
    {"Container default{cpu=1}//Container default{memory=1Gi}//Container default{memory=2Gi}",
     true},
    {"Container max{cpu=1}//Container min{cpu=500m}", true},
};

START_TEST(warns_if_limit_ranges_disagree)
{
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};

    admission.num_limit_ranges = read_ranges(several[_i].ranges, ranges);
    pod_admission_compare_ranges(&admission, &test_report);
    ck_assert_uint_eq(test_report.count, several[_i].disagree ? 1 : 0);
    if (several[_i].disagree) {
        ck_assert_int_eq(test_report.items[0].code, GANG_CODE_LIMIT_RANGES_DISAGREE);
        ck_assert_int_eq(test_report.items[0].severity, GANG_SEVERITY_WARNING);
    }
}
END_TEST

/* A class is named, but not one class is known. */
START_TEST(reports_unchecked_runtime_class)
{
    struct builder spec = build_map(test_arena);
    struct pod_resources pod = {0};
    struct pod_admission admission = {0};

    build_string(&spec, SLICE("runtimeClassName"), SLICE("kata"));
    ck_assert(pod_admission_matters(&admission, spec.node));
    pod_admission_apply(&admission, spec.node, &pod, &test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, GANG_CODE_NOT_CHECKED);
    ck_assert_int_eq(test_report.items[0].severity, GANG_SEVERITY_INFO);
    ck_assert_str_eq(test_report.items[0].path, "runtimeClassName");
}
END_TEST

/* With and without resources of the pod itself, which are summed at another time. */
static const char *const overflowing[] = {
    "c{cpu=9223372036854775807} c{cpu=9223372036854775807} p{|memory=1}",
    "c{cpu=9223372036854775807} c{cpu=9223372036854775807}",
    "c{cpu=9223372036854775807|cpu=9223372036854775807} c{cpu=9223372036854775807}",
};

START_TEST(an_overflow_is_left_to_the_sum)
{
    const struct node *spec;
    struct limit_range ranges[MOST_RANGES];
    struct pod_admission admission = {.limit_ranges = ranges};
    struct pod_resources pod = read_pod(overflowing[_i], &spec);
    struct resource_list sum;

    admission.num_limit_ranges = read_ranges("Pod max{memory=1}", ranges);
    pod = pod_admission_apply(&admission, spec, &pod, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    ck_assert(!pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, test_arena, &sum));
}
END_TEST

/* ---- pod defaults ---- */

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
    pod = pod_resources_read(pod_build(arena, filled[_i].pod), &report);
    ck_assert(pod_defaults_apply(&pod, false, arena));
    ck_assert_str_eq(resources_print(&text, &pod.containers[0].requests), filled[_i].container);
    ck_assert_str_eq(resources_print(&text, &pod.pod_requests), filled[_i].pod_level);
    arena_free(arena);
}
END_TEST

START_TEST(reports_overflow_of_a_sum)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct pod_resources pod;

    report_init(&report, arena, &standard_limits);
    pod = pod_resources_read(
        pod_build(arena, "c{cpu=9223372036854775807} c{cpu=9223372036854775807} p{|memory=1}"),
        &report);
    ck_assert(!pod_defaults_apply(&pod, false, arena));
    arena_free(arena);
}
END_TEST

/* ---- runtime class ---- */

static struct runtime_class classes[3];

static struct runtime_class
class_from(const char *name, const char *overhead)
{
    struct builder class = build_map(test_arena);
    struct builder amounts;

    build_string(&class, SLICE("name"), slice_from_text(name));
    amounts = build_map_member(&class, SLICE("overhead"));
    text_build_resources(&amounts, slice_from_text(overhead));
    return runtime_class_read(class.node, &test_report);
}

static void
make_classes(void)
{
    classes[0] = class_from("gvisor", "cpu=100m");
    classes[1] = class_from("kata", "cpu=250m,memory=120Mi");
    classes[2] = class_from("runc", "");
}

/* The words of kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go@v1.36.2. */
static const struct {
    const char *name;     /* of the pod's class; NULL: none */
    const char *overhead; /* that the pod states; NULL: none */
    const char *result;   /* the overhead that it has then */
    int code;             /* 0: silence */
    const char *path;
    const char *message;
} pods_of_runtime_class[] = {
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
    struct builder spec = build_map(test_arena);
    struct pod_resources pod = {0};
    struct resources_text text;

    if (pods_of_runtime_class[_i].name)
        build_string(&spec, SLICE("runtimeClassName"),
                     slice_from_text(pods_of_runtime_class[_i].name));
    if (pods_of_runtime_class[_i].overhead) {
        struct builder overhead = build_map_member(&spec, SLICE("overhead"));

        text_build_resources(&overhead, slice_from_text(pods_of_runtime_class[_i].overhead));
        pod.overhead = resource_list_read(overhead.node, &test_report);
    }
    runtime_class_apply(classes, 3, spec.node, &pod, &test_report);
    ck_assert_str_eq(resources_print(&text, &pod.overhead), pods_of_runtime_class[_i].result);
    ck_assert_uint_eq(test_report.count, pods_of_runtime_class[_i].code ? 1 : 0);
    if (!pods_of_runtime_class[_i].code)
        return;
    ck_assert_int_eq(test_report.items[0].code, pods_of_runtime_class[_i].code);
    ck_assert_str_eq(test_report.items[0].path, pods_of_runtime_class[_i].path);
    ck_assert_str_eq(test_report.items[0].message, pods_of_runtime_class[_i].message);
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
    add_rows(cases, admits_like_kubernetes, pods, pod, ranges);
    add_rows(cases, sums_pods_before_or_after_the_ranges, pod_levels, pod, after);
    add_rows(cases, does_not_change_the_template, pods, pod, ranges);
    add_rows(cases, defaults_like_kubernetes, pods, pod, ranges);
    add_rows(cases, without_ranges_nothing_changes, pods, pod, ranges);
    add_rows(cases, compares_requests_with_limits, limits_of_requests, pod, ranges);
    tcase_add_test(cases, marks_the_overlay);
    tcase_add_test(cases, reports_added_values);
    add_rows(cases, warns_if_limit_ranges_disagree, several, ranges);
    tcase_add_test(cases, reports_unchecked_runtime_class);
    add_items(cases, an_overflow_is_left_to_the_sum, overflowing);
    add_rows(cases, fills_in_what_is_missing, filled, pod, container);
    tcase_add_test(cases, reports_overflow_of_a_sum);
    tcase_add_checked_fixture(cases, make_classes, NULL);
    add_rows(cases, applies_the_class, pods_of_runtime_class, name, overhead);
    tcase_add_test(cases, finds_a_class_by_name);
}
