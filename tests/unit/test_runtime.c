/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/documents.h"
#include "unit/typed.h"
#include "unit/front.h"

/* ---- runtime ---- */

#define JOB0 "spec.template.spec.replicatedJobs[0]"
#define JOB1 "spec.template.spec.replicatedJobs[1]"

/* Refused in every mode: type, range, enumeration, CEL and webhook rules of the API. */
static const struct document_case refused[] = {
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: 0.5", GANG_CODE_FRACTIONAL_NUMBER,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2", "nvidia com/gpu: 2", GANG_CODE_INVALID_NAME,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia com/gpu]", 43, 23},
    {"trainer.kubeflow.org/v1alpha1", "trainer.kubeflow.org/v1", GANG_CODE_WRONG_DOCUMENT,
     "apiVersion", 1, 13},
    {"kind: ClusterTrainingRuntime", "kind: Runtime", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
    {"  name: tune", "  labels: {}", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
    {"  name: tune", "  name: Tune", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: tune", "  name: tune\n  labels: {a/b/c: d}", GANG_CODE_INVALID_LABEL_KEY,
     "metadata.labels[a/b/c]", 5, 12},
    {"  name: tune", "  name: tune\n  labels: {a: -d}", GANG_CODE_INVALID_LABEL_VALUE,
     "metadata.labels[a]", 5, 15},
    {"  name: tune", "  name: \"tu\\0ne\"", GANG_CODE_NUL_CHARACTER, "metadata.name", 4, 9},
    {"numNodes: 1", "numNodes: \"1\"", GANG_CODE_WRONG_TYPE, "spec.mlPolicy.numNodes", 7, 15},
    {"    spec:\n      replicatedJobs:",
     "    spec:\n      failurePolicy: {rules: [{action: FailJobSet}]}\n      replicatedJobs:",
     GANG_CODE_REQUIRED_FIELD, "spec.template.spec.failurePolicy.rules[0].name", 13, 31},
    {"numNodes: 1", "numNodes: 1.5", GANG_CODE_WRONG_TYPE, "spec.mlPolicy.numNodes", 7, 15},
    {"numNodes: 1", "numNodes: 2147483648", GANG_CODE_VALUE_OUT_OF_RANGE, "spec.mlPolicy.numNodes",
     7, 15},
    {"torch: {}", "torch: []", GANG_CODE_WRONG_TYPE, "spec.mlPolicy.torch", 8, 12},
    {"torch: {}", "torch: {}\n    jax: {}", GANG_CODE_SEVERAL_POLICIES, "spec.mlPolicy", 7, 5},
    {"torch: {}", "torch: {envInjection: {targets: [{jobName: node, containerNames: [node]}]}}",
     GANG_CODE_ENV_TARGET_FORBIDDEN,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]", 8, 71},
    {"torch: {}", "torch: {envInjection: {targets: [{jobName: node, containerNames: [log]}]}}",
     GANG_CODE_ENV_TARGET_MISSING, "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]",
     8, 71},
    {"torch: {}", "flux: {numProcPerNode: 0}", GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.mlPolicy.flux.numProcPerNode", 8, 28},
    {"volcano: {}", "volcano: {networkTopology: {mode: firm}}", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.podGroupPolicy.volcano.networkTopology.mode", 10, 39},
    {"volcano: {}", "volcano: {networkTopology: {highestTierAllowed: one}}", GANG_CODE_WRONG_TYPE,
     "spec.podGroupPolicy.volcano.networkTopology.highestTierAllowed", 10, 53},
    {"volcano: {}", "coscheduling: {scheduleTimeoutSeconds: soon}", GANG_CODE_WRONG_TYPE,
     "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds", 10, 44},
    {"      - name: data", "      - replicas: 1\n        name: data\n        x: y",
     GANG_CODE_DUPLICATE_KEY, JOB0 ".replicas", 17, 9},
    {"      - name: node", "      - name: data", GANG_CODE_DUPLICATE_ITEM, JOB1 ".name", 26, 15},
    {"        replicas: 1\n        dependsOn", "        replicas: 2\n        dependsOn",
     GANG_CODE_ANCESTOR_REPLICAS, JOB1 ".replicas", 27, 19},
    {"- name: node\n                  image", "- name: nodes\n                  image",
     GANG_CODE_ANCESTOR_CONTAINER, JOB1 ".template.spec.template.spec.containers", 38, 17},
    {"status: Complete", "status: Done", GANG_CODE_UNSUPPORTED_VALUE, JOB1 ".dependsOn[0].status",
     30, 19},
    {"    spec:\n      replicatedJobs:",
     "    spec:\n      startupPolicy: {startupPolicyOrder: InOrder}\n      replicatedJobs:",
     GANG_CODE_START_ORDER_CONFLICT, "spec.template.spec.startupPolicy.startupPolicyOrder", 13, 43},
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: 1K", GANG_CODE_QUANTITY_SYNTAX,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: -2", GANG_CODE_QUANTITY_NEGATIVE,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: \"1e65\"", GANG_CODE_QUANTITY_RANGE,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: 10E", GANG_CODE_QUANTITY_OVERFLOW,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2",
     "nvidia.com/gpu: \"00000000000000000000000000000000000000000000000000000000000000001\"",
     GANG_CODE_QUANTITY_TOO_LONG,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"nvidia.com/gpu: 2", "nvidia.com/gpu: true", GANG_CODE_WRONG_TYPE,
     JOB1 ".template.spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]", 43, 39},
    {"image: train", "image: 7", GANG_CODE_WRONG_TYPE,
     JOB1 ".template.spec.template.spec.containers[0].image", 40, 26},
    {"image: train", "command: [null]", GANG_CODE_NULL_ITEM,
     JOB1 ".template.spec.template.spec.containers[0].command[0]", 40, 29},
};

START_TEST(refuses_what_the_api_refuses)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_runtime, refused[_i].find, refused[_i].replace);
    check_wanted(run_texts(text, good_trainjob, NULL), &refused[_i], GANG_SEVERITY_ERROR);
}
END_TEST

