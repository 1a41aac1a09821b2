/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/suite.h"
#include "unit/lists.h"
#include "unit/plans.h"
#include "unit/typed.h"
#include "unit/grove.h"
#include "unit/squeeze.h"

/* ---- resolve ---- */

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

/* Kubernetes caps the amount, with a warning. */
static const char huge_overhead[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"lab\"},"
    "\"spec\":{\"runtimeClasses\":[{\"name\":\"kata\",\"overhead\":{\"memory\":\"8Ei\"}}]}}";

/* The findings of the cluster's document are in the decision, and outlive the caller's handle. */
START_TEST(decision_refers_to_cluster_and_has_its_findings)
{
    struct inputs inputs = parse_inputs();
    struct gang_decision *decision = NULL;
    struct gang_cluster *cluster = NULL;
    const struct gang_diagnostic *finding;

    ck_assert_int_eq(
        parse_cluster(NULL, huge_overhead, sizeof(huge_overhead) - 1, 0, &cluster, NULL), GANG_OK);
    ck_assert_int_eq(resolve_trainjob_with(NULL, inputs.runtime, inputs.trainjob, NULL, cluster, 0,
                                           &decision, NULL),
                     GANG_OK);
    unref_cluster(cluster);
    finding = gang_decision_get_diagnostic(decision, gang_decision_num_diagnostics(decision) - 1);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_CLUSTER);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), GANG_CODE_QUANTITY_CAPPED);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), "spec.runtimeClasses[0].overhead[memory]");
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
     "Unsupported value: \"vulcano\": supported values: @members"},
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
    ck_assert_str_eq(gang_diagnostic_get_message(finding),
                     with_list(wrongs[_i].message, "\"", ", "));
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

START_TEST(namespaces_must_be_equal)
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
START_TEST(policy_mode_applies_to_parse_findings)
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
START_TEST(inputs_may_be_freed_before_the_decision)
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

/* ---- resolve podgang ---- */

static const char volcano_queues[] = "apiVersion: policy.libgang.dev/v1alpha1\n"
                                     "kind: GangCluster\n"
                                     "metadata: {name: c}\n"
                                     "spec: {queues: [{name: gpu, type: Volcano}]}\n";

/* `find` becomes `replace` in one of the two documents; this finding must come of it. */
static const struct {
    bool in_set;
    struct document_case finding;
    enum gang_severity severity;
} remarks[] = {
    {false,
     {"scheduler-name: volcano", "scheduler-name: kai", GANG_CODE_SCHEDULER_NOT_ENABLED,
      "metadata.labels[grove.io/scheduler-name]", 8, 30},
     GANG_SEVERITY_ERROR},
    {false,
     {"    name: job\n", "    name: other\n", GANG_CODE_PODCLIQUESET_MISMATCH,
      "metadata.ownerReferences[0]", 11, 5},
     GANG_SEVERITY_ERROR},
    {false,
     {"scheduler-name: volcano", "scheduler-name: default-scheduler",
      GANG_CODE_SCHEDULER_WITHOUT_GANGS, "", 0, 0},
     GANG_SEVERITY_INFO},
    {false,
     {"[job-0-sg-0-decode]", "[nobody]", GANG_CODE_PODGROUP_UNKNOWN,
      "spec.topologyConstraintGroupConfigs[0].podGroupNames[0]", 27, 21},
     GANG_SEVERITY_ERROR},
    {false,
     {"    podGroupNames: [job-0-sg-0-decode]\n",
      "    podGroupNames: [job-0-sg-0-decode]\n  - {name: g, podGroupNames: [job-0-sg-0-decode]}\n",
      GANG_CODE_PODGROUP_IN_TWO_CONFIGS, "spec.topologyConstraintGroupConfigs[1].podGroupNames[0]",
      28, 31},
     GANG_SEVERITY_ERROR},
    {false,
     {"  - name: job-0-sg-0\n", "  - name: job-0-router\n", GANG_CODE_DUPLICATE_ITEM,
      "spec.podgroups[0].name", 19, 11},
     GANG_SEVERITY_ERROR},
    {false, {"  uid: u-gang\n", "", GANG_CODE_NO_OWNER_UID, "", 0, 0}, GANG_SEVERITY_INFO},
    /* ai-dynamo/grove:operator/internal/scheduler/volcano/queue_test.go@fcc3b3bb: missing queue */
    {false,
     {"  labels:\n", "  annotations: {scheduling.grove.io/volcano-queue: nope}\n  labels:\n",
      GANG_CODE_UNKNOWN_QUEUE, "metadata.annotations[scheduling.grove.io/volcano-queue]", 7, 52},
     GANG_SEVERITY_ERROR},
    {true,
     {"        podSpec:\n", "        podSpec:\n          schedulerName: lpx-scheduler\n",
      GANG_CODE_SCHEDULERS_DISAGREE, "spec.template.cliques[1]", 21, 7},
     GANG_SEVERITY_ERROR},
    {true,
     {"        podSpec:\n", "        podSpec:\n          schedulerName: lpx-scheduler\n",
      GANG_CODE_SCHEDULER_MISMATCH, "spec.template.cliques[0].spec.podSpec.schedulerName", 16, 26},
     GANG_SEVERITY_ERROR},
    {true,
     {"  template:\n", "  template:\n    topologyConstraint: {pack: {required: rack}}\n",
      GANG_CODE_GROVE_TOPOLOGY_REFUSED, "spec.template.topologyConstraint", 10, 25},
     GANG_SEVERITY_ERROR},
    {true,
     {"    - name: decode\n",
      "    - name: decode\n      annotations: {scheduling.grove.io/volcano-queue: gpu}\n",
      GANG_CODE_GROVE_QUEUE_CONFLICT,
      "spec.template.cliques[1].annotations[scheduling.grove.io/volcano-queue]", 21, 56},
     GANG_SEVERITY_ERROR},
};

