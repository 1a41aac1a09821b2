/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/pod_text.h"
#include "unit/quantity_text.h"
#include "unit/resource_text.h"
#include "unit/tree.h"

/* ---- pod requests ---- */

static void
close_clean(void)
{
    ck_assert_uint_eq(test_report.count, 0);
    close_arena();
}

static struct pod_resources
pod_read(const char *text)
{
    return pod_resources_read(pod_build(test_arena, text), &test_report);
}

#define GPU "nvidia.com/gpu="

/* Run with Kubernetes' own PodRequests (component-helpers 0.36); the last column is worked out by
 * hand. */
static const struct {
    const char *pod;
    const char *requests;  /* POD_REQUESTS_ONLY */
    const char *effective; /* NULL: the same */
} pods[] = {
    {"c{}", "", NULL},
    {"c{cpu=1,memory=1Gi} c{cpu=500m,memory=512Mi}", "cpu=1500m,memory=1536Mi", NULL},
    {"c{cpu=1} i{cpu=4,memory=1Gi} i{cpu=2,memory=2Gi}", "cpu=4,memory=2Gi", NULL},
    {"c{cpu=1,memory=1Gi} s{cpu=2,memory=256Mi}", "cpu=3,memory=1280Mi", NULL},
    {"c{cpu=1} i{cpu=5} s{cpu=1} i{cpu=2} s{cpu=3} i{cpu=5}", "cpu=9", NULL},
    {"c{cpu=1} s{cpu=2} i{cpu=1500m}", "cpu=3500m", NULL},
    {"c{cpu=1,memory=1Gi} i{cpu=3} o{cpu=250m,memory=120Mi,pods=1}",
     "cpu=3250m,memory=1144Mi,pods=1", NULL},
    {"c{cpu=1,memory=1Gi," GPU "8} c{cpu=2} p{cpu=2500m," GPU "1} o{cpu=100m}",
     "cpu=2600m,memory=1Gi," GPU "8", NULL},
    {"c{memory=64Gi|cpu=4," GPU "8}", "memory=64Gi", "cpu=4,memory=64Gi," GPU "8"},
    {"c{cpu=100m,memory=128974848} c{cpu=0.1,memory=123Mi}", "cpu=200m,memory=257949696", NULL},
    {"c{memory=1G} c{memory=1Gi}", "memory=2073741824", NULL},
    {"c{cpu=0} c{cpu=0} i{memory=1Gi}", "cpu=0,memory=1Gi", NULL},
    {"c{cpu=1} p{|cpu=9}", "cpu=1", NULL},
    {"c{} p{|cpu=9}", "", "cpu=9"},
    {"c{|cpu=2} p{|cpu=9}", "", "cpu=2"},
    {"c{hugepages-2Mi=4Mi} p{|hugepages-2Mi=10Mi}", "hugepages-2Mi=4Mi", "hugepages-2Mi=10Mi"},
    {"c{hugepages-2Mi=4Mi,cpu=1} p{hugepages-2Mi=10Mi,memory=2Gi}",
     "cpu=1,hugepages-2Mi=10Mi,memory=2Gi", NULL},
    {"c{cpu=0100m}", "cpu=0100m", NULL},
    {"c{cpu=500m,memory=1.5Gi} i{cpu=2} s{cpu=100m} i{cpu=1,memory=4Gi} o{cpu=250m}",
     "cpu=2250m,memory=4Gi", NULL},
    {"c{cpu=1,memory=2Gi," GPU "2} p{cpu=4," GPU "1}", "cpu=4,memory=2Gi," GPU "2", NULL},
    {"c{cpu=10} s{cpu=5}", "cpu=15", NULL},
    {"c{cpu=15} s{cpu=25}", "cpu=40", NULL},
    /* ties and the texts that survive */
    {"c{cpu=+1} i{cpu=1000m}", "cpu=+1", NULL},
    {"c{cpu=1} i{cpu=+2}", "cpu=+2", NULL},
    {"c{cpu=+1} s{cpu=+2}", "cpu=3", NULL},
    {"s{cpu=+2}", "cpu=+2", NULL},
    {"c{cpu=1} i{cpu=+2} s{memory=1.Ki}", "cpu=+2,memory=1.Ki", NULL},
    {"c{cpu=1} p{cpu=+2}", "cpu=+2", NULL},
    {"c{cpu=1} o{pods=+1}", "cpu=1,pods=+1", NULL},
    {"c{cpu=0} c{cpu=+1}", "cpu=1", NULL},
    /* overhead comes on top of the pod level, and the pod level only where a name is one of its own
     */
    {"c{cpu=1} p{" GPU "4}", "cpu=1", NULL},
    {"c{cpu=1} p{cpu=4} o{cpu=1}", "cpu=5", NULL},
    {"i{cpu=7} p{cpu=4}", "cpu=4", NULL},
    {"p{cpu=4,memory=1Gi}", "cpu=4,memory=1Gi", NULL},
    {"o{cpu=1}", "cpu=1", NULL},
    /* what limits do */
    {"c{cpu=1,memory=2Gi|cpu=2,memory=4Gi}", "cpu=1,memory=2Gi", NULL},
    {"c{cpu=1|cpu=2,memory=4Gi}", "cpu=1", "cpu=1,memory=4Gi"},
    {"c{|cpu=+2}", "", "cpu=+2"},
    {"c{cpu=0|cpu=4}", "cpu=0", NULL},
    {"c{cpu=1} c{|cpu=500m}", "cpu=1", "cpu=1500m"},
    {"c{cpu=1} i{|cpu=4}", "cpu=1", "cpu=4"},
    {"c{cpu=1} s{|cpu=2}", "cpu=1", "cpu=3"},
    {"c{cpu=1} s{|cpu=2} i{|cpu=2,memory=1Gi}", "cpu=1", "cpu=4,memory=1Gi"},
    {"c{cpu=1} p{cpu=2|cpu=9,memory=1Gi}", "cpu=2", "cpu=2,memory=1Gi"},
    {"c{" GPU "2} p{|" GPU "4}", GPU "2", NULL},
    {"c{|" GPU "2} c{|" GPU "2} o{cpu=1}", "cpu=1", "cpu=1," GPU "4"},
};

