/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/typed.h"

struct inputs {
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
};

static struct inputs
parse_inputs(void)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct inputs inputs = {run.runtime, run.trainjob};

    gang_decision_unref(run.decision);
    return inputs;
}

static void
free_inputs(struct inputs *inputs)
{
    unref_runtime(inputs->runtime);
    unref_trainjob(inputs->trainjob);
}

static const struct {
    bool has_runtime, has_trainjob, has_out;
    uint32_t flags;
    int result;
} misuses[] = {
    {true, false, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {false, false, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, true, 2, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, true, 1u << 31, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    struct inputs inputs = parse_inputs();
    struct gang_decision *decision =
        (struct gang_decision *)inputs.runtime; /* must be overwritten */
    struct gang_error *error = NULL;

    for (int with_error = 0; with_error < 2; with_error++)
        ck_assert_int_eq(
            resolve_trainjob_with(NULL, misuses[_i].has_runtime ? inputs.runtime : NULL,
                                  misuses[_i].has_trainjob ? inputs.trainjob : NULL, NULL, NULL,
                                  misuses[_i].flags, misuses[_i].has_out ? &decision : NULL,
                                  with_error ? &error : NULL),
            misuses[_i].result);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(decision);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    free_inputs(&inputs);
}
END_TEST

static const char half_a_core[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"lab\"},"
    "\"spec\":{\"runtimeClasses\":[{\"name\":\"kata\",\"overhead\":{\"cpu\":0.5}}]}}";

/* What was found in the cluster's document stands among the decision's findings, and outlives the
 * caller's handle. */
START_TEST(a_cluster_is_held_and_its_findings_are_shown)
{
    struct inputs inputs = parse_inputs();
    struct gang_decision *decision = NULL;
    struct gang_cluster *cluster = NULL;
    const struct gang_diagnostic *finding;

    ck_assert_int_eq(parse_cluster(NULL, half_a_core, sizeof(half_a_core) - 1, 0, &cluster, NULL),
                     GANG_OK);
    ck_assert_int_eq(resolve_trainjob_with(NULL, inputs.runtime, inputs.trainjob, NULL, cluster, 0,
                                           &decision, NULL),
                     GANG_OK);
    unref_cluster(cluster);
    finding = gang_decision_get_diagnostic(decision, gang_decision_num_diagnostics(decision) - 1);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_CLUSTER);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), GANG_CODE_FRACTIONAL_NUMBER);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), "spec.runtimeClasses[0].overhead[cpu]");
    gang_decision_unref(decision);
    free_inputs(&inputs);
}
END_TEST

/* An error of an earlier call is not left behind. */
START_TEST(success_clears_the_error)
{
    struct inputs inputs = parse_inputs();
    struct gang_decision *decision = NULL;
    struct gang_error *error = (struct gang_error *)inputs.runtime;

    ck_assert_int_eq(resolve_trainjob_with(NULL, inputs.runtime, inputs.trainjob, NULL, NULL, 0,
                                           &decision, &error),
                     GANG_OK);
    ck_assert_ptr_null(error);
    ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_GANG);
    gang_decision_unref(decision);
    free_inputs(&inputs);
}
END_TEST

/* Wrong inputs: a decision and an error, with the same findings. */
static const struct wrong {
    const char *runtime_find, *runtime_replace, *trainjob_find, *trainjob_replace;
    int code;
    enum gang_document_type document;
    const char *path;
    unsigned line, column;
    const char *message;
} wrongs[] = {
    {"'name': 'tune'}", "'name': 'other'}", NULL, NULL, GANG_CODE_RUNTIME_MISMATCH,
     GANG_DOCUMENT_TRAINJOB, "spec.runtimeRef", 5, 17,
     "Invalid value: the trainjob refers to ClusterTrainingRuntime tune, not to "
     "ClusterTrainingRuntime "
     "other"},
    {"'kind': 'ClusterTrainingRuntime'", "'kind': 'TrainingRuntime'", NULL, NULL,
     GANG_CODE_RUNTIME_MISMATCH, GANG_DOCUMENT_TRAINJOB, "spec.runtimeRef", 5, 17,
     "Invalid value: the trainjob refers to ClusterTrainingRuntime tune, not to TrainingRuntime "
     "tune"},
    {"{'volcano': {}}", "{'volcano': {}, 'coscheduling': {}}", NULL, NULL,
     GANG_CODE_BACKEND_CONFLICT, GANG_DOCUMENT_RUNTIME, "spec.podGroupPolicy", 6, 21,
     "Invalid value: \"coscheduling, volcano\": at most one may be set"},
    {"{'volcano': {}}", "{'vulcano': {}}", NULL, NULL, GANG_CODE_UNKNOWN_GANG_POLICY,
     GANG_DOCUMENT_RUNTIME, "spec.podGroupPolicy.vulcano", 6, 22,
     "Unsupported value: \"vulcano\": supported values: \"coscheduling\", \"volcano\", "
     "\"kaiScheduler\", "
     "\"workload\""},
};

