/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/documents.h"
#include "unit/typed.h"
#include "unit/front.h"

/* ---- trainjob ---- */

#define PATCH(body)                                                                                \
    "numNodes: 4\n  runtimePatches:\n  - manager: example.com/x\n    trainingRuntimeSpec: "        \
    "{template: {" body "}}"

static const struct document_case refused[] = {
    {"trainer.kubeflow.org/v1alpha1", "batch/v1", GANG_CODE_WRONG_DOCUMENT, "apiVersion", 1, 13},
    {"kind: TrainJob", "kind: Deployment", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
    {"  name: llama", "  name: 1llama", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: llama", "  name: llama-", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: llama", "  name: Llama", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: llama", "  name: l.lama", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: llama", "  name: a1234567890123456789012345678901234567890123456789012345678901234",
     GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  namespace: ml", "  namespace: Bad_NS", GANG_CODE_INVALID_NAME, "metadata.namespace", 5, 14},
    {"  namespace: ml", "  namespace: a.b", GANG_CODE_INVALID_NAME, "metadata.namespace", 5, 14},
    {"numNodes: 4", "resourcesPerNode: {requests: {cpu: 0.5}}", GANG_CODE_FRACTIONAL_NUMBER,
     "spec.trainer.resourcesPerNode.requests[cpu]", 10, 40},
    {"numNodes: 4", "resourcesPerNode: {requests: {a b/c d: 1}}", GANG_CODE_INVALID_NAME,
     "spec.trainer.resourcesPerNode.requests[a b/c d]", 10, 35},
    {"  name: llama", "  name: yes", GANG_CODE_WRONG_TYPE, "metadata.name", 4, 9},
    {"  name: llama", "  generateName: llama-", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
    {"numNodes: 4", "numNodes: \"4\"", GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "numNodes: 4.5", GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "numNodes: true", GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "numNodes: [4]", GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "numNodes: {}", GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "numNodes: 2147483648", GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numNodes",
     10, 15},
    {"numNodes: 4", "numNodes: 99999999999999999999999", GANG_CODE_NUMBER_PRECISION,
     "spec.trainer.numNodes", 10, 15},
    {"numNodes: 4", "image: 1.5", GANG_CODE_WRONG_TYPE, "spec.trainer.image", 10, 12},
    {"numNodes: 4", "env: [{value: x}]", GANG_CODE_REQUIRED_FIELD, "spec.trainer.env[0].name", 10,
     11},
    {"numNodes: 4", "env: [{name: A}, {name: A}]", GANG_CODE_DUPLICATE_ITEM,
     "spec.trainer.env[1].name", 10, 29},
    {"numNodes: 4", "numNodes: 4\n    numNodes: 5", GANG_CODE_DUPLICATE_KEY,
     "spec.trainer.numNodes", 11, 5},
    {"numNodes: 4", "resourcesPerNode: {requests: {cpu: 1K}}", GANG_CODE_QUANTITY_SYNTAX,
     "spec.trainer.resourcesPerNode.requests[cpu]", 10, 40},
    {"numNodes: 4", "resourcesPerNode: {limits: {cpu: -1}}", GANG_CODE_QUANTITY_NEGATIVE,
     "spec.trainer.resourcesPerNode.limits[cpu]", 10, 38},
    {"  runtimeRef:\n    name: tune\n", "", GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef", 7, 3},
    {"    name: tune", "    kind: TrainingRuntime", GANG_CODE_REQUIRED_FIELD,
     "spec.runtimeRef.name", 8, 5},
    {"    name: tune", "    name: \"\"", GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef.name", 8, 11},
    {"    name: tune", "    name: tune\n    kind: PyTorchRuntime",
     GANG_CODE_UNSUPPORTED_RUNTIME_REF, "spec.runtimeRef", 8, 5},
    {"    name: tune", "    name: tune\n    kind: \"\"", GANG_CODE_UNSUPPORTED_RUNTIME_REF,
     "spec.runtimeRef", 8, 5},
    {"    name: tune", "    name: tune\n    apiGroup: kubeflow.org",
     GANG_CODE_UNSUPPORTED_RUNTIME_REF, "spec.runtimeRef", 8, 5},
    {"    name: tune", "    name: other", GANG_CODE_RUNTIME_MISMATCH, "spec.runtimeRef", 8, 5},
    {"    name: tune", "    name: tune\n    kind: TrainingRuntime", GANG_CODE_RUNTIME_MISMATCH,
     "spec.runtimeRef", 8, 5},
    {"spec:\n", "spec:\n  managedBy: me\n", GANG_CODE_PATTERN_MISMATCH, "spec.managedBy", 7, 14},
    {"spec:\n", "spec:\n  suspend: \"true\"\n", GANG_CODE_WRONG_TYPE, "spec.suspend", 7, 12},
    {"spec:\n", "spec:\n  initializer: {dataset: {}}\n", GANG_CODE_INITIALIZER_ROLE_MISSING,
     "spec.initializer.dataset", 7, 26},
    {"numNodes: 4", "numNodes: 4\n  runtimePatches: [{manager: me}]", GANG_CODE_PATCH_MANAGER,
     "spec.runtimePatches[0].manager", 11, 30},
    {"numNodes: 4", "numNodes: 4\n  runtimePatches: [{manager: a.b/c}, {manager: a.b/c}]",
     GANG_CODE_DUPLICATE_ITEM, "spec.runtimePatches[1].manager", 11, 48},
    {"spec:\n", "spec:\n  initializer: {model: {storageUri: here}}\n", GANG_CODE_PATTERN_MISMATCH,
     "spec.initializer.model.storageUri", 7, 37},
    {"  namespace: ml", "  namespace: ml\n  labels: {a: true}", GANG_CODE_WRONG_TYPE,
     "metadata.labels[a]", 6, 15},
    {"numNodes: 4", "env: [{name: PET_NNODES}]", GANG_CODE_RESERVED_ENV, "spec.trainer.env[0].name",
     10, 18},
    {"numNodes: 4", "command: [tune, run]", GANG_CODE_TORCH_TUNE_RULE, "spec.runtimeRef.name", 8,
     11},
    {"numNodes: 4",
     PATCH("spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: "
           "[{name: "
           "node, env: "
           "[{name: A}]}]}}}}}]}"),
     GANG_CODE_PATCH_ENV_FORBIDDEN,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec."
     "template.spec."
     "containers[0].env",
     13, 142},
};

START_TEST(refuses_what_the_api_refuses)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_trainjob, refused[_i].find, refused[_i].replace);
    check_wanted(run_texts(good_runtime, text, NULL), &refused[_i], GANG_SEVERITY_ERROR);
}
END_TEST

/* Errors by default, warnings in compatibility mode. */
static const struct document_case judged_by_mode[] = {
    {"numNodes: 4", "numNodes: 0", GANG_CODE_NUM_NODES_NOT_POSITIVE, "spec.trainer.numNodes", 10,
     15},
    {"numNodes: 4", "numNodes: -1", GANG_CODE_NUM_NODES_NOT_POSITIVE, "spec.trainer.numNodes", 10,
     15},
    {"numNodes: 4", "numNodes: 1000001", GANG_CODE_LIMIT_COUNT_VALUE,
     "spec.template.spec.replicatedJobs[1]", 26, 9},
    {"  namespace: ml", "  namespace: ml\n  labels: {scheduling.x-k8s.io/pod-group: other}",
     GANG_CODE_RESERVED_MARK, "metadata.labels[scheduling.x-k8s.io/pod-group]", 6, 12},
    {"  namespace: ml", "  namespace: ml\n  annotations: {scheduling.k8s.io/group-name: other}",
     GANG_CODE_RESERVED_MARK, "metadata.annotations[scheduling.k8s.io/group-name]", 6, 17},
    {"  namespace: ml", "  namespace: ml\n  annotations: {kai.scheduler/skip-podgrouper: \"true\"}",
     GANG_CODE_RESERVED_MARK, "metadata.annotations[kai.scheduler/skip-podgrouper]", 6, 17},
    {"numNodes: 4", "numNodes: 4\n  podSpecOverrides: []", GANG_CODE_SUPERSEDED_PATCHES,
     "spec.podSpecOverrides", 11, 3},
    {"numNodes: 4", "numNodes: 4\n  podTemplateOverrides: []", GANG_CODE_SUPERSEDED_PATCHES,
     "spec.podTemplateOverrides", 11, 3},
    {"numNodes: 4", "numNodes: 4\n  annotations: {a: b}", GANG_CODE_SUPERSEDED_PATCHES,
     "spec.annotations", 11, 3},
    {"numNodes: 4", "numNodes: 4\n  labels: {a: b}", GANG_CODE_SUPERSEDED_PATCHES, "spec.labels",
     11, 3},
    {"numNodes: 4", PATCH("spec: {replicatedJobs: [{name: nodes}]}"),
     GANG_CODE_PATCH_TARGET_UNKNOWN,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]", 13, 62},
    {"numNodes: 4",
     PATCH("spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: "
           "[{name: "
           "x}]}}}}}]}"),
     GANG_CODE_PATCH_TARGET_UNKNOWN,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec."
     "template.spec."
     "containers[0]",
     13, 124},
    {"numNodes: 4", PATCH("metadata: {annotations: {pod-group-name: mine}}"),
     GANG_CODE_RESERVED_MARK,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[pod-group-name]", 13,
     63},
    {"  name: llama", "  name: a123456789012345678901234567890123456789012345678",
     GANG_CODE_DERIVED_NAME_TOO_LONG, "metadata.name", 4, 9},
};

static const char compatible_policy[] =
    "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\n"
    "metadata: {name: as-upstream}\nspec: {compatibility: KubeflowTrainer}\n";

START_TEST(refuses_by_default_what_the_operator_accepts)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_trainjob, judged_by_mode[_i].find, judged_by_mode[_i].replace);
    check_wanted(run_texts(good_runtime, text, NULL), &judged_by_mode[_i], GANG_SEVERITY_ERROR);
}
END_TEST

START_TEST(compatibility_warns_of_what_the_operator_accepts)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_trainjob, judged_by_mode[_i].find, judged_by_mode[_i].replace);
    run = run_texts(good_runtime, text, compatible_policy);
    ck_assert_int_eq(run.result, GANG_OK);
    check_wanted(run, &judged_by_mode[_i], GANG_SEVERITY_WARNING);
}
END_TEST

