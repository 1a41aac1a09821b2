/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/grove.h"
#include "unit/grove_resolutions.h"
#include "unit/suite.h"

/* The good PodGang, then one with everything that it leaves out. */
static const struct {
    enum trace_attribute attribute;
    const char *find, *replace; /* in the PodGang */
    const char *value;          /* NULL: none */
    enum trace_verdict verdict; /* of the first candidate */
} attributes[] = {
    {TRACE_BACKEND, "volcano", "volcano", "volcano", VERDICT_CHOSEN},
    {TRACE_SCHEDULER_NAME, "volcano", "volcano", "volcano", VERDICT_CHOSEN},
    {TRACE_QUEUE, "volcano", "volcano", "default", VERDICT_UNSET},
    {TRACE_QUEUE, "  labels:\n",
     "  annotations: {scheduling.grove.io/volcano-queue: gpu}\n  labels:\n", "gpu", VERDICT_CHOSEN},
    {TRACE_PRIORITY_CLASS_NAME, "volcano", "volcano", "high", VERDICT_CHOSEN},
    {TRACE_PRIORITY_CLASS_NAME, "  priorityClassName: high\n", "", NULL, VERDICT_UNSET},
    {TRACE_TIMEOUT, "volcano", "volcano", NULL, VERDICT_UNSET},
    {TRACE_MEMBERS, "volcano", "volcano", "All", VERDICT_CHOSEN},
    {TRACE_TOPOLOGY, "volcano", "volcano", NULL, VERDICT_UNSET},
    {TRACE_TOPOLOGY, "spec:\n", "spec:\n  topologyConstraint: {packConstraint: {required: zone}}\n",
     "zone", VERDICT_CHOSEN},
    {TRACE_TOPOLOGY, "spec:\n",
     "spec:\n  topologyConstraint: {packConstraint: {preferred: rack}}\n", "rack", VERDICT_CHOSEN},
};

START_TEST(tells_where_a_value_comes_from)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[attributes[_i].attribute];
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, attributes[_i].find, attributes[_i].replace);
    run = run_grove((struct grove_texts){.podgang = text, .podcliqueset = good_podcliqueset});
    attributes_trace(run.decision, &trace);
    ck_assert_int_eq(slice_is_set(entry->value), attributes[_i].value != NULL);
    if (attributes[_i].value)
        ck_slice_eq(entry->value, attributes[_i].value);
    ck_assert_int_eq(entry->candidates[0].verdict, attributes[_i].verdict);
    end_run(&run);
    arena_free(arena);
}
END_TEST

/* Templates that name a scheduler are its candidates: the gang's own, and another. */
static const struct {
    const char *name;
    enum trace_verdict verdict;
} templates[] = {{"volcano", VERDICT_CHOSEN}, {"default-scheduler", VERDICT_REFUSED}};

START_TEST(templates_are_candidates)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    char text[DOCUMENT_SIZE];
    char line[64];
    struct run run;

    NEEDS_YAML();
    snprintf(line, sizeof(line), "        podSpec:\n          schedulerName: %s\n",
             templates[_i].name);
    with_change(text, good_podcliqueset, "        podSpec:\n", line);
    run = run_grove((struct grove_texts){.podgang = good_podgang, .podcliqueset = text});
    attributes_trace(run.decision, &trace);
    ck_assert_uint_eq(trace.entries[TRACE_SCHEDULER_NAME].count, 2); /* and the backend's own */
    ck_assert_int_eq(trace.entries[TRACE_SCHEDULER_NAME].candidates[0].verdict,
                     templates[_i].verdict);
    end_run(&run);
    arena_free(arena);
}
END_TEST

START_TEST(without_a_gang_only_the_choice_is_told)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, "scheduler-name: volcano", "scheduler-name: default-scheduler");
    run = run_grove((struct grove_texts){.podgang = text, .podcliqueset = good_podcliqueset});
    attributes_trace(run.decision, &trace);
    ck_assert_uint_gt(trace.entries[TRACE_BACKEND].count, 0);
    ck_assert_uint_eq(trace.entries[TRACE_QUEUE].count, 0);
    end_run(&run);
    arena_free(arena);
}
END_TEST

#define OF_RULE "volcano policy spec.rules[0].backend:1 Chosen rule r (Always)\n"
#define OF_CLIQUE "podcliqueset spec.template.cliques[0].spec.podSpec.schedulerName:1 "
#define BEHIND_RULE "volcano - Overridden rule r with override Always stands before\n"

/* A rule that stands before the templates gives their pods its scheduler. */
static const struct {
    const char *router;
    const char *trace;
} overridden[] = {
    {"", OF_RULE BEHIND_RULE},
    {";router='schedulerName':'volcano',", OF_RULE
     "volcano " OF_CLIQUE "Overridden rule r with override Always stands before\n" BEHIND_RULE},
    {";router='schedulerName':'kai-scheduler',",
     OF_RULE "kai-scheduler " OF_CLIQUE
             "Overridden rule r with override Always stands before\n" BEHIND_RULE},
};

START_TEST(a_rule_gives_pods_its_scheduler)
{
    char job[RESOLUTION_SLOT_SIZE];
    const struct resolution row = {
        "'rules':[{'name':'r','match':{},'backend':'volcano','override':'Always'}]",
        job,
        NULL,
        0,
        "",
        ""};
    struct run run;

    snprintf(job, sizeof(job), "scheduler=-%s", overridden[_i].router);
    run = run_grove_resolution(&row);
    check_trace(run.decision, TRACE_SCHEDULER_NAME, overridden[_i].trace);
    end_run(&run);
}
END_TEST

/* A policy that lists no backends enables one of each type, and each may have options. */
START_TEST(tells_timeouts_where_no_backends_are_listed)
{
    const struct resolution row = {"'rules':[{'name':'r','match':{}}]", "", NULL, 0, "", ""};
    struct run run = run_grove_resolution(&row);

    check_trace(run.decision, TRACE_TIMEOUT,
                "- podgang Unset a PodGang has no timeout\n"
                "- policy spec.rules[0].scheduleTimeoutSeconds:1 Unset rule r does not say\n");
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, tells_timeouts_where_no_backends_are_listed);
    add_rows(cases, a_rule_gives_pods_its_scheduler, overridden, router);
    add_rows(cases, tells_where_a_value_comes_from, attributes, attribute, find, replace);
    add_rows(cases, templates_are_candidates, templates, name);
    tcase_add_test(cases, without_a_gang_only_the_choice_is_told);
}
