/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/suite.h"
#include "unit/job.h"
#include "unit/kai_calls.h"
#include "unit/updates.h"

/* ---- kai ---- */

#define TRAINJOB_WITH(metadata)                                                                    \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'TrainJob','metadata':{'name':'llama','namespace':"                          \
    "'ml'" metadata "},'spec':{'runtimeRef':{'name':'tune'}}}"
#define KAI_SUPERSEDED                                                                             \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{'podGroupPolicy':{'kai':{'queueName':'q','scheduleTimeoutSeconds':30}},'template':{'" \
    "spec':{"                                                                                      \
    "'replicatedJobs':[" NODE_ROLE "]}}}}"

/* What is reported, beside who makes the group. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *release;
    const char *options;
    const char *queue; /* that was chosen; NULL: none */
    const char *findings;
} checks[] = {
    {KAI_TORCH, TRAINJOB(""), "v0.16.1", NULL, "research", ""},
    {KAI_TORCH, TRAINJOB(""), "v0.16.1", NULL, "no label", "InvalidLabelValue"},
    {KAI_TORCH, TRAINJOB(""), "v0.16.1", NULL, "", ""},
    {KAI_TORCH, TRAINJOB_WITH(",'labels':{'kai.scheduler/queue':''}"), "v0.16.1", NULL, "",
     "EmptyQueue"},
    {KAI_SUPERSEDED, TRAINJOB(""), "v0.16.1", NULL, "q", "KaiSuperseded FieldLost"},
    {"{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"
     "'spec':{'podGroupPolicy':{'kai':{}},'template':{'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}",
     TRAINJOB(""), "v0.16.1", NULL, NULL, "KaiSuperseded"},
    {KAI_TORCHTUNE, TRAINJOB(""), "v0.16.1", NULL, NULL, "KaiGroupCreated"},
    {KAI_TORCH, TRAINJOB_WITH(",'annotations':{'kai.scheduler/batch-min-member':'x'}"), "v0.16.1",
     "{'podGroup':'Delegate'}", NULL, "KaiDelegateStuck"},
    {KAI_TORCH, TRAINJOB_WITH(",'annotations':{'kai.scheduler/preemption-delay':'1m'}"), "v0.16.1",
     NULL, NULL, "FieldLost"},
    {KAI_TORCH, TRAINJOB_WITH(",'annotations':{'kai.scheduler/staleness-grace-period':'-1s'}"),
     "v0.16.1", NULL, NULL, "FieldLost"},
    {KAI_TORCH,
     TRAINJOB_WITH(",'annotations':{'kai.scheduler/preemption-delay':'1m','kai.scheduler/"
                   "staleness-grace-period':'-1s'}"),
     "v0.17.0", NULL, NULL, ""},
    {KAI_TORCH, TRAINJOB_WITH(",'annotations':{'kai.scheduler/batch-min-member':'1'}"), "v0.16.1",
     "{'podGroup':'Create'}", NULL, "FieldLost"},
    {KAI_TORCH, TRAINJOB_WITH(",'annotations':{'kai.scheduler/batch-min-member':'1'}"), "v0.16.1",
     NULL, NULL, ""},
};

START_TEST(reports_what_goes_wrong)
{
    struct kai_call call;

    kai_open(&call, checks[_i].runtime, checks[_i].trainjob, checks[_i].release, checks[_i].options,
             COMPATIBILITY_NONE);
    call.front.gang.queue = slice_from_text(checks[_i].queue);
    kai_open_state(&call);
    kai_backend.validate(&call.call, &call.front.report);
    ck_assert_msg(!strcmp(kai_findings(&call), checks[_i].findings), "case %d: %s", _i,
                  kai_findings(&call));
    kai_close(&call);
}
END_TEST

/* A gang with errors is not judged: its start order may go round. */
START_TEST(skips_verdict_for_a_gang_with_errors)
{
    struct kai_call call;

    kai_open(&call, KAI_TORCH, TRAINJOB(""), "v0.12.0", NULL, COMPATIBILITY_NONE);
    find_note(&call.front.report, call.front.gang.roles[0].source, GANG_CODE_START_ORDER_CYCLE,
              NULL, "round");
    kai_open_state(&call);
    kai_backend.validate(&call.call, &call.front.report);
    ck_assert_str_eq(kai_findings(&call), "StartOrderCycle");
    kai_close(&call);
}
END_TEST

static struct plan_content
render(struct kai_call *call)
{
    struct plan_content content;

    ck_assert(plan_content_init(&content, call->front.arena, &call->front.gang));
    kai_open_state(call);
    kai_backend.render(&call->call, &content);
    return content;
}