static const struct {
    struct document_case finding;
    enum gang_severity severity;
} remarked[] = {
    {{"numNodes: 4", "numNode: 4", GANG_CODE_UNKNOWN_FIELD, "spec.trainer.numNode", 10, 5},
     GANG_SEVERITY_WARNING},
    {{"spec:\n", "spec:\n  Trainer: {}\n", GANG_CODE_UNKNOWN_FIELD, "spec.Trainer", 7, 3},
     GANG_SEVERITY_WARNING},
    {{"    name: tune", "    name: tune", GANG_CODE_DEFAULT_APPLIED, "spec.runtimeRef.kind", 8, 5},
     GANG_SEVERITY_INFO},
    {{"    name: tune", "    name: tune", GANG_CODE_DEFAULT_APPLIED, "spec.runtimeRef.apiGroup", 8,
      5},
     GANG_SEVERITY_INFO},
    {{"  namespace: ml", "  namespace: ml\n  annotations: {scheduling.volcano.sh/queue-name: q}",
      GANG_CODE_FIELD_LOST, "metadata.annotations[scheduling.volcano.sh/queue-name]", 6, 17},
     GANG_SEVERITY_WARNING},
    {{"spec:\n", "spec:\n  managedBy: kueue.x-k8s.io/multikueue\n", GANG_CODE_MANAGED_ELSEWHERE,
      "spec.managedBy", 7, 14},
     GANG_SEVERITY_INFO},
    {{"  name: llama", "  name: llama", GANG_CODE_NO_OWNER_UID, "", 0, 0}, GANG_SEVERITY_INFO},
};

