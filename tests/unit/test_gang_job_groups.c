/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/jobs.h"

/* Two roles in groups, and the groups. */
#define IN_GROUPS(of_a, of_b, groups)                                                              \
    GANG_JOB(JOB_ROLES(                                                                            \
        JOB_PODS(of_a) "," JOB_ROLE("b", ",'requests':{}" of_b)) ",'groups':[" groups "]")

static const struct job_verdict verdicts[] = {
    {IN_GROUPS(",'group':'g'", "", "{'name':'g'}"), false, ""},
    {IN_GROUPS(",'group':'g'", ",'group':'g'", "{'name':'g','minimum':2}"), false, ""},
    {IN_GROUPS(",'group':'h'", ",'group':'g'", "{'name':'h','parent':'g'},{'name':'g'}"), false,
     ""},
    /* names */
    {IN_GROUPS(",'group':'g'", "", "{'name':'g'},{'name':'g'}"), true,
     "DuplicateItem spec.groups[1].name"},
    {IN_GROUPS(",'group':'b'", "", "{'name':'b'}"), true, "DuplicateItem spec.groups[0].name"},
    {IN_GROUPS(",'group':'x'", ",'group':'g'", "{'name':'g'}"), true,
     "GroupNotFound spec.roles[0].group"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'group':'x'"))), true, "GroupNotFound spec.roles[0].group"},
    {IN_GROUPS(",'group':'g'", "", "{'name':'g','parent':'x'}"), true,
     "GroupNotFound spec.groups[0].parent"},
    {IN_GROUPS(",'group':'G'", "", "{'name':'G'}"), true, "InvalidName spec.groups[0].name"},
    /* it is unknown which roles are in a group without a name */
    {IN_GROUPS("", "", "{'minimum':3}"), true, "RequiredField spec.groups[0].name"},
    {IN_GROUPS(",'group':'g'", ",'group':'g'", "{},{'name':'g'}"), true,
     "RequiredField spec.groups[0].name"},
    /* the tree */
    {IN_GROUPS(",'group':'g'", "", "{'name':'g','parent':'g'}"), true,
     "GroupCycle spec.groups[0].parent"},
    {IN_GROUPS(",'group':'g'", "", "{'name':'g','parent':'h'},{'name':'h','parent':'g'}"), true,
     "GroupCycle spec.groups[0].parent, GroupCycle spec.groups[1].parent"},
    {IN_GROUPS(",'group':'g'", "",
               "{'name':'g','parent':'h'},{'name':'h','parent':'i'},{'name':'i','parent':'h'}"),
     true, "GroupCycle spec.groups[1].parent, GroupCycle spec.groups[2].parent"},
    {IN_GROUPS("", "", "{'name':'g'}"), true, "GroupEmpty spec.groups[0].name"},
    /* minima */
    {IN_GROUPS(",'group':'g'", "", "{'name':'g','minimum':2}"), true,
     "GroupMinimum spec.groups[0].minimum"},
    {IN_GROUPS(",'group':'g'", ",'group':'h'",
               "{'name':'g','minimum':2},{'name':'h','parent':'g'}"),
     false, ""},
    {IN_GROUPS(",'group':'g'", "", "{'name':'g','minimum':0}"), false, ""},
};

START_TEST(findings)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

/* Each group as `name(minimum)<parent` and a role as `name:pods<parent`. */
static const struct {
    const char *text;
    const char *groups;
} trees[] = {
    {IN_GROUPS(",'group':'g'", "", "{'name':'g'}"), "g(1) a:1<g b:1"},
    {IN_GROUPS(",'group':'g'", ",'group':'g'", "{'name':'g'}"), "g(2) a:1<g b:1<g"},
    {IN_GROUPS(",'group':'h'", ",'group':'g'", "{'name':'h','parent':'g'},{'name':'g'}"),
     "g(2) h(1)<g a:1<h b:1<g"},
    {IN_GROUPS(",'group':'g','count':4,'minCount':2", ",'group':'g'", "{'name':'g','minimum':1}"),
     "g(1) a:2<g b:1<g"},
    {IN_GROUPS(",'group':'g','count':4,'firstCount':1", ",'count':3", "{'name':'g','minimum':0}"),
     "g(0) a:1<g b:3"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(""))), ""},
};

