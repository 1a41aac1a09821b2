/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/reconcile.h"

#include "unit/pod_groups.h"
#include "unit/suite.h"
#include "unit/workloads.h"

#define ROLE(metadata, spec)                                                                       \
    "{'name':'node','template':{'spec':{'template':{'metadata':{" metadata "},'spec':{" spec "}}}" \
    "}}"
#define LABEL(value) "'labels':{'scheduling.x-k8s.io/pod-group':'" value "'}"
#define GROUPED(value) "'annotations':{'scheduling.k8s.io/group-name':'" value "'}"

/* The mark of each scheduler, as its own plugin reads it. */
static const struct {
    const char *role, *scheduler, *group;
} marks[] = {
    {ROLE("", ""), NULL, NULL},
    {"{'name':'node'}", NULL, NULL},
    {ROLE(LABEL("a"), ""), "coscheduling", "a"},
    {ROLE(LABEL(""), ""), NULL, NULL},
    {ROLE(GROUPED("a"), ""), "volcano", "a"},
    {ROLE("'labels':{'scheduling.k8s.io/group-name':'a'}", ""), NULL, NULL},
    {ROLE("'annotations':{'pod-group-name':'a'}", ""), "kai", "a"},
    {ROLE("", "'schedulingGroup':{'podGroupName':'a'}"), "workload", "a"},
    {ROLE("", "'workloadRef':{'name':'a','podGroup':'b'}"), "workload", "a"},
};

START_TEST(reads_the_mark_of_a_template)
{
    struct arena *arena = arena_new(0);
    const struct node *role = workload_tree(arena, marks[_i].role);
    struct slice group;
    const struct descriptor *scheduler =
        live_group_named_by(node_at(role, "template.spec.template"), &group);

    if (marks[_i].scheduler) {
        ck_slice_eq(scheduler->name, marks[_i].scheduler);
        ck_slice_eq(group, marks[_i].group);
    } else {
        ck_assert_ptr_null(scheduler);
    }
    arena_free(arena);
}
END_TEST

/* What a patch may say, by letters: l a label, a an annotation, s the scheduler, d the default
 * scheduler, c the class, g the group of Kubernetes' own gangs, w that of v1alpha1. */
static struct gang_patch
patch_in_letters(const char *letters)
{
    struct gang_patch patch = {.role = SLICE("node")};

    for (; *letters; letters++) {
        if (*letters == 'l')
            plan_patch_label(&patch, SLICE("scheduling.x-k8s.io/pod-group"), SLICE("a"));
        else if (*letters == 'a')
            plan_patch_annotation(&patch, SLICE("scheduling.k8s.io/group-name"), SLICE("a"));
        else if (*letters == 's' || *letters == 'd')
            patch.scheduler_name = *letters == 's' ? SLICE("s") : SLICE("default-scheduler");
        else if (*letters == 'c')
            patch.priority_class_name = SLICE("c");
        else if (*letters == 'g')
            patch.scheduling_group = SLICE("a");
        else
            patch.workload_ref = (struct plan_workload_ref){SLICE("a"), SLICE("b")};
    }
    return patch;
}

/*
 * kubernetes-sigs/jobset@v0.12.0:pkg/webhooks/jobset_webhook.go ValidateUpdate: while the JobSet is
 * suspended, labels and annotations of the pods may change, and nothing else that a plan sets.
 */
