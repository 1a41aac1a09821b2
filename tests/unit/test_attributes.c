/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/attributes.h"

#include "libgang/document/path.h"
#include "unit/plans.h"
#include "unit/suite.h"

#define COSCHEDULER "scheduler-plugins-scheduler"
#define GANG_POLICY "{'coscheduling': {'scheduleTimeoutSeconds': 300}}"
#define SCHEDULER "'schedulerName': '" COSCHEDULER "',"
#define QUEUE "'metadata': {'annotations': {'scheduling.volcano.sh/queue-name': 'research'}},\n"
#define POD_SPEC "spec.template.spec.replicatedJobs[0].template.spec.template.spec"
#define TIMEOUT_PATH "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds"
#define TOPOLOGY_PATH "spec.podGroupPolicy.volcano.networkTopology"

/* Of one attribute: its value, then the candidates: value, document, path and line, verdict, reason. */
static const struct setting {
    const char *gang_policy, *find, *replace;
    const char *trainjob, *policy;
    enum trace_attribute attribute;
    const char *text;
} settings[] = {
    /* The scheduler: the template's, else the backend's default. */
    {GANG_POLICY, NULL, NULL, plain_trainjob, NULL, TRACE_SCHEDULER_NAME,
     COSCHEDULER "\n" COSCHEDULER " runtime " POD_SPEC
                 ".schedulerName:13 Chosen the template names the backend's "
                 "scheduler\n" COSCHEDULER " -  Overridden every template names a scheduler\n"},
    {GANG_POLICY, SCHEDULER, "", plain_trainjob, NULL, TRACE_SCHEDULER_NAME,
     COSCHEDULER "\n" COSCHEDULER " -  Chosen the backend's default\n"},
    {GANG_POLICY, COSCHEDULER, "mine", plain_trainjob, NULL, TRACE_SCHEDULER_NAME,
     "-\nmine runtime " POD_SPEC ".schedulerName:13 Refused not the backend's scheduler\n" COSCHEDULER
     " -  Overridden every template names a scheduler\n"},
    {GANG_POLICY, COSCHEDULER, "mine", plain_trainjob, compatibility_policy, TRACE_SCHEDULER_NAME,
     "mine\nmine runtime " POD_SPEC
     ".schedulerName:13 Chosen with KubeflowTrainer compatibility schedulerName is left "
     "alone\n" COSCHEDULER " -  Overridden with KubeflowTrainer compatibility schedulerName is left alone\n"},
    /* The priority of the members. */
    {GANG_POLICY, NULL, NULL, plain_trainjob, NULL, TRACE_PRIORITY_CLASS_NAME,
     "high\nhigh runtime " POD_SPEC ".priorityClassName:14 Chosen the members' priority class\n"},
    {GANG_POLICY, "'priorityClassName': 'high',", "", plain_trainjob, NULL, TRACE_PRIORITY_CLASS_NAME,
     "-\n- runtime  Unset no template names a priority class\n"},
    /* The timeout: coscheduling's alone. */
    {GANG_POLICY, NULL, NULL, plain_trainjob, NULL, TRACE_TIMEOUT,
     "300\n300 runtime " TIMEOUT_PATH ":6 Chosen the runtime's podGroupPolicy\n"},
    {"{'coscheduling': {}}", NULL, NULL, plain_trainjob, NULL, TRACE_TIMEOUT,
     "60\n60 runtime " TIMEOUT_PATH " Chosen the API server's default\n"},
    {"{}", NULL, NULL, plain_trainjob, NULL, TRACE_TIMEOUT,
     "-\n- runtime " TIMEOUT_PATH " Unset the scheduler's own default stands\n"},
    {"{'volcano': {}}", SCHEDULER, "", plain_trainjob, NULL, TRACE_TIMEOUT,
     "-\n- runtime " TIMEOUT_PATH " Unset the backend has no timeout\n"},
    /* Who is in. */
    {GANG_POLICY, NULL, NULL, plain_trainjob, NULL, TRACE_MEMBERS,
     "Auto\nAuto -  Chosen the roles that run together; the first wave is the minimum\n"},
    {GANG_POLICY, NULL, NULL, plain_trainjob, compatibility_policy, TRACE_MEMBERS,
     "All\nAll policy spec.compatibility:4 Chosen with KubeflowTrainer compatibility every role is counted "
     "and marked\n"},
    /* The topology: Volcano's alone. */
    {"{'volcano': {'networkTopology': {'mode': 'soft'}}}", SCHEDULER, "", plain_trainjob, NULL,
     TRACE_TOPOLOGY, "soft\nsoft runtime " TOPOLOGY_PATH ":6 Chosen the runtime's podGroupPolicy\n"},
    {"{'volcano': {'networkTopology': {}}}", SCHEDULER, "", plain_trainjob, NULL, TRACE_TOPOLOGY,
     "hard\nhard runtime " TOPOLOGY_PATH ":6 Chosen the runtime's podGroupPolicy\n"},
    {GANG_POLICY, NULL, NULL, plain_trainjob, NULL, TRACE_TOPOLOGY,
     "-\n- runtime " TOPOLOGY_PATH " Unset no topology is asked for\n"},
};

