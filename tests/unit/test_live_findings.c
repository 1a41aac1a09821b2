/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/job_plans.h"
#include "unit/pod_groups.h"
#include "unit/suite.h"

#define WORKLOAD(metadata, spec) LIVE(V1ALPHA1, "Workload", "my-job", metadata, spec)
#define KAI "'backends':[{'name':'kai','type':'KAI','kai':{'podGroup':'Create'}}]"

/* Place, words and hint of each finding. */
static const struct {
    const char *gang_policy, *trainjob, *policy, *cluster, *live;
    enum gang_code code;
    enum gang_severity severity;
    const char *path, *message, *hint;
} rows[] = {
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), ""), GANG_CODE_OBJECT_OF_ANOTHER,
     GANG_SEVERITY_ERROR, "metadata.ownerReferences[0]",
     "PodGroup ml/my-job is already owned by another controller, \"PyTorchJob\" \"my-job\" (uid "
     "\"p-1\"): it is not changed",
     "rename one of the two"},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1") GOING, ""),
     GANG_CODE_OBJECT_OF_ANOTHER, GANG_SEVERITY_ERROR, "metadata.ownerReferences[0]",
     "PodGroup ml/my-job is already owned by another controller, \"PyTorchJob\" \"my-job\" (uid "
     "\"p-1\"): it is not changed",
     "wait until it is gone, then reconcile again"},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("TrainJob", "u-0"), ""),
     GANG_CODE_OBJECT_OF_FORMER_JOB, GANG_SEVERITY_ERROR, "metadata.ownerReferences[0]",
     "PodGroup ml/my-job belongs to an earlier job of the same name (uid \"u-0\"): it is not "
     "changed",
     "wait until it is gone, then reconcile again"},
    {C, NULL, NULL, NULL, COSCHEDULED("", ""), GANG_CODE_OBJECT_WITHOUT_OWNER, GANG_SEVERITY_ERROR,
     "metadata",
     "PodGroup ml/my-job has no controller, so it is unknown whether it belongs to the job: it is "
     "not changed",
     "delete it, or add the owner reference of the job"},
    {C, NULL, NULL, NULL, COSCHEDULED(GOING, ""), GANG_CODE_OBJECT_WITHOUT_OWNER,
     GANG_SEVERITY_ERROR, "metadata",
     "PodGroup ml/my-job has no controller, so it is unknown whether it belongs to the job: it is "
     "not changed",
     "wait until it is gone, then reconcile again"},
    {"{'workload':{}}", NULL, NULL, GOOD_1_35, WORKLOAD(OURS, "'podGroups':[]"),
     GANG_CODE_OBJECT_RECREATED, GANG_SEVERITY_WARNING, "spec.podGroups",
     "Invalid value: [...]: field is immutable; the object is deleted and created again", NULL},
    {"{'workload':{}}", NULL, NULL, GOOD_1_35, WORKLOAD(OURS, ""), GANG_CODE_OBJECT_RECREATED,
     GANG_SEVERITY_WARNING, "spec.podGroups",
     "Invalid value: null: field is immutable; the object is deleted and created again", NULL},
    {"{'workload':{}}", NULL, NULL, GOOD_1_35,
     "{'apiVersion':'" V1ALPHA1
     "','kind':'Workload','metadata':{'name':'my-job','namespace':'ml'" OURS
     "}}" LIVE_JOB("," UID_OF_JOB, "'jobsStatus':[{'name':'node','active':1}]"),
     GANG_CODE_IMMUTABLE_FIELD, GANG_SEVERITY_ERROR, "spec.podGroups",
     "Invalid value: null: field is immutable; pods of the gang exist",
     "suspend the job or wait until its pods have ended"},
    /*
     * the group is created again for its disruptionMode, and the Workload, which would stay, with
     * it
     */
    {"{'workload':{}}", NULL, NULL, GOOD_1_37,
     LIVE(V1BETA1, "Workload", "my-job", OURS,
          "'controllerRef':{'apiGroup':'trainer.kubeflow.org','kind':'TrainJob','name':'my-job'},"
          "'podGroupTemplates':[{'name':'trainer','schedulingPolicy':{'gang':{'minCount':8}}}]")
         LIVE(V1BETA1, "PodGroup", "my-job-trainer-5db777ff55", OURS,
              "'workloadRef':{'workloadName':'my-job','templateName':'trainer'},"
              "'schedulingPolicy':{'gang':{'minCount':8}},'disruptionMode':{'all':{}}"),
     GANG_CODE_OBJECT_RECREATED, GANG_SEVERITY_WARNING, "metadata",
     "Workload ml/my-job is deleted and created again with the gang's other objects: they refer to "
     "each other",
     NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OURS GOING, ""), GANG_CODE_OBJECT_TERMINATING,
     GANG_SEVERITY_WARNING, "metadata.deletionTimestamp",
     "PodGroup ml/my-job is being deleted: it is created again when it is gone",
     "wait until it is gone, then reconcile again"},
    {"{'kaiScheduler':{'queue':'new'}}", NULL, KAI, NULL,
     LIVE("scheduling.run.ai/v2alpha2", "PodGroup", "my-job.ml", OURS,
          "'minMember':8,'queue':'old'"),
     GANG_CODE_FIELD_STAYS, GANG_SEVERITY_WARNING, "spec.queue",
     "PodGroup ml/my-job.ml keeps its queue: libgang does not change it in an existing object, and "
     "\"new\" is not written",
     "delete the object to create it with the new value"},
    {C, NULL, NULL, NULL, LIVE_JOB(",'uid':'u-2'", ""), GANG_CODE_JOB_RECREATED,
     GANG_SEVERITY_ERROR, "metadata.uid",
     "Invalid value: \"u-2\": the job was deleted and created again: the plan is for the uid "
     "\"" TRAINJOB_UID "\"",
     "render the job again as the API server returns it"},
    {C, WITHOUT_UID, NULL, NULL, "", GANG_CODE_OWNERSHIP_BY_NAME, GANG_SEVERITY_INFO, "",
     "the uid of the job is not known: objects are identified by the name of their owner, and none "
     "is deleted",
     "pass the job as the API server returns it"},
    {C, FINISHED, NULL, NULL, "", GANG_CODE_OBJECT_WITHHELD, GANG_SEVERITY_INFO, "",
     "PodGroup my-job is not created: the job has ended", NULL},
    {C, NULL, NULL, NULL, LIVE_JOB("," UID_OF_JOB GOING, ""), GANG_CODE_OBJECT_WITHHELD,
     GANG_SEVERITY_INFO, "", "PodGroup my-job is not created: the job is being deleted", NULL},
    {"{'workload':{}}", SUSPENDED, NULL, GOOD_1_35, "", GANG_CODE_OBJECT_WITHHELD,
     GANG_SEVERITY_INFO, "", "Workload my-job is not created: the job is suspended", NULL},
    {V, NULL, NULL, NULL,
     COSCHEDULED(OURS, "")
         LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'my-job'}", "", "Running"),
     GANG_CODE_OBJECT_STAYS, GANG_SEVERITY_WARNING, "metadata",
     "PodGroup ml/my-job is no longer needed, and stays while pods of the gang exist",
     "it is deleted after they have ended"},
    {C, NULL, "'compatibility':'KubeflowTrainer'", NULL, COSCHEDULED(OURS, "'minMember':2"),
     GANG_CODE_WRITTEN_WHILE_SUSPENDED, GANG_SEVERITY_INFO, "metadata",
     "PodGroup ml/my-job differs from the rendered object, and is not written: the operator writes "
     "it only while the job is suspended",
     "suspend the job"},
    {V, FINISHED, "'compatibility':'KubeflowTrainer'", NULL,
     LIVE("scheduling.volcano.sh/v1beta1", "PodGroup", "my-job", OURS, "'minMember':8"),
     GANG_CODE_WRITTEN_WHILE_SUSPENDED, GANG_SEVERITY_INFO, "metadata",
     "PodGroup ml/my-job differs from the rendered object, and is not written: the operator writes "
     "it only while the job is suspended",
     NULL},
    /* the JobSet */
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", "'schedulerName':'kai-scheduler'"),
     GANG_CODE_GANG_KEPT, GANG_SEVERITY_WARNING,
     "spec.replicatedJobs[0].template.spec.template.spec.schedulerName",
     "Invalid value: \"kai-scheduler\": field is immutable in a JobSet; the plan has "
     "\"scheduler-plugins-scheduler\"",
     "to change it, delete the TrainJob and create it again"},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", ""), GANG_CODE_PODS_WITHOUT_GANG,
     GANG_SEVERITY_ERROR, "spec.replicatedJobs[0]",
     "the pods of role node name no group, and the pod template of a JobSet is immutable: "
     "the job is no gang, and its pods start one by one",
     "delete the TrainJob and create it again; if the mark is missing again, the CRD of JobSet "
     "drops it: upgrade JobSet to v0.12"},
    {C, NULL, NULL, NULL,
     LIVE_JOBSET(STOPPED, "'labels':{'scheduling.x-k8s.io/pod-group':'my-job'}", ""),
     GANG_CODE_JOB_SET_FROZEN, GANG_SEVERITY_ERROR,
     "spec.replicatedJobs[0].template.spec.template.spec",
     "role node has no schedulerName, and field is immutable in a JobSet; the plan has "
     "\"scheduler-plugins-scheduler\"",
     "delete the TrainJob and create it again"},
    {"{}", NULL, NULL, NULL,
     LIVE_JOBSET(RUNS, "'annotations':{'scheduling.k8s.io/group-name':'my-job'}", ""),
     GANG_CODE_JOB_SET_FROZEN, GANG_SEVERITY_ERROR,
     "spec.replicatedJobs[0].template.spec.template.metadata.annotations[scheduling.k8s.io/"
     "group-name]",
     "Invalid value: \"my-job\": field is immutable in a JobSet; the plan has no value",
     "delete the TrainJob and create it again"},
    {C, NULL, NULL, NULL, LIVE_JOBSET(RUNS, "", "'schedulerName':'kai-scheduler'"),
     GANG_CODE_OBJECT_HELD_BACK, GANG_SEVERITY_INFO, "",
     "PodGroup my-job is not created: the pods of the JobSet keep the gang that they have", NULL},
    {C, NULL, NULL, NULL,
     LIVE_JOBSET(RUNS, "", "'schedulerName':'kai-scheduler'") COSCHEDULED(OURS, "'minMember':2"),
     GANG_CODE_OBJECT_HELD_BACK, GANG_SEVERITY_INFO, "metadata",
     "PodGroup my-job is not changed: the pods of the JobSet keep the gang that they have", NULL},
    {"{'workload':{}}", NULL, NULL, GOOD_1_36,
     LIVE(V1ALPHA2, "Workload", "my-job", OTHERS("Job", "j-1"), ""), GANG_CODE_OBJECT_HELD_BACK,
     GANG_SEVERITY_INFO, "",
     "PodGroup my-job-trainer-5db777ff55 is not created: the plan has a conflict that concerns it",
     NULL},
    {"{'workload':{}}", SUSPENDED, NULL, GOOD_1_35, WORKLOAD(OURS, ""),
     GANG_CODE_SUSPENSION_NOT_SEEN, GANG_SEVERITY_INFO, "",
     "the TrainJob is suspended, and its JobSet was not seen: it is assumed to be suspended",
     "pass the JobSet among the existing objects"},
    {"{'workload':{}}", SUSPENDED, NULL, GOOD_1_35,
     WORKLOAD(OURS, "") LIVE_POD("", "'workloadRef':{'name':'my-job'}", "Running"),
     GANG_CODE_SUSPENSION_NOT_SEEN, GANG_SEVERITY_INFO, "",
     "the TrainJob is suspended, and its JobSet was not seen: its pods run on, and the objects "
     "stay",
     "pass the JobSet among the existing objects"},
    {"{'workload':{}}", SUSPENDED, NULL, GOOD_1_35,
     WORKLOAD(OURS, "")
         LIVE_JOBSET(RUNS, "", "'workloadRef':{'name':'my-job','podGroup':'trainer'}"),
     GANG_CODE_SUSPENSION_NOT_SEEN, GANG_SEVERITY_INFO, "spec.suspend",
     "the TrainJob is suspended, and its JobSet is not: its pods run on, and the objects stay",
     "wait until the operator has suspended the JobSet"},
    {C, NULL, NULL, NULL, "{'apiVersion':'v1','kind':'Pod'}", GANG_CODE_NOT_AN_OBJECT,
     GANG_SEVERITY_ERROR, "", "an object of the cluster has apiVersion, kind and metadata.name",
     "pass what kubectl get -o yaml prints"},
};

