/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/kai_jobs.h"

/* Shipped runtimes of Kubeflow Trainer, N = 4. */
#define TORCH "node*4@trainer"
#define TORCHTUNE                                                                                  \
    "dataset-initializer@dataset-initializer model-initializer@model-initializer "                 \
    "node*4@trainer<dataset-initializer:C<model-initializer:C"
#define TORCHTUNE_DEFAULT                                                                          \
    "dataset-initializer@dataset-initializer!default-scheduler "                                   \
    "model-initializer@model-initializer!default-scheduler "                                       \
    "node*4@trainer<dataset-initializer:C<model-initializer:C"
#define CACHE "dataset-initializer@dataset-initializer node*4@trainer<dataset-initializer:C"
#define DEEPSPEED "node*3 launcher@trainer<node:R"
#define DEEPSPEED_DEFAULT "node*3 launcher@trainer!default-scheduler<node:R"

enum { GANG, EVICTED, NO_GANG, STUCK, NOT_SAID };
static const char *const outcome_names[] = {"gang", "evicted", "no gang", "STUCK"};

static const char *const releases[] = {"v0.13.4", "v0.14.1", "v0.14.7", "v0.15.3",
                                       "v0.16.8", "v0.17.0", "main"};
enum { RELEASES = ITEMS_OF(releases) };