START_TEST(sums_like_kubernetes)
{
    struct pod_resources pod = pod_read(pods[_i].pod);
    struct resource_list sum;
    struct resources_text text;

    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_ONLY, test_arena, &sum));
    ck_assert_str_eq(resources_print(&text, &sum), pods[_i].requests);
}
END_TEST

START_TEST(limit_replaces_missing_request)
{
    struct pod_resources pod = pod_read(pods[_i].pod);
    struct resource_list sum;
    struct resources_text text;

    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, test_arena, &sum));
    ck_assert_str_eq(resources_print(&text, &sum),
                     pods[_i].effective ? pods[_i].effective : pods[_i].requests);
}
END_TEST

/* The front end may sum the same pod in both modes, in any order. */
START_TEST(does_not_change_the_pod)
{
    struct pod_resources pod = pod_read(pods[_i].pod);
    struct resource_list first;
    struct resource_list second;
    struct resources_text text;
    struct resources_text again;

    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_ONLY, test_arena, &first));
    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, test_arena, &second));
    ck_assert(!second.count || resources_multiply(&second, 2));
    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_ONLY, test_arena, &second));
    ck_assert_str_eq(resources_print(&again, &second), resources_print(&text, &first));
    ck_assert_str_eq(text.text, pods[_i].requests);
}
END_TEST

