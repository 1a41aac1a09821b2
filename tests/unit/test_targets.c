/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/reconciliations.h"
#include "unit/suite.h"

/* `find` becomes `replace` in the runtime. */
static const struct {
    const char *runtime, *trainjob, *find, *replace;
    enum gang_target target;
    const char *expected;
} rows[] = {
    /* its templates name the scheduler, so only podGroupPolicy goes */
    {plain_runtime, plain_trainjob, NULL, NULL, GANG_TARGET_RUNTIME,
     "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainingRuntime',"
     "'metadata':{'name':'plain','namespace':'ml'},'spec':{'mlPolicy':{'numNodes':2},"
     "'template':{'metadata':{'annotations':{'scheduling.volcano.sh/queue-name':'research'}},"
     "'spec':{'replicatedJobs':[{'name':'node','replicas':1,'template':{"
     "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},"
     "'spec':{'backoffLimit':0,'template':{'spec':{"
     "'schedulerName':'scheduler-plugins-scheduler','priorityClassName':'high',"
     "'containers':[{'name':'node','image':'train',"
     "'resources':{'requests':{'memory':'1536Mi','cpu':'1500m'}}}]}}}}}]}}}}\n"},
    /* a template without a schedulerName gets one, at its end */
    {plain_runtime, plain_trainjob, "'schedulerName': 'scheduler-plugins-scheduler',\n", "",
     GANG_TARGET_RUNTIME,
     "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainingRuntime',"
     "'metadata':{'name':'plain','namespace':'ml'},'spec':{'mlPolicy':{'numNodes':2},"
     "'template':{'metadata':{'annotations':{'scheduling.volcano.sh/queue-name':'research'}},"
     "'spec':{'replicatedJobs':[{'name':'node','replicas':1,'template':{"
     "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},"
     "'spec':{'backoffLimit':0,'template':{'spec':{'priorityClassName':'high',"
     "'containers':[{'name':'node','image':'train',"
     "'resources':{'requests':{'memory':'1536Mi','cpu':'1500m'}}}],"
     "'schedulerName':'scheduler-plugins-scheduler'}}}}}]}}}}\n"},
    {plain_runtime, plain_trainjob, NULL, NULL, GANG_TARGET_JOB,
     "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob',"
     "'metadata':{'name':'llama','namespace':'ml','uid':'u-1'},'spec':{"
     "'runtimeRef':{'apiGroup':'trainer.kubeflow.org','kind':'TrainingRuntime','name':'plain'},"
     "'runtimePatches':[{'manager':'libgang.dev/gang','trainingRuntimeSpec':{'template':{'spec':{"
     "'replicatedJobs':[{'name':'node','template':{'spec':{'template':{'metadata':{"
     "'labels':{'scheduling.x-k8s.io/pod-group':'llama'}}}}}}]}}}}]}}\n"},
    /* of three roles only the trainer is a member */
    {tune_runtime, tune_trainjob, NULL, NULL, GANG_TARGET_JOB,
     "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob',"
     "'metadata':{'name':'llama','namespace':'ml'},'spec':{"
     "'runtimeRef':{'apiGroup':'trainer.kubeflow.org','kind':'ClusterTrainingRuntime',"
     "'name':'tune'},'trainer':{'numNodes':1},"
     "'runtimePatches':[{'manager':'libgang.dev/gang','trainingRuntimeSpec':{'template':{'spec':{"
     "'replicatedJobs':[{'name':'node','template':{'spec':{'template':{'metadata':{"
     "'annotations':{'scheduling.k8s.io/group-name':'llama'}}}}}}]}}}}]}}\n"},
};

/* A job that MultiKueue runs in another cluster, with the entry for that cluster. */
#define MANAGED_JOB                                                                                \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob',"                             \
    "'metadata':{'name':'llama','namespace':'ml','uid':'u-1'},'spec':{"                            \
    "'managedBy':'kueue.x-k8s.io/multikueue','runtimePatches':[{'manager':'libgang.dev/gang',"     \
    "'trainingRuntimeSpec':{'template':{'spec':{'replicatedJobs':[{'name':'node','template':{"     \
    "'spec':{'template':{'metadata':{'labels':{'scheduling.x-k8s.io/pod-group':'llama'}}}}}}]}}}}" \
    ",{'manager':'a.example/user'}],'runtimeRef':{'kind':'TrainingRuntime','name':'plain'}}}\n"