START_TEST(warns_about_accepted_documents)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_trainjob, remarked[_i].finding.find, remarked[_i].finding.replace);
    run = run_texts(good_runtime, text, NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    check_wanted(run, &remarked[_i].finding, remarked[_i].severity);
}
END_TEST

/* A number that is integral may be written in any of YAML's ways. */
static const char *const spellings_of_four[] = {"4", "4.0", "4e0", "0x4", "0b100", "04", "+4"};

START_TEST(integral_numbers_are_integers)
{
    char text[DOCUMENT_SIZE];
    char line[64];
    struct run run;

    NEEDS_YAML();
    snprintf(line, sizeof(line), "numNodes: %s", spellings_of_four[_i]);
    run = run_texts(good_runtime, with_change(text, good_trainjob, "numNodes: 4", line), NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_int_eq(run.trainjob->num_nodes, 4);
    end_run(&run);
}
END_TEST

START_TEST(null_means_absent)
{
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    run = run_texts(good_runtime, with_change(text, good_trainjob, "numNodes: 4", "numNodes: null"),
                    NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_ptr_null(run.trainjob->num_nodes_source);
    end_run(&run);
}
END_TEST

START_TEST(getters_of_a_trainjob)
{
    struct run run;

    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_namespace(document_of(NULL)));
    ck_assert_ptr_null(
        gang_document_get_reference(document_of(NULL), GANG_KIND_CLUSTER_TRAINING_RUNTIME));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    ck_assert_ptr_null(ref_trainjob(NULL));
    unref_trainjob(NULL);
    NEEDS_YAML();
    run = run_texts(good_runtime, good_trainjob, NULL);
    /* apiGroup and kind of the runtimeRef are filled in */
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(run.trainjob)), 2);
    ck_assert_int_eq(
        gang_diagnostic_get_code(gang_document_get_diagnostic(document_of(run.trainjob), 1)),
        GANG_CODE_DEFAULT_APPLIED);
    ck_assert_str_eq(gang_document_get_name(document_of(run.trainjob)), "llama");
    ck_assert_str_eq(gang_document_get_namespace(document_of(run.trainjob)), "ml");
    ck_assert_ptr_null(
        gang_document_get_reference(document_of(run.trainjob), GANG_KIND_TRAINING_RUNTIME));
    ck_assert_ptr_null(gang_document_get_reference(document_of(run.trainjob), NULL));
    ck_assert_ptr_null(gang_document_get_uid(document_of(run.trainjob)));
    ck_assert_str_eq(gang_document_get_kind(document_of(run.trainjob)), "TrainJob");
    ck_assert_str_eq(gang_document_get_api_version(document_of(run.trainjob)),
                     "trainer.kubeflow.org/v1alpha1");
    ck_assert_str_eq(
        gang_document_get_reference(document_of(run.trainjob), GANG_KIND_CLUSTER_TRAINING_RUNTIME),
        "tune");
    end_run(&run);
}
END_TEST