static const struct {
    const char *patch, *role;
    bool runs, stopped; /* whether they differ if the JobSet runs, and if it is suspended */
    const char *member, *wanted;
} differences[] = {
    {"", ROLE("", ""), false, false, NULL, NULL},
    {"", ROLE(GROUPED("a"), ""), true, false, "scheduling.k8s.io/group-name", NULL},
    {"", ROLE("", "'schedulingGroup':{'podGroupName':'a'}"), true, true, "podGroupName", NULL},
    {"", ROLE("'labels':{'kai.scheduler/queue':'q'}", "'schedulerName':'x'"), false, false, NULL,
     NULL},
    {"ls", ROLE(LABEL("a"), "'schedulerName':'s'"), false, false, NULL, NULL},
    {"ls", ROLE(LABEL("a") "," GROUPED("a"), "'schedulerName':'s'"), true, false,
     "scheduling.k8s.io/group-name", NULL},
    {"ls", ROLE(LABEL("b"), "'schedulerName':'s'"), true, false, "scheduling.x-k8s.io/pod-group",
     "a"},
    {"ls", ROLE("", "'schedulerName':'s'"), true, false, "scheduling.x-k8s.io/pod-group", "a"},
    {"ls", ROLE(LABEL("a"), "'schedulerName':'x'"), true, true, "schedulerName", "s"},
    {"ls", ROLE(LABEL("a"), ""), true, true, "schedulerName", "s"},
    {"d", ROLE("", ""), false, false, NULL, NULL},
    {"d", ROLE("", "'schedulerName':'x'"), true, true, "schedulerName", "default-scheduler"},
    {"as", ROLE(GROUPED("a"), "'schedulerName':'s'"), false, false, NULL, NULL},
    {"a", ROLE(GROUPED("b"), ""), true, false, "scheduling.k8s.io/group-name", "a"},
    {"c", ROLE("", "'priorityClassName':'c'"), false, false, NULL, NULL},
    {"c", ROLE("", ""), true, true, "priorityClassName", "c"},
    {"g", ROLE("", "'schedulingGroup':{'podGroupName':'a'}"), false, false, NULL, NULL},
    {"g", ROLE("", "'schedulingGroup':{'podGroupName':'b'}"), true, true, "podGroupName", "a"},
    {"g", ROLE("", ""), true, true, "schedulingGroup.podGroupName", "a"},
    {"w", ROLE("", "'workloadRef':{'name':'a','podGroup':'b'}"), false, false, NULL, NULL},
    {"w",
     ROLE("", "'workloadRef':{'name':'a','podGroup':'b'},'schedulingGroup':{'podGroupName':'a'}"),
     true, true, "podGroupName", NULL},
    {"w", ROLE("", "'workloadRef':{'name':'a','podGroup':'c'}"), true, true, "podGroup", "b"},
};

START_TEST(compares_templates_with_patches)
{
    struct arena *arena = arena_new(0);
    const struct node *role = workload_tree(arena, differences[_i].role);
    const struct gang_patch patch = patch_in_letters(differences[_i].patch);

    for (int stopped = 0; stopped < 2; stopped++) {
        const struct live_jobset jobset = {.is_suspended = stopped};
        struct live_difference difference;
        bool differs = live_jobset_differs(&jobset, role, differences[_i].patch[0] ? &patch : NULL,
                                           arena, &difference);

        ck_assert_int_eq(differs, stopped ? differences[_i].stopped : differences[_i].runs);
        if (!differs)
            continue;
        ck_slice_eq(difference.at ? node_key(difference.at) : difference.member,
                    differences[_i].member);
        ck_assert_int_eq(slice_is_set(difference.wanted), differences[_i].wanted != NULL);
        if (differences[_i].wanted)
            ck_slice_eq(difference.wanted, differences[_i].wanted);
    }
    arena_free(arena);
}
END_TEST

/* kubernetes-sigs/jobset@v0.12.0: replicas of Jobs with parallelism pods each, both 1 by default.
 */
static const struct {
    const char *role;
    int64_t wanted;
    bool differ;
} counts[] = {
    {"{'template':{'spec':{'parallelism':4}}}", 4, false},
    {"{'template':{'spec':{'parallelism':4}}}", 5, true},
    {"{'template':{'spec':{'parallelism':4}}}", 3, true},
    {"{'replicas':2,'template':{'spec':{'parallelism':4}}}", 8, false},
    {"{'replicas':2,'template':{'spec':{'parallelism':4}}}", 4, true},
    {"{'replicas':2,'template':{'spec':{'parallelism':4}}}", 9, true},
    {"{'replicas':3}", 3, false},
    {"{'template':{'spec':{}}}", 1, false},
    {"{}", 1, false},
    {"{}", 2, true},
    {"{'replicas':0}", 1, true},
    {"{'template':{'spec':{'parallelism':'4'}}}", 4, true},
};

START_TEST(compares_counts)
{
    struct arena *arena = arena_new(0);
    const struct node *role = workload_tree(arena, counts[_i].role);
    struct live_difference difference = {.at = NULL};

    ck_assert_int_eq(live_jobset_counts_differ(role, counts[_i].wanted, arena, &difference),
                     counts[_i].differ);
    ck_assert_int_eq(slice_is_set(difference.wanted), counts[_i].differ);
    ck_assert_int_eq(difference.parent != NULL, counts[_i].differ);
    arena_free(arena);
}
END_TEST