static const struct {
    const char *pod;
    int64_t count;
    const char *total; /* NULL: above the largest amount */
} totals[] = {
    {"c{cpu=1,memory=1Gi} c{cpu=500m,memory=512Mi}", 8, "cpu=12,memory=12Gi"},
    {"c{cpu=1,memory=1Gi} s{cpu=2,memory=256Mi}", 512, "cpu=1536,memory=640Gi"},
    {"c{memory=64Gi|cpu=4}", 2147483647, NULL},
    {"c{cpu=500m,memory=1.5Gi} i{cpu=2} s{cpu=100m} i{cpu=1,memory=4Gi} o{cpu=250m}", 3,
     "cpu=6750m,memory=12Gi"},
    {"c{cpu=1,memory=2Gi," GPU "2} p{cpu=4," GPU "1}", 2, "cpu=8,memory=4Gi," GPU "4"},
    {"c{cpu=1,memory=2Gi|cpu=2,memory=4Gi}", 4, "cpu=4,memory=8Gi"},
    {"c{cpu=0100m}", 1, "cpu=100m"},
};

START_TEST(times_the_number_of_pods)
{
    struct pod_resources pod = pod_read(totals[_i].pod);
    struct resource_list sum;
    struct resources_text text;

    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_ONLY, test_arena, &sum));
    ck_assert_int_eq(resources_multiply(&sum, totals[_i].count), totals[_i].total != NULL);
    if (totals[_i].total)
        ck_assert_str_eq(resources_print(&text, &sum), totals[_i].total);
}
END_TEST

static const char *const overflowing[] = {
    "c{cpu=9E} c{cpu=9E}",
    "c{cpu=9E} s{cpu=9E}",
    "s{cpu=9E} i{cpu=9E}",
    "c{cpu=9E} o{cpu=9E}",
    "c{cpu=1} c{memory=9223372036854775807} c{memory=1n}",
};

START_TEST(reports_overflow_of_a_sum)
{
    struct pod_resources pod = pod_read(overflowing[_i]);
    struct resource_list sum;

    ck_assert(!pod_requests_sum(&pod, POD_REQUESTS_ONLY, test_arena, &sum));
    ck_assert_uint_eq(sum.count, 0);
}
END_TEST

START_TEST(distinguishes_sidecars_from_init_containers)
{
    struct pod_resources pod = pod_read("c{cpu=1} i{cpu=2} s{cpu=3}");

    ck_assert_uint_eq(pod.num_containers, 3);
    ck_slice_eq(pod.containers[0].name, "main");
    ck_assert(!pod.containers[0].is_init && !pod.containers[0].restarts_always);
    ck_assert(pod.containers[1].is_init && !pod.containers[1].restarts_always);
    ck_assert(pod.containers[2].is_init && pod.containers[2].restarts_always);
    ck_assert_ptr_nonnull(pod.containers[2].source);
    ck_assert_ptr_eq(pod_container_find(&pod, SLICE("main")), &pod.containers[0]);
    pod = pod_read("i{cpu=2}");
    ck_assert_ptr_null(pod_container_find(&pod, SLICE("main")));
}
END_TEST

START_TEST(absent_pod_requests_nothing)
{
    struct pod_resources pod = pod_resources_read(NULL, &test_report);
    struct resource_list sum;

    ck_assert(pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, test_arena, &sum));
    ck_assert_uint_eq(sum.count, 0);
}
END_TEST

/* An arena of one chunk with so much left in it that each allocation fails once. */
START_TEST(a_failed_allocation_is_clean)
{
    enum { CHUNK = 10 * 1024 };
    const struct node *spec =
        pod_build(test_arena, "c{cpu=1|memory=1} s{cpu=1} i{cpu=1} p{cpu=3|memory=2} o{cpu=1}");
    int failures = 0;

    for (size_t left = 0; left < CHUNK; left += 64) {
        struct arena *small = arena_new(CHUNK);
        struct report none;
        struct pod_resources pod;
        struct resource_list sum;

        ck_assert_ptr_nonnull(arena_alloc(small, CHUNK - left - ARENA_GAP));
        report_init(&none, small, &standard_limits);
        pod = pod_resources_read(spec, &none);
        ck_assert(pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, small, &sum));
        if (arena_failed(small))
            failures++;
        else
            ck_assert_uint_eq(sum.count, 2);
        arena_free(small);
    }
    ck_assert_int_gt(failures, 8);
    ck_assert_int_lt(failures, CHUNK / 64);
}
END_TEST

