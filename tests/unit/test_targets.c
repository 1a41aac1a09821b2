/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/targets.h"

#include "unit/plans.h"
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

static const int targets[] = {GANG_TARGET_RUNTIME, GANG_TARGET_JOB};

START_TEST(refuses_what_neither_document_can_contain)
{
    char changed[DOCUMENT_SIZE];
    struct run run = run_spelled(
        with_change(changed, plain_runtime, "'coscheduling': {'scheduleTimeoutSeconds': 300}", ""),
        "'schedulerName': 'scheduler-plugins-scheduler',\n", "", plain_trainjob, workload_policy);
    struct gang_plan *plan = plan_of(&run);
    struct gang_error *error = NULL;
    struct gang_blob *blob;
    char text[DOCUMENT_SIZE];

    ck_assert_uint_gt(gang_plan_num_patches(plan), 0);
    ck_assert_int_eq(
        gang_plan_serialize(NULL, plan, targets[_i], GANG_FORMAT_JSON, 0, &blob, &error),
        GANG_ERROR_INVALID);
    ck_assert_ptr_null(blob);
    ck_assert_str_eq(
        error_in_words(error, GANG_DOCUMENT_TRAINJOB, text),
        "GANG051 : spec.schedulingGroup.podGroupName of the role node: neither a TrainJob nor its "
        "runtime can set it");
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
    struct gang_error *error = NULL;
    struct gang_blob *blob;
    char text[DOCUMENT_SIZE];

    ck_assert_uint_eq(plan->content.num_patches, 1);
    plan->content.patches[0].role = SLICE("extra");
    ck_assert_int_eq(
        gang_plan_serialize(NULL, plan, GANG_TARGET_RUNTIME, GANG_FORMAT_JSON, 0, &blob, &error),
        GANG_ERROR_INVALID);
    ck_assert_str_eq(error_in_words(error, GANG_DOCUMENT_RUNTIME, text),
                     "GANG051 : the runtime does not have the role extra");
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

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
    struct gang_blob *blob;

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_INVALID);
    ck_assert_int_eq(gang_plan_serialize(NULL, plan, targets[_i], GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID);
    ck_assert_ptr_null(blob);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, writes_the_documents_with_the_patches, rows, find, expected);
    add_items(cases, refuses_what_neither_document_can_contain, targets);
    tcase_add_test(cases, refuses_a_role_that_the_runtime_lacks);
    add_items(cases, refuses_a_plan_with_errors, targets);
}
