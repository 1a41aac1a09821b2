/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "unit/plans.h"
#include "unit/reconciliations.h"
#include "unit/suite.h"
#include "unit/topologybindings.h"
#include "unit/tree.h"
#include "unit/typed.h"

static const struct {
    const char *runtime, *find, *replace, *trainjob, *policy;
} inputs[] = {
    {tune_runtime, NULL, NULL, tune_trainjob, NULL},
    {tune_runtime, NULL, NULL, tune_trainjob, compatibility_policy},
    {plain_runtime, NULL, NULL, plain_trainjob, NULL},
    {plain_runtime, "300}}", "300}, 'volcano': {}}", plain_trainjob, NULL},
    {plain_runtime, "'coscheduling': {'scheduleTimeoutSeconds': 300}", "", plain_trainjob,
     compatibility_policy},
};

static struct run
run_input(int index)
{
    return run_spelled(inputs[index].runtime, inputs[index].find, inputs[index].replace,
                       inputs[index].trainjob, inputs[index].policy);
}

/* The manifests alone. */
static const struct {
    const char *runtime, *trainjob, *find, *replace, *json, *yaml;
} objects[] = {
    {tune_runtime, tune_trainjob, NULL, NULL,
     "{'apiVersion':'scheduling.volcano.sh/v1beta1','kind':'PodGroup',"
     "'metadata':{'name':'llama','namespace':'ml'},'spec':{'minMember':1}}\n",
     "apiVersion: scheduling.volcano.sh/v1beta1\n"
     "kind: PodGroup\n"
     "metadata:\n"
     "  name: llama\n"
     "  namespace: ml\n"
     "spec:\n"
     "  minMember: 1\n"},
    {plain_runtime, plain_trainjob, NULL, NULL,
     "{'apiVersion':'scheduling.x-k8s.io/v1alpha1','kind':'PodGroup',"
     "'metadata':{'name':'llama','namespace':'ml','ownerReferences':[{'apiVersion':'trainer."
     "kubeflow.org/"
     "v1alpha1',"
     "'kind':'TrainJob','name':'llama','uid':'u-1','controller':true,'blockOwnerDeletion':true}]},"
     "'spec':{'minMember':2,'minResources':{'cpu':'3','memory':'3Gi'},'scheduleTimeoutSeconds':300}"
     "}\n",
     "apiVersion: scheduling.x-k8s.io/v1alpha1\n"
     "kind: PodGroup\n"
     "metadata:\n"
     "  name: llama\n"
     "  namespace: ml\n"
     "  ownerReferences:\n"
     "  - apiVersion: trainer.kubeflow.org/v1alpha1\n"
     "    kind: TrainJob\n"
     "    name: llama\n"
     "    uid: u-1\n"
     "    controller: true\n"
     "    blockOwnerDeletion: true\n"
     "spec:\n"
     "  minMember: 2\n"
     "  minResources:\n"
     "    cpu: '3'\n"
     "    memory: '3Gi'\n"
     "  scheduleTimeoutSeconds: 300\n"},
    /* Volcano reserves where nothing waits; a queue and a topology. */
    {plain_runtime, plain_trainjob, "'coscheduling': {'scheduleTimeoutSeconds': 300}",
     "'volcano': {'networkTopology': {'highestTierAllowed': 2}}",
     "{'apiVersion':'scheduling.volcano.sh/v1beta1','kind':'PodGroup',"
     "'metadata':{'name':'llama','namespace':'ml','ownerReferences':[{'apiVersion':'trainer."
     "kubeflow.org/"
     "v1alpha1',"
     "'kind':'TrainJob','name':'llama','uid':'u-1','controller':true,'blockOwnerDeletion':true}]},"
     "'spec':{'minMember':2,'minResources':{'cpu':'3','memory':'3Gi'},'queue':'research','"
     "priorityClassName':"
     "'high',"
     "'networkTopology':{'mode':'hard','highestTierAllowed':2}}}\n",
     "apiVersion: scheduling.volcano.sh/v1beta1\n"
     "kind: PodGroup\n"
     "metadata:\n"
     "  name: llama\n"
     "  namespace: ml\n"
     "  ownerReferences:\n"
     "  - apiVersion: trainer.kubeflow.org/v1alpha1\n"
     "    kind: TrainJob\n"
     "    name: llama\n"
     "    uid: u-1\n"
     "    controller: true\n"
     "    blockOwnerDeletion: true\n"
     "spec:\n"
     "  minMember: 2\n"
     "  minResources:\n"
     "    cpu: '3'\n"
     "    memory: '3Gi'\n"
     "  queue: research\n"
     "  priorityClassName: high\n"
     "  networkTopology:\n"
     "    mode: hard\n"
     "    highestTierAllowed: 2\n"},
    /* No gang, no bytes. */
    {plain_runtime, plain_trainjob, "300}}", "300}, 'volcano': {}}", "", ""},
};