/* What was seen when the podgrouper made the group, row by row. */
static const struct {
    const char *roles;
    const char *annotation;
    int outcomes[RELEASES];
} seen[] = {
    {TORCH, NULL, {GANG, GANG, GANG, NO_GANG, GANG, GANG, GANG}},
    {TORCH, "4", {GANG, GANG, GANG, GANG, GANG, GANG, GANG}},
    {TORCHTUNE, NULL, {STUCK, STUCK, STUCK, NO_GANG, STUCK, STUCK, STUCK}},
    {CACHE, NULL, {STUCK, STUCK, STUCK, NO_GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE, "1", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
    {CACHE, "1", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE, "2", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE, "3", {STUCK, STUCK, STUCK, STUCK, STUCK, STUCK, STUCK}},
    {TORCHTUNE, "4", {STUCK, STUCK, STUCK, STUCK, STUCK, STUCK, STUCK}},
    {TORCHTUNE, "6", {STUCK, STUCK, STUCK, STUCK, STUCK, STUCK, STUCK}},
    {DEEPSPEED, NULL, {STUCK, STUCK, STUCK, NO_GANG, STUCK, STUCK, STUCK}},
    {DEEPSPEED, "1", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
    {DEEPSPEED, "3", {STUCK, GANG, GANG, GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE_DEFAULT, NULL, {STUCK, STUCK, STUCK, NO_GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE_DEFAULT, "1", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
    {TORCHTUNE_DEFAULT, "4", {STUCK, GANG, GANG, GANG, STUCK, STUCK, STUCK}},
    {DEEPSPEED_DEFAULT, NULL, {STUCK, STUCK, STUCK, NO_GANG, STUCK, STUCK, STUCK}},
    {DEEPSPEED_DEFAULT, "3", {STUCK, GANG, GANG, GANG, STUCK, STUCK, STUCK}},
    {DEEPSPEED_DEFAULT, "1", {STUCK, NO_GANG, NO_GANG, NO_GANG, STUCK, STUCK, STUCK}},
};

static struct kai_verdict
judge(const struct job *job, const char *release, enum kai_order order, const char *annotation,
      bool never_stale)
{
    struct kai_job kai = kai_job_of_gang(job, release, order, annotation);
    struct kai_grouping grouping = kai_grouping_of(&kai, job->arena);

    return kai_judge(&kai, &grouping, &job->gang, SLICE("kai-scheduler"), never_stale, job->arena);
}

START_TEST(verdict_equals_observed_scheduler_behaviour)
{
    struct job job = job_form(seen[_i / RELEASES].roles);
    const char *release = releases[_i % RELEASES];
    const char *annotation = seen[_i / RELEASES].annotation;
    struct kai_verdict verdict = judge(&job, release, KAI_ORDER_ANY, annotation, false);

    ck_assert_msg((int)verdict.outcome == seen[_i / RELEASES].outcomes[_i % RELEASES],
                  "%s %s %s: %s: %s", seen[_i / RELEASES].roles, annotation ? annotation : "-",
                  release, outcome_names[verdict.outcome], verdict.why);
    ck_assert((*verdict.why != '\0') == (verdict.outcome != KAI_GANG));
    job_free(&job);
}
END_TEST

/*
 * Not seen, but derived: of a Job that creates one pod first, the group waits for pods that come
 * after it has started. Only a group that asks for one pod of it starts.
 */
static const struct {
    const char *roles;
    const char *annotation;
    int outcomes[RELEASES];
} staggered[] = {
    {"node*4$1@trainer", NULL, {STUCK, STUCK, STUCK, GANG, STUCK, STUCK, STUCK}},
    {"node*4$1@trainer", "1", {STUCK, GANG, GANG, GANG, STUCK, STUCK, STUCK}},
    {"node*4$1@trainer", "4", {STUCK, STUCK, STUCK, STUCK, STUCK, STUCK, STUCK}},
    {"a*2@trainer node*4$1@trainer", "3", {STUCK, GANG, GANG, GANG, STUCK, STUCK, STUCK}},
};

START_TEST(verdict_counts_the_pods_that_exist_at_first)
{
    struct job job = job_form(staggered[_i / RELEASES].roles);
    const char *annotation = staggered[_i / RELEASES].annotation;
    struct kai_verdict verdict =
        judge(&job, releases[_i % RELEASES], KAI_ORDER_ANY, annotation, false);

    ck_assert_msg((int)verdict.outcome == staggered[_i / RELEASES].outcomes[_i % RELEASES],
                  "%s %s %s: %s: %s", staggered[_i / RELEASES].roles, annotation ? annotation : "-",
                  releases[_i % RELEASES], outcome_names[verdict.outcome], verdict.why);
    job_free(&job);
}
END_TEST

/* Scenarios of one rule each; in order where the text has no edges of its own. */
static const struct {
    const char *name;
    const char *release;
    enum kai_order order;
    const char *roles;
    const char *annotation;
    int outcome;
    const char *why;
} rules[] = {
    {"v0.12 groups by owner", "v0.12.23", KAI_ORDER_ANY, TORCH, NULL, NO_GANG,
     "the podgrouper's group requires 1 pods, and the gang needs 4"},
    {"one pod is a gang", "v0.12.23", KAI_ORDER_ANY, "node@trainer", NULL, GANG, ""},
    {"too few pods", "v0.14.7", KAI_ORDER_ANY, DEEPSPEED, NULL, STUCK,
     "the podgrouper's group waits for 4 pods, of which 3 exist; \"launcher\" waits for \"node\" "
     "to be "
     "Ready"},
    {"more pods than there are", "v0.15.3", KAI_ORDER_ANY, TORCH, "5", STUCK,
     "the podgrouper's group waits for 5 pods, of which 4 exist"},
    {"rule 1", "v0.16.8", KAI_ORDER_ANY, DEEPSPEED, NULL, STUCK,
     "KAI schedules the podgrouper's group only when 2 of its 2 roles have all their pods, not "
     "counting finished ones, and then 1 have; \"launcher\" waits for \"node\" to be Ready"},
    {"rule 1 after the initializers", "v0.16.8", KAI_ORDER_ANY, TORCHTUNE, "2", STUCK,
     "KAI schedules the podgrouper's group only when 2 of its 3 roles have all their pods, not "
     "counting finished ones, and then 1 have"},
    {"rule 2", "v0.16.8", KAI_ORDER_ANY, DEEPSPEED, "1", STUCK,
     "the scheduler takes the first 1 roles of the group by name, and of these \"launcher\" has no "
     "pods while \"node\" waits"},
    {"rule 2 after the initializers", "v0.17.0", KAI_ORDER_ANY, CACHE, "1", STUCK,
     "the scheduler takes the first 1 roles of the group by name, and of these "
     "\"dataset-initializer\" has no pods while \"node\" waits"},
    {"rule 2 with names that sort", "v0.17.0", KAI_ORDER_ANY, "node*3 z-launcher@trainer<node:R",
     "1", EVICTED,
     "the group is stale while role \"z-launcher\" has no pods, and evicted after a minute"},
    {"rule 3 after an initializer elsewhere", "main", KAI_ORDER_ANY,
     "z-init@dataset-initializer!default-scheduler node*4@trainer<z-init:C", "1", EVICTED,
     "the group is stale while role \"z-init\" has no pods, and evicted after a minute"},
    {"two roles at once", "v0.16.8", KAI_ORDER_ANY, "a*2@trainer b*2@trainer", NULL, GANG, ""},
    {"two roles, one asked for", "v0.16.8", KAI_ORDER_ANY, "a*2@trainer b*2@trainer", "1", NO_GANG,
     "the podgrouper's group requires 1 of its 2 roles, and the scheduler starts the pods of the "
     "others one by one"},
    {"in order, names sort", "v0.16.8", KAI_ORDER_IN_ORDER, "a*2 z*2<a:R", NULL, EVICTED,
     "the group is stale while role \"z\" has no pods, and evicted after a minute"},
    {"in order, names do not sort", "v0.16.8", KAI_ORDER_IN_ORDER, "z*2 a*2<z:R", NULL, STUCK,
     "the scheduler takes the first 1 roles of the group by name, and of these \"a\" has no pods "
     "while \"z\" waits"},
    {"in order, an initializer first", "main", KAI_ORDER_IN_ORDER,
     "init@dataset-initializer node*2<init:R", NULL, NO_GANG,
     "the podgrouper's group requires 1 of its 2 roles, and the scheduler starts the pods of the "
     "others one by one"},
    {"in order, a group each", "v0.13.4", KAI_ORDER_IN_ORDER, "z*2 a*2<z:R", NULL, GANG, ""},
    {"in order, a group each of one", "v0.15.3", KAI_ORDER_IN_ORDER, "z*2 a*2<z:R", NULL, NO_GANG,
     "the podgrouper creates a group for each role, and none requires all pods of the gang"},
    {"in order, too many for one", "v0.14.7", KAI_ORDER_IN_ORDER, "z*2 a*1<z:R", "2", STUCK,
     "the podgrouper's group of role \"a\" waits for 2 pods, and the role has 1"},
    {"no group", "main", KAI_ORDER_ANY, TORCH, "x", STUCK,
     "the podgrouper creates no group: invalid kai.scheduler/batch-min-member annotation on "
     "JobSet: "
     "strconv.ParseInt: parsing \"x\": invalid syntax"},
    {"a group that is refused", "v0.15.3", KAI_ORDER_ANY, TORCH, "0", STUCK,
     "the API server refuses the podgrouper's group, with a minMember of 0"},
    {"an initializer beside the gang that has finished", "main", KAI_ORDER_ANY,
     "a@dataset-initializer node*2@trainer", NULL, GANG, ""},
    {"an initializer beside the gang that is forgotten", "v0.17.0", KAI_ORDER_ANY,
     "a@dataset-initializer node*2@trainer", NULL, EVICTED,
     "the group is stale while role \"a\" has no pods, and evicted after a minute"},
    {"a group each, of two at once", "v0.13.4", KAI_ORDER_IN_ORDER, "a*2@trainer b*2@trainer", NULL,
     NO_GANG,
     "the podgrouper creates a group for each role, and none requires all pods of the gang"},
    {"an initializer counts as one of the gang", "v0.14.7", KAI_ORDER_ANY,
     "o@dataset-initializer n@trainer m@trainer<o:R", "2", NO_GANG,
     "the podgrouper's group requires 2 pods of any role, and pods outside the gang count too"},
    {"a role outside that waits for an unknown role", "v0.16.8", KAI_ORDER_ANY,
     "node*3@trainer<ghost:R", NULL, GANG, ""},
    {"a Job that creates one pod first", "v0.17.0", KAI_ORDER_ANY, "node*4$1@trainer", NULL, STUCK,
     "the podgrouper's group waits for 4 pods in each replica of role \"node\", which has 1"},
    {"a group each, one pod first", "v0.13.4", KAI_ORDER_IN_ORDER, "node*4$1@trainer", NULL, STUCK,
     "the podgrouper's group of role \"node\" waits for 4 pods, and the role has 1"},
    {"a stage after the gang", "v0.14.7", KAI_ORDER_ANY, "node*4@trainer report<node:C", "4", STUCK,
     "the podgrouper's group waits for 4 pods, of which 1 exist"},
    {"a stage beside the gang", "v0.15.3", KAI_ORDER_ANY,
     "a@dataset-initializer node*2@trainer b<a:C c<b:C", "3", GANG, ""},
};

START_TEST(verdict_reason)
{
    struct job job = job_form(rules[_i].roles);
    struct kai_verdict verdict =
        judge(&job, rules[_i].release, rules[_i].order, rules[_i].annotation, false);

    ck_assert_msg((int)verdict.outcome == rules[_i].outcome && !strcmp(verdict.why, rules[_i].why),
                  "%s: %s: %s", rules[_i].name, outcome_names[verdict.outcome], verdict.why);
    job_free(&job);
}
END_TEST

/* stalenessGracePeriod below zero. */
START_TEST(not_evicted_with_negative_grace_period)
{
    struct job job = job_form("node*3 z-launcher@trainer<node:R");

    ck_assert_int_eq(judge(&job, "v0.17.0", KAI_ORDER_ANY, "1", true).outcome, KAI_GANG);
    job_free(&job);
}
END_TEST

/* A template's annotation: fewer pods than there are is no gang, more never fill. */
static const struct {
    int minimum;
    int outcome;
} leaves[] = {{3, NO_GANG}, {4, GANG}, {5, STUCK}};

START_TEST(checks_leaves)
{
    struct job job = job_form(TORCH);
    struct kai_job kai = kai_job_of_gang(&job, "v0.16.8", KAI_ORDER_ANY, NULL);
    struct kai_grouping grouping = kai_grouping_of(&kai, job.arena);
    struct kai_verdict verdict;

    grouping.minima[0] = leaves[_i].minimum;
    verdict = kai_judge(&kai, &grouping, &job.gang, SLICE("kai-scheduler"), false, job.arena);
    ck_assert_int_eq(verdict.outcome, leaves[_i].outcome);
    if (verdict.outcome == KAI_STUCK)
        ck_assert_str_eq(verdict.why,
                         "the podgrouper's group waits for 5 pods in each replica of role "
                         "\"node\", which has 4");
    job_free(&job);
}
END_TEST

/* Without memory there is no verdict, and the arena reports the failure. */
START_TEST(survives_every_failed_allocation)
{
    enum { LIMIT = 1 << 16 };
    struct job job = job_form(DEEPSPEED);
    struct arena *small = arena_new(LIMIT);
    struct kai_job kai = kai_job_of_gang(&job, "v0.16.8", KAI_ORDER_ANY, NULL);
    struct kai_grouping grouping = kai_grouping_of(&kai, job.arena);

    arena_alloc(small, LIMIT - 16 * (size_t)_i);
    kai_judge(&kai, &grouping, &job.gang, SLICE("kai-scheduler"), false, small);
    ck_assert(arena_failed(small));
    grouping.minima = NULL;
    ck_assert_int_eq(
        kai_judge(&kai, &grouping, &job.gang, SLICE("kai-scheduler"), false, job.arena).outcome,
        KAI_GANG);
    arena_free(small);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, verdict_equals_observed_scheduler_behaviour, 0,
                        ITEMS_OF(seen) * RELEASES);
    tcase_add_loop_test(cases, verdict_counts_the_pods_that_exist_at_first, 0,
                        ITEMS_OF(staggered) * RELEASES);
    add_rows(cases, verdict_reason, rules, name, release, roles);
    tcase_add_test(cases, not_evicted_with_negative_grace_period);
    tcase_add_loop_test(cases, survives_every_failed_allocation, 1, 10);
    add_rows(cases, checks_leaves, leaves, minimum);
}