static const char *
text_or_dash(struct arena *arena, struct slice text)
{
    return slice_is_set(text) ? arena_format(arena, "%.*s", SLICE_ARG(text)) : "-";
}

static const char *
candidate_line(struct arena *arena, const struct trace_candidate *candidate)
{
    static const char *const names[] = {[GANG_DOCUMENT_NONE] = "-",
                                        [GANG_DOCUMENT_RUNTIME] = "runtime",
                                        [GANG_DOCUMENT_TRAINJOB] = "trainjob",
                                        [GANG_DOCUMENT_POLICY] = "policy"};
    const char *line = candidate->source ? arena_format(arena, ":%u", (unsigned)candidate->source->line) : "";

    return arena_format(arena, "%s %s %.*s%s %s %s\n", text_or_dash(arena, candidate->value),
                        names[candidate->document],
                        SLICE_ARG(path_below(arena, candidate->source, candidate->missing)), line,
                        trace_verdict_names[candidate->verdict], candidate->reason);
}

static struct run
run_setting(const struct setting *row)
{
    char runtime[DOCUMENT_SIZE];

    with_change(runtime, plain_runtime, GANG_POLICY, row->gang_policy);
    return run_spelled(runtime, row->find, row->replace, row->trainjob, row->policy);
}

START_TEST(says_where_each_setting_comes_from)
{
    struct run run = run_setting(&settings[_i]);
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[settings[_i].attribute];
    char text[DOCUMENT_SIZE];

    attributes_trace(run.decision, &trace);
    snprintf(text, sizeof(text), "%s\n", text_or_dash(arena, entry->value));
    for (size_t i = 0; i < entry->count; i++)
        strcat(text, candidate_line(arena, &entry->candidates[i]));
    check_text(text, settings[_i].text);
    arena_free(arena);
    end_run(&run);
}
END_TEST

/* What the gang takes from the chosen backend and its part of podGroupPolicy. */
static const struct {
    const char *gang_policy, *scheduler;
    bool has_timeout;
    int64_t timeout;
} applied[] = {
    {GANG_POLICY, COSCHEDULER, true, 300},
    {"{'coscheduling': {}}", COSCHEDULER, true, 60},
    {"{'coscheduling': {'scheduleTimeoutSeconds': 0}}", COSCHEDULER, true, 0},
    {"{}", COSCHEDULER, false, 0},
};

START_TEST(the_gang_takes_its_settings)
{
    struct run run = run_spelled(plain_runtime, GANG_POLICY, applied[_i].gang_policy, plain_trainjob, NULL);
    const struct gang *gang = &run.decision->gang;

    ck_slice_eq(gang->scheduler_name, applied[_i].scheduler);
    ck_assert_int_eq(gang->has_timeout, applied[_i].has_timeout);
    ck_assert_int_eq(gang->timeout_seconds, applied[_i].timeout);
    ck_assert(!gang->topology.is_set);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, says_where_each_setting_comes_from, 0, COUNT_OF(settings));
    tcase_add_loop_test(cases, the_gang_takes_its_settings, 0, COUNT_OF(applied));
}
