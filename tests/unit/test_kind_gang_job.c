/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"
#include "libgang/jobs/job_kinds.h"

#include "unit/job_squeeze.h"
#include "unit/jobs.h"
#include "unit/schema_order.h"

/* Unknown and misplaced values are errors: the kind is libgang's own. */
static const struct job_verdict verdicts[] = {
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'minmum':3"), true, "UnknownField spec.minmum"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'replicas':3"))), true, "UnknownField spec.roles[0].replicas"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':'3'"))), true, "WrongType spec.roles[0].count"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':-1"))), true, "ValueOutOfRange spec.roles[0].count"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'unit':0"))), true, "ValueOutOfRange spec.roles[0].unit"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'membership':'member'"))), true,
     "UnsupportedValue spec.roles[0].membership"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'dependsOn':[{'role':'b'}]"))), true,
     "RequiredField spec.roles[0].dependsOn[0].status"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'dependsOn':[{'status':'Ready'}]"))), true,
     "RequiredField spec.roles[0].dependsOn[0].role"},
    {GANG_JOB(JOB_ROLES("")), true, "TooFewItems spec.roles"},
    {GANG_JOB("'suspend':true"), true, "RequiredField spec.roles"},
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'minimum':0"), true, "ValueOutOfRange spec.minimum"},
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'podMarks':'Pods'"), true,
     "UnsupportedValue spec.podMarks"},
    /* What is no name would go into an object that the API server refuses. */
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'groupName':'A b'"), true, "InvalidName spec.groupName"},
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'priorityClassName':'High'"), true,
     "InvalidName spec.priorityClassName"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'priorityClassName':'High'"))), true,
     "InvalidName spec.roles[0].priorityClassName"},
    {GANG_JOB(JOB_ROLES(JOB_PODS("")) ",'topology':{'name':'T','required':'rack'}"), true,
     "InvalidName spec.topology.name"},
    {"{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j'},'spec':"
     "{'owner':{'apiVersion':'a.io/v1','kind':'Job','name':'J'}," JOB_ROLES(JOB_PODS("")) "}}",
     true, "InvalidName spec.owner.name"},
    {"{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j'},'spec':"
     "{'roles':[{'name':'a','requests':{}}]}}",
     true, "RequiredField spec.owner"},
};

START_TEST(findings_of_the_schema)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(fields_are_sorted)
{
    check_schema_order(&gang_job_schema);
}
END_TEST

static const char every_field[] = GANG_JOB(
    "'groupName':'g','suspend':true,'managedElsewhere':true,'backend':'volcano','queue':'q',"
    "'priorityClassName':'high','scheduleTimeoutSeconds':60,'topology':{'name':'t','required':"
    "'rack','preferred':'host'},'minimum':2,'podMarks':'Pod','groups':[{'name':'x','minimum':1},"
    "{'name':'y','parent':'x','topology':{'required':'zone'}}]," JOB_ROLES(
        JOB_PODS("") "," JOB_ROLE("b", ",'count':4,'minCount':2,'unit':2,'unitLabel':'example.com/"
                                       "slice','firstCount':1,'requests':"
                                       "{'cpu':1},'schedulerName':'s','priorityClassName':'p','"
                                       "retries':true,'group':'y','membership':'Member'")));

START_TEST(the_fields_of_a_gang_job)
{
    struct job_case opened;
    const struct gang_wishes *job;

    job_open_good(&opened, every_field);
    job = opened.job;
    ck_slice_eq(job->name, "g");
    ck_assert(job->suspended);
    ck_assert_ptr_nonnull(job->managed_elsewhere);
    ck_assert_int_eq(job->minimum, 2);
    ck_assert(job->marks_pods);
    ck_slice_eq(job->backend_request.value, "volcano");
    ck_slice_eq(job->queue_request.value, "q");
    ck_slice_eq(job->priority_request.value, "high");
    ck_assert(job->timeout_request.is_set);
    ck_assert_int_eq(job->timeout_seconds, 60);
    ck_slice_eq(job->placement.topology, "t");
    ck_slice_eq(job->placement.required, "rack");
    ck_slice_eq(job->placement.preferred, "host");
    ck_assert_uint_eq(job->num_groups, 2);
    ck_assert_uint_eq(job->groups[1].parent, 0);
    ck_assert_int_eq(job->groups[0].minimum, 1);
    ck_assert_int_eq(job->groups[1].minimum, -1);
    ck_slice_eq(job->groups[1].placement.required, "zone");
    job_close(&opened);
}
END_TEST

