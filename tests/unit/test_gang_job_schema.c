/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job_schema.h"

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

void
add_tests(TCase *cases)
{
    add_rows(cases, findings_of_the_schema, verdicts, text);
    tcase_add_test(cases, fields_are_sorted);
}
