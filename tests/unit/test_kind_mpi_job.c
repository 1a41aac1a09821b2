/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_squeeze.h"
#include "unit/kinds.h"

#define MPI_JOB_NAMED(name, spec, status)                                                          \
    "{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'" name               \
    "'},'spec':{" spec "}" status "}"
#define MPI_JOB(spec) MPI_JOB_NAMED("j", spec, "")
#define SPECS(types) "'mpiReplicaSpecs':{" types "}"
#define LAUNCHER(members)                                                                          \
    "'Launcher':{" members PODS_OF("l", WITH_REQUESTS("'cpu':'500m','memory':'1Gi'")) "}"
#define WORKERS(members)                                                                           \
    "'Worker':{" members                                                                           \
    "'template':{'spec':{'containers':[{'name':'w','resources':{'requests':{'cpu':'4'},'limits':"  \
    "{'nvidia.com/gpu':'1'}}}]}}}"
#define BOTH SPECS(LAUNCHER("'replicas':1,") "," WORKERS("'replicas':3,"))
#define WAITS "'launcherCreationPolicy':'WaitForWorkersReady',"
#define SUSPENDED "'runPolicy':{'suspend':true},"
#define WAS_SUSPENDED ",'status':{'conditions':[{'type':'Suspended','status':'False'}]}"

#define WORKER_ROLE "{'name':'worker','count':3,'requests':{'cpu':'4','nvidia.com/gpu':'1'}}"
#define LAUNCHER_ROLE(edge)                                                                        \
    "{'name':'launcher','count':1," edge "'requests':{'cpu':'500m','memory':'1Gi'}}"
#define TOGETHER "'roles':[" WORKER_ROLE "," LAUNCHER_ROLE("") "]"
#define LATE                                                                                       \
    "'roles':[" WORKER_ROLE                                                                        \
    "," LAUNCHER_ROLE("'dependsOn':[{'role':'worker','status':'Ready'}],") "]"

/*
 * Sources: kubeflow/mpi-operator@v0.8.2, pkg/apis/kubeflow/v2beta1/default.go and
 * pkg/controller/mpi_job_controller.go, whose controller was run: the launcher of a job that was
 * created suspended is there at once on resume.
 */
static const struct job_translation translations[] = {
    {MPI_JOB(BOTH), TOGETHER, "OperatorGangOption spec"},
    {MPI_JOB("'launcherCreationPolicy':'AtStartup'," BOTH), TOGETHER, "OperatorGangOption spec"},
    {MPI_JOB("'launcherCreationPolicy':''," BOTH), TOGETHER, "OperatorGangOption spec"},
    {MPI_JOB(WAITS BOTH), LATE, "OperatorGangOption spec"},
    {MPI_JOB(WAITS SUSPENDED BOTH), "'suspend':true," TOGETHER, "OperatorGangOption spec"},
    {MPI_JOB_NAMED("j", WAITS BOTH, WAS_SUSPENDED), TOGETHER, "OperatorGangOption spec"},
    {MPI_JOB_NAMED("j", WAITS BOTH, ",'status':{'conditions':[{'type':'Created'}]}"), LATE,
     "OperatorGangOption spec"},
    {MPI_JOB(SPECS(LAUNCHER("") "," WORKERS("'replicas':3,"))), TOGETHER,
     "OperatorGangOption spec, DefaultApplied spec.mpiReplicaSpecs.Launcher.replicas"},
    {MPI_JOB("'runLauncherAsWorker':true," WAITS SPECS(LAUNCHER("'replicas':1,"))),
     "'roles':[" LAUNCHER_ROLE("") "]", "OperatorGangOption spec"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") ",'worker':{}")), "'roles':[" LAUNCHER_ROLE("") "]",
     "OperatorGangOption spec, UnknownField spec.mpiReplicaSpecs.worker"},
    /* manifests/base/kubeflow.org_mpijobs.yaml@v0.8.2 has the pods of Kubernetes 1.35 */
    {MPI_JOB(SPECS("'Launcher':{'replicas':1,'template':{'spec':{'workloadRef':null,'containers':[{"
                   "'name':'l','resources':{'requests':{'cpu':'500m','memory':'1Gi'}}}]}}}")),
     "'roles':[" LAUNCHER_ROLE("") "]", "OperatorGangOption spec"},
};

START_TEST(roles)
{
    job_check_translation(&translations[_i]);
}
END_TEST