START_TEST(findings_are_at_the_invalid_field)
{
    const struct document_case *finding = &remarks[_i].finding;
    char text[DOCUMENT_SIZE];
    struct grove_texts texts = {
        .podgang = good_podgang, .podcliqueset = good_podcliqueset, .cluster = volcano_queues};

    NEEDS_YAML();
    with_change(text, remarks[_i].in_set ? good_podcliqueset : good_podgang, finding->find,
                finding->replace);
    if (remarks[_i].in_set)
        texts.podcliqueset = text;
    else
        texts.podgang = text;
    if (remarks[_i].severity != GANG_SEVERITY_ERROR)
        texts.cluster = NULL;
    check_wanted(run_grove(texts), finding, remarks[_i].severity);
}
END_TEST

static const struct {
    const char *label;
    uint32_t flags;
    enum gang_outcome outcome;
    const char *backend;
} outcomes[] = {
    {"volcano", 0, GANG_OUTCOME_GANG, "volcano"},
    {"default-scheduler", 0, GANG_OUTCOME_NO_GANG, NULL},
    {"lpx-scheduler", 0, GANG_OUTCOME_NO_GANG, NULL},
    {"kai", 0, GANG_OUTCOME_INVALID, NULL},
    {"kai", GANG_RESOLVE_FALL_BACK, GANG_OUTCOME_NO_GANG, NULL},
};

START_TEST(outcomes_by_label)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, "volcano", outcomes[_i].label);
    run = run_grove((struct grove_texts){.podgang = text, .flags = outcomes[_i].flags});
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), outcomes[_i].outcome);
    ck_assert_pstr_eq(gang_decision_get_backend(run.decision), outcomes[_i].backend);
    end_run(&run);
}
END_TEST

START_TEST(sums_of_a_gang)
{
    struct run run;
    const struct gang *gang;

    NEEDS_YAML();
    run =
        run_grove((struct grove_texts){.podgang = good_podgang, .podcliqueset = good_podcliqueset});
    gang = &run.decision->gang;
    ck_assert_int_eq(gang->minimum, 3);
    ck_assert_int_eq(gang->members, 5);
    ck_assert_int_eq(gang->pods, 5);
    ck_assert_int_eq(gang->late_members, 0);
    ck_assert_uint_eq(gang->resources.count, 2);
    ck_assert_uint_eq(gang->wishes->num_groups, 3);
    end_run(&run);
}
END_TEST

