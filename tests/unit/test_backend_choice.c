/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/backend_choice.h"

#include "libgang/document/path.h"
#include "unit/plans.h"
#include "unit/suite.h"

/* Two equal roles; what chooses a backend stands on lines 5, 9 and 13. */
static const char *
pair_runtime(char out[DOCUMENT_SIZE], const char *gang_policy, const char *first, const char *second)
{
    snprintf(out, DOCUMENT_SIZE,
             "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"             /* 1 */
             " 'kind': 'ClusterTrainingRuntime',\n"                          /* 2 */
             " 'metadata': {'name': 'tune'},\n"                              /* 3 */
             " 'spec': {'podGroupPolicy':\n"                                 /* 4 */
             "%s,\n"                                                         /* 5 */
             "  'template': {'spec': {'replicatedJobs': [\n"                 /* 6 */
             "   {'name': 'a', 'replicas': 1, 'template': {\n"               /* 7 */
             "    'spec': {'backoffLimit': 0, 'template': {'spec': {\n"      /* 8 */
             "%s%s%s\n"                                                      /* 9 */
             "     'containers': [{'name': 'c', 'image': 'i'}]}}}}},\n"      /* 10 */
             "   {'name': 'b', 'replicas': 1, 'template': {\n"               /* 11 */
             "    'spec': {'backoffLimit': 0, 'template': {'spec': {\n"      /* 12 */
             "%s%s%s\n"                                                      /* 13 */
             "     'containers': [{'name': 'c', 'image': 'i'}]}}}}}]}}}}\n", /* 14 */
             gang_policy ? gang_policy : "null", first ? "'schedulerName': '" : "", first ? first : "",
             first ? "'," : "", second ? "'schedulerName': '" : "", second ? second : "", second ? "'," : "");
    return out;
}

static const char elsewhere_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml'},\n"
    " 'spec': {'managedBy': 'kueue.x-k8s.io/multikueue',\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'ClusterTrainingRuntime',\n"
    "                 'name': 'tune'}}}\n";

#define COSCHEDULER "scheduler-plugins-scheduler"

/* Candidates in order of precedence: value, path and line, verdict, reason. */
#define GANG_POLICY(name, rest) name " spec.podGroupPolicy." name rest "\n"
#define UNSET(name) GANG_POLICY(name, " Unset the runtime's podGroupPolicy does not name it")
#define CHOSEN(name) GANG_POLICY(name, ":5 Chosen the runtime's podGroupPolicy names it")
#define NEITHER UNSET("coscheduling") UNSET("volcano")
/* The scheduler names come after all members. */
#define LAST_MEMBER UNSET("workload")
#define FIRST(value, rest)                                                                                   \
    LAST_MEMBER value                                                                                        \
        " spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName:9 " rest "\n"
#define SECOND(value, rest)                                                                                  \
    value " spec.template.spec.replicatedJobs[1].template.spec.template.spec.schedulerName:13 " rest "\n"
#define NO_SCHEDULER LAST_MEMBER "-  Unset no template names a scheduler\n"
#define NAMES_IT "Chosen the schedulerName of the templates is this backend's"
#define UNKNOWN "Refused no backend has a scheduler of this name"
#define BEHIND "Overridden the runtime's podGroupPolicy stands before schedulerName"
#define IGNORED "Refused with KubeflowTrainer compatibility only podGroupPolicy chooses"
#define SEVERAL "Ambiguous the templates name the schedulers of several backends"
#define ELSEWHERE "Refused managedBy names another controller; the operator creates nothing"

enum { DEFAULT_MODE, COMPATIBLE, MANAGED };

