/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/grove_documents.h"
#include "unit/pod_groups.h"
#include "unit/squeeze.h"
#include "unit/suite.h"
#include "unit/typed.h"

#define META "{'name':'my-job','namespace':'ml','uid':'o-1','resourceVersion':'7'"

/*
 * kubernetes-sigs/scheduler-plugins and volcano-sh/volcano let every field change at any time; the
 * numbers are those of one role of eight pods with a CPU each.
 */
static const struct reconciliation updates[] = {
    /* a reservation that is no longer asked for goes */
    {C, NULL, "'defaults':{'reserve':'Never'}", NULL, COSCHEDULED(OURS, AS_COSCHEDULED),
     PODGROUP(Apply), "", NULL},
    /* nothing exists, or other objects exist */
    {C, NULL, NULL, NULL, "", PODGROUP(Create), "", NULL},
    {V, NULL, NULL, NULL, "", PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL, LIVE(COSCHEDULING, "PodGroup", "other", OURS, ""),
     PODGROUP(Create) "Delete PodGroup other\n", "", NULL},
    {C, NULL, NULL, NULL,
     LIVE(COSCHEDULING, "PodGroup", "z", OURS, "") LIVE(COSCHEDULING, "PodGroup", "d", OURS, "")
         LIVE(COSCHEDULING, "PodGroup", "c", OURS, "") LIVE(COSCHEDULING, "PodGroup", "b", OURS, "")
             LIVE(COSCHEDULING, "PodGroup", "a", OURS, "") COSCHEDULED(OURS, AS_COSCHEDULED),
     PODGROUP(Leave) "Delete PodGroup a\nDelete PodGroup b\nDelete PodGroup c\nDelete PodGroup "
                     "d\nDelete "
                     "PodGroup z\n",
     "", NULL},
    {C, NULL, NULL, NULL, LIVE(COSCHEDULING, "ElasticQuota", "my-job", OURS, ""), PODGROUP(Create),
     "", NULL},
    {C, NULL, NULL, NULL,
     "{'apiVersion':'" COSCHEDULING
     "','kind':'PodGroup','metadata':{'name':'my-job','namespace':'other'" OURS "},'spec':{}}",
     PODGROUP(Create), "", NULL},
    /* as it should be, however it is spelled, and whoever else has written into it */
    {C, NULL, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), PODGROUP(Leave), "",
     META OURS "} {" AS_COSCHEDULED "}"},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'scheduleTimeoutSeconds':60,'minResources':{'cpu':'8000m'},'minMember':8"),
     PODGROUP(Leave), "", META OURS "} {" AS_COSCHEDULED "}"},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'minMember':8,'minResources':{'cpu':8},'scheduleTimeoutSeconds':60"),
     PODGROUP(Leave), "", NULL},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS ",'labels':{'team':'a'},'managedFields':[{'manager':'x'}]", AS_COSCHEDULED),
     PODGROUP(Leave), "", META ",'labels':{'team':'a'}" OURS "} {" AS_COSCHEDULED "}"},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'queue':'default'"), PODGROUP(Leave), "",
     META OURS "} {" AS_VOLCANO ",'queue':'default'}"},
    /* the queue that another webhook, or a person, has chosen where the job names none */
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'queue':'research'"), PODGROUP(Leave),
     "", NULL},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(
         OURS, AS_VOLCANO
         ",'queue':'default','networkTopology':{'mode':'soft'},'minTaskMember':{'node':8}"),
     PODGROUP(Leave), "", NULL},
    /* the minimum and the resources follow the job; what others have written stays */
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'minMember':4,'minResources':{'cpu':'8'},'scheduleTimeoutSeconds':60"),
     PODGROUP(Apply), "", META OURS "} {" AS_COSCHEDULED "}"},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'minMember':8,'minResources':{'cpu':'4'},'scheduleTimeoutSeconds':60"),
     PODGROUP(Apply), "", NULL},
    {C, NULL, NULL, NULL,
     COSCHEDULED(
         OURS,
         "'minMember':8,'minResources':{'cpu':'8','memory':'1Gi'},'scheduleTimeoutSeconds':60"),
     PODGROUP(Apply), "", META OURS "} {" AS_COSCHEDULED "}"},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'minMember':8,'minResources':{'gpu':'8'},'scheduleTimeoutSeconds':60"),
     PODGROUP(Apply), "", NULL},
    {C, NULL, NULL, NULL,
     COSCHEDULED(OURS, "'minMember':8,'minResources':{'cpu':'x'},'scheduleTimeoutSeconds':60"),
     PODGROUP(Apply), "", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OURS, ""), PODGROUP(Apply), "",
     META OURS "} {" AS_COSCHEDULED "}"},
    {"{'coscheduling':{'scheduleTimeoutSeconds':0}}", NULL, NULL, NULL,
     COSCHEDULED(OURS, AS_COSCHEDULED), PODGROUP(Apply), "",
     META OURS "} {'minMember':8,'minResources':{'cpu':'8'}}"},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(
         OURS ",'annotations':{'a':'b'}",
         "'minMember':2,'queue':'q','networkTopology':{'mode':'soft'},'minTaskMember':{'node':8}"),
     PODGROUP(Apply), "",
     META ",'annotations':{'a':'b'}" OURS "} {" AS_VOLCANO
          ",'queue':'q','networkTopology':{'mode':'soft'},'minTaskMember':{'node':8}}"},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'priorityClassName':'high'"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    {"{'volcano':{'networkTopology':{'mode':'hard','highestTierAllowed':2}}}", NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'networkTopology':{'mode':'hard','highestTierAllowed':1}"),
     PODGROUP(Apply), "",
     META OURS "} {" AS_VOLCANO ",'networkTopology':{'mode':'hard','highestTierAllowed':2}}"},
    /* Volcano 1.12 writes the default of the tier into the object */
    {"{'volcano':{'networkTopology':{'mode':'soft'}}}", NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'networkTopology':{'mode':'soft','highestTierAllowed':1}"),
     PODGROUP(Leave), "", NULL},
    /* the queue, the labels and the annotations of a policy arrive too */
    {V, NULL, "'defaults':{'queue':{'name':'research'}}", NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'queue':'default'"), PODGROUP(Apply), "",
     META OURS "} {" AS_VOLCANO ",'queue':'research'}"},
    {V, NULL, "'output':{'labels':{'team':'a'},'annotations':{'n':'1'}}", NULL,
     VOLCANO_GROUP(OURS ",'labels':{'team':'b','z':'y'}", AS_VOLCANO), PODGROUP(Apply), "",
     META ",'labels':{'team':'a','z':'y'},'annotations':{'n':'1'}" OURS "} {" AS_VOLCANO "}"},
    /* another owner beside the job stays, and one that the job lacks is added */
    {C, NULL, NULL, NULL,
     COSCHEDULED(",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'c','uid':'c-1'}"
                 "," OUR_OWNER "]",
                 AS_COSCHEDULED),
     PODGROUP(Leave), "", NULL},
};

