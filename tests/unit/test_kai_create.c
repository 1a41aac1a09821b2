/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/document/writer.h"
#include "support/kai_webhook.h"
#include "unit/kai_calls.h"
#include "unit/kai_jobs.h"

#define CREATE "{'podGroup':'Create'}"
#define COPIED_GROUP(name_, copied, spec_)                                                         \
    "{'apiVersion':'scheduling.run.ai/v2alpha2','kind':'PodGroup','metadata':{'name':'" name_      \
    "','namespace':'ml'" copied "},'spec':{" spec_ "}}"
#define GROUP(name_, spec_) COPIED_GROUP(name_, "", spec_)
#define OUTSIDE(role) GROUP(role ".llama.ml", "'minMember':1,'queue':'default-queue'")

static const char *
objects_of(const struct plan_content *content, struct arena *arena)
{
    struct buffer out = {0};
    struct slice text;

    for (size_t i = 0; i < content->num_objects; i++)
        json_write(&out, content->objects[i].manifest);
    buffer_append_byte(&out, '\0');
    text = arena_copy(arena, (struct slice){out.data, out.len});
    buffer_clear(&out);
    return text.data;
}

static const char *
marks_of(const struct plan_content *content, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < content->num_patches; i++) {
        const struct gang_patch *patch = &content->patches[i];

        text = arena_format(arena, "%s%s%.*s:", text, i ? " " : "", SLICE_ARG(patch->role));
        for (size_t k = 0; k < patch->num_annotations; k++)
            text = arena_format(arena, "%s%.*s=%.*s,", text, SLICE_ARG(patch->annotations[k].key),
                                SLICE_ARG(patch->annotations[k].value));
        for (size_t k = 0; k < patch->num_labels; k++)
            text = arena_format(arena, "%s%.*s=%.*s,", text, SLICE_ARG(patch->labels[k].key),
                                SLICE_ARG(patch->labels[k].value));
    }
    return text;
}

#define MARKS(role, group) role ":kai.scheduler/skip-podgrouper=true,pod-group-name=" group ","
#define SUBGROUP(role) "kai.scheduler/subgroup-name=" role ","

