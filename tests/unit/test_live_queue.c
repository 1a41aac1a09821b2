/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "unit/live_reading.h"
#include "unit/suite.h"

#define KUEUE(kind, name, space, spec, status)                                                     \
    "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'" kind "','metadata':{'name':'" name           \
    "','uid':'" name "'" space "},'spec':{" spec "},'status':{" status "}}"
#define IN(space, made) ",'namespace':'" space "','creationTimestamp':'2026-01-01T00:00:" made "Z'"
#define WORKLOAD(name, space, made, spec, status)                                                  \
    KUEUE("Workload", name, IN(space, made), "'queueName':'q'" spec, status)
#define TRUE(type) "'conditions':[{'type':'" type "','status':'True'}]"

/* clang-format off */
static const char queues[] =
    KUEUE("ClusterQueue", "one", "", "", "")
    KUEUE("ClusterQueue", "two", "", "", "")
    KUEUE("LocalQueue", "q", IN("a", "00"), "'clusterQueue':'one'", "")
    KUEUE("LocalQueue", "q", IN("b", "00"), "'clusterQueue':'one'", "")
    KUEUE("LocalQueue", "q", IN("c", "00"), "'clusterQueue':'two'", "")
    WORKLOAD("late", "a", "09", "", "")
    WORKLOAD("equal-b", "a", "05", "", "'conditions':[{'type':'QuotaReserved','status':'False'}]")
    WORKLOAD("equal-a", "b", "05", "", "")
    WORKLOAD("high", "b", "09", ",'priority':10", "")
    WORKLOAD("low", "a", "01", ",'priority':-1", "")
    WORKLOAD("reserved", "a", "01", "", TRUE("QuotaReserved"))
    WORKLOAD("evicted", "a", "01", "", TRUE("Evicted"))
    WORKLOAD("finished", "a", "01", "", TRUE("Finished"))
    WORKLOAD("inactive", "a", "01", ",'active':false", "")
    WORKLOAD("active", "c", "01", ",'active':true", "")
    WORKLOAD("nowhere", "d", "01", "", "");
/* clang-format on */

static const struct {
    const char *name, *space, *first;
    size_t before;
} rows[] = {
    {"high", "b", NULL, 0},      {"equal-a", "b", "high", 1}, {"equal-b", "a", "high", 2},
    {"late", "a", "high", 3},    {"low", "a", "high", 4},     {"active", "c", NULL, 0},
    {"evicted", "a", "high", 1}, /* it stands where it would without its eviction */
};

START_TEST(counts_what_kueue_looks_at_before)
{
    struct arena *arena = arena_new(0);
    const struct live_key key = {LIVE_KUEUE_GROUP, LIVE_KUEUE_KIND, slice_from_text(rows[_i].space),
                                 slice_from_text(rows[_i].name)};
    struct report report;
    struct live_objects objects;
    const struct live_object *workload;
    const struct live_object *first = NULL;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, queues)), GANG_LIVE_DIAGNOSE,
                                &standard_limits, arena, &report);
    workload = live_objects_find(&objects, &key);
    ck_assert_uint_eq(
        live_queued_before(&objects, live_cluster_queue_of(&objects, workload), workload, &first),
        rows[_i].before);
    ck_assert_int_eq(first != NULL, rows[_i].first != NULL);
    if (first)
        ck_slice_eq(first->name, rows[_i].first);
    ck_assert(objects.has_kueue);
    ck_assert_uint_eq(objects.num_queued, 6);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, counts_what_kueue_looks_at_before, rows, name, space);
}