/* The plain template names coscheduling's scheduler; Volcano's pods must not. */
static const char *
fit_scheduler(char out[DOCUMENT_SIZE], const char *runtime)
{
    if (!strstr(runtime, "'networkTopology'"))
        return runtime;
    return with_change(out, runtime, "'schedulerName': 'scheduler-plugins-scheduler'",
                       "'schedulerName': 'volcano'");
}

START_TEST(the_objects_byte_for_byte)
{
    char changed[DOCUMENT_SIZE];
    char fitted[DOCUMENT_SIZE];
    const char *runtime = objects[_i].find ? with_change(changed, objects[_i].runtime,
                                                         objects[_i].find, objects[_i].replace)
                                           : objects[_i].runtime;
    struct run run =
        run_spelled(fit_scheduler(fitted, runtime), NULL, NULL, objects[_i].trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);

    check_plan_text(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, objects[_i].json);
    check_plan_text(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_YAML, objects[_i].yaml);
    ck_assert_uint_eq(gang_plan_num_objects(plan), objects[_i].json[0] != '\0');
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* The example of the interface: torchtune on Volcano with one node. */
static const char tune_yaml_result[] = "apiVersion: policy.libgang.dev/v1alpha1\n"
                                       "kind: GangPlan\n"
                                       "metadata:\n"
                                       "  name: llama\n"
                                       "  namespace: ml\n"
                                       "outcome: Gang\n"
                                       "compatibility: None\n"
                                       "owner:\n"
                                       "  apiVersion: trainer.kubeflow.org/v1alpha1\n"
                                       "  kind: TrainJob\n"
                                       "  name: llama\n"
                                       "backend:\n"
                                       "  name: volcano\n"
                                       "  type: Volcano\n"
                                       "  apiVersion: scheduling.volcano.sh/v1beta1\n"
                                       "  schedulerName: volcano\n"
                                       "gang:\n"
                                       "  name: llama\n"
                                       "  minimum: 1\n"
                                       "  members: 1\n"
                                       "  lateMembers: 0\n"
                                       "  pods: 3\n"
                                       "  resources:\n"
                                       "    nvidia.com/gpu: '2'\n"
                                       "  subgroups: []\n"
                                       "roles:\n"
                                       "- name: dataset-initializer\n"
                                       "  ancestor: dataset-initializer\n"
                                       "  count: 1\n"
                                       "  membership: Outside\n"
                                       "  stage: 0\n"
                                       "  wave: 0\n"
                                       "  dependsOn: []\n"
                                       "  requests: {}\n"
                                       "- name: model-initializer\n"
                                       "  ancestor: model-initializer\n"
                                       "  count: 1\n"
                                       "  membership: Outside\n"
                                       "  stage: 0\n"
                                       "  wave: 0\n"
                                       "  dependsOn: []\n"
                                       "  requests: {}\n"
                                       "- name: node\n"
                                       "  ancestor: trainer\n"
                                       "  count: 1\n"
                                       "  membership: Member\n"
                                       "  stage: 1\n"
                                       "  wave: 0\n"
                                       "  dependsOn:\n"
                                       "  - role: dataset-initializer\n"
                                       "    status: Complete\n"
                                       "  - role: model-initializer\n"
                                       "    status: Complete\n"
                                       "  requests:\n"
                                       "    nvidia.com/gpu: '2'\n"
                                       "objects:\n"
                                       "- action: Create\n"
                                       "  object:\n"
                                       "    apiVersion: scheduling.volcano.sh/v1beta1\n"
                                       "    kind: PodGroup\n"
                                       "    metadata:\n"
                                       "      name: llama\n"
                                       "      namespace: ml\n"
                                       "    spec:\n"
                                       "      minMember: 1\n"
                                       "patches:\n"
                                       "- target: Role\n"
                                       "  role: dataset-initializer\n"
                                       "  spec:\n"
                                       "    schedulerName: volcano\n"
                                       "- target: Role\n"
                                       "  role: model-initializer\n"
                                       "  spec:\n"
                                       "    schedulerName: volcano\n"
                                       "- target: Role\n"
                                       "  role: node\n"
                                       "  metadata:\n"
                                       "    annotations:\n"
                                       "      scheduling.k8s.io/group-name: llama\n"
                                       "  spec:\n"
                                       "    schedulerName: volcano\n"
                                       "predictions: []\n"
                                       "losses: []\n";

static const char tune_yaml_reasons[] =
    "diagnostics:\n"
    "- code: GANG004\n"
    "  reason: SchedulerNameSet\n"
    "  severity: info\n"
    "  document: runtime\n"
    "  path: 'spec.template.spec.replicatedJobs[0]'\n"
    "  line: 8\n"
    "  column: 4\n"
    "  message: 'schedulerName \\'volcano\\' was set on roles \\'dataset-initializer\\', "
    "\\'model-initializer\\', \\'node\\''\n"
    "- code: GANG014\n"
    "  reason: MinResourcesLeftOut\n"
    "  severity: info\n"
    "  document: runtime\n"
    "  path: 'spec.template.spec.replicatedJobs[2]'\n"
    "  line: 16\n"
    "  column: 4\n"
    "  message: 'minResources is omitted, because Volcano would reserve it from now on: the gang "
    "is created "
    "later: "
    "\\'node\\' waits for \\'dataset-initializer\\' to be Complete'\n"
    "- code: GANG006\n"
    "  reason: NoOwnerUid\n"
    "  severity: info\n"
    "  document: trainjob\n"
    "  message: 'metadata.uid is not set: the objects carry no owner reference'\n"
    "  hint: 'pass the trainjob as the API server returns it'\n"
    "trace:\n"
    "- attribute: backend\n"
    "  value: volcano\n"
    "  candidates:\n"
    "  - value: volcano\n"
    "    document: runtime\n"
    "    path: spec.podGroupPolicy.volcano\n"
    "    line: 6\n"
    "    verdict: Chosen\n"
    "    reason: 'set in the runtime''s podGroupPolicy'\n"
    "  - document: runtime\n"
    "    verdict: Unset\n"
    "    reason: 'no template names a scheduler'\n"
    "- attribute: schedulerName\n"
    "  value: volcano\n"
    "  candidates:\n"
    "  - value: volcano\n"
    "    verdict: Chosen\n"
    "    reason: 'the backend''s default'\n"
    "- attribute: queue\n"
    "  value: default\n"
    "  candidates:\n"
    "  - document: runtime\n"
    "    verdict: Unset\n"
    "    reason: 'neither the trainjob nor the runtime names a queue'\n"
    "  - value: default\n"
    "    verdict: Chosen\n"
    "    reason: 'the scheduler''s own default'\n"
    "- attribute: priorityClassName\n"
    "  candidates:\n"
    "  - document: runtime\n"
    "    verdict: Unset\n"
    "    reason: 'no template names a priority class'\n"
    "- attribute: scheduleTimeoutSeconds\n"
    "  candidates:\n"
    "  - document: runtime\n"
    "    path: spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds\n"
    "    verdict: Unset\n"
    "    reason: 'the backend has no timeout'\n"
    "- attribute: members\n"
    "  value: Auto\n"
    "  candidates:\n"
    "  - value: Auto\n"
    "    verdict: Chosen\n"
    "    reason: 'the roles that run together; the first wave is the minimum'\n"
    "- attribute: topology\n"
    "  candidates:\n"
    "  - document: runtime\n"
    "    path: spec.podGroupPolicy.volcano.networkTopology\n"
    "    verdict: Unset\n"
    "    reason: 'no topology is requested'\n";

START_TEST(the_plan_as_yaml_byte_for_byte)
{
    struct run run = run_input(0);
    struct gang_plan *plan = plan_of(&run);
    char expected[DOCUMENT_SIZE];

    snprintf(expected, sizeof(expected), "%s%s", tune_yaml_result, tune_yaml_reasons);
    check_plan_text(plan, GANG_TARGET_PLAN, GANG_FORMAT_YAML, expected);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

static const struct node *
tree_of_blob(struct arena *arena, const struct gang_blob *blob,
             const struct node *(*read)(const struct document_request *request, struct slice text))
{
    struct report report;
    const struct document_request request = {.arena = arena,
                                             .limits = &standard_limits,
                                             .report = &report,
                                             .document = GANG_DOCUMENT_NONE};
    const struct node *root;
    size_t len = 0;
    const char *data = gang_blob_get_data(blob, &len);

    report_init(&report, arena, &standard_limits);
    root = read(&request, (struct slice){data, len});
    ck_assert_msg(root != NULL, "not read: %s", data);
    return root;
}

START_TEST(yaml_and_json_are_the_same_tree)
{
    struct arena *arena = arena_new(0);
    struct run run = run_input(_i);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *json = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    struct gang_blob *yaml = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_YAML);

    if (gang_has_yaml())
        ck_assert(
            node_equal(tree_of_blob(arena, json, json_read), tree_of_blob(arena, yaml, yaml_read)));
    else
        skip_test(NO_YAML);
    ck_assert_int_eq(strchr(gang_blob_get_data(json, NULL), '\n')[1], '\0'); /* one line */
    gang_blob_unref(json);
    gang_blob_unref(yaml);
    gang_plan_unref(plan);
    end_run(&run);
    arena_free(arena);
}
END_TEST

START_TEST(the_same_input_gives_the_same_bytes)
{
    struct run runs[2] = {run_input(_i), run_input(_i)};
    struct gang_plan *plans[2] = {plan_of(&runs[0]), plan_of(&runs[1])};

    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++) {
        struct gang_blob *first = blob_of(plans[0], GANG_TARGET_PLAN, (enum gang_format)format);
        struct gang_blob *again = blob_of(plans[0], GANG_TARGET_PLAN, (enum gang_format)format);
        struct gang_blob *other = blob_of(plans[1], GANG_TARGET_PLAN, (enum gang_format)format);

        check_text(gang_blob_get_data(again, NULL), gang_blob_get_data(first, NULL));
        check_text(gang_blob_get_data(other, NULL), gang_blob_get_data(first, NULL));
        gang_blob_unref(first);
        gang_blob_unref(again);
        gang_blob_unref(other);
    }
    for (int i = 0; i < 2; i++) {
        gang_plan_unref(plans[i]);
        end_run(&runs[i]);
    }
}
END_TEST