/* The layouts that were seen to start, and to hold when a pod is missing. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *release;
    const char *objects;
    const char *marks;
} layouts[] = {
    {KAI_TORCH, TRAINJOB(""), "v0.17.0", GROUP("llama.ml", "'minMember':4,'queue':'default-queue'"),
     MARKS("node", "llama.ml")},
    {KAI_TORCHTUNE, TRAINJOB(""), "v0.15.0",
     GROUP("llama.ml", "'minMember':4,'queue':'default-queue'") OUTSIDE("dataset-initializer")
         OUTSIDE("model-initializer"),
     MARKS("dataset-initializer", "dataset-initializer.llama.ml") " " MARKS(
         "model-initializer", "model-initializer.llama.ml") " " MARKS("node", "llama.ml")},
    {KAI_RUNTIME("", NO_ML,
                 KAI_INITIALIZER("dataset-initializer") "," ROLE(
                     "node", "'dependsOn':[{'name':'dataset-initializer','status':'Complete'}],",
                     PLAIN, "'parallelism':3,",
                     NODE_POD) "," ROLE("launcher",
                                        "'dependsOn':[{'name':'node','status':'Ready'}],",
                                        LABEL("trainer"), "", NODE_POD)),
     TRAINJOB(""), "v0.17.0",
     GROUP("llama.ml",
           "'queue':'default-queue','subGroups':[{'name':'node','minMember':3},{'name':'launcher',"
           "'minMember':0}]") OUTSIDE("dataset-initializer"),
     MARKS("dataset-initializer", "dataset-initializer.llama.ml") " " MARKS("node", "llama.ml")
         SUBGROUP("node") " " MARKS("launcher", "llama.ml") SUBGROUP("launcher")},
    {KAI_MPI, TRAINJOB(""), "v0.16.8",
     GROUP("llama.ml",
           "'queue':'default-queue','subGroups':[{'name':'node','minMember':3},{'name':'launcher',"
           "'minMember':0}]"),
     MARKS("node", "llama.ml") SUBGROUP("node") " " MARKS("launcher", "llama.ml")
         SUBGROUP("launcher")},
    {KAI_RUNTIME(
         "'metadata':{'labels':{'priorityClassName':'high','kai.scheduler/"
         "preemptibility':'preemptible'},"
         "'annotations':{'kai.scheduler/topology':'t','kai.scheduler/preemption-delay':'1m',"
         "'kai.scheduler/staleness-grace-period':'2m'}},",
         ML("'numNodes':4"), NODE_ROLE),
     TRAINJOB(""), "v0.17.0",
     COPIED_GROUP("llama.ml",
                  ",'labels':{'kai.scheduler/preemptibility':'preemptible','priorityClassName':"
                  "'high'},'annotations':{'kai.scheduler/preemption-delay':'1m',"
                  "'kai.scheduler/staleness-grace-period':'2m','kai.scheduler/topology':'t'}",
                  "'minMember':4,'queue':'default-queue','priorityClassName':'high',"
                  "'preemptibility':'preemptible','topologyConstraint':{'topology':'t'},"
                  "'preemptionDelay':'1m0s','stalenessGracePeriod':'2m0s'"),
     MARKS("node", "llama.ml")},
    {KAI_RUNTIME(
         "'metadata':{'annotations':{'kubectl.kubernetes.io/last-applied-configuration':'x'}},",
         ML("'numNodes':4"), NODE_ROLE),
     TRAINJOB(""), "v0.17.0", GROUP("llama.ml", "'minMember':4,'queue':'default-queue'"),
     MARKS("node", "llama.ml")},
    /* the marks of a template that is in the group already */
    {KAI_RUNTIME("'metadata':{'labels':{'kai.scheduler/subgroup-name':'node'},'annotations':{"
                 "'pod-group-name':'llama.ml','kai.scheduler/skip-podgrouper':'true'}},",
                 ML("'numNodes':4"), NODE_ROLE),
     TRAINJOB(""), "v0.17.0", GROUP("llama.ml", "'minMember':4,'queue':'default-queue'"),
     MARKS("node", "llama.ml")},
    {KAI_RUNTIME(
         "'metadata':{'annotations':{'kai.scheduler/preemption-delay':'1m'}},", ML("'numNodes':4"),
         ROLE("node", "",
              "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'},"
              "'annotations':{'kai.scheduler/topology':'t',"
              "'kai.scheduler/topology-required-placement':'rack'}},",
              "", "'priorityClassName':'train'," NODE_POD)),
     TRAINJOB(""), "v0.16.8",
     COPIED_GROUP("llama.ml", ",'annotations':{'kai.scheduler/preemption-delay':'1m'}",
                  "'minMember':4,'queue':'default-queue','priorityClassName':'train',"
                  "'topologyConstraint':{'requiredTopologyLevel':'rack','topology':'t'}"),
     MARKS("node", "llama.ml")},
};

START_TEST(makes_groups_that_start)
{
    struct plan_content content;
    struct kai_call call;
    struct kai_created_groups groups;
    struct kai_mode mode;

    kai_open(&call, layouts[_i].runtime, layouts[_i].trainjob, layouts[_i].release, CREATE,
             COMPATIBILITY_NONE);
    mode = kai_mode_decide(&call.call, call.front.arena);
    ck_assert(plan_content_init(&content, call.front.arena, &call.front.gang));
    groups = kai_create_groups(&mode, &call.call, call.front.arena);
    kai_create_render(&groups, &mode, &call.call, &content);
    ck_assert_str_eq(objects_of(&content, call.front.arena),
                     kai_spell(call.front.arena, layouts[_i].objects));
    ck_assert_str_eq(marks_of(&content, call.front.arena), layouts[_i].marks);
    for (size_t i = 0; i < groups.count; i++)
        kai_webhook_admits(&groups.items[i].group, &mode.release, call.front.arena);
    kai_close(&call);
}
END_TEST