/* ---- trainjob rules ---- */

/* Source: pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0. */
#define MOUNT(name) ",'volumeMounts':[{'name':'" name "','mountPath':'/x'}]"
#define INITIALIZER(role, container, rest)                                                         \
    ROLE(role, "", PLAIN, "", POD(CONTAINER(container, rest)))
#define DATASET(value) TRAINJOB(",'initializer':{'dataset':" value "}")
#define MODEL(value) TRAINJOB(",'initializer':{'model':" value "}")
#define GOOD_DATASET INITIALIZER("dataset-initializer", "dataset-initializer", MOUNT("initializer"))
#define GOOD_MODEL INITIALIZER("model-initializer", "model-initializer", MOUNT("initializer"))

static const struct {
    struct remark remark;
    const char *message;
} refused_of_trainjob_rules[] = {
    {{RUNTIME("", NODE_ROLE), DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.dataset"},
     "must have dataset-initializer job when trainJob is configured with input datasetConfig"},
    {{RUNTIME("", NODE_ROLE), MODEL("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.model"},
     "must have model-initializer job when trainJob is configured with input modelConfig"},
    {{RUNTIME("", NODE_ROLE "," GOOD_MODEL), DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.dataset"},
     "must have dataset-initializer job when trainJob is configured with input datasetConfig"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "other", MOUNT("initializer"))),
      DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have container with name - dataset-initializer in the dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("model-initializer", "other", MOUNT("initializer"))), MODEL("@{}"),
      GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.model"},
     "must have container with name - model-initializer in the model-initializer job"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "dataset-initializer", "")), DATASET("@{}"),
      GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have volumeMount with name - initializer in container dataset-initializer of the "
     "dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "dataset-initializer", MOUNT("data"))),
      DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have volumeMount with name - initializer in container dataset-initializer of the "
     "dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("model-initializer", "model-initializer", MOUNT("initializers"))),
      MODEL("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.model"},
     "must have volumeMount with name - initializer in container model-initializer of the "
     "model-initializer "
     "job"},
};