/* ---- json passage ---- */

/*
 * Source: k8s.io/apimachinery pkg/api/resource: String() prints a binary amount below 1Ki, or with
 * a fraction, as a decimal one, and one that 1024 does not divide without a suffix; both read back
 * as decimal.
 */
static const struct {
    const char *text;
    enum quantity_format format;
    enum quantity_format after;
    const char *twice; /* the sum of two of them, after the passage */
} amounts[] = {
    {"0.5Ki", QUANTITY_BINARY_SI, QUANTITY_DECIMAL_SI, "1024"},
    {"7.8125Ki", QUANTITY_BINARY_SI, QUANTITY_DECIMAL_SI, "16k"},
    {"1.0001Ki", QUANTITY_BINARY_SI, QUANTITY_DECIMAL_SI, "2048204800u"},
    {"1.5Ki", QUANTITY_BINARY_SI, QUANTITY_DECIMAL_SI, "3072"},
    {"1e1", QUANTITY_DECIMAL_EXPONENT, QUANTITY_DECIMAL_SI, "20"},
    {"1Ki", QUANTITY_BINARY_SI, QUANTITY_BINARY_SI, "2Ki"},
    {"0.5Mi", QUANTITY_BINARY_SI, QUANTITY_BINARY_SI, "1Mi"},
    {"1.5Gi", QUANTITY_BINARY_SI, QUANTITY_BINARY_SI, "3Gi"},
    {"100Mi", QUANTITY_BINARY_SI, QUANTITY_BINARY_SI, "200Mi"},
    {"1024", QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_SI, "2048"},
    {"8000", QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_SI, "16k"},
    {"500m", QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_SI, "1"},
    {"0.5", QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_SI, "1"},
    {"2G", QUANTITY_DECIMAL_SI, QUANTITY_DECIMAL_SI, "4G"},
    {"1e3", QUANTITY_DECIMAL_EXPONENT, QUANTITY_DECIMAL_EXPONENT, "2e3"},
};

static struct pod_resources
pod_of(struct arena *arena, const char *requests)
{
    struct pod_resources pod = {.num_containers = 1};

    pod.containers = arena_array(arena, 1, sizeof(*pod.containers));
    pod.containers[0].name = SLICE("node");
    pod.containers[0].requests = resources_from(arena, requests);
    return pod;
}

START_TEST(formats_change_or_stay)
{
    struct arena *arena = arena_new(0);
    const char *text = arena_format(arena, "memory=%s", amounts[_i].text);
    struct pod_resources pod = pod_of(arena, text);
    struct pod_resources after = pod_resources_after_json(&pod, arena);
    struct quantity *before = &pod.containers[0].requests.items[0].quantity;
    struct quantity *read = &after.containers[0].requests.items[0].quantity;
    char printed[QUANTITY_TEXT_SIZE];

    ck_assert_int_eq(before->format, amounts[_i].format);
    ck_assert_int_eq(read->format, amounts[_i].after);
    ck_assert_int_eq(pod_resources_survive_json(&pod, arena),
                     amounts[_i].format == amounts[_i].after);
    ck_assert_int_eq(quantity_compare(before, read), 0);
    ck_assert(quantity_add(read, before));
    ck_slice_eq(quantity_print(read, printed), amounts[_i].twice);
    arena_free(arena);
}
END_TEST

/* An amount of a sum: binary, without a text of its own. */
START_TEST(a_binary_amount_without_a_text)
{
    struct arena *arena = arena_new(0);
    struct pod_resources pod = pod_of(arena, "memory=1Ki");
    struct quantity *quantity = &pod.containers[0].requests.items[0].quantity;

    quantity->text = NO_SLICE;
    ck_assert(pod_resources_survive_json(&pod, arena));
    quantity->units = 8000;
    ck_assert(!pod_resources_survive_json(&pod, arena));
    quantity->units = 8192;
    ck_assert(pod_resources_survive_json(&pod, arena));
    quantity->units = 1023;
    ck_assert(!pod_resources_survive_json(&pod, arena));
    arena_free(arena);
}
END_TEST

