/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/ml_policy.h"

#include "unit/front.h"

/* Sources: Validate in pkg/runtime/framework/plugins/{torch,mpi,xgboost,flux} and
 * pkg/constants/constants.go@v2.3.0. */
#define ENV(name) TRAINJOB(TRAINER("'numNodes':2,'env':[{'name':'A'},{'name':" name "}]"))
#define ENV_PATH "spec.trainer.env[1].name"
#define MPI_ROLES NODE_ROLE "," ROLE("launcher", "", PLAIN, "", NODE_POD)
#define AS_NODE "'mpi':{'runLauncherAsNode':true}"

static const struct {
    const char *name;
    const char *source; /* whose name it is */
} envs[] = {
    {"PET_NNODES", "torch"},
    {"PET_NPROC_PER_NODE", "torch"},
    {"PET_NODE_RANK", "torch"},
    {"PET_MASTER_ADDR", "torch"},
    {"PET_MASTER_PORT", "torch"},
    {"OMPI_MCA_orte_default_hostfile", "mpi"},
    {"OMPI_MCA_plm_rsh_args", "mpi"},
    {"OMPI_MCA_orte_keep_fqdn_hostnames", "mpi"},
    {"OMPI_MCA_orte_set_default_slots", "mpi"},
    {"DMLC_TRACKER_URI", "xgboost"},
    {"DMLC_TRACKER_PORT", "xgboost"},
    {"DMLC_TASK_ID", "xgboost"},
    {"DMLC_NUM_WORKER", "xgboost"},
    {"PET_NNODES_", "none"},
    {"pet_nnodes", "none"},
    {"PET_", "none"},
    {"NCCL_DEBUG", "none"},
};

static const char *const sources[] = {"torch", "mpi", "xgboost", "jax", "flux"};

/* Each name is refused by its own source, and by no other. */
START_TEST(environment_of_the_operator_is_reserved)
{
    for (int i = 0; i < COUNT_OF(sources); i++) {
        char runtime[DOCUMENT_SIZE];
        char trainjob[DOCUMENT_SIZE];
        const struct remark remark = {runtime, trainjob, GANG_CODE_RESERVED_ENV, ENV_PATH};

        snprintf(runtime, sizeof(runtime), RUNTIME(ML("'%s':{}"), MPI_ROLES), sources[i]);
        snprintf(trainjob, sizeof(trainjob), ENV("@'%s'"), envs[_i].name);
        if (strcmp(sources[i], envs[_i].source) != 0) {
            check_no_remark(&remark, COMPATIBILITY_NONE);
            continue;
        }
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    }
}
END_TEST

#define TARGETS(containers)                                                                        \
    ML("'torch':{'envInjection':{'targets':[{'jobName':'node','containerNames':[" containers       \
       "]}]}}")
#define SIDECAR                                                                                    \
    ROLE("node", "", LABEL("trainer"), "",                                                         \
         "'initContainers':[" CONTAINER("first", "") "]," POD(                                     \
             CONTAINER("node", "") "," CONTAINER("log", "")))

static const struct remark refused[] = {
    {RUNTIME(ML(AS_NODE), NODE_ROLE), NODES("@2"), GANG_CODE_MPI_ROLES_MISSING,
     "spec.trainer.numNodes"},
    {RUNTIME(ML(AS_NODE), ROLE("launcher", "", LABEL("trainer"), "", NODE_POD)), NODES("@2"),
     GANG_CODE_MPI_ROLES_MISSING, "spec.trainer.numNodes"},
    {RUNTIME(ML(AS_NODE), ROLE("other", "", LABEL("trainer"), "", NODE_POD)), NODES("@3"),
     GANG_CODE_MPI_ROLES_MISSING, "spec.trainer.numNodes"},
    {RUNTIME(TARGETS("@'nobody'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(TARGETS("'log',@'x'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[1]"},
    {RUNTIME(
         ML("'torch':{'envInjection':{'targets':[{'jobName':'other','containerNames':[@'log']}]}}"),
         SIDECAR),
     NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(TARGETS("@'node'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_FORBIDDEN,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(",'trainer':@{'numProcPerNode':2}"),
     GANG_CODE_FLUX_NEEDS_NUM_NODES, "spec.trainer.numNodes"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE),
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'llama','namespace':'ml'},"
     "\n'spec':@{'runtimeRef':{'name':'tune'}}}",
     GANG_CODE_FLUX_NEEDS_NUM_NODES, "spec.trainer.numNodes"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':2,'numProcPerNode':@0")),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numProcPerNode"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':2,'numProcPerNode':@-1")),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numProcPerNode"},
    {RUNTIME(ML("'flux':{}"), ROLE("node", "", LABEL("trainer"), "",
                                   "'initContainers':[{'name':@'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV,
     "spec.template.spec.replicatedJobs[0].template.spec.template.spec.initContainers[0].name"},
};

START_TEST(refuses_what_the_plugins_refuse)
{
    check_remark(&refused[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME(ML(AS_NODE), NODE_ROLE), NODES("1"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML(AS_NODE), NODE_ROLE), TRAINJOB(""), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML(AS_NODE), MPI_ROLES), NODES("2"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML("'mpi':{}"), NODE_ROLE), NODES("2"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(TARGETS("'log'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING, NULL},
    {RUNTIME(TARGETS("'first','log'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING, NULL},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), NODES("1"), GANG_CODE_FLUX_NEEDS_NUM_NODES, NULL},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), TRAINJOB(""), GANG_CODE_FLUX_NEEDS_NUM_NODES, NULL},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':1,'numProcPerNode':1")),
     GANG_CODE_VALUE_OUT_OF_RANGE, NULL},
    {RUNTIME(ML("'flux':{}"),
             NODE_ROLE "," ROLE("b", "", PLAIN, "",
                                "'initContainers':[{'name':'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV, NULL},
    {RUNTIME(ML("'jax':{}"), ROLE("node", "", LABEL("trainer"), "",
                                  "'initContainers':[{'name':'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, environment_of_the_operator_is_reserved, envs, name, source);
    add_rows(cases, refuses_what_the_plugins_refuse, refused, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
}