START_TEST(brings_up_to_date)
{
    check_reconciliation(&updates[_i]);
}
END_TEST

#define RELEASED "'minMember':0"
#define POD_OF(group)                                                                              \
    LIVE_POD(",'annotations':{'scheduling.k8s.io/group-name':'" group "'}", "", "Running")
#define C_MARK "'labels':{'scheduling.x-k8s.io/pod-group':'my-job'}"
#define C_NAME "'schedulerName':'scheduler-plugins-scheduler'"
#define V_MARK "'annotations':{'scheduling.k8s.io/group-name':'my-job'}"
#define V_NAME "'schedulerName':'volcano'"
#define KAI_CREATES "'backends':[{'name':'kai','type':'KAI','kai':{'podGroup':'Create'}}]"
#define KAI_GROUP(spec) LIVE("scheduling.run.ai/v2alpha2", "PodGroup", "my-job.ml", OURS, spec)
#define NO_GANG "{}"
#define DENIED "'rules':[{'name':'r','match':{},'action':'Deny'}]"
#define COMPATIBLE "'compatibility':'KubeflowTrainer'"

/* The five turns of a job's life, and what is left over of another plan. */
static const struct reconciliation turns[] = {
    /* suspended: Volcano's reservation is removed, and coscheduling has none */
    {V, SUSPENDED, NULL, NULL, "", PODGROUP(Create), "", NULL},
    {V, SUSPENDED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Apply), "",
     META OURS "} {'minMember':8}"},
    {V, SUSPENDED, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':8"), PODGROUP(Leave), "", NULL},
    {V, SUSPENDED, "'defaults':{'reserve':'Always'}", NULL, VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave), "", NULL},
    {C, SUSPENDED, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), PODGROUP(Leave), "", NULL},
    /* resumed */
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':8"), PODGROUP(Apply), "",
     META OURS "} {" AS_VOLCANO "}"},
    /* ended: Volcano's is let go, the others are left to the garbage collector, and none is made */
    {V, FINISHED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'queue':'q'"), PODGROUP(Apply), "",
     META OURS "} {" RELEASED ",'queue':'q'}"},
    {V, FINISHED, NULL, NULL, VOLCANO_GROUP(OURS, RELEASED), PODGROUP(Leave), "", NULL},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO) LIVE_JOB("," UID_OF_JOB, CONDITION("Failed")), PODGROUP(Apply),
     "", META OURS "} {" RELEASED "}"},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO)
         LIVE_JOB("," UID_OF_JOB, "'conditions':[{'type':'Complete','status':'False'},{'type':'"
                                  "Suspended','status':'True'}]"),
     PODGROUP(Leave), "", NULL},
    {V, FINISHED, NULL, NULL, "", "", "ObjectWithheld", NULL},
    {C, FINISHED, NULL, NULL, COSCHEDULED(OURS, "'minMember':2"), PODGROUP(Leave), "",
     META OURS "} {'minMember':2}"},
    {C, FINISHED, NULL, NULL, "", "", "ObjectWithheld", NULL},
    /* but what reserves for a finished job, for another backend, goes */
    {C, FINISHED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Delete), "ObjectWithheld",
     NULL},
    {C, FINISHED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) POD_OF("my-job"), PODGROUP(Leave),
     "ObjectWithheld ObjectStays", NULL},
    {V, FINISHED, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), "", "ObjectWithheld", NULL},
    {"{'kaiScheduler':{'queue':'q'}}", SUSPENDED, KAI_CREATES, NULL,
     KAI_GROUP("'minMember':2,'queue':'q'"), "Apply PodGroup my-job.ml\n", "", NULL},
    {"{'kaiScheduler':{'queue':'q'}}", FINISHED, KAI_CREATES, NULL,
     KAI_GROUP("'minMember':2,'queue':'q'"), "Leave PodGroup my-job.ml\n", "", NULL},
    {"{'kaiScheduler':{'queue':'q'}}", NULL, NULL, NULL, KAI_GROUP("'minMember':8,'queue':'q'"),
     "Delete PodGroup my-job.ml\n", "", NULL},
    /* deleted: the same */
    {V, NULL, NULL, NULL, LIVE_JOB("," UID_OF_JOB GOING, ""), "", "ObjectWithheld", NULL},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':2") LIVE_JOB("," UID_OF_JOB GOING, ""),
     PODGROUP(Leave), "", NULL},
    /* being deleted by somebody else */
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS GOING, AS_VOLCANO), PODGROUP(Recreate),
     "ObjectTerminating", "{'name':'my-job','namespace':'ml'" OURS "} {" AS_VOLCANO "}"},
    /*
     * created for another scheduler, or for a gang that no longer exists: deleted if no pod is in
     * it
     */
    {C, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Create) PODGROUP(Delete), "",
     NULL},
    {C, NULL, NULL, NULL, VOLCANO_GROUP(OURS GOING, AS_VOLCANO), PODGROUP(Create), "", NULL},
    {C, NULL, NULL, NULL, VOLCANO_GROUP(OTHERS("TrainJob", "u-0"), AS_VOLCANO), PODGROUP(Create),
     "", NULL},
    {C, NULL, NULL, NULL, VOLCANO_GROUP("", AS_VOLCANO), PODGROUP(Create), "", NULL},
    {C, WITHOUT_UID, NULL, NULL, VOLCANO_GROUP(OTHERS("TrainJob", "u-0"), AS_VOLCANO),
     PODGROUP(Create), "OwnershipByName", NULL},
    {C, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) POD_OF("my-job"),
     PODGROUP(Create) PODGROUP(Leave), "ObjectStays", NULL},
    {C, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) POD_OF("other"),
     PODGROUP(Create) PODGROUP(Delete), "", NULL},
    /* suspended: the pods of a JobSet that was not seen may run on, those of a stopped one go */
    {C, SUSPENDED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Create) PODGROUP(Delete),
     "SuspensionNotSeen", NULL},
    {C, SUSPENDED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) POD_OF("my-job"),
     PODGROUP(Create) PODGROUP(Leave), "SuspensionNotSeen ObjectStays", NULL},
    {C, SUSPENDED, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO) POD_OF("my-job") LIVE_JOBSET(STOPPED, C_MARK, C_NAME),
     PODGROUP(Create) PODGROUP(Delete), "", NULL},
    {C, SUSPENDED, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO) LIVE_JOBSET(RUNS, C_MARK, C_NAME) POD_OF("my-job"),
     PODGROUP(Create) PODGROUP(Leave), "ObjectStays SuspensionNotSeen", NULL},
    {NO_GANG, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Delete), "",
     "{'name':'my-job','namespace':'ml','uid':'o-1'}"},
    {NO_GANG, NULL, NULL, NULL, "", "", "", NULL},
    {NO_GANG, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Delete), "", NULL},
    {NO_GANG, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, "") COSCHEDULED(OURS, "") LIVE(VOLCANO, "PodGroup", "a", OURS, ""),
     "Delete PodGroup a\nDelete PodGroup my-job\nDelete PodGroup my-job\n", "", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED) VOLCANO_GROUP(OURS, AS_VOLCANO),
     PODGROUP(Leave) PODGROUP(Delete), "", NULL},
    {C, NULL, NULL, NULL,
     VOLCANO_GROUP(
         OURS,
         AS_VOLCANO) "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'other',"
                     "'annotations':{'pod-group-name':'my-job'}}}",
     PODGROUP(Create) PODGROUP(Delete), "", NULL},
    {NO_GANG, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO) LIVE_JOB("," UID_OF_JOB GOING, ""),
     "", "", NULL},
    {NO_GANG, FINISHED, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Delete), "", NULL},
    {NO_GANG, FINISHED, NULL, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), "", "", NULL},
    {C, NULL, NULL, NULL,
     LIVE(VOLCANO, "PodGroup", "z", OURS, "") LIVE(VOLCANO, "PodGroup", "a", OURS, "") POD_OF("a"),
     PODGROUP(Create) "Leave PodGroup a\nLeave PodGroup z\n", "ObjectStays ObjectStays", NULL},
    /* what is wrong or forbidden is no reason to touch what runs */
    {"{'volcano':{},'coscheduling':{}}", NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), "", "",
     NULL},
    {V, NULL, DENIED, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), "", "", NULL},
    /* kubeflow/trainer writes an existing PodGroup only while the job is suspended, and a missing
       one always */
    {V, NULL, COMPATIBLE, NULL, VOLCANO_GROUP(OURS, "'minMember':2"), PODGROUP(Leave),
     "WrittenWhileSuspended", META OURS "} {'minMember':2}"},
    {V, NULL, COMPATIBLE, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Leave), "", NULL},
    {V, FINISHED, COMPATIBLE, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO), PODGROUP(Leave),
     "WrittenWhileSuspended", META OURS "} {" AS_VOLCANO "}"},
    {C, FINISHED, COMPATIBLE, NULL, COSCHEDULED(OURS, AS_COSCHEDULED), PODGROUP(Leave), "", NULL},
    {V, SUSPENDED, COMPATIBLE, NULL, VOLCANO_GROUP(OURS, "'minMember':2"), PODGROUP(Apply),
     "SuspensionNotSeen", META OURS "} {" AS_VOLCANO "}"},
    {V, SUSPENDED, COMPATIBLE, NULL, "", PODGROUP(Create), "", NULL},
    {V, NULL, COMPATIBLE, NULL, VOLCANO_GROUP(OTHERS("PyTorchJob", "p-1"), ""), PODGROUP(Conflict),
     "ObjectOfAnother", NULL},
};