static struct run
run_wrong(const struct wrong *row)
{
    char runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];

    with_change(runtime, tune_runtime, row->runtime_find, row->runtime_replace);
    if (row->trainjob_find)
        with_change(trainjob, tune_trainjob, row->trainjob_find, row->trainjob_replace);
    return run_spelled(runtime, NULL, NULL, row->trainjob_find ? trainjob : tune_trainjob, NULL);
}

START_TEST(wrong_inputs_give_a_decision_and_an_error)
{
    struct run run = run_wrong(&wrongs[_i]);
    const struct gang_diagnostic *finding = NULL;

    ck_assert_int_eq(run.result, GANG_ERROR_INVALID);
    ck_assert_ptr_nonnull(run.decision);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_INVALID);
    ck_assert_ptr_null(gang_decision_get_backend(run.decision));
    ck_assert_int_eq(gang_error_get_code(run.error), GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(run.error),
                      gang_decision_num_diagnostics(run.decision));
    for (size_t i = 0; i < gang_error_num_diagnostics(run.error); i++) {
        const struct gang_diagnostic *other = gang_decision_get_diagnostic(run.decision, i);
        const struct gang_diagnostic *same = gang_error_get_diagnostic(run.error, i);

        ck_assert_int_eq(gang_diagnostic_get_code(same), gang_diagnostic_get_code(other));
        ck_assert_str_eq(gang_diagnostic_get_message(same), gang_diagnostic_get_message(other));
        finding = gang_diagnostic_get_code(same) == wrongs[_i].code ? same : finding;
    }
    ck_assert_ptr_nonnull(finding);
    ck_assert_int_eq(gang_diagnostic_get_severity(finding), GANG_SEVERITY_ERROR);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), wrongs[_i].document);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), wrongs[_i].path);
    ck_assert_uint_eq(gang_diagnostic_get_line(finding), wrongs[_i].line);
    ck_assert_uint_eq(gang_diagnostic_get_column(finding), wrongs[_i].column);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), wrongs[_i].message);
    end_run(&run);
}
END_TEST

/* The error pointer may be NULL; the decision is there all the same. */
START_TEST(a_decision_without_an_error_pointer)
{
    struct run run = run_wrong(&wrongs[_i]);
    struct gang_decision *decision = NULL;

    ck_assert_int_eq(
        resolve_trainjob_with(NULL, run.runtime, run.trainjob, NULL, NULL, 0, &decision, NULL),
        GANG_ERROR_INVALID);
    ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
    gang_decision_unref(decision);
    end_run(&run);
}
END_TEST

/* Namespaces must meet where both are known. */
static const struct {
    const char *runtime, *trainjob;
    int result;
} namespaces[] = {
    {"'namespace': 'ml'", "'namespace': 'ml', ", GANG_OK},
    {"'namespace': 'ml'", "", GANG_OK},
    {"'labels': {}", "'namespace': 'ml', ", GANG_OK},
    {"'namespace': 'other'", "'namespace': 'ml', ", GANG_ERROR_INVALID},
};

START_TEST(namespaces_must_meet)
{
    char trainjob[DOCUMENT_SIZE];
    struct run run;

    with_change(trainjob, plain_trainjob, "'namespace': 'ml', ", namespaces[_i].trainjob);
    run = run_spelled(plain_runtime, "'namespace': 'ml'", namespaces[_i].runtime, trainjob, NULL);
    ck_assert_int_eq(run.result, namespaces[_i].result);
    if (run.result)
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(run.error, 1)),
                         GANG_CODE_RUNTIME_MISMATCH);
    end_run(&run);
}
END_TEST

/* All errors at once, ordered by document and position: here one of each input. */
START_TEST(every_error_at_once)
{
    struct run run;
    char both[DOCUMENT_SIZE];

    with_change(both, tune_runtime, "'name': 'tune'", "'name': 'other'");
    run = run_spelled(both, "{'volcano': {}}", "{'volcano': {}, 'coscheduling': {}, 'vulcano': {}}",
                      tune_trainjob, NULL);
    ck_assert_int_eq(run.result, GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(run.error), 4);
    /* 6:21 the map; 6:53 the empty coscheduling; 6:57 the key of the unknown member; then the
     * trainjob. */
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(run.error, 0)),
                     GANG_CODE_BACKEND_CONFLICT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(run.error, 2)),
                     GANG_CODE_UNKNOWN_GANG_POLICY);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(run.error, 1)),
                     GANG_CODE_DEFAULT_APPLIED);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(run.error, 3)),
                     GANG_CODE_RUNTIME_MISMATCH);
    end_run(&run);
}
END_TEST

/* What only the default mode refuses is a warning under KubeflowTrainer. */
START_TEST(the_policy_judges_findings_of_the_parse)
{
    static const char mark[] = "'metadata': {'labels': {'scheduling.x-k8s.io/pod-group': 'mine',";
    struct run refused =
        run_spelled(tune_runtime, "'metadata': {'labels': {", mark, tune_trainjob, NULL);
    struct run accepted = run_spelled(tune_runtime, "'metadata': {'labels': {", mark, tune_trainjob,
                                      compatibility_policy);

    ck_assert_int_eq(refused.result, GANG_ERROR_INVALID);
    ck_assert_ptr_nonnull(refused.decision);
    ck_assert_int_eq(accepted.result, GANG_OK);
    ck_assert_int_eq(gang_decision_get_outcome(accepted.decision), GANG_OUTCOME_GANG);
    end_run(&refused);
    end_run(&accepted);
}
END_TEST

