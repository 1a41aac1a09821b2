/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/podgrouper/kai_grouping.h"

#include "unit/kai_jobs.h"

#define INVALID "invalid kai.scheduler/batch-min-member annotation "

enum {
    OWNER = KAI_SHAPE_OWNER,
    ONE = KAI_SHAPE_ONE,
    PER_ROLE = KAI_SHAPE_PER_ROLE,
    TREE = KAI_SHAPE_TREE
};
enum { UNSET = KAI_ORDER_UNSET, ANY = KAI_ORDER_ANY, IN_ORDER = KAI_ORDER_IN_ORDER };

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
    {"replicas and parallelism absent", "main", ANY, "worker(-,-)", NULL, TREE, 1, "1", NULL},
    {"replicas and parallelism 0", "main", ANY, "worker(0,0)", NULL, TREE, 1, "1", NULL},
    {"order unset", "main", UNSET, "a(1,1) b(1,1)", NULL, TREE, 2, "1 1", NULL},
    {"v0.12", "v0.12.23", ANY, "worker(2,4)", "3", OWNER, 1, NULL, NULL},
    {"v0.12 InOrder", "v0.12.23", IN_ORDER, "worker(2,4)", NULL, OWNER, 1, NULL, NULL},
    {"v0.13", "v0.13.4", ANY, "leader(1,1) worker(2,4)", "3", ONE, 9, NULL, NULL},
    {"v0.13 unset", "v0.13.4", UNSET, "leader(1,1) worker(2,4)", NULL, PER_ROLE, 9, "1 8", NULL},
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

START_TEST(groups_as_the_podgrouper_does)
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

/* A Job keeps no more pods than it wants to see completed; 0 completions count as none. */
static const struct {
    int completions;
    int root;
} completions[] = {{2, 6}, {8, 12}, {0, 12}};

START_TEST(counts_no_more_pods_than_completions)
{
    struct arena *arena = arena_new(0);
    struct kai_job job = kai_job_of(arena, "v0.14.7", KAI_ORDER_ANY, "worker(3,4)", NULL);
    struct kai_job_role role = job.roles[0];

    role.completions = KAI_MINIMUM(completions[_i].completions);
    job.roles = &role;
    ck_assert_int_eq(kai_grouping_of(&job, arena).root, completions[_i].root);
    arena_free(arena);
}
END_TEST

START_TEST(the_jobset_stands_before_the_trainjob)
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

void
add_tests(TCase *cases)
{
    add_rows(cases, groups_as_the_podgrouper_does, groupings, name, release, roles);
    add_rows(cases, counts_no_more_pods_than_completions, completions, completions);
    tcase_add_test(cases, the_jobset_stands_before_the_trainjob);
}
