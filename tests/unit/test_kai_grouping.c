/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/kai_jobs.h"
#include "unit/kai_calls.h"

/* ---- kai grouping ---- */

#define INVALID "invalid kai.scheduler/batch-min-member annotation "

enum {
    OWNER = KAI_SHAPE_OWNER,
    ONE = KAI_SHAPE_ONE,
    PER_ROLE = KAI_SHAPE_PER_ROLE,
    TREE = KAI_SHAPE_TREE
};
enum { ANY = KAI_ORDER_ANY, IN_ORDER = KAI_ORDER_IN_ORDER };

/*
 * Source:
 * pkg/podgrouper/podgrouper/plugins/jobset/{jobset_grouper,legacy_grouper}_test.go@d5bc503a, and
 * the history of the plugin at the tags.
 */
static const struct {
    const char *name;
    const char *release;
    int order;
    const char *roles;
    const char *annotation;
    int shape;
    int root;
    const char *minima; /* of the roles, where they count */
    const char *failure;
} groupings[] = {
    {"worker(1,4)", "main", ANY, "worker(1,4)", NULL, TREE, 1, "4", NULL},
    {"worker(3,4)", "main", ANY, "worker(3,4)", NULL, TREE, 1, "4", NULL},
    {"leader and worker", "main", ANY, "leader(1,1) worker(2,4)", NULL, TREE, 2, "1 4", NULL},
    {"leader and worker, InOrder", "main", IN_ORDER, "leader(1,1) worker(2,4)", NULL, TREE, 1,
     "1 4", NULL},
    {"annotation 2 of 3", "main", ANY, "a(1,1) b(1,1) c(1,1)", "2", TREE, 2, "1 1 1", NULL},
    {"annotation clamped", "main", ANY, "a(1,1) b(1,1)", "9", TREE, 2, "1 1", NULL},
    {"annotation beats InOrder", "main", IN_ORDER, "a(1,1) b(1,1)", "2", TREE, 2, "1 1", NULL},
    {"annotation not-an-int", "main", ANY, "a(1,1)", "not-an-int", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"not-an-int\": invalid syntax"},
    {"annotation 0", "main", ANY, "a(1,1)", "0", TREE, 1, "1",
     INVALID "on JobSet: value 0 must be >= 1"},
    {"annotation empty", "main", ANY, "a(1,1)", "", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"\": invalid syntax"},
    {"annotation a sign", "main", ANY, "a(1,1)", "-", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"-\": invalid syntax"},
    {"annotation two signs", "main", ANY, "a(1,1)", "+-1", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"+-1\": invalid syntax"},
    {"annotation beyond int32", "main", ANY, "a(1,1)", "2147483648", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"2147483648\": value out of range"},
    {"annotation beyond int64", "main", ANY, "a(1,1)", "99999999999999999999", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"99999999999999999999\": value out of range"},
    {"annotation below int32", "main", ANY, "a(1,1)", "-2147483649", TREE, 1, "1",
     INVALID "on JobSet: strconv.ParseInt: parsing \"-2147483649\": value out of range"},
    {"annotation +2", "main", ANY, "a(1,1) b(1,1) c(1,1)", "+2", TREE, 2, "1 1 1", NULL},
    {"annotation 02", "main", ANY, "a(1,1) b(1,1) c(1,1)", "02", TREE, 2, "1 1 1", NULL},
    {"template 5 of 8", "main", ANY, "worker(1,8)=5", NULL, TREE, 1, "5", NULL},
    {"template 10 of 2", "main", ANY, "worker(1,2)=10", NULL, TREE, 1, "10", NULL},
    {"template abc", "main", ANY, "worker(1,2)=abc", NULL, TREE, 1, "2",
     INVALID "on replicatedJob template: strconv.ParseInt: parsing \"abc\": invalid syntax"},
    {"template 0", "main", ANY, "worker(1,2)=0", NULL, TREE, 1, "2",
     INVALID "on replicatedJob template: value 0 must be >= 1"},
    {"template empty", "main", ANY, "worker(1,2)=", NULL, TREE, 1, "2", NULL},
    {"both wrong: the JobSet's", "main", ANY, "worker(1,2)=0", "0", TREE, 1, "2",
     INVALID "on JobSet: value 0 must be >= 1"},
    {"replicas and parallelism 0", "main", ANY, "worker(0,0)", NULL, TREE, 1, "1", NULL},
    {"v0.12", "v0.12.23", ANY, "worker(2,4)", "3", OWNER, 1, NULL, NULL},
    {"v0.12 InOrder", "v0.12.23", IN_ORDER, "worker(2,4)", NULL, OWNER, 1, NULL, NULL},
    {"v0.13", "v0.13.4", ANY, "leader(1,1) worker(2,4)", "3", ONE, 9, NULL, NULL},
    {"v0.14.0 does not read it", "v0.14.0", ANY, "worker(2,4)", "3", ONE, 8, NULL, NULL},
    {"v0.14.1 reads it", "v0.14.1", ANY, "worker(2,4)", "3", ONE, 3, NULL, NULL},
    {"v0.14 passes over 0", "v0.14.7", ANY, "worker(2,4)", "0", ONE, 8, NULL, NULL},
    {"v0.14 worker 2x4 InOrder", "v0.14.7", IN_ORDER, "leader(1,1) worker(2,4)", NULL, PER_ROLE, 9,
     "1 8", NULL},
    {"v0.14 one value for all", "v0.14.7", IN_ORDER, "leader(1,1) worker(2,4)", "3", PER_ROLE, 3,
     "3 3", NULL},
    {"v0.14 leader 1, worker 8", "v0.14.7", ANY, "leader(1,1) worker(1,8)", NULL, ONE, 9, NULL,
     NULL},
    {"legacy: 1 unless asked", "v0.15.3", ANY, "worker(2,4)", NULL, ONE, 1, NULL, NULL},
    {"legacy: annotation 3", "v0.15.3", ANY, "worker(2,4)", "3", ONE, 3, NULL, NULL},
    {"v0.15 takes 0", "v0.15.3", ANY, "worker(2,4)", "0", ONE, 0, NULL, NULL},
    {"v0.15 takes -1", "v0.15.3", ANY, "worker(2,4)", "-1", ONE, -1, NULL, NULL},
    {"legacy: leader and worker InOrder", "v0.15.3", IN_ORDER, "leader(1,1) worker(2,4)", NULL,
     PER_ROLE, 1, "1 1", NULL},
    {"v0.15 not an int", "v0.15.3", ANY, "worker(2,4)", "x", ONE, 1, NULL,
     INVALID "value: strconv.ParseInt: parsing \"x\": invalid syntax"},
    {"v0.15 does not read templates", "v0.15.3", ANY, "worker(1,8)=5", NULL, ONE, 1, NULL, NULL},
};

