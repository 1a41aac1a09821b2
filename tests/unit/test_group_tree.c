/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/formed_jobs.h"

/* Roles a, b, c of 1, 2 and 4 pods, and the groups of the job. */
#define ROLES_IN(of_a, of_b, of_c, groups)                                                         \
    GANG_JOB(                                                                                      \
        JOB_ROLES(JOB_PODS(of_a) "," JOB_ROLE("b", ",'requests':{},'count':2" of_b) "," JOB_ROLE(  \
            "c", ",'requests':{},'count':4" of_c)) ",'groups':[" groups "]")
#define OF(group) ",'group':'" group "'"
#define LATE ",'dependsOn':[{'role':'a','status':'Ready'}]"

/* Each group as `name minimum/children`, and the pods of all. */
static const struct {
    const char *text;
    const char *needs;
    int64_t pods;
} trees[] = {
    {ROLES_IN(OF("g"), OF("g"), "", "{'name':'g'}"), "g 2/2", 7},
    {ROLES_IN(OF("g"), OF("g"), OF("h"), "{'name':'g'},{'name':'h','parent':'g'}"), "g 3/3, h 1/1",
     7},
    /* the smallest children */
    {ROLES_IN(OF("g"), OF("g"), OF("g"), "{'name':'g','minimum':1}"), "g 1/3", 1},
    {ROLES_IN(OF("g"), OF("g"), OF("g"), "{'name':'g','minimum':2}"), "g 2/3", 3},
    {ROLES_IN("", OF("g"), OF("g"), "{'name':'g','minimum':1}"), "g 1/2", 3},
    {ROLES_IN("", OF("g"), OF("g"), "{'name':'g','minimum':0}"), "g 0/2", 1},
    {ROLES_IN(OF("h"), OF("g"), OF("h"),
              "{'name':'r','minimum':1},{'name':'g','parent':'r'},{'name':'h','parent':'r'}"),
     "r 1/2, g 1/1, h 2/2", 2},
    /* a late role needs no pods, and a role outside is no child */
    {ROLES_IN(OF("g"), OF("g") LATE, "", "{'name':'g'}"), "g 2/2", 5},
    {ROLES_IN(OF("g"), OF("g") ",'membership':'Outside'", "", "{'name':'g'}"), "g 1/1", 5},
    {ROLES_IN(OF("g"), OF("g") ",'membership':'Outside'", OF("g"), "{'name':'g','minimum':2}"),
     "g 2/2", 5},
    {ROLES_IN("", OF("g") ",'membership':'Outside'", "", "{'name':'g'}"), "g 0/0", 5},
    {GANG_JOB(JOB_ROLES(JOB_PODS(""))), "none", 1},
};

static const char *
needs_text(const struct gang *gang, const struct group_tree *tree, struct arena *arena)
{
    const char *text = "";

    if (!tree->needs)
        return "none";
    for (size_t i = 0; i < gang->wishes->num_groups; i++)
        if (gang->wishes->groups[i].role == ROLE_NONE)
            text =
                arena_format(arena, "%s%s%.*s %lld/%lld", text, text[0] ? ", " : "",
                             SLICE_ARG(gang->wishes->groups[i].name),
                             (long long)tree->needs[i].minimum, (long long)tree->needs[i].children);
    return text;
}

START_TEST(a_group_needs_its_children_in_the_gang)
{
    struct formed_job made;
    struct group_tree tree;

    formed_job_open(&made, trees[_i].text);
    tree = group_tree_make(&made.gang, made.arena);
    ck_assert_str_eq(needs_text(&made.gang, &tree, made.arena), trees[_i].needs);
    ck_assert_int_eq(tree.pods, trees[_i].pods);
    formed_job_close(&made);
}
END_TEST

#define TOPOLOGY "'topology':{'name':'t','required':'rack','preferred':'host'}"

/* What a backend loses of a job with a topology and a group, as `field=value` and the code. */
static const struct {
    const struct backend *backend;
    const char *group;
    const char *losses;
} losses[] = {
    {&coscheduling_backend, "'minimum':1", "groups[g].minimum=1"},
    {&coscheduling_backend, "'minimum':2", ""},
    {&coscheduling_backend, TOPOLOGY, "groups[g].topology=rack"},
    {&coscheduling_backend, "'topology':{'name':'t'}", "groups[g].topology=t"},
    {&coscheduling_backend, "'topology':{'preferred':'host'},'minimum':0",
     "groups[g].minimum=0 groups[g].topology=host"},
    {&koordinator_backend, TOPOLOGY, "groups[g].topology=rack"},
    {&yunikorn_backend, "'minimum':1", "groups[g].minimum=1"},
};

START_TEST(a_backend_without_groups_loses_them)
{
    char text[DOCUMENT_SIZE];
    struct formed_job made;
    struct plan_losses found;
    struct backend_call call = {.gang = &made.gang};
    const char *rendered = "";
    size_t before;

    /* nothing is lost of a group that has no members in the gang */
    snprintf(text, sizeof(text),
             ROLES_IN(OF("g"), OF("g"), OF("h") ",'membership':'Outside'",
                      "{'name':'g',%s},{'name':'h','minimum':0," TOPOLOGY "}"),
             losses[_i].group);
    formed_job_open(&made, text);
    before = made.report.count;
    found = backend_find_losses(losses[_i].backend, &call, &made.report);
    for (size_t i = 0; i < found.count; i++) {
        rendered = arena_format(made.arena, "%s%s%.*s=%.*s", rendered, i ? " " : "",
                                SLICE_ARG(found.items[i].field), SLICE_ARG(found.items[i].value));
        ck_assert_int_eq(made.report.items[before + i].code, GANG_CODE_FIELD_LOST);
    }
    ck_assert_str_eq(rendered, losses[_i].losses);
    ck_assert_uint_eq(made.report.count - before, found.count);
    formed_job_close(&made);
}
END_TEST

/* The job's own topology, unless the policy chooses another one. */
START_TEST(the_placement_is_that_of_the_chosen_topology)
{
    struct formed_job made;

    formed_job_open(&made, GANG_JOB(TOPOLOGY "," JOB_ROLES(JOB_PODS(""))));
    ck_assert(!group_tree_has_groups(&made.wishes));
    ck_assert_ptr_null(group_tree_placement(&made.gang));
    made.gang.topology = (struct gang_topology){.is_set = true};
    ck_assert_ptr_null(group_tree_placement(&made.gang));
    made.gang.topology.source = made.wishes.placement.source;
    ck_assert_ptr_eq(group_tree_placement(&made.gang), &made.wishes.placement);
    formed_job_close(&made);
}
END_TEST

/* The groups of a PodGang are those of its own document. */
START_TEST(groups_of_a_podgang_are_no_tree)
{
    struct gang_wishes wishes = {.num_groups = 2, .placement.is_set = true};

    ck_assert(group_tree_has_groups(&wishes));
    wishes.is_grouped = true;
    ck_assert(!group_tree_has_groups(&wishes));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, groups_of_a_podgang_are_no_tree);
    add_rows(cases, a_group_needs_its_children_in_the_gang, trees, text);
    add_rows(cases, a_backend_without_groups_loses_them, losses, group);
    tcase_add_test(cases, the_placement_is_that_of_the_chosen_topology);
}
