/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/plans.h"
#include "unit/suite.h"

#define ENTRY "spec.runtimePatches[1]"
#define TEMPLATE ENTRY ".trainingRuntimeSpec.template"
#define LABELS TEMPLATE ".spec.replicatedJobs[0].template.spec.template.metadata.labels"
#define OUTDATED(path, message) "GANG052 " path ": " message

/* plain_trainjob with a patch of its user and the entry for its PodGroup of coscheduling. */
static const char marked_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1'},\n"
    " 'spec': {'runtimeRef': {'kind': 'TrainingRuntime', 'name': 'plain'}, 'runtimePatches': [\n"
    "  {'manager': 'a.example/user', 'trainingRuntimeSpec': {'template': {'spec': {\n"
    "   'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
    "    'metadata': {'labels': {'team': 'a'}}}}}}]}}}},\n"
    "  {'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {'spec': {\n"
    "   'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
    "    'metadata': {'labels': {'scheduling.x-k8s.io/pod-group': 'llama'}}}}}}]}}}}]}}\n";

static const struct {
    const char *find, *replace, *expected; /* "": the entry is the plan's */
} rows[] = {
    {"'spec': {'runtimeRef'", "'spec': {'runtimeRef'", ""},
    /* the operator's webhook adds the time */
    {"'manager': 'libgang", "'time': '2026-01-01T00:00:00Z', 'manager': 'libgang", ""},
    {"/pod-group': 'llama'", "/pod-group': 'other'",
     OUTDATED(LABELS "[scheduling.x-k8s.io/pod-group]",
              "Invalid value: 'other': the plan has 'llama'")},
    {"/pod-group': 'llama'", "/pod-group': 'llama', 'tier': 'gold'",
     OUTDATED(LABELS "[tier]", "Forbidden: the plan does not set it")},
    {"'scheduling.x-k8s.io/pod-group': 'llama'", "",
     OUTDATED(LABELS, "Required value: the plan sets 'scheduling.x-k8s.io/pod-group'")},
    /* a mark of another scheduler */
    {"{'labels': {'scheduling.x",
     "{'annotations': {'scheduling.k8s.io/group-name': 'x'}, "
     "'labels': {'scheduling.x",
     OUTDATED(TEMPLATE ".spec.replicatedJobs[0].template.spec.template.metadata.annotations",
              "Forbidden: the plan does not set it")},
    /* a queue that the policy has not seen */
    {"{'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {",
     "{'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {"
     "'metadata': {'labels': {'kai.scheduler/queue': 'vip'}}, ",
     OUTDATED(TEMPLATE ".metadata", "Forbidden: the plan does not set it")},
    {"'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
     "    'metadata': {'labels': {'scheduling",
     "'replicatedJobs': [{'name': 'nodes', 'template': {'spec': {'template': {\n"
     "    'metadata': {'labels': {'scheduling",
     OUTDATED(TEMPLATE ".spec.replicatedJobs",
              "Required value: the plan has marks for the role "
              "'node'") "\n" OUTDATED(TEMPLATE ".spec.replicatedJobs[0]",
                                      "Forbidden: the plan has no marks for this role")},
};

/* The findings of GANG052, a line each, with ' for a double quote. */
static void
outdated_of(const struct run *run, char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < run_num_findings(run); i++) {
        const struct gang_diagnostic *finding = run_finding(run, i);

        if (gang_diagnostic_get_code(finding) != GANG_CODE_PATCH_OUTDATED)
            continue;
        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%sGANG052 %s: %s", len ? "\n" : "",
                                gang_diagnostic_get_path(finding),
                                gang_diagnostic_get_message(finding));
    }
    for (char *at = out; *at; at++)
        if (*at == '"')
            *at = '\'';
}

START_TEST(compares_the_entry_with_the_plan)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    const char *expected = rows[_i].expected;
    struct run run;

    run = run_spelled(plain_runtime, NULL, NULL,
                      with_change(changed, marked_trainjob, rows[_i].find, rows[_i].replace), NULL);
    outdated_of(&run, text);
    ck_assert_str_eq(text, expected);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision),
                     *expected ? GANG_OUTCOME_INVALID : GANG_OUTCOME_GANG);
    end_run(&run);
}
END_TEST

START_TEST(a_job_without_a_gang_has_no_entry)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    struct run run = run_spelled(
        with_change(changed, plain_runtime, "'coscheduling': {'scheduleTimeoutSeconds': 300}", ""),
        "'schedulerName': 'scheduler-plugins-scheduler',\n", "", marked_trainjob, NULL);

    outdated_of(&run, text);
    ck_assert_str_eq(text, OUTDATED(ENTRY, "Forbidden: the plan has no marks"));
    end_run(&run);
}
END_TEST

/* The marks are for the cluster in which the job will run. */
START_TEST(a_job_managed_elsewhere_keeps_its_entry)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    struct run run =
        run_spelled(plain_runtime, NULL, NULL,
                    with_change(changed, marked_trainjob, "'spec': {'runtimeRef'",
                                "'spec': {'managedBy': 'kueue.x-k8s.io/multikueue', 'runtimeRef'"),
                    NULL);

    outdated_of(&run, text);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, compares_the_entry_with_the_plan, rows, find, replace);
    tcase_add_test(cases, a_job_without_a_gang_has_no_entry);
    tcase_add_test(cases, a_job_managed_elsewhere_keeps_its_entry);
}