static const struct {
    const char *patch, *group;
} patches[] = {
    {"", NULL}, {"sc", NULL}, {"l", "a"}, {"a", "a"}, {"g", "a"}, {"w", "a"},
};

START_TEST(knows_the_group_of_a_patch)
{
    const struct gang_patch patch = patch_in_letters(patches[_i].patch);
    struct arena *arena = arena_new(0);
    const struct node *pod = pod_patch_apply(&patch, NULL, POD_LAYOUT_POD, arena);
    struct slice group;

    ck_assert_int_eq(live_group_named_by(pod, &group) != NULL, patches[_i].group != NULL);
    if (patches[_i].group)
        ck_slice_eq(group, patches[_i].group);
    arena_free(arena);
}
END_TEST

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

/* A JobSet with two roles: eight pods of the second one, and `more` in it. */
#define JOBSET_OF_TWO(state, first, second, more, metadata)                                        \
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'my-job',"        \
    "'namespace':'ml','uid':'js-1'" OURS "},'spec':{" state "'replicatedJobs':[{'name':'" first    \
    "','template':{'spec':{'template':{'metadata':{" metadata "},'spec':{" V_NAME                  \
    "}}}}},{'name':'" second "'" more                                                              \
    ",'template':{'spec':{'parallelism':8,'template':{'metadata':{" V_MARK "},'spec':{" V_NAME     \
    "}}}}}]}}\n"
#define IN_ORDER "'startupPolicy':{'startupPolicyOrder':'InOrder'},"

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
    /* and so are the roles: the pods of one are not created, or those of another wait, too */
    {V, NULL, NULL, NULL,
     JOBSET_OF_TWO(RUNS, "eval", "node", "", V_MARK) VOLCANO_GROUP(OURS, "'minMember':9"),
     PODGROUP(Leave), "GangKept ObjectHeldBack", NULL},
    {V, NULL, NULL, NULL, JOBSET_OF_TWO(RUNS, "eval", "node", "", V_MARK), PODGROUP(Conflict),
     "JobSetFrozen", NULL},
    {V, SUSPENDED, NULL, NULL,
     JOBSET_OF_TWO(STOPPED, "eval", "node", "", V_MARK) VOLCANO_GROUP(OURS, "'minMember':9"),
     PODGROUP(Conflict), "JobSetFrozen", NULL},
    {V, NULL, NULL, NULL,
     JOBSET_OF_TWO(RUNS, "init", "node", "", "") VOLCANO_GROUP(OURS, "'minMember':4"),
     PODGROUP(Apply), "", NULL},
    {V, NULL, NULL, NULL,
     JOBSET_OF_TWO(RUNS, "init", "work", "", "") VOLCANO_GROUP(OURS, "'minMember':4"),
     PODGROUP(Leave), "GangKept GangKept ObjectHeldBack", NULL},
    {V, NULL, NULL, NULL, JOBSET_OF_TWO(RUNS, "init", "work", "", ""), PODGROUP(Conflict),
     "JobSetFrozen JobSetFrozen", NULL},
    /* and the start order, by which pods count that come later */
    {V, NULL, NULL, NULL,
     JOBSET_OF_TWO(RUNS, "init", "node", ",'dependsOn':[{'name':'init','status':'Complete'}]", "")
         VOLCANO_GROUP(OURS, "'minMember':4"),
     PODGROUP(Leave), "GangKept ObjectHeldBack", NULL},
    {V, NULL, NULL, NULL,
     JOBSET_OF_TWO(RUNS IN_ORDER, "init", "node", "", "") VOLCANO_GROUP(OURS, "'minMember':4"),
     PODGROUP(Leave), "GangKept ObjectHeldBack", NULL},
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
    add_rows(cases, reads_the_mark_of_a_template, marks, role);
    add_rows(cases, compares_templates_with_patches, differences, patch, role);
    add_rows(cases, compares_counts, counts, role, wanted);
    add_rows(cases, knows_the_group_of_a_patch, patches, patch);
    add_rows(cases, knows_the_pods_of_the_jobset, frozen_pods, gang_policy, trainjob, live);
}
