/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include <string.h>

#include "tree.h"

static const char smallest_spec[] =
    "{\"mlPolicy\":{\"numNodes\":1},\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\","
    "\"template\":{\"metadata\":{\"labels\":{\"trainer.kubeflow.org/trainjob-ancestor-step\":"
    "\"trainer\"}},\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"node\"}]}}}}}]}}}";

/* The fields of a TrainJob that are judged in the same way with every runtime. */
static const char *const judged_paths[] = {"spec.trainer.numNodes",
                                           "spec.trainer.resourcesPerNode"};

static bool
is_judged(const struct gang_diagnostic *diagnostic)
{
    const char *path = gang_diagnostic_get_path(diagnostic);

    if (gang_diagnostic_get_document(diagnostic) != GANG_DOCUMENT_TRAINJOB || !path)
        return false;
    for (size_t i = 0; i < sizeof(judged_paths) / sizeof(*judged_paths); i++)
        if (strncmp(path, judged_paths[i], strlen(judged_paths[i])) == 0)
            return true;
    return false;
}

/* Returns the runtime that the job refers to; NULL if its name is not valid. */
static struct gang_document *
make_runtime(const struct workbench *bench, const struct job *job)
{
    const char *cluster =
        gang_document_get_reference(job->handle, GANG_KIND_CLUSTER_TRAINING_RUNTIME);
    const char *name =
        cluster ? cluster : gang_document_get_reference(job->handle, GANG_KIND_TRAINING_RUNTIME);
    struct json_object *runtime = tree_map();
    struct json_object *metadata = tree_map_in(runtime, "metadata");
    struct gang_document *parsed = NULL;
    const char *text;

    tree_put_text(runtime, "apiVersion", gang_document_get_api_version(job->handle));
    tree_put_text(runtime, "kind",
                  cluster ? GANG_KIND_CLUSTER_TRAINING_RUNTIME : GANG_KIND_TRAINING_RUNTIME);
    tree_put_text(metadata, "name", name);
    if (!cluster)
        tree_put_text(metadata, "namespace", gang_document_get_namespace(job->handle));
    tree_put(runtime, "spec", tree_must(json_tokener_parse(smallest_spec)));
    text = json_object_to_json_string(runtime);
    if (gang_document_parse(bench->context, text, strlen(text), 0, &parsed, NULL))
        parsed = NULL;
    json_object_put(runtime);
    return parsed;
}

/* Resolves the job with these documents and nothing else. An invalid job has a decision too. */
static struct gang_decision *
resolve_alone(const struct workbench *bench, struct gang_document *job,
              struct gang_document *runtime, struct gang_document *policy)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    int result = GANG_OK;

    if (!inputs)
        out_of_memory();
    pass_input(inputs, runtime);
    pass_input(inputs, policy);
    if (job && runtime)
        result = gang_resolve(bench->context, job, inputs, 0, &decision, NULL);
    (void)result;
    gang_inputs_free(inputs);
    return decision;
}

void
check_lone_job(struct workbench *bench, const struct job *job)
{
    struct gang_document *runtime = make_runtime(bench, job);
    struct gang_decision *decision = resolve_alone(bench, job->handle, runtime, NULL);

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (is_judged(diagnostic))
            complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                                diagnostic);
    }
    gang_decision_unref(decision);
    gang_document_unref(runtime);
}

/* What a runtime has whatever the policy decides for its jobs. */
static const uint32_t codes_of_every_policy[] = {
    GANG_CODE_NUM_NODES_NOT_POSITIVE, GANG_CODE_START_ORDER_CYCLE, GANG_CODE_UNKNOWN_DEPENDENCY,
    GANG_CODE_DEPENDENCY_RULE,        GANG_CODE_INVALID_ROLE_NAME, GANG_CODE_UNKNOWN_ROLE,
};

static bool
is_of_every_policy(const struct gang_diagnostic *diagnostic)
{
    uint32_t code = (uint32_t)gang_diagnostic_get_code(diagnostic);

    for (size_t i = 0; i < sizeof(codes_of_every_policy) / sizeof(*codes_of_every_policy); i++)
        if (codes_of_every_policy[i] == code)
            return true;
    return false;
}

/* The findings of the parser, which the decision has too. */
static void
complain_of_parsed(struct workbench *bench, const struct runtime *runtime,
                   const struct origins *origins)
{
    for (size_t i = 0; i < gang_document_num_diagnostics(runtime->handle); i++)
        complain_diagnostic(&bench->complaints, origins, &origins->runtime,
                            gang_document_get_diagnostic(runtime->handle, i));
}

/* Returns a job with the shortest name and nothing but a reference to the runtime. */
static struct gang_document *
make_job(const struct workbench *bench, const struct gang_document *runtime)
{
    const char *namespace_ = gang_document_get_namespace(runtime);
    struct json_object *job = tree_map();
    struct json_object *metadata = tree_map_in(job, "metadata");
    struct json_object *reference = tree_map_in(tree_map_in(job, "spec"), "runtimeRef");
    struct gang_document *parsed = NULL;
    const char *text;

    tree_put_text(job, "apiVersion", gang_document_get_api_version(runtime));
    tree_put_text(job, "kind", GANG_KIND_TRAINJOB);
    tree_put_text(metadata, "name", "x");
    tree_put_text(metadata, "namespace", namespace_ ? namespace_ : "x");
    tree_put_text(reference, "kind", gang_document_get_kind(runtime));
    tree_put_text(reference, "name", gang_document_get_name(runtime));
    text = json_object_to_json_string(job);
    if (gang_document_parse(bench->context, text, strlen(text), 0, &parsed, NULL))
        parsed = NULL;
    json_object_put(job);
    return parsed;
}

void
check_lone_runtime(struct workbench *bench, const struct runtime *runtime)
{
    struct gang_document *job = make_job(bench, runtime->handle);
    struct gang_decision *decision = resolve_alone(bench, job, runtime->handle, bench->policy);
    struct origins origins = {.runtime = runtime->document->origin};

    if (!decision || bench->policy)
        complain_of_parsed(bench, runtime, &origins);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_document(diagnostic) == GANG_DOCUMENT_RUNTIME &&
            (!bench->policy || is_of_every_policy(diagnostic)))
            complain_diagnostic(&bench->complaints, &origins, &origins.runtime, diagnostic);
    }
    gang_decision_unref(decision);
    gang_document_unref(job);
}
