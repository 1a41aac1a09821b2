/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/plans.h"
#include "unit/suite.h"
#include "unit/tree.h"

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
    {GANG_TARGET_PLAN, GANG_FORMAT_JSON},
    {GANG_TARGET_PLAN, GANG_FORMAT_YAML},
    {GANG_TARGET_OBJECTS, GANG_FORMAT_JSON},
    {GANG_TARGET_OBJECTS, GANG_FORMAT_YAML},
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
    {true, true, GANG_TARGET_PLAN, GANG_FORMAT_ROW + 1, 0, GANG_ERROR_INVALID_ARGUMENT},
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

void
add_tests(TCase *cases)
{
    add_rows(cases, the_objects_byte_for_byte, objects, runtime, trainjob, find);
    tcase_add_test(cases, the_plan_as_yaml_byte_for_byte);
    add_rows(cases, yaml_and_json_are_the_same_tree, inputs, runtime, find, replace);
    add_rows(cases, the_same_input_gives_the_same_bytes, inputs, runtime, find, replace);
    add_rows(cases, the_output_is_limited, outputs, target, format);
    add_rows(cases, misuse_is_refused, misuses, has_plan, has_out, target);
}