static const struct gang_diagnostic *
finding_of(const struct comparison *comparison, enum gang_code code)
{
    size_t count = comparison->reconciled ? gang_plan_num_diagnostics(comparison->reconciled)
                                          : gang_error_num_diagnostics(comparison->error);

    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *finding =
            comparison->reconciled ? gang_plan_get_diagnostic(comparison->reconciled, i)
                                   : gang_error_get_diagnostic(comparison->error, i);

        if (gang_diagnostic_get_code(finding) == (int)code)
            return finding;
    }
    return NULL;
}

START_TEST(exact_messages)
{
    const struct reconciliation row = {rows[_i].gang_policy,
                                       rows[_i].trainjob,
                                       rows[_i].policy,
                                       rows[_i].cluster,
                                       rows[_i].live,
                                       "",
                                       "",
                                       NULL};
    struct comparison comparison = compare_live(&row);
    const struct gang_diagnostic *finding = finding_of(&comparison, rows[_i].code);

    ck_assert_ptr_nonnull(finding);
    ck_assert_int_eq(gang_diagnostic_get_severity(finding), rows[_i].severity);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), rows[_i].path);
    if (rows[_i].path[0])
        ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_LIVE);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), rows[_i].message);
    ck_assert_int_eq(gang_diagnostic_get_hint(finding) != NULL, rows[_i].hint != NULL);
    if (rows[_i].hint)
        ck_assert_str_eq(gang_diagnostic_get_hint(finding), rows[_i].hint);
    end_comparison(&comparison);
}
END_TEST