/* The PodCliqueSet alone: its admission, and never a gang. */
START_TEST(podcliqueset_alone_is_resolved)
{
    struct run run;

    NEEDS_YAML();
    run = run_grove((struct grove_texts){.podcliqueset = good_podcliqueset});
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    ck_slice_eq(run.decision->wishes.owner.kind, "PodCliqueSet");
    end_run(&run);
}
END_TEST

/*
 * Releases that refuse every PodGang (Grove's Init of its Volcano backend, and GREP-525), and
 * a queue that is missing, which is `default` for a set that names none:
 * ai-dynamo/grove:operator/internal/scheduler/volcano/queue.go@fcc3b3bb.
 */
static const struct {
    const char *scheduler;
    const char *facts;
    struct document_case finding;
} set_refusals[] = {
    {"volcano",
     "components: {volcano: v1.13.0}",
     {"", "", GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS, "spec.components.volcano", 4, 30}},
    {"kai-scheduler",
     "components: {kai: v0.14.7}",
     {"", "", GANG_CODE_KAI_CREATE_UNSUPPORTED, "spec.components.kai", 4, 26}},
    {"volcano",
     "queues: [{name: gpu, type: Volcano}]",
     {"", "", GANG_CODE_UNKNOWN_QUEUE, "metadata.name", 4, 9}},
};

START_TEST(podcliqueset_alone_is_refused_like_its_podgangs)
{
    char set[DOCUMENT_SIZE];
    char cluster[DOCUMENT_SIZE];

    NEEDS_YAML();
    snprintf(set, sizeof(set),
             "apiVersion: grove.io/v1alpha1\nkind: PodCliqueSet\nmetadata:\n  name: job\n"
             "  labels: {kai.scheduler/queue: q}\nspec: {replicas: 1, template: {cliques: [{name: "
             "a, spec: {roleName: a, podSpec: {schedulerName: %s, containers: [{name: c}]}}}]}}\n",
             set_refusals[_i].scheduler);
    snprintf(cluster, sizeof(cluster),
             "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: c}\n"
             "spec: {%s}\n",
             set_refusals[_i].facts);
    check_wanted(run_grove((struct grove_texts){.podcliqueset = set, .cluster = cluster}),
                 &set_refusals[_i].finding, GANG_SEVERITY_ERROR);
}
END_TEST

/* The Job controller joins only pods of Jobs. */
START_TEST(no_second_gang)
{
    static const char cluster[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: c}\n"
        "spec: {kubernetesVersion: \"1.36\", featureGates: {WorkloadWithJob: true}}\n";
    struct run run;

    NEEDS_YAML();
    run = run_grove((struct grove_texts){.podgang = good_podgang, .cluster = cluster});
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_ptr_null(message_of(&run, GANG_CODE_SECOND_GANG));
    end_run(&run);
}
END_TEST

/* Under the layout Aggregate the plan of the base PodGang has the others; without the base there is
 * none. */
static const struct {
    const char *base; /* its name */
    enum gang_outcome outcome;
    enum gang_code code;
} scaled[] = {
    {"job-0", GANG_OUTCOME_NO_GANG, GANG_CODE_IN_AGGREGATE},
    {"job-1", GANG_OUTCOME_INVALID, GANG_CODE_BASE_PODGANG_MISSING},
};

static struct gang_podgang *
scaled_podgang(const char *name)
{
    static const char head[] =
        "apiVersion: scheduler.grove.io/v1alpha1\nkind: PodGang\n"
        "metadata:\n  name: %s\n  labels: {grove.io/scheduler-name: kai-scheduler, "
        "grove.io/podcliqueset-replica-index: \"0\", grove.io/podcliquescalinggroup: sg}\n"
        "  ownerReferences: [{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, name: job, "
        "uid: u, controller: true}]\nspec: {podgroups: []}\n";
    struct gang_podgang *podgang = NULL;
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), head, name);
    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    return podgang;
}