/* Accepted, with a word about it. */
static const struct {
    struct document_case finding;
    enum gang_severity severity;
} remarked[] = {
    {{"numNodes: 1", "numNode: 1", GANG_CODE_UNKNOWN_FIELD, "spec.mlPolicy.numNode", 7, 5},
     GANG_SEVERITY_WARNING},
    {{"torch: {}", "torch: {numProcPerNode: auto}", GANG_CODE_SUPERSEDED_FIELD,
      "spec.mlPolicy.torch.numProcPerNode", 8, 13},
     GANG_SEVERITY_WARNING},
    {{"torch: {}", "torch: {elasticPolicy: {maxNodes: 2}}", GANG_CODE_SUPERSEDED_FIELD,
      "spec.mlPolicy.torch.elasticPolicy", 8, 13},
     GANG_SEVERITY_WARNING},
    {{"torch: {}", "torch: {elastic: {}}", GANG_CODE_UNKNOWN_FIELD, "spec.mlPolicy.torch.elastic",
      8, 13},
     GANG_SEVERITY_WARNING},
    {{"image: train", "imag: train", GANG_CODE_UNKNOWN_FIELD,
      JOB1 ".template.spec.template.spec.containers[0].imag", 40, 19},
     GANG_SEVERITY_WARNING},
    {{"nvidia.com/gpu: 2", "memory: 8Ei", GANG_CODE_QUANTITY_CAPPED,
      JOB1 ".template.spec.template.spec.containers[0].resources.limits[memory]", 43, 31},
     GANG_SEVERITY_WARNING},
    {{"  name: tune", "  name: tune\n  labels: {trainer.kubeflow.org/support: deprecated}",
      GANG_CODE_DEPRECATED_RUNTIME, "metadata.labels[trainer.kubeflow.org/support]", 5, 42},
     GANG_SEVERITY_WARNING},
    {{"        replicas: 1\n        dependsOn", "        dependsOn", GANG_CODE_DEFAULT_APPLIED,
      JOB1 ".replicas", 26, 9},
     GANG_SEVERITY_INFO},
    {{"volcano: {}", "volcano: {networkTopology: {}}", GANG_CODE_DEFAULT_APPLIED,
      "spec.podGroupPolicy.volcano.networkTopology.mode", 10, 32},
     GANG_SEVERITY_INFO},
    {{"volcano: {}", "volcano: {networkTopology: {}}", GANG_CODE_DEFAULT_APPLIED,
      "spec.podGroupPolicy.volcano.networkTopology.highestTierAllowed", 10, 32},
     GANG_SEVERITY_INFO},
    {{"volcano: {}", "coscheduling: {}", GANG_CODE_DEFAULT_APPLIED,
      "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds", 10, 19},
     GANG_SEVERITY_INFO},
};

