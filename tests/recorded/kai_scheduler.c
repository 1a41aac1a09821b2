/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "recorded/recorded.h"
#include "unit/kai_jobs.h"

static struct recorded recorded;

#define INITIALIZERS                                                                               \
    "dataset-initializer@dataset-initializer model-initializer@model-initializer "                 \
    "node*4@trainer<dataset-initializer:C<model-initializer:C"
#define ELSEWHERE                                                                                  \
    "dataset-initializer@dataset-initializer!default-scheduler "                                   \
    "model-initializer@model-initializer!default-scheduler "                                       \
    "node*4@trainer<dataset-initializer:C<model-initializer:C"

/* What the scenarios ran. Those whose group is written by hand or that lack room are not the
 * podgrouper's doing. */
static const struct {
    const char *scenario;
    const char *roles;
    const char *annotation;
    enum kai_order order;
    bool never_stale;
} scenarios[] = {
    {"l-torch4", "node*4@trainer", NULL, KAI_ORDER_ANY, false},
    {"l-tt", INITIALIZERS, NULL, KAI_ORDER_ANY, false},
    {"l-tt-bmm1", INITIALIZERS, "1", KAI_ORDER_ANY, false},
    {"l-tt-bmm2", INITIALIZERS, "2", KAI_ORDER_ANY, false},
    {"l-tt-bmm3", INITIALIZERS, "3", KAI_ORDER_ANY, false},
    {"l-tt-bmm4", INITIALIZERS, "4", KAI_ORDER_ANY, false},
    {"l-tt-bmm6", INITIALIZERS, "6", KAI_ORDER_ANY, false},
    {"l-tt-bmm1-longinit", INITIALIZERS, "1", KAI_ORDER_ANY, false},
    {"l-tt-init-default", ELSEWHERE, NULL, KAI_ORDER_ANY, false},
    {"l-tt-bmm1-init-default", ELSEWHERE, "1", KAI_ORDER_ANY, false},
    {"l-cache", "dataset-initializer@dataset-initializer node*4@trainer<dataset-initializer:C",
     NULL, KAI_ORDER_ANY, false},
    {"l-cache-bmm1", "dataset-initializer@dataset-initializer node*4@trainer<dataset-initializer:C",
     "1", KAI_ORDER_ANY, false},
    {"l-cache-bmm1-zname", "z-init@dataset-initializer node*4@trainer<z-init:C", "1", KAI_ORDER_ANY,
     false},
    {"l-zinit-default-bmm1", "z-init@dataset-initializer!default-scheduler node*4@trainer<z-init:C",
     "1", KAI_ORDER_ANY, false},
    {"l-zinit-default-bmm1-nostale",
     "z-init@dataset-initializer!default-scheduler node*4@trainer<z-init:C", "1", KAI_ORDER_ANY,
     true},
    {"l-mpi", "node*3 launcher@trainer<node:R", NULL, KAI_ORDER_ANY, false},
    {"l-mpi-bmm1", "node*3 launcher@trainer<node:R", "1", KAI_ORDER_ANY, false},
    {"l-mpi-bmm2", "node*3 launcher@trainer<node:R", "2", KAI_ORDER_ANY, false},
    {"l-mpi-bmm3", "node*3 launcher@trainer<node:R", "3", KAI_ORDER_ANY, false},
    {"l-mpi-bmm1-launcher-default", "node*3 launcher@trainer!default-scheduler<node:R", "1",
     KAI_ORDER_ANY, false},
    {"l-mpi-bmm1-zname", "node*3 z-launcher@trainer<node:R", "1", KAI_ORDER_ANY, false},
    {"l-mpi-bmm1-zname-slow", "node*3 z-launcher@trainer<node:R", "1", KAI_ORDER_ANY, false},
    {"l-mpi-bmm1-zname-slow-nostale", "node*3 z-launcher@trainer<node:R", "1", KAI_ORDER_ANY, true},
    {"l-inorder-a-z", "a*2 z*2<a:R", NULL, KAI_ORDER_IN_ORDER, false},
    {"l-inorder-z-a", "z*2 a*2<z:R", NULL, KAI_ORDER_IN_ORDER, false},
    {"l-inorder-init-node", "init node*2<init:R", NULL, KAI_ORDER_IN_ORDER, false},
};

static int
find_scenario(struct slice name)
{
    for (int i = 0; i < ITEMS_OF(scenarios); i++)
        if (slice_equal(name, slice_from_text(scenarios[i].scenario)))
            return i;
    return -1;
}

/*
 * Room was never short, so a gang and no gang both ran. What may be evicted ran when it was fast.
 * In one case a pod that waits forever was preceded by an eviction: initializers that outlast the
 * grace period.
 */
static bool
agrees(enum kai_outcome outcome, struct slice seen, bool initializers_are_slow)
{
    bool ran = slice_equal(seen, SLICE("ran"));
    bool evicted = slice_equal(seen, SLICE("evicted"));

    if (outcome == KAI_STUCK)
        return slice_equal(seen, SLICE("STUCK")) || (evicted && initializers_are_slow);
    return ran || (evicted && outcome == KAI_EVICTED);
}

START_TEST(judges_as_the_scheduler_did)
{
    const struct node *source = recorded.cases[_i];
    struct slice name = recorded_member(source, "scenario");
    int index = find_scenario(name);
    struct release release = recorded_release(node_member(source, SLICE("version")));
    struct kai_grouping grouping;
    struct kai_verdict verdict;
    struct kai_job kai;
    struct job job;

    if (index < 0) {
        ck_assert_msg(name.data[0] != 'l', "%.*s is not in the table", SLICE_ARG(name));
        return;
    }
    job = job_form(scenarios[index].roles);
    kai = kai_job_of_gang(&job, "main", scenarios[index].order, scenarios[index].annotation);
    kai.release = release;
    grouping = kai_grouping_of(&kai, job.arena);
    verdict = kai_judge(&kai, &grouping, &job.gang, SLICE("kai-scheduler"),
                        scenarios[index].never_stale, job.arena);
    ck_assert_msg(agrees(verdict.outcome, recorded_member(source, "verdict"),
                         slice_equal(name, SLICE("l-tt-bmm1-longinit"))),
                  "%.*s %.*s was seen as %.*s, not as %d: %s",
                  SLICE_ARG(recorded_member(source, "version")), SLICE_ARG(name),
                  SLICE_ARG(recorded_member(source, "verdict")), (int)verdict.outcome, verdict.why);
    job_free(&job);
}
END_TEST

/* Every scenario was run in every version, but for a few on the newest alone. */
START_TEST(knows_the_scenarios)
{
    int known = 0;

    for (int i = 0; i < recorded.count; i++)
        known += find_scenario(recorded_member(recorded.cases[i], "scenario")) >= 0;
    ck_assert_int_eq(recorded.count, 366);
    ck_assert_int_eq(known, 23 * 6 + 4 + 2 + 2);
}
END_TEST

void
add_tests(TCase *cases)
{
    recorded = recorded_load(RECORDED "/kai/scheduler.ndjson");
    tcase_add_loop_test(cases, judges_as_the_scheduler_did, 0, recorded.count);
    tcase_add_test(cases, knows_the_scenarios);
}