START_TEST(a_scaled_podgang_is_left_to_its_base)
{
    static const char policy_text[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n"
        "metadata: {name: p}\n"
        "spec: {backends: [{name: kai, type: KAI, kai: {layout: Aggregate}}]}\n";
    struct gang_podgang *podgangs[2];
    struct gang_podcliqueset *set = NULL;
    struct gang_policy *policy = NULL;
    struct run run = {0};
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    podgangs[0] = scaled_podgang("job-0-sg-0");
    podgangs[1] = scaled_podgang(scaled[_i].base);
    with_change(text, good_podcliqueset, "  uid: u-set\n", "  labels: {kai.scheduler/queue: q}\n");
    ck_assert_int_eq(parse_podcliqueset(NULL, text, strlen(text), 0, &set, NULL), GANG_OK);
    ck_assert_int_eq(parse_policy(NULL, policy_text, strlen(policy_text), 0, &policy, NULL),
                     GANG_OK);
    run.result = resolve_with(NULL, podgangs[0], (const void *const[]){podgangs[1], set, policy}, 3,
                              0, &run.decision, &run.error);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), scaled[_i].outcome);
    ck_assert_ptr_nonnull(message_of(&run, scaled[_i].code));
    end_run(&run);
    unref_podgang(podgangs[0]);
    unref_podgang(podgangs[1]);
    unref_podcliqueset(set);
    unref_policy(policy);
}
END_TEST