START_TEST(warns_about_accepted_documents)
{
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_runtime, remarked[_i].finding.find, remarked[_i].finding.replace);
    check_wanted(run_texts(text, good_trainjob, NULL), &remarked[_i].finding,
                 remarked[_i].severity);
}
END_TEST

START_TEST(strict_refuses_unknown_fields)
{
    struct gang_runtime *runtime = (struct gang_runtime *)1;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_runtime, "numNodes: 1", "numNode: 1");
    ck_assert_int_eq(parse_runtime(NULL, text, strlen(text), GANG_PARSE_STRICT, &runtime, &error),
                     GANG_ERROR_INVALID);
    ck_assert_ptr_null(runtime);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_UNKNOWN_FIELD);
    gang_error_free(error);
}
END_TEST

/* kubeflow/trainer:manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml@v2.1.0, @v2.2.0
 */
START_TEST(strict_accepts_fields_of_older_operators)
{
    static const char *const added[][2] = {
        {"torch: {}", "torch: {numProcPerNode: auto}"},
        {"torch: {}", "torch: {elasticPolicy: {minNodes: 1}}"},
        {"containers:\n                - name: node",
         "workloadRef: null\n                containers:\n                - name: node"},
    };
    struct gang_runtime *runtime;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_runtime, added[_i][0], added[_i][1]);
    ck_assert_int_eq(parse_runtime(NULL, text, strlen(text), GANG_PARSE_STRICT, &runtime, &error),
                     GANG_OK);
    ck_assert_int_eq((int)gang_document_num_diagnostics(&runtime->document), _i < 2);
    gang_document_unref(&runtime->document);
}
END_TEST

