/* SPDX-License-Identifier: Apache-2.0 */
/* A caller as the quick guide shows it, compiled as C and as C++ against the installed library
 * alone. */
#include <stdio.h>
#include <string.h>

#include <gang/gang.h>

static const char runtime_text[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"TrainingRuntime\",\"metadata\":{\"name\":\"torch\","
    "\"namespace\":\"ml\"},\"spec\":{\"mlPolicy\":{\"numNodes\":1,\"torch\":{}},\"podGroupPolicy\":"
    "{"
    "\"volcano\":{}},"
    "\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{\"metadata\":{"
    "\"labels\":"
    "{\"trainer.kubeflow.org/"
    "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":{\"containers\":"
    "[{\"name\":\"node\",\"image\":\"train\"}]}}}}}]}}}}";

static const char trainjob_text[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"name\":\"consumer\","
    "\"namespace\":\"ml\"},\"spec\":{\"runtimeRef\":{\"name\":\"torch\","
    "\"kind\":\"TrainingRuntime\"},\"trainer\":"
    "{\"numNodes\":3}}}";

static int
complain(struct gang_error *error)
{
    size_t i;

    for (i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *diagnostic = gang_error_get_diagnostic(error, i);

        fprintf(stderr, "%s %s: %s\n", gang_diagnostic_get_id(diagnostic),
                gang_diagnostic_get_path(diagnostic), gang_diagnostic_get_message(diagnostic));
    }
    gang_error_free(error);
    return 1;
}

int
main(void)
{
    struct gang_document *runtime = NULL;
    struct gang_document *trainjob = NULL;
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_blob *objects = NULL;
    struct gang_error *error = NULL;
    const char *text;
    int wrong;

    if (strcmp(gang_version_string(), GANG_VERSION_TEXT) != 0)
        return 2;
    if (gang_document_parse(NULL, runtime_text, strlen(runtime_text), 0, &runtime, &error) < 0 ||
        gang_document_parse(NULL, trainjob_text, strlen(trainjob_text), 0, &trainjob, &error) < 0 ||
        gang_inputs_add(inputs, runtime) < 0 ||
        gang_resolve(NULL, trainjob, inputs, 0, &decision, &error) < 0 ||
        gang_render(NULL, decision, 0, &plan, &error) < 0 ||
        gang_plan_serialize(NULL, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0, &objects,
                            &error) < 0)
        return complain(error);
    text = gang_blob_get_data(objects, NULL);
    wrong = strstr(text, "\"minMember\":3") == NULL;
    printf("%s", text);
    gang_blob_unref(objects);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(trainjob);
    gang_document_unref(runtime);
    return wrong;
}
