/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/job_roles.h"
#include "unit/jobs.h"

static const struct job_verdict verdicts[] = {
    {GANG_JOB(JOB_ROLES(JOB_PODS(""))), false, ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':0"))), false, ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'minCount':4,'unit':2"))), false, ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'minCount':0"))), false, ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'minCount':4,'firstCount':1"))), false, ""},
    /* names */
    {GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_PODS(""))), true, "DuplicateItem spec.roles[1].name"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("A", ",'requests':{}"))), true, "InvalidName spec.roles[0].name"},
    /* numbers */
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2,'minCount':3"))), true,
     "RoleCountsDisagree spec.roles[0].minCount"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2,'minCount':3,'firstCount':4"))), true,
     "RoleCountsDisagree spec.roles[0].minCount"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':3,'unit':2"))), true,
     "RoleCountsDisagree spec.roles[0].count"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':4,'minCount':3,'unit':2"))), true,
     "RoleCountsDisagree spec.roles[0].minCount"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':4,'minCount':2,'firstCount':3"))), true,
     "RoleCountsDisagree spec.roles[0].firstCount"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':4,'minCount':2,'firstCount':4"))), true,
     "RoleCountsDisagree spec.roles[0].firstCount"},
    /* the label of the units */
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'unit':2,'unitLabel':'example.com/slice'"))), false,
     ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'unitLabel':'example.com/slice'"))), true,
     "UnitLabelAlone spec.roles[0].unitLabel"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'unit':1,'unitLabel':'example.com/slice'"))), true,
     "UnitLabelAlone spec.roles[0].unitLabel"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':8,'unit':2,'unitLabel':'a/b/c'"))), true,
     "InvalidLabelKey spec.roles[0].unitLabel"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':4,'firstCount':0"))), true,
     "ValueOutOfRange spec.roles[0].firstCount"},
    {GANG_JOB(JOB_ROLES(
         JOB_ROLE("a", ",'requests':{},'count':2147483647") "," JOB_ROLE("b", ",'requests':{}"))),
     true, "PodsOverflow spec.roles[1]"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'requests':{},'count':9223372036854775807") "," JOB_ROLE(
         "b", ",'requests':{}"))),
     true,
     "PodsOverflow spec.roles[0], ValueOutOfRange spec.roles[0].count, ValueOutOfRange "
     "spec.roles[0].count"},
    /* pods */
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ""))), false, "RoleRequestsUnknown spec.roles[0]"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'count':0"))), false, ""},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'template':{'spec':{}}"))), true,
     "TemplateAndRequests spec.roles[0].requests"},
    {GANG_JOB(JOB_ROLES(
         JOB_ROLE("a", ",'template':{'spec':{}},'schedulerName':'s','priorityClassName':'p'"))),
     true,
     "TemplateAndRequests spec.roles[0].schedulerName, TemplateAndRequests "
     "spec.roles[0].priorityClassName"},
    /* edges */
    {GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE(
         "b", ",'requests':{},'dependsOn':[{'role':'a','status':'Ready'},{'role':'a','status':"
              "'Complete'}]"))),
     true, "DuplicateItem spec.roles[1].dependsOn[1]"},
};

START_TEST(findings)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

/* The schema of GangJobs has the same limit. */
START_TEST(roles_are_limited)
{
    static const size_t counts[] = {64, 65};
    char text[DOCUMENT_SIZE / 2] = "";
    char job[DOCUMENT_SIZE];
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    for (size_t i = 0; i < counts[_i]; i++)
        job_roles_add(text, sizeof(text), "%s{'name':'r%zu','requests':{}}", i ? "," : "", i);
    snprintf(job, sizeof(job), GANG_JOB(JOB_ROLES("%s")), text);
    job_open(&opened, job);
    ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)),
                     _i ? "LimitRoles spec.roles, TooManyItems spec.roles" : "");
    job_close(&opened);
}
END_TEST

/* Where a document has many names, which are compared with each other. */
static const struct {
    const char *before;
    const char *key;
    const char *after;
} many_names[] = {
    {"'groups':[", "name", "]," JOB_ROLES(JOB_PODS(""))},
    {"'roles':[{'name':'a','requests':{},'dependsOn':[", "role", "]}]"},
};

START_TEST(comparing_names_draws_steps)
{
    enum { SIZE = 256 * 1024, MANY = 10000 };
    char *text = calloc(1, SIZE);
    char *end = text;
    struct gang_error *error = NULL;

    ck_assert_ptr_nonnull(text);
    job_roles_add(text, SIZE, "%s%s",
                  "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':"
                  "'job'},'spec':{'owner':{'apiVersion':'a.io/v1','kind':'Job'},",
                  many_names[_i].before);
    for (int i = 0; i < MANY; i++) {
        end += strlen(end);
        job_roles_add(end, SIZE - (size_t)(end - text), "%s{'%s':'n%d'}", i ? "," : "",
                      many_names[_i].key, i);
    }
    job_roles_add(text, SIZE, "%s}}", many_names[_i].after);
    ck_assert_int_eq(job_parse_long(text, &error), GANG_ERROR_LIMIT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_STEPS);
    gang_error_free(error);
}
END_TEST

