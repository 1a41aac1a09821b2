/* SPDX-License-Identifier: Apache-2.0 */
#include "lone_job.h"

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

void
check_lone_job(struct workbench *bench, const struct job *job)
{
    struct gang_document *runtime = make_runtime(bench, job);
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    int result = GANG_OK;

    if (!inputs)
        out_of_memory();
    pass_input(inputs, runtime);
    if (runtime)
        result = gang_resolve(bench->context, job->handle, inputs, 0, &decision, NULL);
    (void)result; /* a job that is invalid has a decision too */
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (is_judged(diagnostic))
            complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                                diagnostic);
    }
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(runtime);
}