static void
tree_open(struct job_case *opened, const char *text, struct arena *arena,
          struct gang_wishes *wishes)
{
    struct report report;

    job_open_good(opened, text);
    report_init(&report, arena, &standard_limits);
    *wishes = (struct gang_wishes){.num_roles = 0};
    gang_job_fill(opened->job, wishes, NULL, &report);
    ck_assert_uint_eq(report.count, 0);
}

START_TEST(a_tree_has_parents_first_and_then_the_roles)
{
    struct arena *arena = arena_new(0);
    struct job_case opened;
    struct gang_wishes wishes;
    const char *text = "";

    tree_open(&opened, trees[_i].text, arena, &wishes);
    for (size_t i = 0; i < wishes.num_groups; i++) {
        const struct gang_group *group = &wishes.groups[i];
        bool is_role = group->role != ROLE_NONE;

        text = arena_format(arena, "%s%s%.*s%s%lld%s", text, i ? " " : "", SLICE_ARG(group->name),
                            is_role ? ":" : "(", (long long)group->minimum, is_role ? "" : ")");
        if (group->parent != GROUP_OF_GANG) {
            ck_assert_uint_lt(group->parent, i);
            text =
                arena_format(arena, "%s<%.*s", text, SLICE_ARG(wishes.groups[group->parent].name));
        }
        ck_assert_ptr_nonnull(group->source);
    }
    ck_assert_str_eq(text, trees[_i].groups);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

START_TEST(topologies_become_placements)
{
    struct arena *arena = arena_new(0);
    struct job_case opened;
    struct gang_wishes wishes;

    tree_open(&opened,
              GANG_JOB("'topology':{'name':'t','required':'rack'},'groups':[{'name':'g','topology':"
                       "{'preferred':'host'}}]," JOB_ROLES(JOB_PODS(",'group':'g'"))),
              arena, &wishes);
    ck_assert(wishes.placement.is_set);
    ck_slice_eq(wishes.placement.topology, "t");
    ck_slice_eq(wishes.placement.required, "rack");
    ck_assert(!slice_is_set(wishes.placement.preferred));
    ck_assert(wishes.groups[0].placement.is_set);
    ck_slice_eq(wishes.groups[0].placement.preferred, "host");
    ck_assert(!slice_is_set(wishes.groups[0].placement.required));
    ck_assert(!wishes.groups[1].placement.is_set);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

/* A cycle is an error of the document; who goes on regardless gets the other groups. */
START_TEST(a_cycle_is_left_out)
{
    struct gang_group groups[] = {
        {.name = SLICE_INIT("g"), .parent = 1, .minimum = -1},
        {.name = SLICE_INIT("h"), .parent = 0, .minimum = -1},
        {.name = SLICE_INIT("i"), .parent = GROUP_OF_GANG, .minimum = -1},
    };
    struct role role = {.name = SLICE_INIT("a"), .count = 1, .group = SLICE_INIT("g")};
    const struct gang_job job = {
        .roles = &role, .num_roles = 1, .groups = groups, .num_groups = COUNT_OF(groups)};
    struct gang_wishes wishes = {.roles = &role, .num_roles = 1};
    struct arena *arena = arena_new(0);

    gang_job_fill_groups(&job, &wishes, arena);
    ck_assert_uint_eq(wishes.num_groups, 2);
    ck_slice_eq(wishes.groups[0].name, "i");
    ck_slice_eq(wishes.groups[1].name, "a");
    ck_assert(wishes.groups[1].parent == GROUP_OF_GANG);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, findings, verdicts, text);
    add_rows(cases, a_tree_has_parents_first_and_then_the_roles, trees, text);
    tcase_add_test(cases, topologies_become_placements);
    tcase_add_test(cases, a_cycle_is_left_out);
}