START_TEST(the_fields_of_a_role)
{
    struct job_case opened;
    const struct role *role;

    job_open_good(&opened, every_field);
    ck_assert_uint_eq(opened.job->num_roles, 2);
    role = &opened.job->roles[1];
    ck_slice_eq(role->name, "b");
    ck_assert_int_eq(role->count, 4);
    ck_assert_int_eq(role->min_count, 2);
    ck_assert_int_eq(role->unit, 2);
    ck_slice_eq(role->unit_label, "example.com/slice");
    ck_assert_int_eq(role->first_count, 1);
    ck_assert_int_eq(role->wish, WISH_MEMBER);
    ck_assert(role->retries);
    ck_slice_eq(role->group, "y");
    ck_slice_eq(role->scheduler_name, "s");
    ck_slice_eq(role->priority_class_name, "p");
    ck_assert_ptr_nonnull(role->requests_source);
    ck_assert_ptr_null(role->pod_template);
    job_close(&opened);
}
END_TEST

START_TEST(a_role_elsewhere_is_outside)
{
    struct job_case opened;

    job_open_good(&opened,
                  GANG_JOB(JOB_ROLES(JOB_PODS("") "," JOB_ROLE("b", ",'membership':'Elsewhere'"))));
    ck_assert(!opened.job->roles[0].elsewhere);
    ck_assert(opened.job->roles[1].elsewhere);
    ck_assert_int_eq(opened.job->roles[1].wish, WISH_OUTSIDE);
    job_close(&opened);
}
END_TEST

/* `gangctl roles` names such an owner of pods that name their group. */
START_TEST(a_list_of_pods_owns_nothing)
{
    struct job_case opened;

    job_open_good(
        &opened,
        "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':"
        "'g'},'spec':{'owner':{'apiVersion':'v1','kind':'PodList'}," JOB_ROLES(JOB_PODS("")) "}}");
    ck_assert(opened.job->owner.is_no_object);
    job_close(&opened);
    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(""))));
    ck_assert(!opened.job->owner.is_no_object);
    job_close(&opened);
}
END_TEST

START_TEST(absent_fields_have_defaults)
{
    struct job_case opened;
    const struct gang_wishes *job;

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(""))));
    job = opened.job;
    ck_assert(!slice_is_set(job->name));
    ck_assert(!job->suspended);
    ck_assert_ptr_null(job->managed_elsewhere);
    ck_assert(!job->marks_pods);
    ck_assert(!job->timeout_request.is_set);
    ck_assert_ptr_null(job->backend_request.source);
    ck_assert_int_eq(job->minimum, 0);
    ck_assert_int_eq(job->roles[0].count, 1);
    ck_assert_int_eq(job->roles[0].min_count, 1);
    ck_assert_int_eq(job->roles[0].wish, WISH_AUTO);
    job_close(&opened);
}
END_TEST

START_TEST(the_owner_can_have_another_name_than_the_document)
{
    struct job_case opened;

    job_open_good(&opened,
                  "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':"
                  "'job'},'spec':{'owner':{'apiVersion':'a.io/v1','kind':'Job','name':'other','uid'"
                  ":'u-1'}," JOB_ROLES(JOB_PODS("")) "}}");
    ck_slice_eq(opened.job->owner.name, "other");
    ck_slice_eq(opened.job->owner.uid, "u-1");
    ck_slice_eq(opened.job->meta->name, "job");
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(every_field);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, findings_of_the_schema, verdicts, text);
    tcase_add_test(cases, fields_are_sorted);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    tcase_add_test(cases, the_fields_of_a_gang_job);
    tcase_add_test(cases, the_fields_of_a_role);
    tcase_add_test(cases, a_role_elsewhere_is_outside);
    tcase_add_test(cases, a_list_of_pods_owns_nothing);
    tcase_add_test(cases, absent_fields_have_defaults);
    tcase_add_test(cases, the_owner_can_have_another_name_than_the_document);
}
