/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

/* One rule gives every attribute another value than the default; each is told in its own entry. */
#define EVERY_SETTING                                                                              \
    "'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'name':'q'},"                    \
    "'priorityClassName':{'name':'p'},'scheduleTimeoutSeconds':7,'members':'TrainerOnly',"         \
    "'topology':{'mode':'soft','level':'3'}}]"

static const struct {
    const char *job, *policy;
    const char *values[TRACE_ATTRIBUTE_COUNT]; /* NULL: nothing was chosen */
} decisions[] = {
    {"", EVERY_SETTING, {"volcano", "volcano", "q", "p", "7", "TrainerOnly", "soft"}},
    {"",
     "'defaultBackend':'coscheduling'",
     {"coscheduling", "scheduler-plugins-scheduler", NULL, NULL, NULL, "Auto", NULL}},
    {"gang={'volcano':{}}", NULL, {"volcano", "volcano", "default", NULL, NULL, "Auto", NULL}},
    {"", NULL, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}},
};

START_TEST(each_attribute_has_its_value)
{
    const struct resolution row = {decisions[_i].policy, decisions[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct trace trace = {.arena = arena_new(0)};

    attributes_trace(run.decision, &trace);
    for (int i = 0; i < TRACE_ATTRIBUTE_COUNT; i++) {
        ck_assert_int_eq(slice_is_set(trace.entries[i].value), decisions[_i].values[i] != NULL);
        if (decisions[_i].values[i])
            ck_slice_eq(trace.entries[i].value, decisions[_i].values[i]);
    }
    arena_free(trace.arena);
    end_run(&run);
}
END_TEST

/* What the trace says is what the gang has. */
START_TEST(the_gang_has_what_the_trace_says)
{
    const struct resolution row = {EVERY_SETTING, "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    const struct gang *gang = &run.decision->gang;

    ck_slice_eq(gang->scheduler_name, "volcano");
    ck_slice_eq(gang->queue, "q");
    ck_slice_eq(gang->priority_class_name, "p");
    ck_assert(gang->has_timeout);
    ck_assert_int_eq(gang->timeout_seconds, 7);
    ck_assert_int_eq(gang->members_choice, MEMBERS_TRAINER_ONLY);
    ck_slice_eq(gang->topology.mode, "soft");
    ck_assert_int_eq(gang->topology.highest_tier, 3);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, each_attribute_has_its_value, decisions, job, policy);
    tcase_add_test(cases, the_gang_has_what_the_trace_says);
}