#define OF_JOB                                                                                     \
    "{'apiVersion':'scheduling.sigs.k8s.io/v1alpha1','kind':'PodGroup','metadata':{'name':"        \
    "'my-job','namespace':'ml','uid':'o-1','ownerReferences':[{'apiVersion':'batch/v1','kind':"    \
    "'Job','name':'my-job','uid':'u-1','controller':true}]},'spec':{'minMember':2}}\n"

/* Of a suspended Job, whose PodGroup Koordinator's backend deletes. */
static const struct {
    const char *live, *message, *hint;
} suspended_jobs[] = {
    {OF_JOB, "the Job is suspended, and no pods of it were seen: it is assumed to have none",
     "pass the pods among the existing objects"},
    {OF_JOB LIVE_POD(",'labels':{'pod-group.scheduling.sigs.k8s.io':'my-job'}", "", "Running"),
     "the Job is suspended, and its pods run on, and the objects stay",
     "wait until the operator has deleted its pods"},
};

START_TEST(pods_of_a_suspended_job)
{
    struct arena *arena = arena_new(0);
    const char *text = workload_quoted(arena, suspended_jobs[_i].live);
    struct comparison comparison = {.reconciled = NULL};
    struct gang_document *live = NULL;
    struct gang_plan *plan = NULL;
    const struct gang_diagnostic *finding;
    struct job_plan opened;

    job_plan_open(&opened,
                  "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'my-job','namespace':"
                  "'ml','uid':'u-1'},'spec':{'suspend':true,'completionMode':'Indexed',"
                  "'parallelism':2,'completions':2,'template':{'spec':{'containers':[{'name':'c',"
                  "'image':'i'}]}}}}",
                  "'backends':[{'name':'k','type':'Koordinator'}],'defaultBackend':'k'", 0);
    ck_assert_int_eq(gang_render(NULL, opened.decision, 0, &plan, NULL), GANG_OK);
    ck_assert_int_eq(gang_document_parse_live(NULL, text, strlen(text), 0, &live, NULL), GANG_OK);
    ck_assert_int_eq(gang_reconcile(NULL, plan, live, 0, &comparison.reconciled, NULL), GANG_OK);
    finding = finding_of(&comparison, GANG_CODE_SUSPENSION_NOT_SEEN);
    ck_assert_ptr_nonnull(finding);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), suspended_jobs[_i].message);
    ck_assert_str_eq(gang_diagnostic_get_hint(finding), suspended_jobs[_i].hint);
    gang_plan_unref(comparison.reconciled);
    gang_document_unref(live);
    gang_plan_unref(plan);
    job_plan_close(&opened);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, pods_of_a_suspended_job, suspended_jobs, live);
    add_rows(cases, exact_messages, rows, gang_policy, trainjob, policy);
}
