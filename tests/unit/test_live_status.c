/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "unit/jobs.h"
#include "unit/tree.h"

#define CONDITION(type, status)                                                                    \
    "{\"conditions\":[{\"type\":\"Other\",\"status\":\"True\"},"                                   \
    "{\"type\":\"" type "\",\"status\":\"" status "\"}]}"

static const struct {
    const char *group, *kind, *status;
    bool has_ended;
} ends[] = {
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Complete", "True"), true},
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Failed", "True"), true},
    {"trainer.kubeflow.org", "TrainJob", CONDITION("Suspended", "True"), false},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Completed", "True"), true},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Failed", "True"), true},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Completed", "False"), false},
    {"jobset.x-k8s.io", "JobSet", CONDITION("Complete", "True"), false},
    {"batch", "Job", CONDITION("Complete", "True"), true},
    {"batch", "Job", CONDITION("Failed", "True"), true},
    /* its pods still end */
    {"batch", "Job", CONDITION("FailureTarget", "True"), false},
    {"batch", "Job", CONDITION("Suspended", "True"), false},
    {"batch.volcano.sh", "Job", CONDITION("Complete", "True"), false},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Complete\",\"jobStatus\":\"SUCCEEDED\"}",
     true},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Failed\"}", true},
    /* the next try follows */
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Retrying\",\"jobStatus\":\"FAILED\"}", false},
    {"ray.io", "RayJob", "{\"jobDeploymentStatus\":\"Running\"}", false},
    {"ray.io", "RayCluster", "{\"state\":\"failed\"}", false},
    {"ray.io", "RayService", CONDITION("Failed", "True"), false},
    {"kubeflow.org", "MPIJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "MPIJob", CONDITION("Failed", "True"), true},
    {"kubeflow.org", "MPIJob", CONDITION("Running", "True"), false},
    {"kubeflow.org", "PyTorchJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "TFJob", CONDITION("Failed", "True"), true},
    {"kubeflow.org", "XGBoostJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "PaddleJob", CONDITION("Succeeded", "True"), true},
    {"kubeflow.org", "JAXJob", CONDITION("Restarting", "True"), false},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"COMPLETED\"}}",
     true},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"FAILED\"}}",
     true},
    {"sparkoperator.k8s.io", "SparkApplication", "{\"applicationState\":{\"state\":\"FAILING\"}}",
     false},
    {"sparkoperator.k8s.io", "SparkApplication",
     "{\"applicationState\":{\"state\":\"SUBMISSION_FAILED\"}}", false},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Succeeded\"}", true},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Failed\"}", true},
    {"workload.codeflare.dev", "AppWrapper", "{\"phase\":\"Resetting\"}", false},
    /* kinds that do not end, and one that nobody knows */
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", CONDITION("Failed", "True"), false},
    {"apps", "StatefulSet", CONDITION("Complete", "True"), false},
    {"a.io", "Other", CONDITION("Complete", "True"), false},
    {"batch", "Job", "{}", false},
    {"ray.io", "RayJob", "{}", false},
};

START_TEST(a_status_says_that_a_job_has_ended)
{
    struct arena *arena = arena_new(0);

    ck_assert_int_eq(live_status_has_ended(slice_from_text(ends[_i].group),
                                           slice_from_text(ends[_i].kind),
                                           tree_of(arena, ends[_i].status)),
                     ends[_i].has_ended);
    ck_assert(!live_status_has_ended(slice_from_text(ends[_i].group),
                                     slice_from_text(ends[_i].kind), NULL));
    arena_free(arena);
}
END_TEST

/* A gang with the member `a` and the role `b` outside. */
static const struct {
    const char *group, *kind, *status;
    bool has_pods;
} pods[] = {
    {"trainer.kubeflow.org", "TrainJob", "{\"jobsStatus\":[{\"name\":\"a\",\"active\":1}]}", true},
    {"jobset.x-k8s.io", "JobSet", "{\"replicatedJobsStatus\":[{\"name\":\"a\",\"ready\":2}]}",
     true},
    {"jobset.x-k8s.io", "JobSet", "{\"replicatedJobsStatus\":[{\"name\":\"b\",\"active\":2}]}",
     false},
    {"jobset.x-k8s.io", "JobSet",
     "{\"replicatedJobsStatus\":[{\"name\":\"a\",\"succeeded\":2,\"active\":0}]}", false},
    {"batch", "Job", "{\"active\":1}", true},
    {"batch", "Job", "{\"active\":0,\"succeeded\":1}", false},
    {"kubeflow.org", "MPIJob", "{\"replicaStatuses\":{\"Worker\":{\"active\":3}}}", true},
    {"kubeflow.org", "PyTorchJob",
     "{\"replicaStatuses\":{\"Master\":{\"succeeded\":1},\"Worker\":{\"active\":1}}}", true},
    {"kubeflow.org", "PyTorchJob", "{\"replicaStatuses\":{\"Master\":{\"succeeded\":1}}}", false},
    {"ray.io", "RayJob", "{\"active\":1}", false},
    {"a.io", "Other", "{\"active\":1}", false},
};

START_TEST(a_status_counts_pods)
{
    struct arena *arena = arena_new(0);
    const struct role roles[] = {{.name = SLICE_INIT("a")}, {.name = SLICE_INIT("b")}};
    struct role_part parts[] = {{.membership = ROLE_MEMBER}, {.membership = ROLE_OUTSIDE}};
    const struct gang gang = {.roles = roles, .num_roles = 2, .parts = parts};

    ck_assert_int_eq(live_status_has_pods(slice_from_text(pods[_i].group),
                                          slice_from_text(pods[_i].kind), &gang,
                                          tree_of(arena, pods[_i].status), arena),
                     pods[_i].has_pods);
    arena_free(arena);
}
END_TEST

/* Every kind of job with a status that ends is kept of the live objects. */
START_TEST(a_status_is_read)
{
    ck_assert(live_status_is_read(SLICE("ray.io"), SLICE("RayJob")));
    ck_assert(!live_status_is_read(SLICE("ray.io"), SLICE("RayCluster")));
    ck_assert(!live_status_is_read(SLICE("other.io"), SLICE("RayJob")));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_status_says_that_a_job_has_ended, ends, kind, status);
    add_rows(cases, a_status_counts_pods, pods, kind, status);
    tcase_add_test(cases, a_status_is_read);
}
