/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/document/finding.h"

#include "unit/job.h"
#include "unit/kai_calls.h"

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
START_TEST(does_not_judge_a_gang_with_errors)
{
    struct kai_call call;

    kai_open(&call, KAI_TORCH, TRAINJOB(""), "v0.12.0", NULL, COMPATIBILITY_NONE);
    find_note(&call.front.report, GANG_CODE_START_ORDER_CYCLE, call.front.gang.roles[0].source,
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
    struct backend_view view = {.name = call->call.gang->name};

    kai_backend.show(&call->call, call->front.arena, &view);
    return view.name;
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

/* A queue that a policy sets against the trainjob's label, and the annotation, stand on the JobSet.
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

START_TEST(creates_groups_under_a_name_of_their_own)
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
    struct plan_content content;

    kai_open(&call, KAI_SUPERSEDED, TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    content = render(&call);
    ck_assert_uint_eq(content.num_losses, 1);
    ck_slice_eq(content.losses[0].field, "scheduleTimeoutSeconds");
    ck_slice_eq(content.losses[0].value, "30");
    kai_close(&call);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_what_goes_wrong, checks, runtime, trainjob, release);
    tcase_add_test(cases, does_not_judge_a_gang_with_errors);
    tcase_add_test(cases, delegates_with_labels_and_a_prediction);
    tcase_add_test(cases, patches_the_job);
    tcase_add_test(cases, creates_groups_under_a_name_of_their_own);
    add_rows(cases, lists_the_parts_of_the_group, parts, runtime, release);
    tcase_add_test(cases, loses_the_superseded_timeout);
}