START_TEST(a_job_managed_elsewhere_keeps_its_entry)
{
    struct run run = run_spelled(plain_runtime, NULL, NULL, MANAGED_JOB, NULL);
    struct gang_plan *plan = plan_of(&run);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    check_plan_text(plan, GANG_TARGET_JOB, GANG_FORMAT_JSON, MANAGED_JOB);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/*
 * MaxItems of spec.runtimePatches is 16: kubeflow/trainer@v2.3.0,
 * pkg/apis/trainer/v1alpha1/trainjob_types.go.
 */
static const struct {
    unsigned others;
    bool has_own, fits;
} patch_counts[] = {
    {0, false, true},  {0, true, true},  {14, false, true},
    {15, false, true}, {15, true, true}, {16, false, false},
};

static const char *
patches_in_json(char out[DOCUMENT_SIZE], unsigned others, bool has_own)
{
    size_t len = 0;

    for (unsigned i = 0; i < others; i++)
        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%s{'manager':'a.example/%u'}",
                                i ? "," : "", i);
    if (has_own)
        snprintf(out + len, DOCUMENT_SIZE - len,
                 "%s{'manager':'libgang.dev/gang','trainingRuntimeSpec':{'template':{'spec':{"
                 "'replicatedJobs':[{'name':'node','template':{'spec':{'template':{'metadata':{"
                 "'labels':{'scheduling.x-k8s.io/pod-group':'llama'}}}}}}]}}}}",
                 others ? "," : "");
    return out;
}

/* Returns an error; NULL if the plan has the target. */
static struct gang_error *
target_error(const struct gang_plan *plan, enum gang_target target)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result = gang_plan_serialize(NULL, plan, (int)target, GANG_FORMAT_JSON, 0, &blob, &error);

    ck_assert_int_eq(result, error ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_int_eq(blob != NULL, error == NULL);
    ck_assert_int_eq(gang_error_get_code(error), result);
    gang_blob_unref(blob);
    return error;
}