START_TEST(follows_the_states_of_a_job)
{
    check_reconciliation(&turns[_i]);
}
END_TEST

static const struct {
    bool has_plan, has_out, is_live;
    uint32_t flags;
    int result;
} misuses[] = {
    {false, true, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, true, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, false, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, true, 4, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, true, 7, GANG_ERROR_UNSUPPORTED_FLAG},
    {true, true, true, 1u << 31, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_plan *out = plan; /* must be overwritten */
    struct gang_error *error = NULL;

    for (int with_error = 0; with_error < 2; with_error++)
        ck_assert_int_eq(gang_reconcile(NULL, misuses[_i].has_plan ? plan : NULL,
                                        misuses[_i].is_live ? NULL : document_of(run.trainjob),
                                        misuses[_i].flags, misuses[_i].has_out ? &out : NULL,
                                        with_error ? &error : NULL),
                         misuses[_i].result);
    if (misuses[_i].has_out)
        ck_assert_ptr_null(out);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

START_TEST(no_live_objects_are_accepted)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_plan *out = NULL;

    ck_assert_int_eq(gang_reconcile(NULL, plan, NULL, 0, &out, NULL), GANG_OK);
    gang_plan_unref(plan);
    end_run(&run);
    ck_assert_uint_eq(gang_plan_num_objects(out), 1);
    ck_assert_int_eq(gang_object_get_action(gang_plan_get_object(out, 0)), GANG_ACTION_CREATE);
    ck_assert_int_eq(gang_object_get_action(gang_plan_get_object(out, 1)), GANG_ACTION_NONE);
    gang_plan_unref(out);
}
END_TEST

/* Texts that are no objects. The plan before stays what it was. */
static const struct {
    const char *live;
    int result;
    enum gang_code code;
    unsigned line;
} bad_texts[] = {
    {"{'a':", GANG_ERROR_SYNTAX, GANG_CODE_SYNTAX, 1},
    {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}\n{'a':1,'a':2}", GANG_ERROR_SYNTAX,
     GANG_CODE_DUPLICATE_KEY, 2},
    {"\n\n{'kind':'PodGroup'}", GANG_ERROR_INVALID, GANG_CODE_NOT_AN_OBJECT, 3},
};

