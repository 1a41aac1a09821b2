/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/kai_calls.h"

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
    {KAI_TORCH, NULL, NULL, KAI_DELEGATE, "KaiReleaseAssumed"},
    {KAI_TORCH, "v0.18.0", NULL, KAI_DELEGATE, "KaiReleaseAssumed"},
    {KAI_TORCH, "v0.16.1", NULL, KAI_DELEGATE, ""},
    {KAI_TORCH, "v0.16.8", NULL, KAI_DELEGATE, "KaiForgetsFinished"},
    {KAI_TORCH, "v0.17.0", NULL, KAI_DELEGATE, "KaiForgetsFinished"},
    {KAI_TORCH, "v0.15.3", NULL, KAI_CREATE, "KaiGroupCreated"},
    {KAI_TORCH, "v0.14.7", NULL, KAI_DELEGATE, ""},
    {KAI_TORCH, "v0.12.0", NULL, KAI_DELEGATE, "KaiDelegateNoGang"},
    {KAI_TORCHTUNE, NULL, NULL, KAI_CREATE, "KaiReleaseAssumed KaiGroupCreated"},
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

/* In compatibility only what the operator's proposal does is done, and what goes wrong is a
 * warning. */
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
     "KAI v0.16.8 never starts all of the job: the podgrouper's group is looked at only when 2 of "
     "its 2 "
     "roles "
     "have all their pods, finished ones not counted, and then 1 have; \"launcher\" waits for "
     "\"node\" to be "
     "Ready",
     "set podGroup: Create or Auto in the policy"},
    {KAI_TORCH, "v0.15.3", DELEGATE, GANG_CODE_KAI_DELEGATE_NO_GANG,
     "KAI v0.15.3 makes no gang of the job: the podgrouper's group asks for 1 pods, and the gang "
     "needs 4",
     "set podGroup: Create or Auto in the policy; or annotate the JobSet "
     "kai.scheduler/batch-min-member: "
     "\"4\", "
     "which minMemberAnnotation: Render in the policy does"},
    {KAI_MPI, "v0.14.7", NULL, GANG_CODE_KAI_DELEGATE_STUCK,
     "KAI v0.14.7 never starts all of the job: the podgrouper's group waits for 4 pods, of which 3 "
     "exist; "
     "\"launcher\" waits for \"node\" to be Ready",
     "upgrade KAI to v0.15 or later, where libgang can make the PodGroup; or annotate the JobSet "
     "kai.scheduler/batch-min-member: \"3\", which minMemberAnnotation: Render in the policy does"},
    {KAI_TORCHTUNE, "v0.13.4", NULL, GANG_CODE_KAI_DELEGATE_STUCK,
     "KAI v0.13.4 never starts all of the job: the podgrouper's group waits for 6 pods, of which 2 "
     "exist; "
     "\"node\" waits for \"dataset-initializer\" to be Complete",
     "upgrade KAI to v0.15 or later, where libgang can make the PodGroup"},
    {KAI_TORCH, NULL, NULL, GANG_CODE_KAI_RELEASE_ASSUMED,
     "the release of KAI is not known; the newest known here, v0.17.0, is assumed",
     "state components.kai in the cluster's document"},
    {KAI_TORCH, "v0.18.0", NULL, GANG_CODE_KAI_RELEASE_ASSUMED,
     "this release of KAI is newer than v0.17.0, the newest known here, and taken to do the same",
     NULL},
    {KAI_TORCH, "v0.14.0", CREATE, GANG_CODE_KAI_CREATE_UNSUPPORTED,
     "Invalid value: \"Create\": KAI v0.14.0 points the pods to its own PodGroup whatever they "
     "carry",
     "set podGroup: Delegate or Auto, or upgrade KAI to v0.15 or later"},
    {KAI_TORCH, "v0.16.8", NULL, GANG_CODE_KAI_FORGETS_FINISHED,
     "this release of KAI does not see finished pods: it evicts the gang a minute after its first "
     "pod "
     "succeeds, if others still run",
     "upgrade KAI to v0.17.1 or later"},
    {KAI_TORCH, "v0.17.0", NULL, GANG_CODE_KAI_FORGETS_FINISHED,
     "this release of KAI does not see finished pods: it evicts the gang a minute after its first "
     "pod "
     "succeeds, if others still run",
     "upgrade KAI, or annotate the trainjob kai.scheduler/staleness-grace-period: \"-1s\""},
    {KAI_TORCH, "v0.15.3", RENDER, GANG_CODE_KAI_MIN_MEMBER,
     "the JobSet is annotated kai.scheduler/batch-min-member: \"4\", without which KAI v0.15.3 "
     "makes no gang "
     "of "
     "it",
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
     "and evicted "
     "after a minute of it",
     "set podGroup: Create or Auto in the policy"},
};

START_TEST(names_the_rule_and_the_way_out)
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

START_TEST(knows_who_asks_not_to_be_evicted)
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
    ck_assert_str_eq(kai_findings(&call), graces[_i].warns ? "KaiForgetsFinished" : "");
    kai_close(&call);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, decides_who_makes_the_group, modes, runtime, release, options);
    tcase_add_loop_test(cases, delegates_in_compatibility, 0, 2);
    tcase_add_test(cases, does_not_render_the_annotation_in_compatibility);
    add_rows(cases, names_the_rule_and_the_way_out, messages, runtime, release, options);
    add_items(cases, leaves_a_written_annotation_alone, annotated);
    add_rows(cases, knows_who_asks_not_to_be_evicted, graces, runtime, grace);
}
