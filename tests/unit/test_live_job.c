/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live_objects.h"
#include "unit/reconciliations.h"
#include "unit/suite.h"

#define V "{'volcano':{}}"
#define CONDITIONS(type, status) "'conditions':[{'type':'" type "','status':'" status "'}]"

/* What the status says, among the live objects or, without the job there, in the document that was
 * rendered. */
static const struct {
    const char *trainjob, *live;
    bool is_there, is_finished, is_terminating, has_pods;
} jobs[] = {
    {NULL, "", false, false, false, false},
    {NULL, LIVE_JOB("", ""), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "True")), true, true, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Failed", "True")), true, true, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "False")), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "Unknown")), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Suspended", "True")), true, false, false, false},
    {NULL,
     LIVE_JOB(
         "", "'conditions':[{'type':'Created','status':'True'},{'type':'Failed','status':'True'}]"),
     true, true, false, false},
    {NULL, LIVE_JOB(GOING, ""), true, false, true, false},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'node','active':1}]"), true, false, false, true},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'node','ready':1,'active':0}]"), true, false, false,
     true},
    {NULL,
     LIVE_JOB("", "'jobsStatus':[{'name':'node','ready':0,'active':0,'succeeded':1,'failed':1,'"
                  "suspended':1}]"),
     true, false, false, false},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'x','active':1},{'active':1}]"), true, false, false,
     false},
    {NULL,
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'my-job','namespace':'other'}}",
     false, false, false, false},
    {FINISHED, "", false, true, false, false},
    {FINISHED, LIVE_JOB("", ""), true, false, false, false},
};

START_TEST(reads_what_became_of_the_job)
{
    const struct reconciliation row = {V, jobs[_i].trainjob, NULL, NULL, "", "", "", NULL};
    struct comparison comparison = compare_live(&row);
    struct report report;
    struct live_objects objects;
    struct live_job job;

    report_init(&report, comparison.arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(comparison.arena, jobs[_i].live)),
                                &standard_limits, comparison.arena, &report);
    job = live_job_find(comparison.decision, &objects);
    ck_assert_int_eq(job.object != NULL, jobs[_i].is_there);
    ck_assert_int_eq(job.is_finished, jobs[_i].is_finished);
    ck_assert_int_eq(job.is_terminating, jobs[_i].is_terminating);
    ck_assert_int_eq(job.has_pods, jobs[_i].has_pods);
    end_comparison(&comparison);
}
END_TEST

/* Each backend's mark; a pod that has ended is in no group. */
static const struct {
    const char *pod, *group;
} marks[] = {
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'g'}", "", "Running"), "g"},
    {LIVE_POD(",'annotations':{'scheduling.k8s.io/group-name':'g'}", "", "Pending"), "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'g'}", "", "Running"), "g"},
    {LIVE_POD("", "'schedulingGroup':{'podGroupName':'g'}", "Running"), "g"},
    {LIVE_POD("", "'workloadRef':{'name':'g','podGroup':'x'}", "Unknown"), "g"},
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':''},'annotations':{'pod-group-name':'g'}",
              "", ""),
     "g"},
    /* of several the one of the backend that stands first: coscheduling, Volcano, KAI, Workload
       with either field */
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'g'},'annotations':{'scheduling.k8s.io/"
              "group-name':"
              "'x','pod-group-name':'x'}",
              "'schedulingGroup':{'podGroupName':'x'}", "Running"),
     "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'x','scheduling.k8s.io/group-name':'g'}",
              "'schedulingGroup':{'podGroupName':'x'}", "Running"),
     "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'g'}", "'schedulingGroup':{'podGroupName':'x'}",
              "Running"),
     "g"},
    {LIVE_POD("", "'workloadRef':{'name':'x'},'schedulingGroup':{'podGroupName':'g'}", "Running"),
     "g"},
    {LIVE_POD("", "", "Running"), NULL},
    {LIVE_POD("", "'workloadRef':{'name':'g'}", "Succeeded"), NULL},
    {LIVE_POD("", "'workloadRef':{'name':'g'}", "Failed"), NULL},
    {LIVE("v1", "Node", "p", "", "'workloadRef':{'name':'g'}"), NULL},
    {LIVE("metrics.k8s.io/v1", "Pod", "p", "", "'workloadRef':{'name':'g'}"), NULL},
};

START_TEST(tells_the_group_of_a_pod)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    struct slice group;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, marks[_i].pod)),
                                &standard_limits, arena, &report);
    group = live_pod_group(&objects.items[0]);
    ck_assert_int_eq(slice_is_set(group), marks[_i].group != NULL);
    if (marks[_i].group)
        ck_slice_eq(group, marks[_i].group);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_what_became_of_the_job, jobs, trainjob, live);
    add_rows(cases, tells_the_group_of_a_pod, marks, pod);
}