START_TEST(a_job_has_at_most_sixteen_patches)
{
    char patches[DOCUMENT_SIZE] = "";
    char trainjob[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    struct gang_error *error;
    struct gang_plan *plan;
    struct run run;

    patches_in_json(patches, patch_counts[_i].others, patch_counts[_i].has_own);
    ck_assert_int_lt(
        snprintf(trainjob, DOCUMENT_SIZE,
                 "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{"
                 "'name':'llama','namespace':'ml','uid':'u-1'},'spec':{'runtimeRef':{"
                 "'kind':'TrainingRuntime','name':'plain'},'runtimePatches':[%s]}}\n",
                 patches),
        DOCUMENT_SIZE);
    run = run_spelled(plain_runtime, NULL, NULL, trainjob, NULL);
    plan = plan_of(&run);
    error = target_error(plan, GANG_TARGET_JOB);
    ck_assert_str_eq(error_in_words(error, GANG_DOCUMENT_TRAINJOB, text),
                     patch_counts[_i].fits
                         ? ""
                         : "GANG051 spec.runtimePatches: Too many: 17: must have at most 16 items, "
                           "of which one is for the plan");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* MaxItems of replicatedJobs in a patch: CRD trainer.kubeflow.org_trainjobs.yaml@v2.3.0. */
static const unsigned role_counts[] = {99, 100, 101};

START_TEST(a_patch_has_at_most_a_hundred_roles)
{
    struct run run = run_spelled(plain_runtime, NULL, NULL, plain_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_patch *patches = arena_array(plan->arena, role_counts[_i], sizeof(*patches));
    struct gang_error *error;
    char text[DOCUMENT_SIZE];

    for (unsigned i = 0; i < role_counts[_i]; i++) {
        patches[i] = plan->content.patches[0];
        patches[i].role = slice_from_text(arena_format(plan->arena, "role-%u", i));
    }
    plan->content.shown = patches;
    plan->content.num_shown = role_counts[_i];
    error = target_error(plan, GANG_TARGET_JOB);
    ck_assert_str_eq(error_in_words(error, GANG_DOCUMENT_TRAINJOB, text),
                     role_counts[_i] == 101 ? "GANG051 : the patch of the plan has 101 roles: must "
                                              "have at most 100 items"
                                            : "");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

START_TEST(writes_the_documents_with_the_patches)
{
    struct run run =
        run_spelled(rows[_i].runtime, rows[_i].find, rows[_i].replace, rows[_i].trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);

    check_plan_text(plan, rows[_i].target, GANG_FORMAT_JSON, rows[_i].expected);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* A plan whose pods need a field that no document has: Kubernetes' own gangs. */
static const char workload_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangPolicy',\n"
    " 'metadata': {'name': 'lab'}, 'spec': {\n"
    "  'backends': [{'name': 'native', 'type': 'Workload',\n"
    "                'apiVersion': 'scheduling.k8s.io/v1beta1'}],\n"
    "  'defaults': {'backend': 'native'}}}\n";

static const enum gang_target targets[] = {GANG_TARGET_RUNTIME, GANG_TARGET_JOB};

START_TEST(refuses_what_neither_document_can_contain)
{
    char changed[DOCUMENT_SIZE];
    struct run run = run_spelled(
        with_change(changed, plain_runtime, "'coscheduling': {'scheduleTimeoutSeconds': 300}", ""),
        "'schedulerName': 'scheduler-plugins-scheduler',\n", "", plain_trainjob, workload_policy);
    struct gang_plan *plan = plan_of(&run);
    struct gang_error *error;
    char text[DOCUMENT_SIZE];

    ck_assert_uint_gt(gang_plan_num_patches(plan), 0);
    error = target_error(plan, targets[_i]);
    ck_assert_str_eq(
        error_in_words(error, GANG_DOCUMENT_TRAINJOB, text),
        "GANG051 : spec.schedulingGroup.podGroupName of the role node: neither a TrainJob nor its "
        "runtime can set it");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* With a schedulerName alone, the API server would refuse the runtime for want of containers. */
START_TEST(refuses_a_role_without_a_pod_spec)
{
    static const char runtime[] =
        "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainingRuntime',"
        "'metadata':{'name':'plain','namespace':'ml'},'spec':{'podGroupPolicy':{'volcano':{}},"
        "'template':{'spec':{'replicatedJobs':[{'name':'node','template':{"
        "'spec':{'template':{'metadata':{}}}}}]}}}}";
    struct run run = run_spelled(runtime, NULL, NULL, plain_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_error *error = target_error(plan, GANG_TARGET_RUNTIME);
    char text[DOCUMENT_SIZE];

    ck_assert_str_eq(error_in_words(error, GANG_DOCUMENT_RUNTIME, text),
                     "GANG051 spec.template.spec.replicatedJobs[0].template.spec.template.spec: "
                     "Required value: the plan sets schedulerName in it");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* No input leads to such a plan: a runtimePatch that adds a role is an error. */
START_TEST(refuses_a_role_that_the_runtime_lacks)
{
    struct run run = run_spelled(plain_runtime, "'schedulerName': 'scheduler-plugins-scheduler',\n",
                                 "", plain_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_error *error;
    char text[DOCUMENT_SIZE];

    ck_assert_uint_eq(plan->content.num_patches, 1);
    plan->content.patches[0].role = SLICE("extra");
    error = target_error(plan, GANG_TARGET_RUNTIME);
    ck_assert_str_eq(error_in_words(error, GANG_DOCUMENT_RUNTIME, text),
                     "GANG051 : the runtime does not have the role extra");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* The error has the findings of the plan, of which one is the cause. */
static void
check_refused(const struct gang_plan *plan, enum gang_target target, enum gang_code cause)
{
    struct gang_error *error = target_error(plan, target);
    size_t count = gang_plan_num_diagnostics(plan);
    bool is_found = false;

    ck_assert_uint_eq(gang_error_num_diagnostics(error), count);
    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *actual = gang_error_get_diagnostic(error, i);
        const struct gang_diagnostic *expected = gang_plan_get_diagnostic(plan, i);

        ck_assert_int_eq(gang_diagnostic_get_code(actual), gang_diagnostic_get_code(expected));
        ck_assert_str_eq(gang_diagnostic_get_message(actual),
                         gang_diagnostic_get_message(expected));
        is_found |= gang_diagnostic_get_code(actual) == (int)cause &&
                    gang_diagnostic_get_severity(actual) == GANG_SEVERITY_ERROR;
    }
    ck_assert(is_found);
    gang_error_free(error);
}

START_TEST(refuses_a_plan_with_errors)
{
    struct run run = run_spelled(plain_runtime, "'cpu': '1500m'", "'cpu': '1500m'",
                                 "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
                                 " 'kind': 'TrainJob', 'metadata': {'name': 'llama',\n"
                                 "  'namespace': 'ml', 'labels': {\n"
                                 "   'scheduling.x-k8s.io/pod-group': 'mine'}},\n"
                                 " 'spec': {'runtimeRef': {'kind': 'TrainingRuntime',\n"
                                 "  'name': 'plain'}}}\n",
                                 NULL);
    struct gang_plan *plan = plan_of(&run);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_INVALID);
    check_refused(plan, targets[_i], GANG_CODE_RESERVED_MARK);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* The pods of the JobSet have another scheduler, whose controller groups pods without marks. */
START_TEST(a_job_whose_pods_stay_stays_as_it_is)
{
    const struct reconciliation row = {
        .gang_policy = "{'volcano':{}}",
        .live = LIVE_JOBSET(RUNS, "", "'schedulerName':'kai-scheduler'")};
    struct comparison comparison = compare_live(&row);

    ck_assert_uint_gt(gang_plan_num_patches(comparison.plan), 0);
    ck_assert_uint_eq(gang_plan_num_patches(comparison.reconciled), 0);
    check_plan_text(comparison.reconciled, GANG_TARGET_JOB, GANG_FORMAT_JSON,
                    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob',"
                    "'metadata':{'name':'my-job','namespace':'ml'" USUAL "}\n");
    end_comparison(&comparison);
}
END_TEST

/* The pods of the JobSet name a group that does not exist. */
START_TEST(refuses_a_plan_with_a_conflict)
{
    const struct reconciliation row = {
        .gang_policy = "{'coscheduling':{}}",
        .live = LIVE_JOBSET(RUNS, "'annotations':{'scheduling.k8s.io/group-name':'none'}",
                            "'schedulerName':'volcano'")};
    struct comparison comparison = compare_live(&row);

    ck_assert_int_eq(gang_decision_get_outcome(comparison.decision), GANG_OUTCOME_GANG);
    check_refused(comparison.reconciled, targets[_i], GANG_CODE_JOB_SET_FROZEN);
    end_comparison(&comparison);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, writes_the_documents_with_the_patches, rows, find, expected);
    tcase_add_test(cases, a_job_managed_elsewhere_keeps_its_entry);
    add_rows(cases, a_job_has_at_most_sixteen_patches, patch_counts, others, has_own);
    add_items(cases, a_patch_has_at_most_a_hundred_roles, role_counts);
    add_items(cases, refuses_what_neither_document_can_contain, targets);
    tcase_add_test(cases, refuses_a_role_without_a_pod_spec);
    tcase_add_test(cases, refuses_a_role_that_the_runtime_lacks);
    add_items(cases, refuses_a_plan_with_errors, targets);
    tcase_add_test(cases, a_job_whose_pods_stay_stays_as_it_is);
    add_items(cases, refuses_a_plan_with_a_conflict, targets);
}