START_TEST(groups_like_the_podgrouper)
{
    struct arena *arena = arena_new(0);
    struct kai_job job =
        kai_job_of(arena, groupings[_i].release, (enum kai_order)groupings[_i].order,
                   groupings[_i].roles, groupings[_i].annotation);
    struct kai_grouping grouping = kai_grouping_of(&job, arena);
    const char *minima = "";

    for (size_t i = 0; i < job.num_roles; i++)
        minima =
            arena_format(arena, "%s%s%lld", minima, i ? " " : "", (long long)grouping.minima[i]);
    ck_assert_msg((int)grouping.shape == groupings[_i].shape, "%s: shape %d", groupings[_i].name,
                  (int)grouping.shape);
    ck_assert_msg(grouping.root == groupings[_i].root, "%s: root %lld", groupings[_i].name,
                  (long long)grouping.root);
    ck_assert_msg(!groupings[_i].minima || !strcmp(minima, groupings[_i].minima), "%s: minima %s",
                  groupings[_i].name, minima);
    ck_assert_msg(
        slice_equal(slice_from_text(grouping.failure), slice_from_text(groupings[_i].failure)),
        "%s: failure %s", groupings[_i].name, grouping.failure ? grouping.failure : "none");
    arena_free(arena);
}
END_TEST

/*
 * From v0.16 on, with a PodGroup without subgroups in the cluster. Source:
 * pkg/podgrouper/podgrouper/plugins/jobset/legacy_grouper_test.go@d5bc503a
 */
static const struct {
    const char *release;
    int order;
    const char *annotation;
    int shape;
    int root;
    const char *minima;
    bool is_refused;
} flat_groups[] = {
    {"main", ANY, NULL, ONE, 1, "1 1", false},
    {"v0.16.0", ANY, NULL, ONE, 1, "1 1", false},
    {"v0.17.0", IN_ORDER, NULL, PER_ROLE, 1, "1 1", false},
    {"main", ANY, "3", ONE, 3, "3 3", false},
    {"main", ANY, "x", ONE, 1, "1 1", true},
    {"v0.14.7", ANY, NULL, ONE, 9, "1 8", false},
};

