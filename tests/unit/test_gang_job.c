/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/job_roles.h"

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

START_TEST(a_translation_starts_with_the_document_as_the_owner)
{
    struct job_case opened;
    struct gang_job job = {.num_gangs = 0};

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
    struct gang_job job = {.num_roles = 0};
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
    ck_assert_ptr_eq(gang_job_find_role(&job, SLICE("b")), role);
    ck_assert_ptr_null(gang_job_find_role(&job, SLICE("c")));
    arena_free(arena);
}
END_TEST

START_TEST(the_first_reason_for_no_gang_counts)
{
    struct gang_job job = {.num_roles = 0};

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

void
add_tests(TCase *cases)
{
    add_rows(cases, findings, verdicts, text);
    tcase_add_loop_test(cases, roles_are_limited, 0, 2);
    tcase_add_test(cases, a_translation_starts_with_the_document_as_the_owner);
    tcase_add_test(cases, a_role_starts_with_one_pod);
    tcase_add_test(cases, the_first_reason_for_no_gang_counts);
    tcase_add_test(cases, words_of_the_enumerations);
}
