/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "unit/live_reading.h"
#include "unit/suite.h"

#define POD(name, metadata, spec, status)                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'" metadata "},'spec':{" spec     \
    "'containers':[{'name':'c','resources':{'requests':{'cpu':'500m','example.com/gpu':'2'}}}]},"  \
    "'status':{" status "}}"
#define ON(node) "'nodeName':'" node "',"

/* clang-format off */
static const char pods[] =
    POD("a", "", ON("n2"), "")
    POD("b", "", ON("n1") "'priority':5,", "")
    POD("c", "", ON("n1"), "")
    POD("d", "", ON("n1") "'priority':5,", "")
    POD("waits", "", "", "")
    POD("leaves", ",'deletionTimestamp':'2026-01-01T00:00:00Z'", ON("n1"), "")
    POD("resized", "", ON("n1"), "'conditions':[{'type':'PodResizeInProgress','status':'True'}]")
    POD("held", ",'annotations':{'internal.yunikorn.apache.org/placeholder':'true'}", ON("n1"), "")
    POD("ended", "", ON("n1"), "'phase':'Succeeded'")
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'unreadable'},'spec':{" ON("n2")
    "'containers':[{'name':'c','resources':{'requests':{'cpu':'x'}}}]}}";
/* clang-format on */

static const struct {
    const char *node;
    int64_t priority;
    int64_t pods;
    int64_t gpus;
    int64_t millis;
} uses[] = {{"n1", 0, 1, 2, 500}, {"n1", 5, 2, 4, 1000}, {"n2", 0, 2, 2, 500}};

START_TEST(adds_up_what_pods_use)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, pods)), GANG_LIVE_DIAGNOSE,
                                &standard_limits, arena, &report);
    ck_assert_uint_eq(objects.num_uses, COUNT_OF(uses));
    for (size_t i = 0; i < COUNT_OF(uses); i++) {
        const struct live_use *use = &objects.uses[i];
        const struct quantity *gpus = resource_list_get(&use->requests, SLICE("example.com/gpu"));
        const struct quantity *cpu = resource_list_get(&use->requests, SLICE("cpu"));

        ck_slice_eq(use->node, uses[i].node);
        ck_assert_int_eq(use->priority, uses[i].priority);
        ck_assert_int_eq(use->pods, uses[i].pods);
        ck_assert_int_eq(gpus->units, uses[i].gpus);
        ck_assert_int_eq(cpu->units * 1000 + cpu->nanos / 1000000, uses[i].millis);
    }
    ck_assert_uint_eq(objects.num_placeholders, 1);
    ck_slice_eq(((const struct live_object *)objects.placeholders[0])->name, "held");
    arena_free(arena);
}
END_TEST

START_TEST(adds_up_nothing_for_other_calls)
{
    struct live_reading live = read_live(pods);

    ck_assert_uint_eq(live.objects.num_uses, 0);
    end_live(&live);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, adds_up_what_pods_use);
    tcase_add_test(cases, adds_up_nothing_for_other_calls);
}