START_TEST(non_objects_are_refused)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_plan *out = plan;
    struct gang_error *error = NULL;
    char live[DOCUMENT_SIZE];
    const struct gang_diagnostic *finding = NULL;

    spell(live, bad_texts[_i].live);
    ck_assert_int_eq(reconcile_text(NULL, plan, live, strlen(live), &out, &error),
                     bad_texts[_i].result);
    ck_assert_ptr_null(out);
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        if (gang_diagnostic_get_code(gang_error_get_diagnostic(error, i)) ==
            (int)bad_texts[_i].code)
            finding = gang_error_get_diagnostic(error, i);
    ck_assert_ptr_nonnull(finding);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_LIVE);
    ck_assert_uint_eq(gang_diagnostic_get_line(finding), bad_texts[_i].line);
    gang_error_free(error);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/*
 * Of a plan in conflict nothing that exists is changed or deleted, and no marks would join pods to
 * another owner's group.
 */
START_TEST(conflict_blocks_every_change)
{
    const struct reconciliation row = {
        C,  NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), "") VOLCANO_GROUP(OURS, ""),
        "", "",   NULL};
    struct comparison comparison = compare_live(&row);
    struct gang_blob *objects =
        blob_of(comparison.reconciled, GANG_TARGET_OBJECTS, GANG_FORMAT_YAML);
    struct gang_blob *plan = blob_of(comparison.reconciled, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    size_t len;

    ck_assert_int_eq(comparison.result, GANG_ERROR_INVALID);
    ck_assert_int_eq(gang_error_get_code(comparison.error), GANG_ERROR_INVALID);
    gang_blob_get_data(objects, &len);
    ck_assert_uint_eq(len, 0);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(plan, NULL), "\"patches\":[]"));
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(plan, NULL), "\"action\":\"Conflict\""));
    gang_blob_unref(plan);
    gang_blob_unref(objects);
    end_comparison(&comparison);
}
END_TEST