static struct slice
shown_name(const struct kai_call *call)
{
    return kai_backend.group_name(&call->call, call->front.arena);
}

START_TEST(delegates_with_labels_and_a_prediction)
{
    struct kai_call call;
    struct plan_content content;

    kai_open(&call, KAI_TORCH, TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    call.front.gang.queue = SLICE("research");
    content = render(&call);
    ck_assert_uint_eq(content.num_objects, 0);
    ck_assert_uint_eq(content.num_predictions, 1);
    ck_slice_eq(content.predictions[0].controller, "podgrouper.kai.scheduler");
    ck_slice_eq(content.predictions[0].version, "v0.17.0");
    ck_slice_eq(node_string(node_at(content.predictions[0].manifest, "spec.queue")), "research");
    ck_assert_uint_eq(content.patches[0].num_labels, 1);
    ck_slice_eq(content.patches[0].labels[0].key, "kai.scheduler/queue");
    ck_assert_uint_eq(content.patches[0].num_annotations, 0);
    ck_assert(plan_patch_is_empty(content.job_patch));
    ck_slice_eq(shown_name(&call), "llama");
    kai_close(&call);
}
END_TEST

/*
 * A queue that a policy sets against the trainjob's label, and the annotation, are on the JobSet.
 */
START_TEST(patches_the_job)
{
    struct kai_call call;
    struct plan_content content;

    kai_open(&call, KAI_TORCH,
             TRAINJOB_WITH(",'labels':{'kai.scheduler/queue':'mine','priorityClassName':'low'}"),
             "v0.15.3", "{'minMemberAnnotation':'Render'}", COMPATIBILITY_NONE);
    call.front.gang.queue = SLICE("ours");
    call.front.gang.gives_priority = true;
    call.front.gang.priority_class_name = SLICE("high");
    content = render(&call);
    ck_slice_eq(content.job_patch->labels[0].key, "kai.scheduler/queue");
    ck_slice_eq(content.job_patch->labels[0].value, "ours");
    ck_slice_eq(content.job_patch->labels[1].key, "priorityClassName");
    ck_slice_eq(content.job_patch->labels[1].value, "high");
    ck_slice_eq(content.job_patch->annotations[0].key, "kai.scheduler/batch-min-member");
    ck_slice_eq(content.job_patch->annotations[0].value, "4");
    ck_slice_eq(node_string(node_at(content.predictions[0].manifest, "spec.queue")), "ours");
    kai_close(&call);
}
END_TEST

START_TEST(created_groups_have_their_own_name)
{
    struct kai_call call;
    struct plan_content content;

    kai_open(&call, KAI_TORCHTUNE, TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    content = render(&call);
    ck_assert_uint_eq(content.num_objects, 3);
    ck_assert_uint_eq(content.num_predictions, 0);
    ck_slice_eq(shown_name(&call), "llama.ml");
    kai_close(&call);
}
END_TEST

/* The plan shows the parts of a group that is made here. */
static const struct {
    const char *runtime;
    const char *release;
    const char *subgroups;
} parts[] = {
    {KAI_TORCH, "v0.17.0", "[]"},
    {KAI_TORCHTUNE, "v0.17.0", "[]"},
    {KAI_MPI, "v0.17.0",
     "[{\"name\":\"node\",\"minimum\":3,\"roles\":[\"node\"],\"subgroups\":[]},"
     "{\"name\":\"launcher\",\"minimum\":0,\"roles\":[\"launcher\"],\"subgroups\":[]}]"},
};

START_TEST(lists_the_parts_of_the_group)
{
    struct kai_call call;
    struct builder list;

    kai_open(&call, parts[_i].runtime, TRAINJOB(""), parts[_i].release, NULL, COMPATIBILITY_NONE);
    list = build_list(call.front.arena);
    kai_open_state(&call);
    kai_backend.list_subgroups(&call.call, &list);
    ck_assert_str_eq(job_print(call.front.arena, list.node), parts[_i].subgroups);
    kai_close(&call);
}
END_TEST

START_TEST(loses_the_superseded_timeout)
{
    struct kai_call call;
    struct plan_losses losses;
    struct report unheard;

    kai_open(&call, KAI_SUPERSEDED, TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    report_init(&unheard, call.front.arena, &standard_limits);
    losses = backend_find_losses(&kai_backend, &call.call, &unheard);
    ck_assert_uint_eq(losses.count, 1);
    ck_slice_eq(losses.items[0].field, "scheduleTimeoutSeconds");
    ck_slice_eq(losses.items[0].value, "30");
    kai_close(&call);
}
END_TEST

/* ---- kai mode ---- */

#define RENDER "{'minMemberAnnotation':'Render'}"
#define DELEGATE "{'podGroup':'Delegate'}"
#define CREATE "{'podGroup':'Create'}"

/* Who makes the PodGroup: of the options, the release and the start order. */
static const struct {
    const char *runtime;
    const char *release; /* NULL: not known */
    const char *options;
    int maker;
    const char *findings;
} modes[] = {
    {KAI_TORCH, NULL, NULL, KAI_DELEGATE, "ReleaseAssumed"},
    {KAI_TORCH, "v0.18.0", NULL, KAI_DELEGATE, "ReleaseAssumed"},
    {KAI_TORCH, "v0.16.1", NULL, KAI_DELEGATE, ""},
    {KAI_TORCH, "v0.16.8", NULL, KAI_DELEGATE, "KaiIgnoresFinished"},
    {KAI_TORCH, "v0.17.0", NULL, KAI_DELEGATE, "KaiIgnoresFinished"},
    {KAI_TORCH, "v0.15.3", NULL, KAI_CREATE, "KaiGroupCreated"},
    {KAI_TORCH, "v0.14.7", NULL, KAI_DELEGATE, ""},
    {KAI_TORCH, "v0.12.0", NULL, KAI_DELEGATE, "KaiDelegateNoGang"},
    {KAI_TORCHTUNE, NULL, NULL, KAI_CREATE, "ReleaseAssumed KaiGroupCreated"},
    {KAI_TORCHTUNE, "v0.17.1", NULL, KAI_CREATE, "KaiGroupCreated"},
    {KAI_TORCHTUNE, "v0.14.7", NULL, KAI_DELEGATE, "KaiDelegateStuck"},
    {KAI_MPI, "v0.16.1", NULL, KAI_CREATE, "KaiGroupCreated"},
    {KAI_TORCHTUNE, "v0.16.1", DELEGATE, KAI_DELEGATE, "KaiDelegateStuck"},
    {KAI_TORCHTUNE, "v0.15.3", DELEGATE, KAI_DELEGATE, "KaiDelegateNoGang"},
    {KAI_TORCH, "v0.16.1", DELEGATE, KAI_DELEGATE, ""},
    {KAI_TORCH, "v0.16.1", CREATE, KAI_CREATE, ""},
    {KAI_TORCHTUNE, "v0.16.1", CREATE, KAI_CREATE, ""},
    {KAI_TORCH, "v0.14.7", CREATE, KAI_CREATE, "KaiCreateUnsupported"},
    {KAI_TORCH, "v0.15.3", RENDER, KAI_DELEGATE, "KaiMinMember"},
    {KAI_MPI, "v0.14.7", RENDER, KAI_DELEGATE, "KaiMinMember"},
    {KAI_MPI, "v0.15.3", RENDER, KAI_DELEGATE, "KaiMinMember"},
    {KAI_MPI, "v0.13.4", RENDER, KAI_DELEGATE, "KaiDelegateStuck"},
    {KAI_TORCHTUNE, "v0.15.3", RENDER, KAI_CREATE, "KaiGroupCreated"},
    {KAI_MPI, "v0.16.1", RENDER, KAI_CREATE, "KaiGroupCreated"},
};

START_TEST(decides_who_makes_the_group)
{
    struct kai_call call;
    struct kai_mode mode;

    kai_open(&call, modes[_i].runtime, TRAINJOB(""), modes[_i].release, modes[_i].options,
             COMPATIBILITY_NONE);
    mode = kai_mode_decide(&call.call, call.front.arena);
    kai_mode_report(&mode, &call.call, &call.front.report);
    ck_assert_msg((int)mode.maker == modes[_i].maker &&
                      !strcmp(kai_findings(&call), modes[_i].findings),
                  "case %d: made by %d, %s", _i, (int)mode.maker, kai_findings(&call));
    kai_close(&call);
}
END_TEST

/* In compatibility libgang does what the operator's proposal does, and problems are warnings. */
START_TEST(delegates_in_compatibility)
{
    struct kai_call call;
    struct kai_mode mode;

    kai_open(&call, KAI_TORCHTUNE, TRAINJOB(""), "v0.16.1", _i ? CREATE : RENDER,
             COMPATIBILITY_KUBEFLOW_TRAINER);
    mode = kai_mode_decide(&call.call, call.front.arena);
    kai_mode_report(&mode, &call.call, &call.front.report);
    ck_assert_int_eq(mode.maker, KAI_DELEGATE);
    ck_assert_int_eq(kai_finding(&call, GANG_CODE_KAI_DELEGATE_STUCK)->severity,
                     GANG_SEVERITY_WARNING);
    kai_close(&call);
}
END_TEST

START_TEST(does_not_render_the_annotation_in_compatibility)
{
    struct kai_call call;

    kai_open(&call, KAI_TORCH, TRAINJOB(""), "v0.15.3", RENDER, COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_uint_eq(kai_mode_decide(&call.call, call.front.arena).marks.min_member.len, 0);
    kai_close(&call);
}
END_TEST

/* Each message names the rule and the way out. */
static const struct {
    const char *runtime;
    const char *release;
    const char *options;
    enum gang_code code;
    const char *message;
    const char *hint; /* NULL: none */
} messages[] = {
    {KAI_MPI, "v0.16.8", DELEGATE, GANG_CODE_KAI_DELEGATE_STUCK,
     "KAI v0.16.8 never starts all pods of the job: KAI schedules the podgrouper's group only when "
     "2 of its 2 roles have all their pods, not counting finished ones, and then 1 have; "
     "\"launcher\" waits for "
     "\"node\" to be "
     "Ready",
     "set podGroup: Create or Auto in the policy"},
    {KAI_TORCH, "v0.15.3", DELEGATE, GANG_CODE_KAI_DELEGATE_NO_GANG,
     "KAI v0.15.3 does not schedule the job as a gang: the podgrouper's group requires 1 pods, and "
     "the gang needs 4",
     "set podGroup: Create or Auto in the policy; or annotate the JobSet "
     "kai.scheduler/batch-min-member: "
     "\"4\", "
     "which minMemberAnnotation: Render in the policy does"},
    {KAI_MPI, "v0.14.7", NULL, GANG_CODE_KAI_DELEGATE_STUCK,
     "KAI v0.14.7 never starts all pods of the job: the podgrouper's group waits for 4 pods, of "
     "which 3 "
     "exist; "
     "\"launcher\" waits for \"node\" to be Ready",
     "upgrade KAI to v0.15 or later, where libgang can create the PodGroup; or annotate the JobSet "
     "kai.scheduler/batch-min-member: \"3\", which minMemberAnnotation: Render in the policy does"},
    {KAI_TORCHTUNE, "v0.13.4", NULL, GANG_CODE_KAI_DELEGATE_STUCK,
     "KAI v0.13.4 never starts all pods of the job: the podgrouper's group waits for 6 pods, of "
     "which 2 "
     "exist; "
     "\"node\" waits for \"dataset-initializer\" to be Complete",
     "upgrade KAI to v0.15 or later, where libgang can create the PodGroup"},
    {KAI_TORCH, NULL, NULL, GANG_CODE_RELEASE_ASSUMED,
     "the release of KAI is unknown; libgang assumes v0.17.0, the newest that it knows",
     "set components.kai in the GangCluster"},
    {KAI_TORCH, "v0.18.0", NULL, GANG_CODE_RELEASE_ASSUMED,
     "this release of KAI is newer than v0.17.0, the newest that libgang knows, and is assumed to "
     "do the same",
     NULL},
    {KAI_TORCH, "v0.14.0", CREATE, GANG_CODE_KAI_CREATE_UNSUPPORTED,
     "Invalid value: \"Create\": KAI v0.14.0 moves the pods to its own PodGroup, whatever labels "
     "they have",
     "set podGroup: Delegate or Auto, or upgrade KAI to v0.15 or later"},
    {KAI_TORCH, "v0.16.8", NULL, GANG_CODE_KAI_IGNORES_FINISHED,
     "this release of KAI ignores finished pods: it evicts the gang a minute after its first "
     "pod "
     "succeeds, if others still run",
     "upgrade KAI to v0.17.1 or later"},
    {KAI_TORCH, "v0.17.0", NULL, GANG_CODE_KAI_IGNORES_FINISHED,
     "this release of KAI ignores finished pods: it evicts the gang a minute after its first "
     "pod "
     "succeeds, if others still run",
     "upgrade KAI, or annotate the trainjob kai.scheduler/staleness-grace-period: \"-1s\""},
    {KAI_TORCH, "v0.15.3", RENDER, GANG_CODE_KAI_MIN_MEMBER,
     "the JobSet is annotated kai.scheduler/batch-min-member: \"4\", without which KAI v0.15.3 "
     "does not schedule it as a gang",
     NULL},
    {KAI_RUNTIME("", NO_ML, ROLE("node", "'replicas':10000,", PLAIN, "", NODE_POD)), "v0.16.1",
     DELEGATE, GANG_CODE_KAI_NOT_PREDICTED,
     "the podgrouper's PodGroup is not shown: it has more than 10000 subgroups", NULL},
    {KAI_RUNTIME("'metadata':{'annotations':{'kai.scheduler/batch-min-member':'1'}},", NO_ML,
                 ROLE("node", "", PLAIN, "'parallelism':3,", NODE_POD) "," ROLE(
                     "z-launcher", "'dependsOn':[{'name':'node','status':'Ready'}],",
                     LABEL("trainer"), "", NODE_POD)),
     "v0.16.1", DELEGATE, GANG_CODE_KAI_DELEGATE_EVICTED,
     "KAI v0.16.1 may evict the gang: the group is stale while role \"z-launcher\" has no pods, "
     "and evicted after a minute",
     "set podGroup: Create or Auto in the policy"},
};

START_TEST(message_has_reason_and_hint)
{
    const struct gang_diagnostic *finding;
    struct kai_call call;
    struct kai_mode mode;

    kai_open(&call, messages[_i].runtime, TRAINJOB(""), messages[_i].release, messages[_i].options,
             COMPATIBILITY_NONE);
    mode = kai_mode_decide(&call.call, call.front.arena);
    kai_mode_report(&mode, &call.call, &call.front.report);
    finding = kai_finding(&call, messages[_i].code);
    ck_assert_str_eq(finding->message, messages[_i].message);
    if (messages[_i].hint)
        ck_assert_str_eq(finding->hint, messages[_i].hint);
    else
        ck_assert_ptr_null(finding->hint);
    kai_close(&call);
}
END_TEST

/* An annotation of one's own is left as it is, and one that the podgrouper cannot read is not
 * mended. */
static const char *const annotated[] = {"2", "x"};

START_TEST(leaves_a_written_annotation_alone)
{
    struct kai_call call;
    char trainjob[DOCUMENT_SIZE];

    snprintf(trainjob, sizeof(trainjob),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'TrainJob','metadata':{'name':'llama',"
             "'annotations':{'kai.scheduler/"
             "batch-min-member':'%s'}},'spec':{'runtimeRef':{'name':'tune'}}}",
             annotated[_i]);
    kai_open(&call, KAI_TORCH, trainjob, "v0.15.3", RENDER, COMPATIBILITY_NONE);
    ck_assert_uint_eq(kai_mode_decide(&call.call, call.front.arena).marks.min_member.len, 0);
    kai_close(&call);
}
END_TEST

/* A gang that asks not to be evicted is not warned of, nor is one of a single pod. */
static const struct {
    const char *runtime;
    const char *grace;
    bool warns;
} graces[] = {
    {KAI_TORCH, "-1s", false},
    {KAI_TORCH, "5m", true},
    {KAI_TORCH, "x", true},
    {KAI_RUNTIME("", NO_ML, NODE_ROLE), "5m", false},
};

START_TEST(detects_staleness_grace_period_that_disables_eviction)
{
    struct kai_call call;
    struct kai_mode mode;
    char trainjob[DOCUMENT_SIZE];

    snprintf(trainjob, sizeof(trainjob),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'TrainJob','metadata':{'name':'llama',"
             "'annotations':{'kai.scheduler/"
             "staleness-grace-period':'%s'}},'spec':{'runtimeRef':{'name':'tune'}}}",
             graces[_i].grace);
    kai_open(&call, graces[_i].runtime, trainjob, "v0.17.0", NULL, COMPATIBILITY_NONE);
    mode = kai_mode_decide(&call.call, call.front.arena);
    kai_mode_report(&mode, &call.call, &call.front.report);
    ck_assert_str_eq(kai_findings(&call), graces[_i].warns ? "KaiIgnoresFinished" : "");
    kai_close(&call);
}
END_TEST

/* ---- kai update ---- */

#define EXTERNAL                                                                                   \
    "{'topology':'external-assigned-topology','requiredTopologyLevel':'rack','"                    \
    "preferredTopologyLevel':'"                                                                    \
    "zone'}"
#define WORKLOAD                                                                                   \
    "{'topology':'workload-topology','requiredTopologyLevel':'node','preferredTopologyLevel':'"    \
    "rack'}"

/* KAI-Scheduler:pkg/podgrouper/podgroup/handler_test.go Test_ignoreFields_TopologyConstraint, and
 * the release before it. */
static const struct {
    const char *name, *release, *old, *new, *result;
} topologies[] = {
    {"new has none", "v0.17.0", EXTERNAL, "{}", EXTERNAL},
    {"new has topology", "v0.17.0", EXTERNAL, WORKLOAD, WORKLOAD},
    {"both empty", "v0.17.0", "{}", "{}", "{}"},
    {"old empty", "v0.17.0", "{}", WORKLOAD, WORKLOAD},
    {"new has a level but no topology name", "v0.17.0", EXTERNAL,
     "{'preferredTopologyLevel':'node'}", EXTERNAL},
    {"of no known release the newest", NULL, EXTERNAL, "{}", EXTERNAL},
    {"since #1771", "v0.16.1", EXTERNAL, "{}", EXTERNAL},
    {"before it", "v0.16.0", EXTERNAL, "{}", "{}"},
    {"old has none", "v0.17.0", NULL, "{}", NULL},
};

START_TEST(test_ignore_fields_topology_constraint)
{
    struct update_run run = update_open(&kai_backend, false, topologies[_i].release);
    const char *old = update_member(&run, "topologyConstraint", topologies[_i].old);
    const char *new = update_member(&run, "topologyConstraint", topologies[_i].new);
    const char *result = update_member(&run, "topologyConstraint", topologies[_i].result);

    update_check_spec(&run, "{'minMember':4", new, "{'minMember':4", old, "{'minMember':4", result);
    update_close(&run);
}
END_TEST

/* handler.go and updater.go: what of a spec stays, and what becomes what is computed. */
static const struct update_row specs[] = {
    {"queue stays", "{'minMember':4,'queue':'new'}", "{'minMember':4,'queue':'old'}",
     "{'minMember':4,'queue':'old'}", false, 1},
    {"no queue stays none", "{'minMember':4,'queue':'new'}", "{'minMember':4}", "{'minMember':4}",
     false, 1},
    {"same queue", "{'minMember':4,'queue':'q'}", "{'minMember':4,'queue':'q'}",
     "{'minMember':4,'queue':'q'}", false, 0},
    {"markUnschedulable and schedulingBackoff stay", "{'minMember':4}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}", false, 0},
    {"and whatever were computed",
     "{'minMember':4,'markUnschedulable':false,'schedulingBackoff':1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}", false, 2},
    {"minMember", "{'minMember':4}", "{'minMember':2}", "{'minMember':4}", true, 0},
    {"minSubGroup instead of minMember",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':0}]}",
     "{'minMember':2,'subGroups':[{'name':'a','minMember':1}]}",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':0}]}", true,
     0},
    {"priority, preemptibility and delays",
     "{'minMember':4,'priorityClassName':'high','preemptibility':'preemptible','preemptionDelay':'"
     "5m','"
     "stalenessGracePeriod':'1m'}",
     "{'minMember':4,'priorityClassName':'low','preemptibility':'non-preemptible'}",
     "{'minMember':4,'priorityClassName':'high','preemptibility':'preemptible','preemptionDelay':'"
     "5m',"
     "'stalenessGracePeriod':'1m'}",
     true, 0},
    {"gone", "{'minMember':4}",
     "{'minMember':4,'priorityClassName':'low','preemptibility':'preemptible','preemptionDelay':'"
     "5m'}",
     "{'minMember':4}", true, 0},
    {"minMember instead of minSubGroup", "{'minMember':4}",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1}]}", "{'minMember':4}", true, 0},
    {"topology of a subgroup", "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'t'}}]}",
     "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'u'}}]}",
     "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'t'}}]}", true, 0},
    {"order of subgroups", "{'subGroups':[{'name':'a'},{'name':'b'}]}",
     "{'subGroups':[{'name':'b'},{'name':'a'}]}", "{'subGroups':[{'name':'a'},{'name':'b'}]}", true,
     0},
    /* a computed flat group carries an empty list, and the podgrouper then writes it at every
       reconcile; we do not */
    {"an empty list is none", "{'minMember':4,'subGroups':[]}", "{'minMember':4}",
     "{'minMember':4}", false, 0},
    {"an empty constraint is none",
     "{'minMember':4,'subGroups':[{'name':'a','topologyConstraint':{}}]}",
     "{'minMember':4,'subGroups':[{'name':'a'}]}", "{'minMember':4,'subGroups':[{'name':'a'}]}",
     false, 0},
    {"no minimum is not 0", "{'subGroups':[{'name':'a','minMember':0}]}",
     "{'subGroups':[{'name':'a'}]}", "{'subGroups':[{'name':'a','minMember':0}]}", true, 0},
    {"fields stand as in a new one, then those of others",
     "{'minMember':4,'minSubGroup':1,'queue':'q','priorityClassName':'p','preemptibility':'"
     "preemptible',"
     "'topologyConstraint':{'topology':'t'},'subGroups':[{'name':'a','minMember':4}],'"
     "preemptionDelay':'5m',"
     "'stalenessGracePeriod':'1m'}",
     "{'later':1,'schedulingBackoff':-1,'markUnschedulable':true,'stalenessGracePeriod':'1m',"
     "'preemptionDelay':'5m','subGroups':[{'name':'a','minMember':4}],'topologyConstraint':{'"
     "topology':'t'},"
     "'preemptibility':'preemptible','priorityClassName':'p','queue':'q','minSubGroup':1,'"
     "minMember':4}",
     "{'minMember':4,'minSubGroup':1,'queue':'q','priorityClassName':'p','preemptibility':'"
     "preemptible',"
     "'topologyConstraint':{'topology':'t'},'subGroups':[{'name':'a','minMember':4}],'"
     "preemptionDelay':'5m',"
     "'stalenessGracePeriod':'1m','markUnschedulable':true,'schedulingBackoff':-1,'later':1}",
     false, 0},
    {"a field that is not known here", "{'minMember':4}", "{'minMember':4,'later':1}",
     "{'minMember':4,'later':1}", false, 0},
};

START_TEST(update_keeps_fields_of_the_podgrouper)
{
    struct update_run run = update_open(&kai_backend, false, NULL);

    update_check(&run, &specs[_i]);
    update_close(&run);
}
END_TEST

#define GROVE_LIVE                                                                                 \
    "'subGroups':[{'name':'encoder','minMember':2},{'name':'decoder','minMember':3}],'queue':'"    \
    "team-a'"

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go: CreateAndUpdate, and what is not
 * kept there. */
static const struct update_row grove_specs[] = {
    {"CreateAndUpdate",
     "{'minMember':7,'queue':'team-b','subGroups':[{'name':'encoder','minMember':4},{'name':'"
     "decoder','"
     "minMember':3}]}",
     "{'minMember':5," GROVE_LIVE "}",
     "{'minMember':7,'queue':'team-a','subGroups':[{'name':'encoder','minMember':4},{'name':'"
     "decoder','"
     "minMember':3}]}",
     true, 1},
    {"topology is not kept", "{'minMember':5,'topologyConstraint':{}," GROVE_LIVE "}",
     "{'minMember':5,'topologyConstraint':{'topology':'t'}," GROVE_LIVE "}",
     "{'minMember':5,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'encoder','"
     "minMember':2},{"
     "'name':'decoder',"
     "'minMember':3}]}",
     true, 0},
    {"preemptibility and delays are not kept", "{'minMember':5}",
     "{'minMember':5,'preemptibility':'preemptible','preemptionDelay':'5m','stalenessGracePeriod':'"
     "5m','"
     "markUnschedulable':true,"
     "'schedulingBackoff':1}",
     "{'minMember':5,'markUnschedulable':true,'schedulingBackoff':1}", true, 0},
};

START_TEST(update_keeps_fields_of_grove)
{
    struct update_run run = update_open(&kai_backend, true, NULL);

    update_check(&run, &grove_specs[_i]);
    update_close(&run);
}
END_TEST

#define POOL "'kai.scheduler/node-pool'"
#define QUEUE "'kai.scheduler/queue'"

/* Labels and annotations are merged and never taken away; those of pool and queue stay. `metadata`
 * in and out. */
static const struct {
    const char *name;
    bool is_grouped;
    const char *rendered, *live, *result;
    bool is_changed;
} pairs[] = {
    {"podGroupsEqual: live has extra label and annotation", true,
     "{'labels':{'a':'1'},'annotations':{'b':'2'}}",
     "{'labels':{'a':'1','x':'y'},'annotations':{'b':'2','z':'w'}}",
     "{'labels':{'a':'1','x':'y'},'annotations':{'b':'2','z':'w'}}", false},
    {"podGroupsEqual: source-label stale", true, "{'labels':{'source-label':'new'}}",
     "{'labels':{'source-label':'old'}}", "{'labels':{'source-label':'new'}}", true},
    {"updatePodGroup", true,
     "{'labels':{'source-label':'s'},'annotations':{'source-annotation':'t'}}",
     "{'labels':{" POOL ":'np'}}",
     "{'labels':{" POOL ":'np','source-label':'s'},'annotations':{'source-annotation':'t'}}", true},
    {"a label that is gone stays", true, "{}", "{'labels':{'a':'1'}}", "{'labels':{'a':'1'}}",
     false},
    {"pool stays", false, "{'labels':{" POOL ":'new'}}", "{'labels':{" POOL ":'old'}}",
     "{'labels':{" POOL ":'old'}}", false},
    {"pool is not added", false, "{'labels':{" POOL ":'new','a':'1'}}", "{'labels':{'a':'1'}}",
     "{'labels':{'a':'1'}}", false},
    {"but by Grove", true, "{'labels':{" POOL ":'new'}}", "{}", "{'labels':{" POOL ":'new'}}",
     true},
    {"and stays with Grove when there is one", true, "{'labels':{" POOL ":'new'}}",
     "{'labels':{" POOL ":'old'}}", "{'labels':{" POOL ":'old'}}", false},
    {"queue stays", false, "{'labels':{" QUEUE ":'new'}}", "{'labels':{" QUEUE ":'old'}}",
     "{'labels':{" QUEUE ":'old'}}", false},
    {"queue is added", false, "{'labels':{" QUEUE ":'new'}}", "{}", "{'labels':{" QUEUE ":'new'}}",
     true},
    {"queue stays with Grove when there is one", true, "{'labels':{" QUEUE ":'new'}}",
     "{'labels':{" QUEUE ":'old'}}", "{'labels':{" QUEUE ":'old'}}", false},
    {"an empty one is none", true, "{'labels':{" QUEUE ":'new'}}", "{'labels':{" QUEUE ":''}}",
     "{'labels':{" QUEUE ":'new'}}", true},
    {"queue is added by Grove", true, "{'labels':{" QUEUE ":'new'}}", "{}",
     "{'labels':{" QUEUE ":'new'}}", true},
    {"owners become those of Grove", true, "{'ownerReferences':[{'uid':'a'}]}",
     "{'ownerReferences':[{'uid':'a'},{'uid':'b'}]}", "{'ownerReferences':[{'uid':'a'}]}", true},
    {"owners become those computed", false, "{'ownerReferences':[{'uid':'a'}]}",
     "{'ownerReferences':[{'uid':'a'},{'uid':'b'}]}", "{'ownerReferences':[{'uid':'a'}]}", true},
    {"and nothing when there are none", false, "{}", "{'ownerReferences':[{'uid':'b'}]}",
     "{'ownerReferences':[{'uid':'b'}]}", false},
};

START_TEST(merges_labels_and_annotations)
{
    struct update_run run = update_open(&kai_backend, pairs[_i].is_grouped, NULL);
    struct update_result result = update_of(&run, pairs[_i].rendered, "{}", pairs[_i].live, "{}");

    update_check_text(&run, node_member(result.manifest, SLICE("metadata")), pairs[_i].result);
    ck_assert_int_eq(result.is_changed, pairs[_i].is_changed);
    update_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_what_goes_wrong, checks, runtime, trainjob, release);
    tcase_add_test(cases, skips_verdict_for_a_gang_with_errors);
    tcase_add_test(cases, delegates_with_labels_and_a_prediction);
    tcase_add_test(cases, patches_the_job);
    tcase_add_test(cases, created_groups_have_their_own_name);
    add_rows(cases, lists_the_parts_of_the_group, parts, runtime, release);
    tcase_add_test(cases, loses_the_superseded_timeout);
    add_rows(cases, decides_who_makes_the_group, modes, runtime, release, options);
    tcase_add_loop_test(cases, delegates_in_compatibility, 0, 2);
    tcase_add_test(cases, does_not_render_the_annotation_in_compatibility);
    add_rows(cases, message_has_reason_and_hint, messages, runtime, release, options);
    add_items(cases, leaves_a_written_annotation_alone, annotated);
    add_rows(cases, detects_staleness_grace_period_that_disables_eviction, graces, runtime, grace);
    add_rows(cases, test_ignore_fields_topology_constraint, topologies, name, release, old);
    add_rows(cases, update_keeps_fields_of_the_podgrouper, specs, name, rendered, live);
    add_rows(cases, update_keeps_fields_of_grove, grove_specs, name, rendered, live);
    add_rows(cases, merges_labels_and_annotations, pairs, name, is_grouped, rendered);
}
