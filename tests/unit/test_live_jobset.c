/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/reconcile.h"
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
    struct live_mark mark = live_jobset_mark(workload_tree(arena, marks[_i].role));

    if (marks[_i].scheduler) {
        ck_slice_eq(mark.scheduler->name, marks[_i].scheduler);
        ck_slice_eq(mark.group, marks[_i].group);
    } else {
        ck_assert_ptr_null(mark.scheduler);
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
                                           &difference);

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

    ck_assert_int_eq(slice_is_set(patch_group(&patch)), patches[_i].group != NULL);
    if (patches[_i].group)
        ck_slice_eq(patch_group(&patch), patches[_i].group);
    ck_assert(!slice_is_set(patch_group(NULL)));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_the_mark_of_a_template, marks, role);
    add_rows(cases, compares_templates_with_patches, differences, patch, role);
    add_rows(cases, compares_counts, counts, role, wanted);
    add_rows(cases, knows_the_group_of_a_patch, patches, patch);
}
