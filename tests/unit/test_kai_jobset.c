/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/podgrouper/kai_grouping.h"

#include "unit/kai_calls.h"

static const struct release v0_17 = {.is_known = true, .minor = 17};

static struct slice
label_of(const struct kai_metadata *metadata, const char *key)
{
    return node_string(node_member(metadata->labels, slice_from_text(key)));
}

/* What the operator makes of runtime and trainjob: counts, metadata of the template with later
 * patches over earlier ones. */
START_TEST(reads_the_jobset_that_the_operator_makes)
{
    struct kai_call call;
    struct kai_job job;
    const struct kai_marks no_marks = {.queue_on_job = false};

    kai_open(
        &call,
        KAI_RUNTIME(
            "'metadata':{'labels':{'a':'runtime','b':'runtime'},'annotations':{'n':'1'}},",
            ML("'numNodes':4"),
            ROLE("node", "",
                 "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'},"
                 "'annotations':{'leaf':'l'}},",
                 "", NODE_POD) "," ROLE("worker", "'replicas':3,", PLAIN, "'parallelism':2,",
                                        NODE_POD)),
        TRAINJOB(PATCHES(PATCH_METADATA("one", "'labels':{'a':'one'}") "," PATCH_METADATA(
            "two", "'labels':{'a':'two'}"))),
        "v0.17.0", NULL, COMPATIBILITY_NONE);
    job = kai_jobset_read(&call.call, &v0_17, &no_marks, call.front.arena);
    ck_slice_eq(job.name, "llama");
    ck_slice_eq(job.namespace_, "ml");
    ck_assert(!slice_is_set(job.jobset_uid));
    ck_assert_int_eq(job.order, KAI_ORDER_ANY);
    ck_assert_uint_eq(job.num_roles, 2);
    ck_assert_int_eq(job.roles[0].replicas.value, 1);
    ck_assert_int_eq(job.roles[0].parallelism.value, 4);
    ck_assert_int_eq(job.roles[0].completions.value, 4);
    ck_slice_eq(node_string(node_member(job.roles[0].annotations, SLICE("leaf"))), "l");
    ck_assert_int_eq(job.roles[1].replicas.value, 3);
    ck_assert_int_eq(job.roles[1].parallelism.value, 2);
    ck_slice_eq(label_of(&job.jobset, "a"), "two");
    ck_slice_eq(label_of(&job.jobset, "b"), "runtime");
    ck_slice_eq(node_string(node_member(job.jobset.annotations, SLICE("n"))), "1");
    ck_assert_ptr_null(job.trainjob.labels);
    kai_close(&call);
}
END_TEST

START_TEST(knows_the_order)
{
    struct kai_call call;
    const struct kai_marks no_marks = {.queue_on_job = false};

    kai_open(&call,
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':"
             "'tune'},'spec':{'template':{'spec':{'startupPolicy':{'startupPolicyOrder':'InOrder'},"
             "'replicatedJobs':[" NODE_ROLE "]}}}}",
             TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    ck_assert_int_eq(kai_jobset_read(&call.call, &v0_17, &no_marks, call.front.arena).order,
                     KAI_ORDER_IN_ORDER);
    kai_close(&call);
}
END_TEST

START_TEST(carries_the_marks)
{
    struct kai_call call;
    struct kai_job job;
    const struct kai_marks marks = {
        .queue = SLICE("research"), .queue_on_job = true, .min_member = SLICE("4")};

    kai_open(&call, KAI_TORCH, TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    job = kai_jobset_read(&call.call, &v0_17, &marks, call.front.arena);
    ck_slice_eq(label_of(&job.jobset, "kai.scheduler/queue"), "research");
    ck_slice_eq(label_of(&job.roles[0].pod, "kai.scheduler/queue"), "research");
    ck_slice_eq(
        node_string(node_member(job.jobset.annotations, SLICE("kai.scheduler/batch-min-member"))),
        "4");
    kai_close(&call);
}
END_TEST

/* A label of the job stands before the pods', so one that says something else needs the JobSet's.
 */
static const struct {
    const char *template; /* label of the runtime's template; NULL: none */
    const char *trainjob;
    const char *queue; /* that was chosen; "" for none */
    bool on_job;
} labels[] = {
    {NULL, NULL, "q", false},   {NULL, "q", "q", false},   {NULL, "other", "q", true},
    {"q", "other", "q", false}, {"other", "q", "q", true}, {"other", NULL, "", false},
};

START_TEST(puts_the_queue_where_it_is_heard)
{
    struct arena *arena = arena_new(0);
    const char *metadata =
        labels[_i].template
            ? arena_format(arena, "'metadata':{'labels':{'kai.scheduler/queue':'%s'}},",
                           labels[_i].template)
            : "";
    const char *of_trainjob =
        labels[_i].trainjob
            ? arena_format(arena, ",'labels':{'kai.scheduler/queue':'%s'}", labels[_i].trainjob)
            : "";
    char runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];
    struct kai_marks marks;
    struct kai_call call;

    snprintf(runtime, sizeof(runtime),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':"
             "'tune'},'spec':{'template':{%s'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}",
             metadata);
    snprintf(trainjob, sizeof(trainjob),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'TrainJob','metadata':{'name':'llama'%s},"
             "'spec':{'runtimeRef':{'name':'tune'}}}",
             of_trainjob);
    kai_open(&call, runtime, trainjob, "v0.17.0", NULL, COMPATIBILITY_NONE);
    call.front.gang.queue = slice_from_text(labels[_i].queue);
    marks = kai_jobset_marks(&call.call, &v0_17, call.front.arena);
    ck_slice_eq(marks.queue, labels[_i].queue);
    ck_assert_int_eq(marks.queue_on_job, labels[_i].on_job);
    kai_close(&call);
    arena_free(arena);
}
END_TEST

/* A class that a policy gives stands against a label of the job. */
static const struct {
    const char *label; /* of the trainjob; NULL: none */
    bool gives;
    const char *on_job; /* "" for none */
} priorities[] = {{NULL, true, ""}, {"low", true, "high"}, {"high", true, ""}, {"low", false, ""}};

START_TEST(puts_the_priority_where_it_is_heard)
{
    char trainjob[DOCUMENT_SIZE];
    struct kai_marks marks;
    struct kai_call call;

    snprintf(trainjob, sizeof(trainjob),
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'TrainJob','metadata':{'name':'llama'%s%s%s},"
             "'spec':{'runtimeRef':{'name':'tune'}}}",
             priorities[_i].label ? ",'labels':{'priorityClassName':'" : "",
             priorities[_i].label ? priorities[_i].label : "", priorities[_i].label ? "'}" : "");
    kai_open(&call, KAI_TORCH, trainjob, "v0.17.0", NULL, COMPATIBILITY_NONE);
    call.front.gang.gives_priority = priorities[_i].gives;
    call.front.gang.priority_class_name = SLICE("high");
    marks = kai_jobset_marks(&call.call, &v0_17, call.front.arena);
    ck_slice_eq(marks.priority, priorities[_i].on_job);
    ck_slice_eq(
        kai_jobset_read(&call.call, &v0_17, &marks, call.front.arena).roles[0].pod_priority_class,
        priorities[_i].gives ? "high" : "");
    kai_close(&call);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, reads_the_jobset_that_the_operator_makes);
    tcase_add_test(cases, knows_the_order);
    tcase_add_test(cases, carries_the_marks);
    add_rows(cases, puts_the_priority_where_it_is_heard, priorities, label);
    add_rows(cases, puts_the_queue_where_it_is_heard, labels, template, trainjob);
}