/* The label that keeps a runtime from the webhook keeps the webhook's rules away too. */
START_TEST(disabled_webhook_rules_are_not_applied)
{
    char text[DOCUMENT_SIZE];
    char twice[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_runtime, "  name: tune",
                "  name: tune\n  labels: {trainer.kubeflow.org/webhook-validation: disabled}");
    with_change(twice, text, "- name: node\n                  image",
                "- name: nodes\n                  image");
    run = run_texts(twice, good_trainjob, NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    end_run(&run);
}
END_TEST

START_TEST(diagnostics_of_a_good_document_are_kept)
{
    char text[DOCUMENT_SIZE];
    struct gang_runtime *runtime = NULL;
    bool found = false;

    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    NEEDS_YAML();
    with_change(text, good_runtime, "numNodes: 1", "numNode: 1");
    ck_assert_int_eq(parse_runtime(NULL, text, strlen(text), 0, &runtime, NULL), GANG_OK);
    for (size_t i = 0; i < gang_document_num_diagnostics(document_of(runtime)); i++) {
        const struct gang_diagnostic *diagnostic =
            gang_document_get_diagnostic(document_of(runtime), i);

        found |= gang_diagnostic_get_code(diagnostic) == GANG_CODE_UNKNOWN_FIELD &&
                 gang_diagnostic_get_severity(diagnostic) == GANG_SEVERITY_WARNING;
    }
    ck_assert(found);
    ck_assert_ptr_null(gang_document_get_diagnostic(
        document_of(runtime), gang_document_num_diagnostics(document_of(runtime))));
    unref_runtime(runtime);
}
END_TEST

START_TEST(getters_of_a_runtime)
{
    struct run run;

    ck_assert_ptr_null(gang_document_get_kind(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_ptr_null(gang_document_get_namespace(document_of(NULL)));
    ck_assert_ptr_null(ref_runtime(NULL));
    unref_runtime(NULL);
    NEEDS_YAML();
    run = run_texts(good_runtime, good_trainjob, NULL);
    ck_assert_int_eq(run.result, GANG_OK);
    ck_assert_str_eq(gang_document_get_kind(document_of(run.runtime)), "ClusterTrainingRuntime");
    ck_assert_str_eq(gang_document_get_name(document_of(run.runtime)), "tune");
    ck_assert_ptr_null(gang_document_get_namespace(document_of(run.runtime)));
    end_run(&run);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_runtime *runtime = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(parse_runtime(NULL, "{}", 2, 0, NULL, &error), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    ck_assert_int_eq(parse_runtime(NULL, NULL, 2, 0, &runtime, NULL), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(parse_runtime(NULL, "{}", 2, 2, &runtime, NULL), GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(parse_runtime(NULL, NULL, 0, 0, &runtime, &error), GANG_ERROR_SYNTAX);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_EMPTY_DOCUMENT);
    gang_error_free(error);
}
END_TEST

/* ---- runtime rules ---- */

/* Sources: pkg/webhooks/trainingruntime_webhook.go and the CEL rules of manifests/base/crds@v2.3.0.
 */
#define JOB(index) "spec.template.spec.replicatedJobs[" index "]"
#define POD_SPEC ".template.spec.template.spec"
#define RUNTIME_WITH(labels, members)                                                              \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune',"                         \
    "'labels':{" labels "}},\n'spec':{'podGroupPolicy':{'volcano':{}}," members "}}"
#define JOBSET(members) "'template':{'spec':{" members "}}"
#define LAUNCHER_ROLE ROLE("launcher", "", PLAIN, "", NODE_POD)
#define WAITING ROLE("b", "'dependsOn':[{'name':'a','status':'Ready'}],", PLAIN, "", NODE_POD)
#define BARE(name) ROLE(name, "", PLAIN, "", NODE_POD)
#define WEBHOOK_OFF "'trainer.kubeflow.org/webhook-validation':'disabled'"

/* The container that each ancestor must have. */
static const struct {
    const char *label;
    const char *container;
    bool good;
} containers[] = {
    {"trainer", "node", true},
    {"trainer", "trainer", false},
    {"trainer", "Node", false},
    {"dataset-initializer", "dataset-initializer", true},
    {"dataset-initializer", "node", false},
    {"model-initializer", "model-initializer", true},
    {"model-initializer", "dataset-initializer", false},
    {"other", "anything", true},
    {"Trainer", "anything", true},
};

START_TEST(ancestors_have_their_container)
{
    char runtime[DOCUMENT_SIZE];
    struct remark remark = {runtime, TRAINJOB(""), GANG_CODE_ANCESTOR_CONTAINER,
                            JOB("0") POD_SPEC ".containers"};

    snprintf(runtime, sizeof(runtime),
             RUNTIME("", "{'name':'a','template':{" LABEL(
                             "%s") "'spec':{'template':{'spec':@{'containers':[{'name':"
                                   "'%s'}]}}}}}," BARE("b")),
             containers[_i].label, containers[_i].container);
    if (containers[_i].good) {
        struct run run;
        struct front_place unused;

        run = run_remark(&remark, COMPATIBILITY_NONE, &unused);
        for (size_t i = 0; i < run_num_findings(&run); i++)
            ck_assert_int_ne(gang_diagnostic_get_code(run_finding(&run, i)),
                             GANG_CODE_ANCESTOR_CONTAINER);
        ck_assert_ptr_nonnull(run.runtime);
        end_run(&run);
    } else {
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    }
}
END_TEST

static const struct remark refused_of_runtime_rules[] = {
    {RUNTIME("", ROLE("a", "'replicas':@2,", LABEL("trainer"), "", NODE_POD)), TRAINJOB(""),
     GANG_CODE_ANCESTOR_REPLICAS, JOB("0") ".replicas"},
    {RUNTIME("", ROLE("a", "'replicas':@0,", LABEL("trainer"), "", NODE_POD)), TRAINJOB(""),
     GANG_CODE_ANCESTOR_REPLICAS, JOB("0") ".replicas"},
    {RUNTIME("",
             NODE_ROLE "," ROLE("model-initializer", "'replicas':@3,", LABEL("model-initializer"),
                                "", POD(CONTAINER("model-initializer", "")))),
     TRAINJOB(""), GANG_CODE_ANCESTOR_REPLICAS, JOB("1") ".replicas"},
    {RUNTIME("", NODE_ROLE
             "," ROLE("dataset-initializer", "'replicas':@3,", LABEL("dataset-initializer"), "",
                      POD(CONTAINER("dataset-initializer", "")))),
     TRAINJOB(""), GANG_CODE_ANCESTOR_REPLICAS, JOB("1") ".replicas"},
    /* an init container is none of `containers` */
    {RUNTIME("", "{'name':'a','template':{" LABEL(
                     "trainer") "'spec':{'template':{'spec':@{'initContainers':[{'name':"
                                "'node'}],'containers':[{'name':'x'}]}}}}}"),
     TRAINJOB(""), GANG_CODE_ANCESTOR_CONTAINER, JOB("0") POD_SPEC ".containers"},
    /* without a pod template the finding is at the role */
    {RUNTIME("", "@{'name':'a','template':{" LABEL("trainer") "'spec':{}}}"), TRAINJOB(""),
     GANG_CODE_ANCESTOR_CONTAINER, JOB("0") POD_SPEC ".containers"},
    {RUNTIME_WITH(
         "", JOBSET("'startupPolicy':{'startupPolicyOrder':@'InOrder'},'replicatedJobs':[" BARE(
                 "a") "," WAITING "]")),
     TRAINJOB(""), GANG_CODE_START_ORDER_CONFLICT,
     "spec.template.spec.startupPolicy.startupPolicyOrder"},
    /* CEL's has() is true of an empty list too */
    {RUNTIME_WITH(
         "", JOBSET("'startupPolicy':{'startupPolicyOrder':@'InOrder'},'replicatedJobs':[" BARE(
                 "a") "," ROLE("b", "'dependsOn':[],", PLAIN, "", NODE_POD) "]")),
     TRAINJOB(""), GANG_CODE_START_ORDER_CONFLICT,
     "spec.template.spec.startupPolicy.startupPolicyOrder"},
    {RUNTIME(ML("'mpi':{'mpiImplementation':@''}"), NODE_ROLE "," LAUNCHER_ROLE), TRAINJOB(""),
     GANG_CODE_MPI_IMPLEMENTATION, "spec.mlPolicy.mpi.mpiImplementation"},
    {RUNTIME(ML("'flux':{'numProcPerNode':@0}"), NODE_ROLE), NODES("1"),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.mlPolicy.flux.numProcPerNode"},
    {RUNTIME(ML("'flux':{'numProcPerNode':@-1}"), NODE_ROLE), NODES("1"),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.mlPolicy.flux.numProcPerNode"},
    {RUNTIME(
         ML("'torch':{'envInjection':{'targets':[{'jobName':'node','containerNames':[@'node']}]}}"),
         NODE_ROLE),
     TRAINJOB(""), GANG_CODE_ENV_TARGET_FORBIDDEN,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME("'mlPolicy':@{'torch':{},'jax':{}},", NODE_ROLE), TRAINJOB(""),
     GANG_CODE_SEVERAL_POLICIES, "spec.mlPolicy"},
};

START_TEST(refuses_what_the_api_refuses_of_runtime_rules)
{
    check_remark(&refused_of_runtime_rules[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused_of_runtime_rules[_i], COMPATIBILITY_KUBEFLOW_TRAINER,
                 GANG_SEVERITY_ERROR);
}
END_TEST

static const struct remark warned[] = {
    {RUNTIME_WITH("'trainer.kubeflow.org/support':@'deprecated'",
                  JOBSET("'replicatedJobs':[" NODE_ROLE "]")),
     TRAINJOB(""), GANG_CODE_DEPRECATED_RUNTIME, "metadata.labels[trainer.kubeflow.org/support]"},
    {RUNTIME("", "{'name':'a','template':{'spec':{'template':{'metadata':{'labels':{"
                 "@'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},'spec':{" NODE_POD
                 "}}}}}"),
     TRAINJOB(""), GANG_CODE_MISPLACED_ANCESTOR,
     JOB("0") ".template.spec.template.metadata.labels[trainer.kubeflow.org/"
              "trainjob-ancestor-step]"},
};

START_TEST(warns_in_both_modes)
{
    check_remark(&warned[_i], COMPATIBILITY_NONE, GANG_SEVERITY_WARNING);
    check_remark(&warned[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME("", ROLE("a", "'replicas':1,", LABEL("trainer"), "", NODE_POD)), TRAINJOB(""),
     GANG_CODE_ANCESTOR_REPLICAS, NULL},
    {RUNTIME("", ROLE("a", "", LABEL("trainer"), "", NODE_POD)), TRAINJOB(""),
     GANG_CODE_ANCESTOR_REPLICAS, NULL},
    {RUNTIME("", ROLE("a", "'replicas':2,", LABEL("other"), "", NODE_POD) "," NODE_ROLE),
     TRAINJOB(""), GANG_CODE_ANCESTOR_REPLICAS, NULL},
    {RUNTIME_WITH(WEBHOOK_OFF, JOBSET("'replicatedJobs':[" ROLE(
                                   "a", "'replicas':2,", LABEL("trainer"), "", NODE_POD) "]")),
     TRAINJOB(""), GANG_CODE_ANCESTOR_REPLICAS, NULL},
    {RUNTIME_WITH(WEBHOOK_OFF, JOBSET("'replicatedJobs':[" ROLE("a", "", LABEL("trainer"), "",
                                                                POD(CONTAINER("x", ""))) "]")),
     TRAINJOB(""), GANG_CODE_ANCESTOR_CONTAINER, NULL},
    {RUNTIME_WITH(
         "", JOBSET("'startupPolicy':{'startupPolicyOrder':'InOrder'},'replicatedJobs':[" NODE_ROLE
                    "]")),
     TRAINJOB(""), GANG_CODE_START_ORDER_CONFLICT, NULL},
    {RUNTIME_WITH(
         "", JOBSET("'startupPolicy':{'startupPolicyOrder':'AnyOrder'},'replicatedJobs':[" BARE(
                 "a") "," WAITING "]")),
     TRAINJOB(""), GANG_CODE_START_ORDER_CONFLICT, NULL},
    {RUNTIME(ML("'mpi':{'mpiImplementation':'OpenMPI'}"), NODE_ROLE "," LAUNCHER_ROLE),
     TRAINJOB(""), GANG_CODE_MPI_IMPLEMENTATION, NULL},
    {RUNTIME(ML("'mpi':{}"), NODE_ROLE "," LAUNCHER_ROLE), TRAINJOB(""),
     GANG_CODE_MPI_IMPLEMENTATION, NULL},
    {RUNTIME(ML("'flux':{'numProcPerNode':1}"), NODE_ROLE), NODES("1"),
     GANG_CODE_VALUE_OUT_OF_RANGE, NULL},
    {RUNTIME_WITH("'trainer.kubeflow.org/support':'supported'",
                  JOBSET("'replicatedJobs':[" NODE_ROLE "]")),
     TRAINJOB(""), GANG_CODE_DEPRECATED_RUNTIME, NULL},
    /* the label is in both places, so the one that is read exists */
    {RUNTIME("", "{'name':'a','template':{" LABEL(
                     "trainer") "'spec':{'template':{'metadata':{'labels':{"
                                "'trainer.kubeflow.org/"
                                "trainjob-ancestor-step':'trainer'}},'spec':{" NODE_POD "}}}}}"),
     TRAINJOB(""), GANG_CODE_MISPLACED_ANCESTOR, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_what_the_api_refuses, refused, find, replace);
    add_rows(cases, warns_about_accepted_documents, remarked, finding.find, finding.replace);
    tcase_add_test(cases, strict_refuses_unknown_fields);
    tcase_add_loop_test(cases, strict_accepts_fields_of_older_operators, 0, 3);
    tcase_add_test(cases, disabled_webhook_rules_are_not_applied);
    tcase_add_test(cases, diagnostics_of_a_good_document_are_kept);
    tcase_add_test(cases, getters_of_a_runtime);
    tcase_add_test(cases, misuse_is_refused);
    add_rows(cases, ancestors_have_their_container, containers, label, container);
    add_rows(cases, refuses_what_the_api_refuses_of_runtime_rules, refused_of_runtime_rules,
             runtime, trainjob);
    add_rows(cases, warns_in_both_modes, warned, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
}