START_TEST(keeps_the_shape_of_a_flat_group)
{
    struct arena *arena = arena_new(0);
    struct kai_job job =
        kai_job_of(arena, flat_groups[_i].release, (enum kai_order)flat_groups[_i].order,
                   "leader(1,1) worker(2,4)", flat_groups[_i].annotation);
    struct kai_grouping grouping;

    job.stays_flat = true;
    grouping = kai_grouping_of(&job, arena);
    ck_assert_int_eq((int)grouping.shape, flat_groups[_i].shape);
    ck_assert_int_eq(grouping.root, flat_groups[_i].root);
    ck_assert_str_eq(arena_format(arena, "%lld %lld", (long long)grouping.minima[0],
                                  (long long)grouping.minima[1]),
                     flat_groups[_i].minima);
    ck_assert_int_eq(grouping.failure != NULL, flat_groups[_i].is_refused);
    arena_free(arena);
}
END_TEST

START_TEST(jobset_has_precedence_over_trainjob)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "main", KAI_ORDER_ANY, "a(1,1) b(1,1) c(1,1)", NULL);

    job.trainjob.annotations = kai_tree(arena, "{'kai.scheduler/batch-min-member':'2'}");
    ck_assert_int_eq(kai_grouping_of(&job, arena).root, 2);
    job.jobset.annotations = kai_tree(arena, "{'kai.scheduler/batch-min-member':'1'}");
    ck_assert_int_eq(kai_grouping_of(&job, arena).root, 1);
    arena_free(arena);
}
END_TEST

/* ---- kai jobset ---- */

static const struct release v0_17 = {.is_known = true, .minor = 17};

static struct slice
label_of(const struct kai_metadata *metadata, const char *key)
{
    return node_string(node_member(metadata->labels, slice_from_text(key)));
}

/* What the operator makes of runtime and trainjob: counts, metadata of the template with later
 * patches over earlier ones. */
START_TEST(reads_the_jobset_of_the_operator)
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
    ck_assert(!job.in_order);
    ck_assert_uint_eq(job.num_roles, 2);
    ck_assert_int_eq(job.roles[0].replicas, 1);
    ck_assert_int_eq(job.roles[0].pods, 4);
    ck_slice_eq(node_string(node_member(job.roles[0].annotations, SLICE("leaf"))), "l");
    ck_assert_int_eq(job.roles[1].replicas, 3);
    ck_assert_int_eq(job.roles[1].pods, 2);
    ck_slice_eq(label_of(&job.jobset, "a"), "two");
    ck_slice_eq(label_of(&job.jobset, "b"), "runtime");
    ck_slice_eq(node_string(node_member(job.jobset.annotations, SLICE("n"))), "1");
    ck_assert_ptr_null(job.trainjob.labels);
    kai_close(&call);
}
END_TEST

START_TEST(start_order_of_the_jobset)
{
    struct kai_call call;
    const struct kai_marks no_marks = {.queue_on_job = false};

    kai_open(&call,
             "{'apiVersion':'trainer.kubeflow.org/"
             "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':"
             "'tune'},'spec':{'template':{'spec':{'startupPolicy':{'startupPolicyOrder':'InOrder'},"
             "'replicatedJobs':[" NODE_ROLE "]}}}}",
             TRAINJOB(""), "v0.17.0", NULL, COMPATIBILITY_NONE);
    ck_assert(kai_jobset_read(&call.call, &v0_17, &no_marks, call.front.arena).in_order);
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

/* A label of the job has precedence over the pods', so another value needs the JobSet's label. */
static const struct {
    const char *template; /* label of the runtime's template; NULL: none */
    const char *trainjob;
    const char *queue; /* that was chosen; "" for none */
    bool on_job;
} labels[] = {
    {NULL, NULL, "q", false},   {NULL, "q", "q", false},   {NULL, "other", "q", true},
    {"q", "other", "q", false}, {"other", "q", "q", true}, {"other", NULL, "", false},
};

START_TEST(sets_the_queue_where_the_podgrouper_reads_it)
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

/* A priority class of a policy conflicts with a label of the job. */
static const struct {
    const char *label; /* of the trainjob; NULL: none */
    bool gives;
    const char *on_job; /* "" for none */
} priorities[] = {{NULL, true, ""}, {"low", true, "high"}, {"high", true, ""}, {"low", false, ""}};

START_TEST(sets_the_priority_where_the_podgrouper_reads_it)
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
    add_rows(cases, groups_like_the_podgrouper, groupings, name, release, roles);
    add_rows(cases, keeps_the_shape_of_a_flat_group, flat_groups, release, order, annotation);
    tcase_add_test(cases, jobset_has_precedence_over_trainjob);
    tcase_add_test(cases, reads_the_jobset_of_the_operator);
    tcase_add_test(cases, start_order_of_the_jobset);
    tcase_add_test(cases, carries_the_marks);
    add_rows(cases, sets_the_priority_where_the_podgrouper_reads_it, priorities, label);
    add_rows(cases, sets_the_queue_where_the_podgrouper_reads_it, labels, template, trainjob);
}