/* The decision holds its inputs: they may go first. */
START_TEST(inputs_may_go_before_the_decision)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy);
    struct gang_plan *plan;
    struct gang_blob *before, *after;

    plan = plan_of(&run);
    before = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    gang_plan_unref(plan);
    unref_runtime(run.runtime);
    unref_trainjob(run.trainjob);
    unref_policy(run.policy);
    run.runtime = NULL;
    run.trainjob = NULL;
    run.policy = NULL;
    plan = plan_of(&run);
    gang_decision_unref(run.decision);
    run.decision = NULL;
    after = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    gang_plan_unref(plan);
    check_text(gang_blob_get_data(after, NULL), gang_blob_get_data(before, NULL));
    gang_blob_unref(before);
    gang_blob_unref(after);
    end_run(&run);
}
END_TEST

/* One runtime serves any number of resolves. */
START_TEST(inputs_may_be_used_again)
{
    struct inputs inputs = parse_inputs();
    struct gang_decision *decisions[3] = {NULL};

    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(resolve_trainjob_with(NULL, inputs.runtime, inputs.trainjob, NULL, NULL, 0,
                                               &decisions[i], NULL),
                         GANG_OK);
    free_inputs(&inputs);
    for (int i = 0; i < 3; i++) {
        ck_assert_str_eq(gang_decision_get_backend(decisions[i]), "volcano");
        gang_decision_unref(decisions[i]);
    }
}
END_TEST

START_TEST(memory_for_a_decision_is_limited)
{
    struct inputs inputs = parse_inputs();
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_decision *decision = NULL;
    struct gang_error *error = NULL;
    int result;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    result = resolve_trainjob_with(context, inputs.runtime, inputs.trainjob, NULL, NULL, 0,
                                   &decision, &error);
    ck_assert_int_eq(result, GANG_ERROR_LIMIT);
    ck_assert_ptr_null(decision);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_MEMORY);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
    free_inputs(&inputs);
}
END_TEST

/* The YAML spelling of the same inputs gives the same plan but for the places in the text. */
START_TEST(yaml_and_json_inputs_are_alike)
{
    char json_runtime[DOCUMENT_SIZE];
    char yaml_runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];
    struct run json, yaml;
    struct gang_plan *plans[2];
    struct gang_blob *blobs[2];

    NEEDS_YAML();
    spell(json_runtime, tune_runtime);
    /* A comment in front makes the flow mappings of the same text YAML. */
    with_change(yaml_runtime, json_runtime, "{", "# YAML\n{");
    json = run_texts(json_runtime, spell(trainjob, tune_trainjob), NULL);
    yaml = run_texts(yaml_runtime, trainjob, NULL);
    plans[0] = plan_of(&json);
    plans[1] = plan_of(&yaml);
    for (int i = 0; i < 2; i++) {
        blobs[i] = blob_of(plans[i], GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
        gang_plan_unref(plans[i]);
    }
    check_text(gang_blob_get_data(blobs[0], NULL), gang_blob_get_data(blobs[1], NULL));
    ck_assert_uint_eq(run_num_findings(&json), run_num_findings(&yaml));
    for (size_t i = 0; i < run_num_findings(&json); i++) {
        uint32_t line = gang_diagnostic_get_line(run_finding(&json, i));
        bool is_runtime =
            gang_diagnostic_get_document(run_finding(&json, i)) == GANG_DOCUMENT_RUNTIME;

        ck_assert_str_eq(gang_diagnostic_get_message(run_finding(&json, i)),
                         gang_diagnostic_get_message(run_finding(&yaml, i)));
        ck_assert_uint_eq(gang_diagnostic_get_line(run_finding(&yaml, i)), line + is_runtime);
    }
    gang_blob_unref(blobs[0]);
    gang_blob_unref(blobs[1]);
    end_run(&json);
    end_run(&yaml);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_cluster_is_held_and_its_findings_are_shown);
    add_rows(cases, misuse_is_refused, misuses, has_runtime, has_trainjob, has_out);
    tcase_add_test(cases, success_clears_the_error);
    add_rows(cases, wrong_inputs_give_a_decision_and_an_error, wrongs, runtime_find,
             runtime_replace, trainjob_find);
    add_rows(cases, a_decision_without_an_error_pointer, wrongs, runtime_find, runtime_replace,
             trainjob_find);
    add_rows(cases, namespaces_must_meet, namespaces, runtime, trainjob);
    tcase_add_test(cases, every_error_at_once);
    tcase_add_test(cases, the_policy_judges_findings_of_the_parse);
    tcase_add_test(cases, inputs_may_go_before_the_decision);
    tcase_add_test(cases, inputs_may_be_used_again);
    tcase_add_test(cases, memory_for_a_decision_is_limited);
    tcase_add_test(cases, yaml_and_json_inputs_are_alike);
}
