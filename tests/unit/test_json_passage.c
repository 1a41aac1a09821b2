/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "unit/quantity_text.h"
#include "unit/resource_text.h"
#include "unit/tree.h"

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
    quantity->nano = (quantity_nano)8000 * 1000000000;
    ck_assert(!pod_resources_survive_json(&pod, arena));
    quantity->nano = (quantity_nano)8192 * 1000000000;
    ck_assert(pod_resources_survive_json(&pod, arena));
    quantity->nano = (quantity_nano)1023 * 1000000000;
    ck_assert(!pod_resources_survive_json(&pod, arena));
    arena_free(arena);
}
END_TEST

/* Every place of a pod that holds amounts; 0.5Ki changes, 1Ki does not. */
static const char *const places[] = {
    "{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\",\"resources\":{\"requests\":{\"memory\":\"%"
    "s\"}}}]}",
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
    pod = pod_resources_read(tree_of(arena, text), arena, &report);
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
    ck_assert_uint_eq(after.num_init_containers, 0);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, formats_change_or_stay, amounts, text, format);
    tcase_add_test(cases, a_binary_amount_without_a_text);
    add_items(cases, every_place_is_looked_at, places);
    tcase_add_test(cases, the_source_is_not_changed);
    tcase_add_test(cases, a_pod_without_amounts_survives);
}