START_TEST(a_translation_starts_with_the_document_as_the_owner)
{
    struct job_case opened;
    struct gang_wishes job = {.num_gangs = 0};

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(""))));
    gang_job_start(&(struct job_source){.root = opened.document->root, .meta = &opened.typed->meta},
                   &job);
    ck_assert_uint_eq(job.num_gangs, 1);
    ck_slice_eq(job.owner.api_version, "policy.libgang.dev/v1alpha1");
    ck_slice_eq(job.owner.kind, "GangJob");
    ck_slice_eq(job.owner.name, "job");
    ck_slice_eq(job.owner.namespace_, "ml");
    ck_assert(!slice_is_set(job.owner.uid));
    ck_slice_eq(node_string(job.owner.name_source), "job");
    ck_assert_uint_eq(job.num_roles, 0);
    job_close(&opened);
}
END_TEST

START_TEST(a_role_starts_with_one_pod)
{
    struct arena *arena = arena_new(0);
    struct gang_wishes job = {.num_roles = 0};
    struct role *role = gang_job_add_role(&job, 2, SLICE("a"), NULL, arena);
    const struct dependency edge = {.role = SLICE_INIT("a"), .status = DEPENDENCY_SCHEDULED};

    ck_assert_int_eq(role->count, 1);
    ck_assert_int_eq(role->min_count, 1);
    ck_assert_int_eq(role->first_count, 1);
    ck_assert_int_eq(role->unit, 1);
    role = gang_job_add_role(&job, 2, SLICE("b"), NULL, arena);
    gang_job_set_count(role, 4);
    ck_assert_int_eq(role->count, 4);
    ck_assert_int_eq(role->min_count, 4);
    ck_assert_int_eq(role->first_count, 4);
    gang_job_add_edge(role, 1, &edge, arena);
    ck_assert_uint_eq(role->num_dependencies, 1);
    ck_assert_int_eq(role->dependencies[0].status, DEPENDENCY_SCHEDULED);
    ck_assert(role->dependencies[0].index == ROLE_NONE);
    ck_assert_uint_eq(job.num_roles, 2);
    ck_assert_ptr_eq(wishes_find_role(&job, SLICE("b")), role);
    ck_assert_ptr_null(wishes_find_role(&job, SLICE("c")));
    arena_free(arena);
}
END_TEST

START_TEST(the_first_reason_for_no_gang_counts)
{
    struct gang_wishes job = {.num_roles = 0};

    gang_job_stand_back(&job, NULL, "first");
    gang_job_stand_back(&job, NULL, "second");
    ck_assert_str_eq(job.why_no_gang, "first");
}
END_TEST

START_TEST(words_of_the_enumerations)
{
    ck_assert_str_eq(dependency_status_names[DEPENDENCY_READY], "Ready");
    ck_assert_str_eq(dependency_status_names[DEPENDENCY_COMPLETE], "Complete");
    ck_assert_str_eq(dependency_status_names[DEPENDENCY_SCHEDULED], "Scheduled");
    ck_assert_str_eq(membership_wish_names[WISH_AUTO], "Auto");
    ck_assert_str_eq(membership_wish_names[WISH_MEMBER], "Member");
    ck_assert_str_eq(membership_wish_names[WISH_OUTSIDE], "Outside");
    ck_assert_str_eq(membership_wish_names[WISH_OUTSIDE + 1], "Elsewhere");
}
END_TEST

/* Two roles in groups, and the groups. */
#define IN_GROUPS(of_a, of_b, groups)                                                              \
    GANG_JOB(JOB_ROLES(                                                                            \
        JOB_PODS(of_a) "," JOB_ROLE("b", ",'requests':{}" of_b)) ",'groups':[" groups "]")

static const struct job_verdict group_verdicts[] = {
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

START_TEST(findings_of_groups)
{
    job_check_verdict(&group_verdicts[_i]);
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
    const struct gang_wishes job = {
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
    tcase_add_loop_test(cases, roles_are_limited, 0, 2);
    add_rows(cases, comparing_names_draws_steps, many_names, key);
    tcase_add_test(cases, a_translation_starts_with_the_document_as_the_owner);
    tcase_add_test(cases, a_role_starts_with_one_pod);
    tcase_add_test(cases, the_first_reason_for_no_gang_counts);
    tcase_add_test(cases, words_of_the_enumerations);
    add_rows(cases, findings_of_groups, group_verdicts, text);
    add_rows(cases, a_tree_has_parents_first_and_then_the_roles, trees, text);
    tcase_add_test(cases, topologies_become_placements);
    tcase_add_test(cases, a_cycle_is_left_out);
}
