/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_sets.h"

#include "unit/front.h"
#include "unit/resource_text.h"

#define CPU1 REQUESTS("'cpu':1")
#define NODE_OF(containers) ROLE("node", "", LABEL("trainer"), "", POD(containers))
#define MPI_NODE ROLE("node", "", PLAIN, "", POD(CONTAINER("node", CPU1)))
#define MPI_LAUNCHER ROLE("launcher", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))
#define MPI_AS_NODE "'mpi':{'runLauncherAsNode':true}"
#define PER_NODE(members) TRAINJOB(TRAINER("'resourcesPerNode':{" members "}"))
#define REQUEST(amounts) "'requests':{" amounts "}"
#define LIMIT(amounts) "'limits':{" amounts "}"

/*
 * One pod's requests per role, joined by a space: as the operator sums them, and with limits
 * standing in for missing requests. Source: pkg/runtime/core/trainingruntime.go
 * newRuntimeInfo@v2.3.0.
 */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *operator_requests;
    const char *requests;
} merged[] = {
    /* per key, the trainjob wins */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3", "cpu=3"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     PER_NODE(REQUEST("'memory':'1Gi'")), "cpu=1,memory=1Gi", "cpu=1,memory=1Gi"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", REQUESTS("'cpu':1,'memory':'2Gi'")))),
     PER_NODE(REQUEST("'memory':'1Gi','nvidia.com/gpu':2")), "cpu=1,memory=1Gi,nvidia.com/gpu=2",
     "cpu=1,memory=1Gi,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':0")),
     "cpu=0", "cpu=0"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("")), "cpu=1",
     "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(""), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", ""))), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3", "cpu=3"},
    /* limits and requests stay apart */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     PER_NODE(LIMIT("'nvidia.com/gpu':4")), "cpu=1", "cpu=1,nvidia.com/gpu=4"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(LIMIT("'cpu':4")),
     "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'cpu':4")))),
     PER_NODE(REQUEST("'cpu':2")), "cpu=2", "cpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     PER_NODE(REQUEST("'cpu':4,'memory':'16Gi'")), "cpu=4,memory=16Gi",
     "cpu=4,memory=16Gi,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     PER_NODE(REQUEST("'cpu':4,'nvidia.com/gpu':2")), "cpu=4,nvidia.com/gpu=2",
     "cpu=4,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     PER_NODE(LIMIT("'nvidia.com/gpu':8")), "", "nvidia.com/gpu=8"},
    /* only the container `node`, and no init container */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("log", CPU1) "," CONTAINER("node", CPU1))),
     PER_NODE(REQUEST("'cpu':3")), "cpu=4", "cpu=4"},
    {RUNTIME(ML("'torch':{}"),
             ROLE("a", "", LABEL("trainer"), "",
                  "'initContainers':[" CONTAINER("x", REQUESTS("'cpu':2")) "]," POD(
                      CONTAINER("node", CPU1)))),
     PER_NODE(REQUEST("'memory':'1Gi'")), "cpu=2,memory=1Gi", "cpu=2,memory=1Gi"},
    /* only roles labelled trainer */
    {RUNTIME(ML("'torch':{}"), ROLE("node", "", PLAIN, "", POD(CONTAINER("node", CPU1)))),
     PER_NODE(REQUEST("'cpu':3")), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), ROLE("a", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))),
     PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1)) "," ROLE(
                                   "b", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))),
     PER_NODE(REQUEST("'cpu':3")), "cpu=3 cpu=3", "cpu=3 cpu=3"},
    /* every source of the ML policy; none at all */
    {RUNTIME(ML(""), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")), "cpu=3",
     "cpu=3"},
    {RUNTIME(ML("'jax':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3", "cpu=3"},
    {RUNTIME(ML("'xgboost':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3", "cpu=3"},
    {RUNTIME(ML("'flux':{}"), NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3", "cpu=3"},
    {RUNTIME(NO_ML, NODE_OF(CONTAINER("node", CPU1))), PER_NODE(REQUEST("'cpu':3")), "cpu=1",
     "cpu=1"},
    {RUNTIME(ML("'mpi':{}"), MPI_NODE "," MPI_LAUNCHER), PER_NODE(REQUEST("'cpu':3")),
     "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML("'mpi':{'runLauncherAsNode':false}"), MPI_NODE "," MPI_LAUNCHER),
     PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE), MPI_NODE "," MPI_LAUNCHER), PER_NODE(REQUEST("'cpu':3")),
     "cpu=3 cpu=3", "cpu=3 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE),
             ROLE("worker", "", PLAIN, "", POD(CONTAINER("node", CPU1))) "," MPI_LAUNCHER),
     PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE),
             ROLE("node", "", PLAIN, "", POD(CONTAINER("worker", CPU1))) "," MPI_LAUNCHER),
     PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
};

static const char *
print_requests(char out[512], const struct gang *gang)
{
    struct resources_text text;
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < gang->num_roles; i++)
        len += (size_t)snprintf(out + len, 512 - len, "%s%s", i ? " " : "",
                                resources_print(&text, &gang->roles[i].requests));
    return out;
}

START_TEST(operator_counts_requests)
{
    struct front front;
    char text[512];

    front_open(&front, merged[_i].runtime, merged[_i].trainjob, COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_str_eq(print_requests(text, &front.gang), merged[_i].operator_requests);
    front_close(&front);
}
END_TEST

START_TEST(limits_stand_in_by_default)
{
    struct front front;
    char text[512];

    front_open(&front, merged[_i].runtime, merged[_i].trainjob, COMPATIBILITY_NONE);
    ck_assert_str_eq(print_requests(text, &front.gang), merged[_i].requests);
    front_close(&front);
}
END_TEST

/* Containers beside `node` keep what they ask for, and the runtime is not changed: a second
 * trainjob starts anew. */
START_TEST(the_runtime_stays_as_it_was)
{
    const char *runtime = RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1)));
    struct resources_text text;
    struct front front;

    front_open(&front, runtime, PER_NODE(REQUEST("'cpu':3,'memory':'1Gi'")), COMPATIBILITY_NONE);
    ck_assert_str_eq(resources_print(&text, &front.gang.roles[0].requests), "cpu=3,memory=1Gi");
    ck_assert_str_eq(resources_print(&text, &front.runtime->jobset.jobs[0].requests), "cpu=1");
    ck_assert_uint_eq(front.runtime->jobset.jobs[0].resources.containers[0].requests.count, 1);
    front_close(&front);
}
END_TEST