/* The output may be as long as the limit, and no longer. */
static const struct {
    enum gang_target target;
    enum gang_format format;
} outputs[] = {
    {GANG_TARGET_PLAN, GANG_FORMAT_JSON},    {GANG_TARGET_PLAN, GANG_FORMAT_YAML},
    {GANG_TARGET_OBJECTS, GANG_FORMAT_JSON}, {GANG_TARGET_OBJECTS, GANG_FORMAT_YAML},
    {GANG_TARGET_PLAN, GANG_FORMAT_TEXT},    {GANG_TARGET_PLAN, GANG_FORMAT_HTML},
};

START_TEST(the_output_is_limited)
{
    struct run run = run_input(0);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = blob_of(plan, outputs[_i].target, outputs[_i].format);
    struct gang_error *error = NULL;
    struct gang_context *context;
    size_t len = 0;

    gang_blob_get_data(blob, &len);
    gang_blob_unref(blob);

    context = context_with_output_limit(len);
    ck_assert_int_eq(gang_plan_serialize(context, plan, (int)outputs[_i].target,
                                         (int)outputs[_i].format, 0, &blob, &error),
                     GANG_OK);
    ck_assert_ptr_null(error);
    gang_blob_unref(blob);
    gang_context_unref(context);

    context = context_with_output_limit(len - 1);
    ck_assert_int_eq(gang_plan_serialize(context, plan, (int)outputs[_i].target,
                                         (int)outputs[_i].format, 0, &blob, &error),
                     GANG_ERROR_LIMIT);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_LIMIT);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_OUTPUT_BYTES);
    ck_assert_int_eq(gang_plan_serialize(context, plan, (int)outputs[_i].target,
                                         (int)outputs[_i].format, 0, &blob, NULL),
                     GANG_ERROR_LIMIT);
    gang_error_free(error);
    gang_context_unref(context);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