START_TEST(initializers_need_their_roles)
{
    const struct remark *remark = &refused_of_trainjob_rules[_i].remark;
    struct front front;

    check_remark(remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    front_open(&front, remark->runtime, remark->trainjob, COMPATIBILITY_NONE);
    front.report.count = 0;
    trainjob_rules_check(&front.job, &front.wishes, &front.report);
    ck_assert_uint_eq(front.report.count, 1);
    ck_assert_ptr_nonnull(
        strstr(front.report.items[0].message, refused_of_trainjob_rules[_i].message));
    front_close(&front);
}
END_TEST

/* The operator's webhook looks at every trainjob, also at one that another controller manages. */
#define ELSEWHERE ",'managedBy':'kueue.x-k8s.io/multikueue'"
#define QUEUE_PATCH(path, queue)                                                                   \
    PATCH_METADATA(path, "'annotations':{'scheduling.volcano.sh/queue-name':" queue "}")

static const struct remark queues[] = {
    {RUNTIME("", NODE_ROLE), TRAINJOB(PATCHES(QUEUE_PATCH("a", "@''"))), GANG_CODE_EMPTY_QUEUE,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[scheduling.volcano."
     "sh/queue-"
     "name]"},
    {RUNTIME("", NODE_ROLE), TRAINJOB(ELSEWHERE PATCHES(QUEUE_PATCH("a", "@''"))),
     GANG_CODE_EMPTY_QUEUE,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[scheduling.volcano."
     "sh/queue-"
     "name]"},
    {RUNTIME("", NODE_ROLE),
     TRAINJOB(ELSEWHERE PATCHES(QUEUE_PATCH("a", "''") "," QUEUE_PATCH("b", "'q'"))),
     GANG_CODE_EMPTY_QUEUE, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(ELSEWHERE), GANG_CODE_EMPTY_QUEUE, NULL},
};

START_TEST(an_empty_queue_of_volcano_is_refused)
{
    const enum gang_compatibility modes[] = {COMPATIBILITY_NONE, COMPATIBILITY_KUBEFLOW_TRAINER};

    for (int i = 0; i < ITEMS_OF(modes); i++)
        if (queues[_i].path)
            check_remark(&queues[_i], modes[i], GANG_SEVERITY_ERROR);
        else
            check_no_remark(&queues[_i], modes[i]);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME("", GOOD_DATASET), DATASET("{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", GOOD_MODEL), MODEL("{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", GOOD_MODEL "," GOOD_DATASET), TRAINJOB(",'initializer':{'model':{},'dataset':{}}"),
     GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(",'initializer':{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
     NULL},
    {RUNTIME("", NODE_ROLE), DATASET("null"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(""), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

/* A patch may bring the volume mount. */
START_TEST(a_patch_may_mount_the_volume)
{
    static const struct remark patched = {
        RUNTIME("", INITIALIZER("model-initializer", "model-initializer", "")),
        TRAINJOB(",'initializer':{'model':{}}" PATCHES(
            PATCH_JOBS("x", "{'name':'model-initializer','template':{'spec':{'template':{'spec':{'"
                            "containers':[{'name':"
                            "'model-initializer','volumeMounts':[{'name':'initializer','mountPath':"
                            "'/w'}]}]}}}}}"))),
        GANG_CODE_INITIALIZER_ROLE_MISSING, NULL};

    check_no_remark(&patched, COMPATIBILITY_NONE);
}
END_TEST

/* One call reports the findings of every rule. */
START_TEST(all_rules_are_applied)
{
    static const enum gang_code wanted[] = {GANG_CODE_INITIALIZER_ROLE_MISSING,
                                            GANG_CODE_PATCH_MANAGER, GANG_CODE_RESERVED_ENV,
                                            GANG_CODE_INVALID_ROLE_NAME};
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), ROLE("Node", "", LABEL("trainer"), "", NODE_POD)),
               TRAINJOB(",'initializer':{'model':{}},'runtimePatches':[{'manager':'x'}]" TRAINER(
                   "'env':[{'name':'PET_NNODES'}]")),
               COMPATIBILITY_NONE);
    front.report.count = 0;
    trainjob_rules_check(&front.job, &front.wishes, &front.report);
    ck_assert_uint_eq(front.report.count, ITEMS_OF(wanted));
    for (int i = 0; i < ITEMS_OF(wanted); i++)
        ck_assert_int_eq(front.report.items[i].code, wanted[i]);
    front_close(&front);
}
END_TEST

/* The rule of the CRD, ^[A-Za-z][A-Za-z0-9+.-]*://.+$, in whose syntax no dot is a line break. */
static const struct {
    const char *uri;
    int result;
} uris[] = {
    {"", GANG_OK},
    {"s3://b", GANG_OK},
    {"hf://tatsu-lab/alpaca?x=y#z", GANG_OK},
    {"Z+a.9-://é", GANG_OK},
    {"a://://", GANG_OK},
    {"s3://", GANG_ERROR_INVALID},
    {"s3:/b", GANG_ERROR_INVALID},
    {"s3:b//c", GANG_ERROR_INVALID},
    {"://b", GANG_ERROR_INVALID},
    {"3s://b", GANG_ERROR_INVALID},
    {"-s://b", GANG_ERROR_INVALID},
    {"s_3://b", GANG_ERROR_INVALID},
    {" s3://b", GANG_ERROR_INVALID},
    {"s3://b\\n", GANG_ERROR_INVALID},
    {"s3://b\\nc", GANG_ERROR_INVALID},
};

START_TEST(storage_is_a_uri)
{
    char text[DOCUMENT_SIZE];
    char line[128];
    struct gang_trainjob *trainjob = NULL;

    NEEDS_YAML();
    for (int is_model = 0; is_model < 2; is_model++) {
        snprintf(line, sizeof(line), "spec:\n  initializer: {%s: {storageUri: \"%s\"}}\n",
                 is_model ? "model" : "dataset", uris[_i].uri);
        with_change(text, good_trainjob, "spec:\n", line);
        ck_assert_int_eq(parse_trainjob(NULL, text, strlen(text), 0, &trainjob, NULL),
                         uris[_i].result);
        unref_trainjob(trainjob);
        trainjob = NULL;
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_what_the_api_refuses, refused, find, replace);
    add_rows(cases, refuses_by_default_what_the_operator_accepts, judged_by_mode, find, replace);
    add_rows(cases, compatibility_warns_of_what_the_operator_accepts, judged_by_mode, find,
             replace);
    add_rows(cases, warns_about_accepted_documents, remarked, finding.find, finding.replace);
    add_rows(cases, storage_is_a_uri, uris, uri, result);
    add_items(cases, integral_numbers_are_integers, spellings_of_four);
    tcase_add_test(cases, null_means_absent);
    tcase_add_test(cases, getters_of_a_trainjob);
    add_rows(cases, initializers_need_their_roles, refused_of_trainjob_rules, remark.runtime,
             remark.trainjob);
    add_rows(cases, an_empty_queue_of_volcano_is_refused, queues, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
    tcase_add_test(cases, a_patch_may_mount_the_volume);
    tcase_add_test(cases, all_rules_are_applied);
}