static const struct {
    const char *name;
    bool is_trainer;
    bool has_policy;
    bool launcher_is_node;
    bool reaches;
} reach[] = {
    {"node", true, true, false, true},   {"node", false, true, false, false},
    {"node", false, true, true, true},   {"other", true, true, true, true},
    {"other", false, true, true, false}, {"other", true, true, false, true},
    {"node", true, false, false, false}, {"node", false, false, true, false},
};

START_TEST(reaches_trainers_and_nodes)
{
    struct front front;
    struct ml_policy policy;
    struct replicated_job job;

    front_open(&front, RUNTIME(ML(""), NODE_ROLE), TRAINJOB(""), COMPATIBILITY_NONE);
    job = front.job.jobset.jobs[0];
    job.name = slice_from_text(reach[_i].name);
    policy = (struct ml_policy){
        .source_node = reach[_i].has_policy ? front.runtime->ml_policy.source_node : NULL,
        .launcher_is_node = reach[_i].launcher_is_node};
    ck_assert_int_eq(resources_per_node_reach(&job, reach[_i].is_trainer, &policy),
                     reach[_i].reaches);
    front_close(&front);
}
END_TEST

static const struct remark overflow = {
    RUNTIME(ML("'torch':{}"),
            NODE_OF(CONTAINER("node", "") "," CONTAINER("b", REQUESTS("'cpu':'9E'")))),
    TRAINJOB(TRAINER("'resourcesPerNode':@{'requests':{'cpu':'1E'}}")), GANG_CODE_QUANTITY_OVERFLOW,
    "spec.trainer.resourcesPerNode"};

START_TEST(overflow_is_the_trainjobs)
{
    check_remark(&overflow, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, operator_counts_requests, merged, runtime, trainjob);
    add_rows(cases, limits_stand_in_by_default, merged, runtime, trainjob);
    tcase_add_test(cases, the_runtime_stays_as_it_was);
    add_rows(cases, reaches_trainers_and_nodes, reach, name, is_trainer, has_policy);
    tcase_add_test(cases, overflow_is_the_trainjobs);
}