static const struct {
    bool has_plan, has_out;
    int target, format;
    uint32_t flags;
    int result;
} misuses[] = {
    {false, true, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, 0, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_JOB + 1, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_PLAN, 0, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_SVG, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_ROW, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_OBJECTS, GANG_FORMAT_TEXT, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_JOB, GANG_FORMAT_HTML, 0, GANG_ERROR_INVALID_ARGUMENT},
    {false, true, GANG_TARGET_PLAN, GANG_FORMAT_TEXT, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_HTML + 1, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_TEXT, 2, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 1, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 1u << 31, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    struct run run = run_input(0);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = (struct gang_blob *)plan; /* must be overwritten */
    struct gang_error *error = NULL;

    for (int with_error = 0; with_error < 2; with_error++)
        ck_assert_int_eq(gang_plan_serialize(NULL, misuses[_i].has_plan ? plan : NULL,
                                             misuses[_i].target, misuses[_i].format,
                                             misuses[_i].flags, misuses[_i].has_out ? &blob : NULL,
                                             with_error ? &error : NULL),
                         misuses[_i].result);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

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

#define BINDING(metadata, more)                                                                    \
    "{'apiVersion':'grove.io/"                                                                     \
    "v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'grove-topology'" metadata       \
    "},'spec':{'levels':[{'domain':'zone','key':'topology.kubernetes.io/zone'},{'domain':'rack',"  \
    "'key':'example.com/rack'},{'domain':'host','key':'kubernetes.io/hostname'}]" more "}}"
#define TOPOLOGY(metadata)                                                                         \
    "{'apiVersion':'kai.scheduler/"                                                                \
    "v1alpha1','kind':'Topology','metadata':{'name':'grove-topology'" metadata                     \
    "},'spec':{'levels':[{'nodeLabel':'topology.kubernetes.io/zone'},{'nodeLabel':'example.com/"   \
    "rack'},"                                                                                      \
    "{'nodeLabel':'kubernetes.io/hostname'}]}}\n"
#define OWNER                                                                                      \
    ",'ownerReferences':[{'apiVersion':'grove.io/"                                                 \
    "v1alpha1','kind':'ClusterTopologyBinding','name':'grove-topology',"                           \
    "'uid':'u','controller':true,'blockOwnerDeletion':true}]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology_test.go@fcc3b3bb: levels, order, owner,
 * by name; TestTopologyGVR is the apiVersion and kind of each. Existing ones are in
 * test_topology_comparison.c.
 */
static const struct {
    const char *name, *binding, *topology, *topology_name;
} topologies[] = {
    {"TestSyncTopologyWhenNoneExists, TestBuildKAITopology", BINDING(",'uid':'u'", ""),
     TOPOLOGY(OWNER), "grove-topology"},
    {"without a uid", BINDING("", ""), TOPOLOGY(""), "grove-topology"},
    {"with an empty uid", BINDING(",'uid':\"\"", ""), TOPOLOGY(""), "grove-topology"},
    {"no scheduler named", BINDING("", ",'schedulerTopologyBindings':[]"), TOPOLOGY(""),
     "grove-topology"},
    {"somebody else's: nothing is made",
     BINDING("", ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','"
                 "topologyReference':'x'}]"),
     "", "x"},
    {"somebody else's of the same name",
     BINDING("",
             ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','topologyReference':"
             "'grove-topology'}]"),
     "", "grove-topology"},
};

START_TEST(topologies_of_a_binding)
{
    struct gang_topologybinding *binding = binding_of(topologies[_i].binding);
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    char expected[DOCUMENT_SIZE];

    spell(expected, topologies[_i].topology);
    ck_assert_int_eq(gang_topologybinding_serialize(NULL, document_of(binding), GANG_FORMAT_JSON, 0,
                                                    &blob, &error),
                     GANG_OK);
    ck_assert_ptr_null(error);
    check_text(gang_blob_get_data(blob, NULL), expected);
    check_text(gang_document_get_reference(document_of(binding), "Topology"),
               topologies[_i].topology_name);
    gang_blob_unref(blob);
    unref_topologybinding(binding);
}
END_TEST

START_TEST(a_topology_in_yaml)
{
    struct gang_topologybinding *binding = binding_of(BINDING("", ""));
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_topologybinding_serialize(NULL, document_of(binding), GANG_FORMAT_YAML, 0,
                                                    &blob, NULL),
                     GANG_OK);
    check_text(
        gang_blob_get_data(blob, NULL),
        "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata:\n  name: "
        "grove-topology\nspec:\n"
        "  levels:\n  - nodeLabel: topology.kubernetes.io/zone\n  - nodeLabel: example.com/rack\n"
        "  - nodeLabel: kubernetes.io/hostname\n");
    gang_blob_unref(blob);
    unref_topologybinding(binding);
}
END_TEST

/* One argument of gang_topologybinding_serialize() that it does not take. */
static const struct {
    bool has_binding, has_out;
    enum gang_format format;
    uint32_t flags;
    int result;
} topology_misuses[] = {
    {false, true, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, (enum gang_format)7, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_FORMAT_YAML, 1, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_with_a_topology_is_refused)
{
    struct gang_blob *const untouched = (struct gang_blob *)(void *)(uintptr_t)&topology_misuses;
    struct gang_topologybinding *binding = binding_of(BINDING("", ""));
    struct gang_error *error = NULL;
    struct gang_blob *blob = untouched;

    ck_assert_int_eq(gang_topologybinding_serialize(
                         NULL, document_of(topology_misuses[_i].has_binding ? binding : NULL),
                         (int)topology_misuses[_i].format, topology_misuses[_i].flags,
                         topology_misuses[_i].has_out ? &blob : NULL, &error),
                     topology_misuses[_i].result);
    ck_assert_int_eq(gang_error_get_code(error), topology_misuses[_i].result);
    ck_assert_ptr_eq(blob, topology_misuses[_i].has_out ? NULL : untouched);
    gang_error_free(error);
    unref_topologybinding(binding);
    ck_assert_ptr_null(gang_document_get_reference(document_of(NULL), "Topology"));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_objects_byte_for_byte, objects, runtime, trainjob, find);
    tcase_add_test(cases, the_plan_as_yaml_byte_for_byte);
    add_rows(cases, yaml_and_json_are_the_same_tree, inputs, runtime, find, replace);
    add_rows(cases, the_same_input_gives_the_same_bytes, inputs, runtime, find, replace);
    add_rows(cases, the_output_is_limited, outputs, target, format);
    add_rows(cases, misuse_is_refused, misuses, has_plan, has_out, target);
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
    add_rows(cases, topologies_of_a_binding, topologies, name, binding);
    tcase_add_test(cases, a_topology_in_yaml);
    add_rows(cases, misuse_with_a_topology_is_refused, topology_misuses, has_binding, has_out,
             format);
}