/* Every place of a pod that holds amounts; 0.5Ki changes, 1Ki does not. */
static const char *const places[] = {
    ("{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\",\"resources\":{\"requests\":{\"memory\":"
     "\"%s\"}}}]}"),
    "{\"containers\":[{\"name\":\"a\",\"resources\":{\"limits\":{\"cpu\":1,\"memory\":\"%s\"}}}]}",
    "{\"initContainers\":[{\"name\":\"a\",\"resources\":{\"requests\":{\"memory\":\"%s\"}}}]}",
    "{\"initContainers\":[{\"name\":\"a\",\"resources\":{\"limits\":{\"memory\":\"%s\"}}}]}",
    "{\"resources\":{\"requests\":{\"memory\":\"%s\"}}}",
    "{\"resources\":{\"limits\":{\"memory\":\"%s\"}}}",
    "{\"overhead\":{\"memory\":\"%s\"}}",
};

static bool
survives_in(struct arena *arena, const char *place, const char *amount)
{
    struct report report;
    struct pod_resources pod;
    const char *head = strstr(place, "%s");
    const char *text =
        arena_format(arena, "%.*s%s%s", (int)(head - place), place, amount, head + 2);

    report_init(&report, arena, &standard_limits);
    pod = pod_resources_read(tree_of(arena, text), &report);
    if (!pod_resources_survive_json(&pod, arena)) {
        pod = pod_resources_after_json(&pod, arena);
        ck_assert(pod_resources_survive_json(&pod, arena));
        return false;
    }
    return true;
}

START_TEST(every_place_is_looked_at)
{
    struct arena *arena = arena_new(0);

    ck_assert(survives_in(arena, places[_i], "1Ki"));
    ck_assert(!survives_in(arena, places[_i], "0.5Ki"));
    arena_free(arena);
}
END_TEST

START_TEST(the_source_is_not_changed)
{
    struct arena *arena = arena_new(0);
    struct pod_resources pod = pod_of(arena, "cpu=1,memory=0.5Ki");
    struct pod_resources after = pod_resources_after_json(&pod, arena);

    ck_assert_uint_eq(after.num_containers, 1);
    ck_assert_uint_eq(after.containers[0].requests.count, 2);
    ck_slice_eq(after.containers[0].name, "node");
    ck_assert_int_eq(pod.containers[0].requests.items[1].quantity.format, QUANTITY_BINARY_SI);
    arena_free(arena);
}
END_TEST

START_TEST(a_pod_without_amounts_survives)
{
    struct arena *arena = arena_new(0);
    struct pod_resources pod = {0};
    struct pod_resources after = pod_resources_after_json(&pod, arena);

    ck_assert(pod_resources_survive_json(&pod, arena));
    ck_assert_uint_eq(after.num_containers, 0);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_clean);
    add_rows(cases, sums_like_kubernetes, pods, pod);
    add_rows(cases, limit_replaces_missing_request, pods, pod);
    add_rows(cases, does_not_change_the_pod, pods, pod);
    add_rows(cases, times_the_number_of_pods, totals, pod);
    add_items(cases, reports_overflow_of_a_sum, overflowing);
    tcase_add_test(cases, distinguishes_sidecars_from_init_containers);
    tcase_add_test(cases, absent_pod_requests_nothing);
    tcase_add_test(cases, a_failed_allocation_is_clean);
    add_rows(cases, formats_change_or_stay, amounts, text, format);
    tcase_add_test(cases, a_binary_amount_without_a_text);
    add_items(cases, every_place_is_looked_at, places);
    tcase_add_test(cases, the_source_is_not_changed);
    tcase_add_test(cases, a_pod_without_amounts_survives);
}