/* Source: kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go@v0.8.2 */
static const struct job_translation refused[] = {
    {MPI_JOB(SPECS("")), NULL,
     "OperatorGangOption spec, RequiredField spec.mpiReplicaSpecs.Launcher"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':2,"))), NULL,
     "OperatorGangOption spec, RefusedByOperator spec.mpiReplicaSpecs.Launcher.replicas"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") "," WORKERS(""))), NULL,
     "OperatorGangOption spec, DefaultApplied spec.mpiReplicaSpecs.Worker.replicas, "
     "RefusedByOperator spec.mpiReplicaSpecs.Worker.replicas"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") "," WORKERS("'replicas':0,"))), NULL,
     "OperatorGangOption spec, RefusedByOperator spec.mpiReplicaSpecs.Worker.replicas"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") "," WORKERS("'replicas':-2,"))), NULL,
     "OperatorGangOption spec, ValueOutOfRange spec.mpiReplicaSpecs.Worker.replicas, "
     "RefusedByOperator spec.mpiReplicaSpecs.Worker.replicas"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,'restartPolicy':'Always',"))), NULL,
     "OperatorGangOption spec, UnsupportedValue spec.mpiReplicaSpecs.Launcher.restartPolicy"},
    {MPI_JOB(SPECS("'Launcher':{'replicas':1,'template':{'spec':{}}}")), NULL,
     "OperatorGangOption spec, RequiredField "
     "spec.mpiReplicaSpecs.Launcher.template.spec.containers"},
    {MPI_JOB(SPECS("'Launcher':{'replicas':1}")), NULL,
     "OperatorGangOption spec, RequiredField "
     "spec.mpiReplicaSpecs.Launcher.template.spec.containers, RoleRequestsUnknown "
     "spec.mpiReplicaSpecs.Launcher"},
    {MPI_JOB("'mpiImplementation':'Other'," BOTH), NULL,
     "OperatorGangOption spec, UnsupportedValue spec.mpiImplementation"},
    {MPI_JOB("'slotsPerWorker':-1," BOTH), NULL,
     "OperatorGangOption spec, ValueOutOfRange spec.slotsPerWorker"},
    /* 55 letters and "-worker-2" are 64 */
    {MPI_JOB_NAMED("a23456789012345678901234567890123456789012345678901234a", BOTH, ""), NULL,
     "InvalidName metadata.name, OperatorGangOption spec"},
    {MPI_JOB("'slotsPerWorker':1"), NULL,
     "RequiredField spec.mpiReplicaSpecs, OperatorGangOption spec"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") "," WORKERS("'replicas':'3',"))), NULL,
     "OperatorGangOption spec, WrongType spec.mpiReplicaSpecs.Worker.replicas, RefusedByOperator "
     "spec.mpiReplicaSpecs.Worker.replicas"},
    {MPI_JOB_NAMED("1", BOTH, ""), NULL, "InvalidName metadata.name, OperatorGangOption spec"},
    {MPI_JOB_NAMED("", BOTH, ""), NULL, "RequiredField metadata.name, OperatorGangOption spec"},
};

START_TEST(what_the_controller_refuses)
{
    job_check_translation(&refused[_i]);
}
END_TEST

static const struct {
    const char *text;
    const char *reason;
    const char *message;
} messages[] = {
    {MPI_JOB(SPECS("")), "RequiredField", "Required value: must have Launcher replica spec"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") ",'worker':{}")), "UnknownField",
     "unknown replica type \"worker\""},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':2,"))), "RefusedByOperator", "Invalid value: 2: must be 1"},
    {MPI_JOB(SPECS(LAUNCHER("'replicas':1,") "," WORKERS(""))), "RefusedByOperator",
     "Invalid value: 0: must be greater than or equal to 1"},
    {MPI_JOB(SPECS("'Launcher':{'replicas':1,'template':{'spec':{'containers':[]}}}")),
     "RequiredField", "Required value: must define at least one container"},
    {MPI_JOB_NAMED("a23456789012345678901234567890123456789012345678901234a", BOTH, ""),
     "InvalidName",
     "Invalid value: \"a23456789012345678901234567890123456789012345678901234a\": will not able to "
     "create pod and service with invalid DNS label "
     "\"a23456789012345678901234567890123456789012345678901234a-worker-2\": must be no more than "
     "63 characters"},
};

START_TEST(the_words_of_the_controller)
{
    job_check_message(messages[_i].text, messages[_i].reason, messages[_i].message);
}
END_TEST

static const char *const accepted[] = {
    MPI_JOB(SPECS(LAUNCHER("'replicas':1,'restartPolicy':'Never',"))),
    MPI_JOB(SPECS(LAUNCHER("'replicas':1,'restartPolicy':'OnFailure',"))),
    MPI_JOB(SPECS(LAUNCHER("'replicas':1,'restartPolicy':'',"))),
    /* the controller of the cluster where it runs checks it */
    MPI_JOB("'runPolicy':{'managedBy':'kueue.x-k8s.io/multikueue'},'mpiReplicaSpecs':{}"),
};

START_TEST(what_the_controller_accepts)
{
    struct job_case opened;

    job_open_good(&opened, accepted[_i]);
    job_close(&opened);
}
END_TEST

START_TEST(a_name_with_room_for_its_workers)
{
    struct job_case opened;

    job_open_good(
        &opened, MPI_JOB_NAMED("a2345678901234567890123456789012345678901234567890123a", BOTH, ""));
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(MPI_JOB(WAITS SPECS(LAUNCHER("") "," WORKERS("'replicas':3,"))));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, roles, translations, text);
    add_rows(cases, what_the_controller_refuses, refused, text);
    add_rows(cases, the_words_of_the_controller, messages, text);
    add_items(cases, what_the_controller_accepts, accepted);
    tcase_add_test(cases, a_name_with_room_for_its_workers);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
}