static const struct {
    bool has_podgang, has_out;
    uint32_t flags;
    int result;
} misuses_of_resolve_podgang[] = {
    {false, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, 2, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused_of_resolve_podgang)
{
    static const char text[] =
        "{\"apiVersion\":\"scheduler.grove.io/v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{"
        "\"name\":\"g\"},\"spec\":{\"podgroups\":[]}}";
    struct gang_podgang *podgang = NULL;
    struct gang_decision *decision = (struct gang_decision *)&podgang;
    struct gang_error *error = NULL;

    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    ck_assert_int_eq(
        resolve_podgang_with(NULL, misuses_of_resolve_podgang[_i].has_podgang ? podgang : NULL,
                             NULL, NULL, NULL, misuses_of_resolve_podgang[_i].flags,
                             misuses_of_resolve_podgang[_i].has_out ? &decision : NULL, &error),
        misuses_of_resolve_podgang[_i].result);
    ck_assert_ptr_nonnull(error);
    if (misuses_of_resolve_podgang[_i].has_out)
        ck_assert_ptr_null(decision);
    gang_error_free(error);
    unref_podgang(podgang);
}
END_TEST

/* Compatibility is with another operator: it changes nothing here. */
START_TEST(compatibility_is_not_for_grove)
{
    static const char policy_text[] =
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n"
        "metadata: {name: p}\nspec: {compatibility: KubeflowTrainer}\n";
    struct gang_podgang *podgang = NULL;
    struct gang_policy *policy = NULL;
    struct gang_decision *decision = NULL;

    NEEDS_YAML();
    ck_assert_int_eq(parse_podgang(NULL, good_podgang, strlen(good_podgang), 0, &podgang, NULL),
                     GANG_OK);
    ck_assert_int_eq(parse_policy(NULL, policy_text, strlen(policy_text), 0, &policy, NULL),
                     GANG_OK);
    ck_assert_int_eq(resolve_podgang_with(NULL, podgang, NULL, policy, NULL, 0, &decision, NULL),
                     GANG_OK);
    ck_assert_int_eq(decision->wishes.compatibility, COMPATIBILITY_NONE);
    gang_decision_unref(decision);
    unref_policy(policy);
    unref_podgang(podgang);
}
END_TEST

/* Everything of Grove once, so that every part of it runs out of memory once: documents, an
 * aggregate, its plan, a pod. */
#define SCALED(name, more)                                                                         \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"" name                               \
    "\",\"namespace\":\"ml\",\"uid\":\"u\",\"labels\":{\"grove.io/"                                \
    "scheduler-name\":\"kai-scheduler\","                                                          \
    "\"grove.io/podcliqueset-replica-index\":\"0\",\"grove.io/podcliquescalinggroup\":\"sg\"},"    \
    "\"annotations\":{\"grove.io/topology-name\":\"t\"},\"ownerReferences\":[{\"apiVersion\":"     \
    "\"grove.io/"                                                                                  \
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"name\":\"job\",\"uid\":\"u\",\"controller\":true}]},"  \
    "\"spec\":{\"topologyConstraint\":{\"packConstraint\":{\"required\":\"z\",\"preferred\":"      \
    "\"y\"}}," more "}}"
#define PODGROUP(name) "{\"name\":\"" name "\",\"minReplicas\":1,\"podReferences\":[]}"

static const struct {
    const char *base, *scaled, *set, *topology, *policy, *cluster, *pod;
} crowded = {
    SCALED("job-0",
           "\"podgroups\":[" PODGROUP("job-0-sg-0-a") "," PODGROUP(
               "job-0-b") "],"
                          "\"topologyConstraintGroupConfigs\":[{\"name\":\"c\",\"podGroupNames\":["
                          "\"job-0-sg-0-a\"]}]"),
    SCALED("job-0-sg-0", "\"podgroups\":[" PODGROUP("job-0-sg-1-a") "]"),
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"name\":\"job\",\"namespace\":\"ml\","
    "\"uid\":\"u\"},\"spec\":{\"template\":{\"cliques\":["
    "{\"name\":\"a\",\"labels\":{\"kai.scheduler/"
    "queue\":\"q\"},\"spec\":{\"roleName\":\"a\",\"podSpec\":{\"containers\":"
    "[{\"name\":\"m\",\"resources\":{\"limits\":{\"cpu\":1}}}]}}},"
    "{\"name\":\"b\",\"labels\":{\"kai.scheduler/"
    "queue\":\"q\"},\"spec\":{\"roleName\":\"b\",\"podSpec\":{\"containers\":"
    "[]}}}],\"podCliqueScalingGroups\":[{\"name\":\"sg\",\"cliqueNames\":[\"a\"]}]}}}",
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\"},"
    "\"spec\":{\"levels\":[{\"domain\":\"z\",\"key\":\"z\"}]}}",
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
    "\"spec\":{\"backends\":[{\"name\":\"kai\",\"type\":\"KAI\",\"kai\":{\"layout\":\"Aggregate\"}}"
    "],"
    "\"rules\":[{\"name\":\"r\",\"match\":{},\"resources\":\"RequestsOnly\"}]}}",
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"c\"},"
    "\"spec\":{\"limitRanges\":[{\"namespace\":\"ml\",\"name\":\"l\",\"limits\":[{\"type\":"
    "\"Container\","
    "\"defaultRequest\":{\"memory\":\"1Gi\"}}]}]}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{\"grove.io/"
    "podgang\":\"job-0\","
    "\"grove.io/podclique\":\"job-0-b\",\"app.kubernetes.io/part-of\":\"job\","
    "\"grove.io/podcliqueset-replica-index\":\"0\"}},\"spec\":{}}",
};

struct crowd {
    struct gang_podgang *podgangs[2];
    struct gang_podcliqueset *set;
    struct gang_topologybinding *topology;
    struct gang_policy *policy;
    struct gang_cluster *cluster;
    struct gang_decision *decision;
};

static int
crowd_read(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    int result =
        parse_podgang(context, crowded.base, strlen(crowded.base), 0, &crowd->podgangs[0], error);

    if (!result)
        result = parse_podgang(context, crowded.scaled, strlen(crowded.scaled), 0,
                               &crowd->podgangs[1], error);
    if (!result)
        result =
            parse_podcliqueset(context, crowded.set, strlen(crowded.set), 0, &crowd->set, error);
    if (!result)
        result = parse_topologybinding(context, crowded.topology, strlen(crowded.topology), 0,
                                       &crowd->topology, error);
    if (!result)
        result =
            parse_policy(NULL, crowded.policy, strlen(crowded.policy), 0, &crowd->policy, error);
    if (!result)
        result = parse_cluster(NULL, crowded.cluster, strlen(crowded.cluster), 0, &crowd->cluster,
                               error);
    return result;
}

static int
crowd_resolve(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    const void *const inputs[] = {crowd->podgangs[1], crowd->set, crowd->topology, crowd->policy,
                                  crowd->cluster};

    return resolve_with(context, crowd->podgangs[0], inputs, 5, 0, &crowd->decision, error);
}

static int
crowd_prepare(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    struct gang_blob *blob = NULL;
    int result = gang_decision_prepare_pod(context, crowd->decision, crowded.pod,
                                           strlen(crowded.pod), GANG_FORMAT_JSON, 0, &blob, error);

    gang_blob_unref(blob);
    return result;
}

static int
crowd_render(struct crowd *crowd, const struct gang_context *context, struct gang_error **error)
{
    struct gang_plan *plan = NULL;
    int result = gang_render(context, crowd->decision, 0, &plan, error);

    gang_plan_unref(plan);
    return result;
}

static void
crowd_free(struct crowd *crowd)
{
    gang_decision_unref(crowd->decision);
    for (int i = 0; i < 2; i++) {
        unref_podgang(crowd->podgangs[i]);
    }
    unref_podcliqueset(crowd->set);
    unref_topologybinding(crowd->topology);
    unref_policy(crowd->policy);
    unref_cluster(crowd->cluster);
}

/* The last step has limited memory; those before it are not limited. */
static int (*const crowd_steps[])(struct crowd *crowd, const struct gang_context *context,
                                  struct gang_error **error) = {crowd_read, crowd_resolve,
                                                                crowd_prepare, crowd_render};

static bool
crowd_squeeze(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
{
    const int last = *(const int *)input;
    struct crowd crowd = {.set = NULL};

    *result = GANG_OK;
    for (int i = 0; i <= last && !*result; i++)
        *result = crowd_steps[i](&crowd, i == last ? context : NULL, error);
    crowd_free(&crowd);
    return *result == GANG_OK;
}

START_TEST(ends_cleanly_at_every_limit_of_memory)
{
    const int last = _i;

    ck_assert_int_eq(squeeze(crowd_squeeze, &last), GANG_OK);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, decision_refers_to_cluster_and_has_its_findings);
    add_rows(cases, misuse_is_refused, misuses, has_runtime, has_trainjob, has_out);
    tcase_add_test(cases, success_clears_the_error);
    add_rows(cases, wrong_inputs_give_a_decision_and_an_error, wrongs, runtime_find,
             runtime_replace, trainjob_find);
    add_rows(cases, a_decision_without_an_error_pointer, wrongs, runtime_find, runtime_replace,
             trainjob_find);
    add_rows(cases, namespaces_must_be_equal, namespaces, runtime, trainjob);
    tcase_add_test(cases, every_error_at_once);
    tcase_add_test(cases, policy_mode_applies_to_parse_findings);
    tcase_add_test(cases, inputs_may_be_freed_before_the_decision);
    tcase_add_test(cases, inputs_may_be_used_again);
    tcase_add_test(cases, memory_for_a_decision_is_limited);
    tcase_add_test(cases, yaml_and_json_inputs_are_alike);
    tcase_add_loop_test(cases, ends_cleanly_at_every_limit_of_memory, 0, ITEMS_OF(crowd_steps));
    add_rows(cases, findings_are_at_the_invalid_field, remarks, in_set, finding.find,
             finding.replace);
    add_rows(cases, outcomes_by_label, outcomes, label, flags);
    tcase_add_test(cases, sums_of_a_gang);
    tcase_add_test(cases, podcliqueset_alone_is_resolved);
    add_rows(cases, podcliqueset_alone_is_refused_like_its_podgangs, set_refusals, scheduler,
             scheduler);
    tcase_add_test(cases, no_second_gang);
    add_rows(cases, a_scaled_podgang_is_left_to_its_base, scaled, base);
    add_rows(cases, misuse_is_refused_of_resolve_podgang, misuses_of_resolve_podgang, has_podgang,
             has_out, flags);
    tcase_add_test(cases, compatibility_is_not_for_grove);
}