/* Only what is to be created or written is printed as objects. */
START_TEST(objects_are_those_to_write)
{
    const struct reconciliation row = {
        V,  NULL, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':2") COSCHEDULED(OURS, ""),
        "", "",   NULL};
    struct comparison comparison = compare_live(&row);
    struct gang_blob *blob = blob_of(comparison.reconciled, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    const char *text = gang_blob_get_data(blob, NULL);

    ck_assert_uint_eq(gang_plan_num_objects(comparison.reconciled), 2);
    ck_assert_ptr_nonnull(strstr(text, VOLCANO));
    ck_assert_ptr_nonnull(strstr(text, "\"resourceVersion\":\"7\""));
    ck_assert_ptr_null(strstr(text, COSCHEDULING));
    gang_blob_unref(blob);
    end_comparison(&comparison);
}
END_TEST

/* A delete names the object with its uid and resourceVersion. */
START_TEST(a_delete_names_its_version)
{
    const struct reconciliation row = {V, NULL, NULL, NULL, COSCHEDULED(OURS, ""), "", "", NULL};
    struct comparison comparison = compare_live(&row);
    const struct gang_object *gone = &comparison.reconciled->content.objects[1];

    ck_assert_int_eq(gone->action, GANG_ACTION_DELETE);
    ck_slice_eq(node_string(node_member(gone->manifest, SLICE("apiVersion"))), COSCHEDULING);
    ck_slice_eq(node_string(node_member(gone->manifest, SLICE("kind"))), "PodGroup");
    end_comparison(&comparison);
}
END_TEST

static size_t
count_reasons(const struct gang_plan *plan, const char *reason)
{
    size_t count = 0;

    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        count += strcmp(gang_code_name(gang_diagnostic_get_code(gang_plan_get_diagnostic(plan, i))),
                        reason) == 0;
    return count;
}

/* Findings of the job are repeated, together with findings of the objects. */
START_TEST(findings_of_the_decision_stay)
{
    const struct reconciliation row = {C,  WITHOUT_UID, NULL, NULL, COSCHEDULED("", ""),
                                       "", "",          NULL};
    struct comparison comparison = compare_live(&row);

    ck_assert_uint_eq(count_reasons(comparison.plan, "SchedulerNameSet"), 1);
    ck_assert_uint_eq(count_reasons(comparison.reconciled, "SchedulerNameSet"), 1);
    ck_assert_uint_eq(count_reasons(comparison.reconciled, "OwnershipByName"), 1);
    end_comparison(&comparison);
}
END_TEST

#define KUEUE_WORKLOAD(metadata)                                                                   \
    "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':"                 \
    "'trainjob-my-job-1a2b3','namespace':'ml'" metadata                                            \
    "},'spec':{'podSets':[{'name':'node','count':8,'minCount':1}]}}"

/* Kueue's controller sets itself no owner but the job: a name alone proves nothing. */
static const struct {
    const char *live;
    bool is_read;
} workloads_of_kueue[] = {
    {KUEUE_WORKLOAD(OURS), true},
    {KUEUE_WORKLOAD(OTHERS("TrainJob", "u-0")), false},
    {KUEUE_WORKLOAD(""), false},
};

START_TEST(reads_the_workloads_of_the_job)
{
    const struct reconciliation row = {C,  NULL, NULL, NULL, workloads_of_kueue[_i].live,
                                       "", "",   NULL};
    struct comparison comparison = compare_live(&row);

    ck_assert_uint_eq(count_reasons(comparison.reconciled, "KueueAdmitsPart"),
                      workloads_of_kueue[_i].is_read);
    end_comparison(&comparison);
}
END_TEST

/* Findings of all objects together have no document. */
static const struct {
    const char *trainjob, *reason;
} placeless[] = {
    {WITHOUT_UID, "OwnershipByName"},
    {FINISHED, "ObjectWithheld"},
};

START_TEST(is_of_no_document)
{
    const struct reconciliation row = {C, placeless[_i].trainjob, NULL, NULL, "", "", "", NULL};
    struct comparison comparison = compare_live(&row);

    for (size_t i = 0; i < gang_plan_num_diagnostics(comparison.reconciled); i++) {
        const struct gang_diagnostic *finding = gang_plan_get_diagnostic(comparison.reconciled, i);

        if (strcmp(gang_code_name(gang_diagnostic_get_code(finding)), placeless[_i].reason) == 0)
            ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_NONE);
    }
    ck_assert_uint_eq(count_reasons(comparison.reconciled, placeless[_i].reason), 1);
    end_comparison(&comparison);
}
END_TEST

