/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first byte selects strictness, the rest is a GangCluster. A valid one is resolved with two
 * jobs: equal facts must give equal answers, and a fact may refuse a gang or change its requests,
 * but must not create a gang.
 */
#include "fuzz/promises.h"

#define NAMES(kind, name)                                                                          \
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"" kind                           \
    "\",\"metadata\":{\"name\":\"" name "\","

static const char *const runtimes[] = {
    NAMES(
        "ClusterTrainingRuntime",
        "r") "\"annotations\":{}},\"spec\":{\"podGroupPolicy\":{\"volcano\":{}},"
             "\"template\":{\"metadata\":{\"annotations\":{\"scheduling.volcano.sh/"
             "queue-name\":\"q\"}},\"spec\":"
             "{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{\"metadata\":{\"labels\":"
             "{\"trainer.kubeflow.org/"
             "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":"
             "{\"runtimeClassName\":\"kata\",\"priorityClassName\":\"high\",\"containers\":[{"
             "\"name\":"
             "\"node\","
             "\"resources\":{\"limits\":{\"cpu\":\"2\"}}},{\"name\":\"log\"}],\"initContainers\":[{"
             "\"name\":\"load\","
             "\"restartPolicy\":\"Always\"}]}}}}}]}}}}",
    NAMES("ClusterTrainingRuntime",
          "r") "\"annotations\":{}},\"spec\":{\"podGroupPolicy\":{\"coscheduling\":{}},"
               "\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{"
               "\"metadata\":{"
               "\"labels\":"
               "{\"trainer.kubeflow.org/"
               "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":"
               "{\"overhead\":{\"cpu\":\"1\"},\"resources\":{\"limits\":{\"cpu\":\"4\"}},"
               "\"containers\":[{"
               "\"name\":\"node\"}]}}"
               "}}}]}}}}",
};
static const char trainjob_text[] =
    NAMES("TrainJob", "j") "\"namespace\":\"ml\"},\"spec\":{\"runtimeRef\":{\"name\":\"r\"},"
                           "\"trainer\":{\"numNodes\":3}}}";

static struct gang_decision *
resolve(const char *text, struct gang_document *cluster)
{
    struct gang_document *runtime = NULL;
    struct gang_document *trainjob = NULL;
    struct gang_decision *decision = NULL;
    struct gang_error *error = NULL;
    int code;

    must(gang_document_parse(NULL, text, strlen(text), 0, &runtime, NULL) == GANG_OK);
    must(gang_document_parse(NULL, trainjob_text, strlen(trainjob_text), 0, &trainjob, NULL) ==
         GANG_OK);
    code = resolve_job(NULL, trainjob, (struct gang_document *[]){runtime, cluster}, 2, 0,
                       &decision, &error);
    must(decision || code == GANG_ERROR_LIMIT);
    must((code == GANG_OK) == (gang_error_num_diagnostics(error) == 0));
    gang_error_free(error);
    gang_document_unref(runtime);
    gang_document_unref(trainjob);
    return decision;
}

static void
check_decision(struct gang_decision *decision)
{
    struct gang_plan *plan = NULL;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        must_be_complete(gang_decision_get_diagnostic(decision, i));
    must(gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG ||
         gang_decision_get_outcome(decision) == GANG_OUTCOME_INVALID);
    if (gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK)
        must((gang_plan_num_objects(plan) > 0) ==
             (gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG));
    gang_plan_unref(plan);
}

static void
check_jobs(struct gang_document *cluster)
{
    for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
        struct gang_decision *decision = resolve(runtimes[i], cluster);
        struct gang_decision *again = resolve(runtimes[i], cluster);

        must((decision == NULL) == (again == NULL));
        if (decision) {
            check_decision(decision);
            must(gang_decision_num_diagnostics(decision) == gang_decision_num_diagnostics(again));
        }
        gang_decision_unref(decision);
        gang_decision_unref(again);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gang_document *cluster;
    struct gang_error *error;
    int code;

    if (size == 0)
        return 0;
    code = gang_document_parse(NULL, (const char *)data + 1, size - 1, data[0] & GANG_PARSE_STRICT,
                               &cluster, &error);
    if (must_agree(code, cluster, error)) {
        must(gang_document_get_name(cluster) != NULL);
        if (gang_document_get_type(cluster) == GANG_DOCUMENT_CLUSTER)
            check_jobs(cluster);
    }
    gang_document_unref(cluster);
    return 0;
}