/* KAI ignores the minimum of a group with subgroups, so another minimum of the job is flat. */
START_TEST(a_minimum_of_the_job_has_no_subgroups)
{
    static const struct {
        int64_t minimum;
        size_t subgroups;
        int64_t member;
    } wanted[] = {{0, 2, 0}, {3, 2, 0}, {2, 0, 2}};
    struct kai_call call;
    struct kai_created_groups groups;
    struct kai_mode mode;

    kai_open(&call, KAI_MPI, TRAINJOB(""), "v0.16.8", CREATE, COMPATIBILITY_NONE);
    call.front.wishes.minimum = wanted[_i].minimum;
    if (wanted[_i].minimum)
        call.front.gang.minimum = wanted[_i].minimum;
    mode = kai_mode_decide(&call.call, call.front.arena);
    groups = kai_create_groups(&mode, &call.call, call.front.arena);
    ck_assert_uint_eq(groups.count, 1);
    ck_assert_uint_eq(groups.items[0].group.num_subgroups, wanted[_i].subgroups);
    ck_assert_int_eq(groups.items[0].group.min_member.is_set, wanted[_i].subgroups == 0);
    if (!wanted[_i].subgroups)
        ck_assert_int_eq(groups.items[0].group.min_member.value, wanted[_i].member);
    kai_close(&call);
}
END_TEST

START_TEST(uses_the_chosen_queue)
{
    struct kai_call call;
    struct kai_mode mode;
    struct kai_created_groups groups;

    kai_open(&call, KAI_TORCHTUNE, TRAINJOB(""), "v0.17.0", CREATE, COMPATIBILITY_NONE);
    call.front.gang.queue = SLICE("research");
    mode = kai_mode_decide(&call.call, call.front.arena);
    groups = kai_create_groups(&mode, &call.call, call.front.arena);
    ck_assert_uint_eq(groups.count, 3);
    for (size_t i = 0; i < groups.count; i++)
        ck_slice_eq(groups.items[i].group.queue, "research");
    ck_assert_ptr_null(groups.items[0].role);
    ck_slice_eq(groups.items[1].role->name, "dataset-initializer");
    kai_close(&call);
}
END_TEST

START_TEST(names_the_group_for_all_namespaces)
{
    struct arena *arena = arena_new(0);
    struct gang_wishes wishes = {.owner = {.name = SLICE("llama"), .namespace_ = SLICE("ml")}};
    const struct gang gang = {.wishes = &wishes, .name = SLICE("llama")};

    ck_slice_eq(kai_create_name(&gang, arena), "llama.ml");
    wishes.owner.namespace_ = NO_SLICE;
    ck_slice_eq(kai_create_name(&gang, arena), "llama");
    arena_free(arena);
}
END_TEST

/* As KAI's webhook: a scaled PodGang of the layout Aggregate that has no podgroups. */
START_TEST(refuses_a_subgroup_without_pods)
{
    struct job job = job_make("a");
    struct gang_group groups[] = {
        {.name = SLICE("job-0"), .minimum = 1, .parent = GROUP_OF_GANG, .role = ROLE_NONE},
        {.name = SLICE("a"), .minimum = 1, .parent = 0, .role = 0},
        {.name = SLICE("job-0-sg-0"), .parent = GROUP_OF_GANG, .role = ROLE_NONE},
    };
    struct gang_wishes wishes = {.owner.name_source = job.gang.roles[0].source,
                                 .is_grouped = true,
                                 .groups = groups,
                                 .minimum_groups = 2};
    const struct gang gang = {.wishes = &wishes};
    struct backend_call call = {.gang = &gang};

    for (size_t i = 0; i < COUNT_OF(groups); i++)
        groups[i].source = job.gang.roles[0].source;
    wishes.num_groups = 2;
    call.state = kai_podgang_open(&call, &job.report);
    kai_podgang_validate(&call, &job.report);
    ck_assert_uint_eq(job.report.errors, 0);
    wishes.num_groups = 3;
    call.state = kai_podgang_open(&call, &job.report);
    kai_podgang_validate(&call, &job.report);
    ck_assert_uint_eq(job.report.errors, 2);
    ck_assert_str_eq(
        job_finding(&job, GANG_CODE_KAI_GROUP_REFUSED)->message,
        "KAI's webhook would refuse the PodGroup: subgroup \"job-0-sg-0\": minSubGroup "
        "cannot be set on a leaf SubGroup (no child SubGroups)");
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, a_minimum_of_the_job_has_no_subgroups, 0, 3);
    add_rows(cases, makes_groups_that_start, layouts, runtime, trainjob, release);
    tcase_add_test(cases, uses_the_chosen_queue);
    tcase_add_test(cases, names_the_group_for_all_namespaces);
    tcase_add_test(cases, refuses_a_subgroup_without_pods);
}