/* An object in Conflict is shown as rendered, not as a change of the existing one. */
START_TEST(a_conflict_shows_what_was_rendered)
{
    static const char frozen[] = LIVE(V1ALPHA1, "Workload", "my-job", OURS, "'podGroups':[]")
        LIVE_POD("", "'workloadRef':{'name':'my-job'}", "Pending");
    const struct reconciliation row = {
        "{'workload':{}}", NULL, NULL, GOOD_1_35, frozen, "", "", NULL};
    struct comparison comparison = compare_live(&row);
    const struct gang_object *held = &comparison.reconciled->content.objects[0];

    ck_assert_int_eq(held->action, GANG_ACTION_CONFLICT);
    ck_assert_ptr_null(node_at(held->manifest, "metadata.resourceVersion"));
    ck_assert_ptr_null(node_at(held->manifest, "metadata.uid"));
    end_comparison(&comparison);
}
END_TEST

static const struct reconciliation squeezed[] = {
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':2") COSCHEDULED(OURS, "") POD_OF("x"),
     "", "", NULL},
    {C, NULL, NULL, NULL, COSCHEDULED(OTHERS("PyTorchJob", "p-1"), ""), "", "", NULL},
    {"{'workload':{}}", NULL, NULL, GOOD_1_36, LIVE(V1ALPHA2, "Workload", "my-job", OURS, ""), "",
     "", NULL},
    {"{'workload':{}}", SUSPENDED, NULL, GOOD_1_36, LIVE(V1ALPHA2, "Workload", "my-job", OURS, ""),
     "", "", NULL},
    {NO_GANG, NULL, NULL, NULL,
     "{'kind':'List','items':[" VOLCANO_GROUP(OURS, "") "," VOLCANO_GROUP(OURS, "") "]}", "", "",
     NULL},
};

