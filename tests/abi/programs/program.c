/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of the first release, which later libraries must run without compiling it again. It
 * uses what that release had, by the values that its header gave. Prints TAP.
 */
#include <stdio.h>
#include <string.h>

#include <gang/gang.h>

/* `functions` has the address of every function of the header: the linker must find them all. */
#include "functions.h"

static const char runtime_text[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainingRuntime\","
    "\"metadata\":{\"name\":\"torch\",\"namespace\":\"ml\"},\"spec\":{\"mlPolicy\":{\"numNodes\":1,"
    "\"torch\":{}},\"podGroupPolicy\":{\"volcano\":{}},\"template\":{\"spec\":{\"replicatedJobs\":["
    "{"
    "\"name\":\"node\",\"template\":{\"metadata\":{\"labels\":{\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":{\"containers\":[{"
    "\"name\":\"node\",\"image\":\"train\"}]}}}}}]}}}}";
static const char job_text[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{"
    "\"name\":\"llm\",\"namespace\":\"ml\",\"uid\":\"u1\"},\"spec\":{\"runtimeRef\":{\"name\":"
    "\"torch\",\"kind\":\"TrainingRuntime\"},\"trainer\":{\"numNodes\":3}}}";
static const char typo_text[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{"
    "\"name\":\"llm\"},\n\"spec\":{\"runtimeRef\":{\"name\":\"torch\",\"kind\":\"TrainingRuntime\"}"
    ","
    "\"trainer\":{\"numNodes\":\"two\"}}}";
static const char jobset_text[] =
    "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"sum\",\"namespace\":"
    "\"ml\"},\"spec\":{\"parallelism\":4,\"completions\":4,\"template\":{\"spec\":{"
    "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}";

static int count;
static int failures;

static void
expect(const char *title, int holds)
{
    count++;
    failures += !holds;
    printf("%sok %d - %s\n", holds ? "" : "not ", count, title);
}

static struct gang_document *
parse(const char *text, uint32_t flags)
{
    struct gang_document *document = NULL;

    (void)!gang_document_parse(NULL, text, strlen(text), flags, &document, NULL);
    return document;
}

/* Releases the blob. */
static int
has(struct gang_blob *blob, const char *words)
{
    const char *text = gang_blob_get_data(blob, NULL);
    int found = text && strstr(text, words) != NULL;

    gang_blob_unref(blob);
    return found;
}

static void
check_library(void)
{
    size_t i;
    int all = 1;

    for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
        all &= functions[i] != NULL;
    expect("every function of the header is there", all);
    expect("the library is not older", gang_version() >= GANG_VERSION_MINOR * 1000);
    expect("results have their names",
           strcmp(gang_result_name(GANG_ERROR_DENIED), "Denied") == 0 &&
               strcmp(gang_action_name(GANG_ACTION_RECREATE), "Recreate") == 0 &&
               strcmp(gang_code_name(GANG_CODE_STRUCTURAL_DEADLOCK), "StructuralDeadlock") == 0);
    expect("the first backend has a name", gang_backend_name(0) != NULL);
}

static void
check_limits(void)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_document *document = NULL;
    int set = gang_config_set_limit(config, GANG_LIMIT_DOCUMENT_BYTES, 8);
    int made = gang_context_new(config, &context);

    gang_config_free(config);
    expect("a limit is kept", set == GANG_OK && made == GANG_OK &&
                                  gang_document_parse(context, job_text, strlen(job_text), 0,
                                                      &document, NULL) == GANG_ERROR_LIMIT &&
                                  !document);
    expect("an unknown flag is refused",
           gang_document_parse(NULL, job_text, strlen(job_text), 1u << 30, &document, NULL) ==
               GANG_ERROR_UNSUPPORTED_FLAG);
    gang_context_unref(context);
}

static void
check_error(void)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    int result = gang_document_parse(NULL, typo_text, strlen(typo_text), GANG_PARSE_STRICT,
                                     &document, &error);
    const struct gang_diagnostic *last =
        gang_error_get_diagnostic(error, gang_error_num_diagnostics(error) - 1);

    expect("a wrong value is an error with its place",
           result == GANG_ERROR_INVALID && gang_error_get_code(error) == result && last &&
               gang_diagnostic_get_severity(last) == GANG_SEVERITY_ERROR &&
               gang_diagnostic_get_document(last) == GANG_DOCUMENT_TRAINJOB &&
               gang_diagnostic_get_line(last) == 2 &&
               strcmp(gang_diagnostic_get_path(last), "spec.trainer.numNodes") == 0 &&
               strncmp(gang_diagnostic_get_id(last), "GANG", 4) == 0);
    gang_error_free(error);
}

static void
check_stream(void)
{
    static const char text[] = "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":"
                               "\"s\"}}\n---\n{\"kind\":\"Pod\"}\n";
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;

    expect("a text is split into its documents",
           gang_stream_parse(NULL, text, strlen(text), 0, &stream, NULL) == GANG_OK &&
               gang_stream_num_documents(stream) == 2 && gang_stream_get_line(stream, 1) == 3 &&
               strcmp(gang_stream_get_kind(stream, 0), "Service") == 0 &&
               gang_stream_serialize(NULL, stream, 1, GANG_FORMAT_JSON, 0, &blob, NULL) ==
                   GANG_OK &&
               has(blob, "{\"kind\":\"Pod\"}"));
    gang_stream_unref(stream);
}

static void
check_jobs_of_other_kinds(void)
{
    struct gang_document *job = parse(jobset_text, GANG_PARSE_NO_FLAGS);
    struct gang_inputs *inputs = gang_inputs_new();
    const char *const texts[] = {jobset_text};
    const size_t lengths[] = {sizeof(jobset_text) - 1};
    struct gang_blob *blob = NULL;

    expect("a Job is a job with one gang",
           gang_document_get_type(job) == GANG_DOCUMENT_JOB && gang_document_num_gangs(job) == 1 &&
               gang_job_serialize(NULL, job, 0, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK &&
               has(blob, "\"kind\":\"GangJob\""));
    blob = NULL;
    expect("an audit has a row for it",
           gang_audit(NULL, texts, lengths, 1, inputs, 0, &blob, NULL) == GANG_OK &&
               has(blob, "\"name\":\"sum\""));
    blob = NULL;
    expect("a schema is written",
           gang_schema_serialize(NULL, "GangPolicy", GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK &&
               has(blob, "\"$schema\""));
    gang_inputs_free(inputs);
    gang_document_unref(job);
}

static void
check_decision(const struct gang_decision *decision)
{
    struct gang_blob *blob = NULL;

    expect("the decision has the gang of three pods",
           gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG &&
               strcmp(gang_decision_get_backend(decision), "volcano") == 0 &&
               gang_decision_get_minimum(decision) == 3 &&
               gang_decision_get_members(decision) == 3 && gang_decision_get_pods(decision) == 3);
    expect("a person reads why",
           gang_decision_serialize(NULL, decision, GANG_FORMAT_TEXT, GANG_SERIALIZE_VERBOSE, &blob,
                                   NULL) == GANG_OK &&
               has(blob, "volcano"));
}

/* What a controller of the first release would write and read. */
static void
check_plan(const struct gang_plan *plan)
{
    const struct gang_object *group = gang_plan_get_object(plan, 0);
    const struct gang_patch *patch = gang_plan_get_patch(plan, 0);
    struct gang_blob *blob = NULL;

    expect("the plan has one PodGroup to create",
           gang_plan_num_objects(plan) == 1 &&
               gang_object_get_action(group) == GANG_ACTION_CREATE &&
               strcmp(gang_object_get_api_version(group), "scheduling.volcano.sh/v1beta1") == 0 &&
               strcmp(gang_object_get_kind(group), "PodGroup") == 0);
    expect("the pods get the annotation of the group",
           gang_plan_num_patches(plan) > 0 &&
               gang_patch_num_fields(patch, GANG_PATCH_ANNOTATIONS) == 1 &&
               strcmp(gang_patch_get_key(patch, GANG_PATCH_ANNOTATIONS, 0),
                      "scheduling.k8s.io/group-name") == 0 &&
               strcmp(gang_patch_get_value(patch, GANG_PATCH_ANNOTATIONS, 0),
                      gang_object_get_name(group)) == 0);
    expect("the objects are written",
           gang_plan_serialize(NULL, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0, &blob, NULL) ==
                   GANG_OK &&
               has(blob, "\"minMember\":3"));
}

static void
check_reconcile(const struct gang_plan *plan)
{
    struct gang_document *live = NULL;
    struct gang_blob *blob = NULL;
    struct gang_plan *next = NULL;
    size_t len = 0;
    const char *text;
    int result = gang_object_serialize(NULL, gang_plan_get_object(plan, 0), GANG_FORMAT_JSON, 0,
                                       &blob, NULL);

    text = gang_blob_get_data(blob, &len);
    if (result == GANG_OK)
        result = gang_document_parse_live(NULL, text, len, GANG_LIVE_NO_FLAGS, &live, NULL);
    if (result == GANG_OK)
        result = gang_reconcile(NULL, plan, live, GANG_RECONCILE_NO_FLAGS, &next, NULL);
    expect("an object that exists stays",
           result == GANG_OK && gang_plan_num_objects(next) == 1 &&
               gang_object_get_action(gang_plan_get_object(next, 0)) == GANG_ACTION_LEAVE);
    gang_plan_unref(next);
    gang_document_unref(live);
    gang_blob_unref(blob);
}

static void
check_gang(void)
{
    struct gang_document *runtime = parse(runtime_text, GANG_PARSE_NO_FLAGS);
    struct gang_document *job = parse(job_text, GANG_PARSE_NO_FLAGS);
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;

    expect("documents are parsed and added",
           gang_document_get_type(runtime) == GANG_DOCUMENT_RUNTIME &&
               strcmp(gang_document_get_reference(job, "TrainingRuntime"), "torch") == 0 &&
               gang_inputs_add(inputs, runtime) == GANG_OK);
    expect("the job is resolved and rendered",
           gang_resolve(NULL, job, inputs, GANG_RESOLVE_NO_FLAGS, &decision, NULL) == GANG_OK &&
               gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK);
    gang_inputs_free(inputs);
    gang_document_unref(job);
    gang_document_unref(runtime);
    check_decision(decision);
    check_plan(plan);
    check_reconcile(plan);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}

int
main(void)
{
    check_library();
    check_limits();
    check_error();
    check_stream();
    check_jobs_of_other_kinds();
    check_gang();
    printf("1..%d\n", count);
    return failures != 0;
}