static const struct choice_case {
    const char *gang_policy, *first, *second;
    int mode;
    enum gang_outcome outcome;
    const char *backend;
    int code; /* that must be among the findings; 0: no finding but infos */
    enum gang_severity severity;
    const char *candidates;
} choices[] = {
    /* podGroupPolicy: each member, empty objects count. */
    {"{'volcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     UNSET("coscheduling") CHOSEN("volcano") NO_SCHEDULER},
    {"{'coscheduling': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "coscheduling", 0, 0,
     CHOSEN("coscheduling") UNSET("volcano") NO_SCHEDULER},
    {"{'volcano': {}, 'coscheduling': null}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     UNSET("coscheduling") CHOSEN("volcano") NO_SCHEDULER},
    {"{'volcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_SCHEDULER_NAME_MISSING, GANG_SEVERITY_WARNING,
     UNSET("coscheduling") CHOSEN("volcano") NO_SCHEDULER},
    {"{'coscheduling': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "coscheduling",
     GANG_CODE_SCHEDULER_NAME_MISSING, GANG_SEVERITY_WARNING,
     CHOSEN("coscheduling") UNSET("volcano") NO_SCHEDULER},
    /* Nothing chooses. */
    {NULL, NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0, NEITHER NO_SCHEDULER},
    {"{}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0, NEITHER NO_SCHEDULER},
    /* A scheduler that belongs to one backend. */
    {NULL, "volcano", "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NEITHER FIRST("volcano", NAMES_IT)},
    {NULL, COSCHEDULER, COSCHEDULER, DEFAULT_MODE, GANG_OUTCOME_GANG, "coscheduling", 0, 0,
     NEITHER FIRST("coscheduling", NAMES_IT)},
    {NULL, "volcano", NULL, DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NEITHER FIRST("volcano", NAMES_IT)},
    {NULL, NULL, "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     NEITHER LAST_MEMBER SECOND("volcano", NAMES_IT)},
    /* One that belongs to none, default-scheduler among them, never chooses. */
    {NULL, "default-scheduler", "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NEITHER FIRST("-", UNKNOWN)},
    {NULL, "my-scheduler", "other", DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NEITHER FIRST("-", UNKNOWN) SECOND("-", UNKNOWN)},
    {NULL, "Volcano", NULL, DEFAULT_MODE, GANG_OUTCOME_NO_GANG, NULL, 0, 0, NEITHER FIRST("-", UNKNOWN)},
    /* Roles must have one scheduler. */
    {NULL, "volcano", "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULERS_DISAGREE, GANG_SEVERITY_ERROR,
     NEITHER FIRST("volcano", NAMES_IT) SECOND("-", UNKNOWN)},
    {NULL, "volcano", COSCHEDULER, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL, GANG_CODE_SCHEDULERS_DISAGREE,
     GANG_SEVERITY_ERROR, NEITHER FIRST("volcano", SEVERAL) SECOND("coscheduling", SEVERAL)},
    /* podGroupPolicy stands before schedulerName; where they disagree it is an error. */
    {"{'volcano': {}}", "volcano", "volcano", DEFAULT_MODE, GANG_OUTCOME_GANG, "volcano", 0, 0,
     UNSET("coscheduling") CHOSEN("volcano") FIRST("volcano", BEHIND)},
    {"{'volcano': {}}", COSCHEDULER, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_ERROR,
     UNSET("coscheduling") CHOSEN("volcano") FIRST("coscheduling", BEHIND)},
    {"{'coscheduling': {}}", NULL, "default-scheduler", DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_ERROR,
     CHOSEN("coscheduling") UNSET("volcano") LAST_MEMBER SECOND("-", UNKNOWN)},
    /* Both at once, in either mode. */
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_BACKEND_CONFLICT, GANG_SEVERITY_ERROR,
     GANG_POLICY("coscheduling", ":5 Ambiguous podGroupPolicy names more than one")
         GANG_POLICY("volcano", ":5 Ambiguous podGroupPolicy names more than one") NO_SCHEDULER},
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_BACKEND_CONFLICT, GANG_SEVERITY_ERROR,
     GANG_POLICY("coscheduling", ":5 Ambiguous podGroupPolicy names more than one")
         GANG_POLICY("volcano", ":5 Ambiguous podGroupPolicy names more than one") NO_SCHEDULER},
    /* A member that no backend reads. */
    {"{'vulcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL, GANG_CODE_UNKNOWN_GANG_POLICY,
     GANG_SEVERITY_ERROR, NEITHER NO_SCHEDULER},
    {"{'vulcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, GANG_CODE_UNKNOWN_GANG_POLICY,
     GANG_SEVERITY_WARNING, NEITHER NO_SCHEDULER},
    {"{'volcano': {}, 'vulcano': {}}", NULL, NULL, DEFAULT_MODE, GANG_OUTCOME_INVALID, NULL,
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_ERROR,
     UNSET("coscheduling") CHOSEN("volcano") NO_SCHEDULER},
    {"{'volcano': {}, 'vulcano': {}}", NULL, NULL, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_UNKNOWN_GANG_POLICY, GANG_SEVERITY_WARNING,
     UNSET("coscheduling") CHOSEN("volcano") NO_SCHEDULER},
    /* Compatibility looks at podGroupPolicy alone; the operator never reads schedulerName. */
    {NULL, "volcano", "volcano", COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NEITHER FIRST("volcano", IGNORED)},
    {NULL, "volcano", COSCHEDULER, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0,
     NEITHER FIRST("volcano", IGNORED) SECOND("coscheduling", IGNORED)},
    {NULL, "my-scheduler", NULL, COMPATIBLE, GANG_OUTCOME_NO_GANG, NULL, 0, 0, NEITHER FIRST("-", UNKNOWN)},
    {"{'volcano': {}}", COSCHEDULER, COSCHEDULER, COMPATIBLE, GANG_OUTCOME_GANG, "volcano",
     GANG_CODE_SCHEDULER_MISMATCH, GANG_SEVERITY_WARNING,
     UNSET("coscheduling") CHOSEN("volcano") FIRST("coscheduling", IGNORED)},
    /* Another controller's job has no gang here, whatever the runtime says. */
    {"{'volcano': {}}", "volcano", NULL, MANAGED, GANG_OUTCOME_NO_GANG, NULL, GANG_CODE_MANAGED_ELSEWHERE,
     GANG_SEVERITY_INFO,
     UNSET("coscheduling") GANG_POLICY("volcano", ":5 " ELSEWHERE) FIRST("volcano", ELSEWHERE)},
    {NULL, "volcano", COSCHEDULER, MANAGED, GANG_OUTCOME_NO_GANG, NULL, GANG_CODE_MANAGED_ELSEWHERE,
     GANG_SEVERITY_INFO, NEITHER FIRST("volcano", ELSEWHERE) SECOND("coscheduling", ELSEWHERE)},
    {"{'volcano': {}, 'coscheduling': {}}", NULL, NULL, MANAGED, GANG_OUTCOME_NO_GANG, NULL,
     GANG_CODE_MANAGED_ELSEWHERE, GANG_SEVERITY_INFO,
     GANG_POLICY("coscheduling", ":5 " ELSEWHERE) GANG_POLICY("volcano", ":5 " ELSEWHERE) NO_SCHEDULER},
};

static struct run
run_choice(const struct choice_case *row)
{
    char runtime[DOCUMENT_SIZE];

    pair_runtime(runtime, row->gang_policy, row->first, row->second);
    return run_spelled(runtime, NULL, NULL, row->mode == MANAGED ? elsewhere_trainjob : tune_trainjob,
                       row->mode == COMPATIBLE ? compatibility_policy : NULL);
}

static void
check_finding(const struct run *run, const struct choice_case *row)
{
    bool found = !row->code;

    for (size_t i = 0; i < run_num_findings(run); i++) {
        const struct gang_diagnostic *finding = run_finding(run, i);

        found |= gang_diagnostic_get_code(finding) == row->code &&
                 gang_diagnostic_get_severity(finding) == row->severity;
        ck_assert_msg(row->code || gang_diagnostic_get_severity(finding) == GANG_SEVERITY_INFO, "%s",
                      gang_diagnostic_get_message(finding));
    }
    ck_assert_msg(found, "GANG%03d was not found, or is of another severity", row->code);
}

START_TEST(chooses_in_order_of_precedence)
{
    struct run run = run_choice(&choices[_i]);

    ck_assert_ptr_nonnull(run.decision);
    check_finding(&run, &choices[_i]);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), choices[_i].outcome);
    ck_assert_pstr_eq(gang_decision_get_backend(run.decision), choices[_i].backend);
    ck_assert_int_eq(run.result, choices[_i].outcome == GANG_OUTCOME_INVALID ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_int_eq(run.error != NULL, choices[_i].outcome == GANG_OUTCOME_INVALID);
    end_run(&run);
}
END_TEST

static const char *
candidate_text(struct arena *arena, const struct trace_candidate *candidate)
{
    struct slice value = slice_is_set(candidate->value) ? candidate->value : SLICE("-");
    struct slice path = path_below(arena, candidate->source, candidate->missing);
    const char *line = candidate->source ? arena_format(arena, ":%u", (unsigned)candidate->source->line) : "";

    return arena_format(arena, "%.*s %.*s%s %s %s", SLICE_ARG(value), SLICE_ARG(path), line,
                        trace_verdict_names[candidate->verdict], candidate->reason);
}

START_TEST(every_candidate_lands_in_the_trace)
{
    struct run run = run_choice(&choices[_i]);
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[TRACE_BACKEND];
    char text[DOCUMENT_SIZE] = "";

    backend_trace(run.decision, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        ck_assert_int_eq(entry->candidates[i].document, GANG_DOCUMENT_RUNTIME);
        strcat(strcat(text, candidate_text(arena, &entry->candidates[i])), "\n");
    }
    check_text(text, choices[_i].candidates);
    arena_free(arena);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, chooses_in_order_of_precedence, 0, COUNT_OF(choices));
    tcase_add_loop_test(cases, every_candidate_lands_in_the_trace, 0, COUNT_OF(choices));
}