struct squeezed_input {
    const struct gang_plan *plan;
    const char *live;
};

static bool
reconcile_again(const struct gang_context *context, const void *input, int *result,
                struct gang_error **error)
{
    const struct squeezed_input *squeezed_input = input;
    struct gang_plan *out = NULL;
    bool has_result;

    *result = reconcile_text(context, squeezed_input->plan, squeezed_input->live,
                             strlen(squeezed_input->live), &out, error);
    has_result = out != NULL;
    gang_plan_unref(out);
    return has_result;
}

START_TEST(comparing_ends_cleanly_at_every_limit_of_memory)
{
    struct comparison comparison = compare_live(&squeezed[_i]);
    char live[DOCUMENT_SIZE];
    const struct squeezed_input input = {comparison.plan, spell(live, squeezed[_i].live)};

    ck_assert_int_eq(squeeze(reconcile_again, &input), comparison.result);
    end_comparison(&comparison);
}
END_TEST

/* What the operator of trainjobs does in that mode is nothing to Grove's. */
START_TEST(a_podgang_is_written_in_every_mode)
{
    struct grove_documents documents = grove_documents(
        "{'apiVersion':'scheduler.grove.io/"
        "v1alpha1','kind':'PodGang','metadata':{'name':'g','namespace':'ml','uid':'" TRAINJOB_UID
        "','labels':{'grove.io/"
        "scheduler-name':'volcano'}},'spec':{'podgroups':[{'name':'a','minReplicas':2,'"
        "podReferences':[]}]}}",
        NULL);
    char text[DOCUMENT_SIZE];
    struct gang_policy *policy = NULL;
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_plan *out = NULL;

    spell(text, compatibility_policy);
    ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    ck_assert_int_eq(
        resolve_podgang_with(NULL, documents.podgang, NULL, policy, NULL, 0, &decision, NULL),
        GANG_OK);
    ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
    spell(text, LIVE(VOLCANO, "PodGroup", "g", OURS, "'minMember':1"));
    ck_assert_int_eq(reconcile_text(NULL, plan, text, strlen(text), &out, NULL), GANG_OK);
    ck_assert_int_eq(gang_object_get_action(gang_plan_get_object(out, 0)), GANG_ACTION_APPLY);
    gang_plan_unref(out);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    unref_policy(policy);
    grove_documents_free(&documents);
}
END_TEST

