/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime.h"

#include "unit/front.h"

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

static const struct remark refused[] = {
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

START_TEST(refuses_what_the_api_refuses)
{
    check_remark(&refused[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
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
    /* the label stands in both places: the one that counts is there */
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
    add_rows(cases, ancestors_have_their_container, containers, label, container);
    add_rows(cases, refuses_what_the_api_refuses, refused, runtime, trainjob);
    add_rows(cases, warns_in_both_modes, warned, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
}
