/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/pod_groups.h"
#include "unit/suite.h"

#define NO_GANG "{}"
#define C_MARK "'labels':{'scheduling.x-k8s.io/pod-group':'my-job'}"
#define C_NAME "'schedulerName':'scheduler-plugins-scheduler'"
#define V_MARK "'annotations':{'scheduling.k8s.io/group-name':'my-job'}"
#define V_NAME "'schedulerName':'volcano'"
#define K "{'kaiScheduler':{}}"
#define K_NAME "'schedulerName':'kai-scheduler'"
#define ONLY(type) "'backends':[{'name':'only','type':'" type "'}],'defaultBackend':'only'"
#define GROUP_OF_OTHER VOLCANO_GROUP(OTHERS("PyTorchJob", "p-1"), "")
#define CLASS_HIGH "'defaults':{'priorityClassName':{'name':'high'}}"

/*
 * The pods of a JobSet that exists have what its templates say: kubernetes-sigs/jobset@v0.12.0,
 * pkg/webhooks/jobset_webhook.go, refuses a change of spec.replicatedJobs, but for labels and
 * annotations of the pods while the JobSet is suspended.
 */
static const struct reconciliation frozen_pods[] = {
    /* they are what the plan says */
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, C_MARK, C_NAME), PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, C_MARK, C_NAME) COSCHEDULED(OURS, "'minMember':4"),
     PODGROUP(Apply), "", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(STOPPED, C_MARK, C_NAME), PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, C_MARK ",'annotations':{'a':'b'}", C_NAME),
     PODGROUP(Create), "", NULL},
    /* another backend, and their own group exists: the job keeps it */
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave), "ObjectHeldBack GangKept ObjectStays", NULL},
    {C, NULL, NULL, NULL,
     LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO)
         COSCHEDULED(OURS, "'minMember':2"),
     PODGROUP(Leave) PODGROUP(Leave), "GangKept ObjectStays ObjectHeldBack", NULL},
    {NO_GANG, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave), "GangKept ObjectStays", NULL},
    /* no scheduler groups them: the job is no gang, under every backend */
    {V, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", ""), PODGROUP(Conflict), "PodsWithoutGang", NULL},
    {V, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", V_NAME), PODGROUP(Conflict), "PodsWithoutGang",
     NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", C_NAME) COSCHEDULED(OURS, AS_COSCHEDULED),
     PODGROUP(Conflict), "PodsWithoutGang", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(STOPPED, "", ""), PODGROUP(Conflict), "PodsWithoutGang",
     NULL},
    {K, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", ""), "", "PodsWithoutGang", NULL},
    {"{'workload':{}}", NULL, NULL, GOOD_1_35, LIVE_JOBSET(RUNS, "", ""),
     "Conflict Workload my-job\n", "PodsWithoutGang", NULL},
    {NO_GANG, NULL, ONLY("YuniKorn"), NULL, LIVE_JOBSET(RUNS, "", ""), "", "PodsWithoutGang", NULL},
    {NO_GANG, NULL, ONLY("Koordinator"), NULL, LIVE_JOBSET(RUNS, "", ""), PODGROUP(Conflict),
     "PodsWithoutGang", NULL},
    /* but KAI's podgrouper groups pods without marks, and one pod cannot start in part */
    {V, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", K_NAME), "", "ObjectHeldBack GangKept", NULL},
    {V, "," UID_OF_JOB "},'spec':{'runtimeRef':{'name':'tune'},'trainer':{'numNodes':1}}", NULL,
     NULL, LIVE_JOBSET_OF("1", RUNS, "", "", ""), "", "ObjectHeldBack GangKept", NULL},
    /* and no pod comes of a JobSet that has ended, or of a plan without a gang */
    {V, NULL, NULL, NULL, LIVE_JOBSET_OF("8", RUNS, "", "", CONDITION("Completed")),
     PODGROUP(Create), "", NULL},
    {NO_GANG, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", ""), "", "", NULL},
    /* and their own group does not exist: they wait forever */
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME), PODGROUP(Conflict), "JobSetFrozen",
     NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS GOING, AS_VOLCANO),
     PODGROUP(Conflict), "JobSetFrozen", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) GROUP_OF_OTHER, PODGROUP(Conflict),
     "JobSetFrozen", NULL},
    {C, NULL, NULL, NULL,
     LIVE_JOBSET(RUNS, V_MARK, V_NAME)
         LIVE("scheduling.run.ai/v2alpha2", "PodGroup", "my-job", OURS, ""),
     PODGROUP(Conflict) PODGROUP(Leave), "JobSetFrozen ObjectStays", NULL},
    /* suspended: the operator cannot update the JobSet, so that no pod comes after the resume */
    {C, SUSPENDED, NULL, NULL, LIVE_JOBSET(STOPPED, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Conflict) PODGROUP(Leave), "JobSetFrozen ObjectStays", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(STOPPED, V_MARK, V_NAME), PODGROUP(Conflict), "JobSetFrozen",
     NULL},
    /* but labels and annotations may still change */
    {C, SUSPENDED, NULL, NULL, LIVE_JOBSET(STOPPED, V_MARK, C_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Create) PODGROUP(Delete), "", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, C_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave), "ObjectHeldBack GangKept ObjectStays", NULL},
    /* the class of the pods is immutable too, and the group keeps theirs */
    {V, NULL, CLASS_HIGH, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave), "GangKept ObjectHeldBack", NULL},
    {V, NULL, CLASS_HIGH, NULL,
     LIVE_JOBSET(RUNS, V_MARK, V_NAME ",'priorityClassName':'high'")
         VOLCANO_GROUP(OURS, AS_VOLCANO ",'priorityClassName':'low'"),
     PODGROUP(Apply), "", NULL},
    /* and so is the number of pods: with another minimum the gang would never be complete */
    {V, "," UID_OF_JOB "},'spec':{'runtimeRef':{'name':'tune'},'trainer':{'numNodes':9}}", NULL,
     NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Leave),
     "GangKept ObjectHeldBack", NULL},
    /* the queue is the group's alone */
    {V, NULL, "'defaults':{'queue':{'name':'research'}}", NULL,
     LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO ",'queue':'default'"),
     PODGROUP(Apply), "", NULL},
    /* a JobSet that is going, or is another job's, says nothing */
    {C, NULL, NULL, NULL,
     "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'my-job',"
     "'namespace':'ml'" OURS GOING "},'spec':{'replicatedJobs':[{'name':'node','template':{}}]}}",
     PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL,
     "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'my-job',"
     "'namespace':'ml'" OTHERS("TrainJob", "u-0") "},'spec':{'replicatedJobs':[{'name':'node',"
                                                  "'template':{}}]}}",
     PODGROUP(Create), "", NULL},
    /* no pod comes of a job that has ended */
    {C, FINISHED, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Delete), "ObjectWithheld", NULL},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, V_MARK, V_NAME) LIVE_JOB("," UID_OF_JOB GOING, ""), "",
     "ObjectWithheld", NULL},
};

START_TEST(knows_the_pods_of_the_jobset)
{
    check_reconciliation(&frozen_pods[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_the_pods_of_the_jobset, frozen_pods, gang_policy, trainjob, live);
}