START_TEST(memory_is_limited)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_plan *plan = plan_of(&run);
    struct gang_plan *out = plan;
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_reconcile(context, plan, NULL, 0, &out, &error), GANG_ERROR_LIMIT);
    ck_assert_ptr_null(out);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, brings_up_to_date, updates, gang_policy, trainjob, policy);
    add_rows(cases, follows_the_states_of_a_job, turns, gang_policy, trainjob, policy);
    add_rows(cases, misuse_is_refused, misuses, has_plan, has_out, is_live);
    tcase_add_test(cases, no_live_objects_are_accepted);
    add_rows(cases, non_objects_are_refused, bad_texts, live);
    tcase_add_test(cases, conflict_blocks_every_change);
    tcase_add_test(cases, objects_are_those_to_write);
    tcase_add_test(cases, a_delete_names_its_version);
    tcase_add_test(cases, findings_of_the_decision_stay);
    add_rows(cases, reads_the_workloads_of_the_job, workloads_of_kueue, live);
    add_rows(cases, is_of_no_document, placeless, trainjob);
    tcase_add_test(cases, a_conflict_shows_what_was_rendered);
    tcase_add_test(cases, memory_is_limited);
    add_rows(cases, comparing_ends_cleanly_at_every_limit_of_memory, squeezed, gang_policy,
             trainjob, policy);
    tcase_add_test(cases, a_podgang_is_written_in_every_mode);
}
