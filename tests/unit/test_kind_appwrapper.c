/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"

#define APPWRAPPER(spec, components)                                                               \
    "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{'name':'aw'"   \
    "},'spec':{" spec "'components':[" components "]}}"
#define COMPONENT(version, kind, name, spec)                                                       \
    "{'template':{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name          \
    "'},'spec':{" spec "}}}"
#define WRAPPED_JOB(name, members)                                                                 \
    COMPONENT("batch/v1", "Job", name,                                                             \
              "'completionMode':'Indexed','parallelism':2,'completions':2," members JOB_TEMPLATE)
#define WRAPPED_JOBSET(name)                                                                       \
    COMPONENT("jobset.x-k8s.io/v1alpha2", "JobSet", name,                                          \
              "'replicatedJobs':[{'name':'a','replicas':2,'template':{'spec':{" JOB_TEMPLATE       \
              "}}},{'name':'b','replicas':3,'dependsOn':[{'name':'a','status':'Complete'}],"       \
              "'template':{'spec':{" JOB_TEMPLATE "}}}]")
#define SERVICE COMPONENT("v1", "Service", "web", "")

static const struct job_reading readings[] = {
    {APPWRAPPER("", WRAPPED_JOB("x", "")), "main 2", "", NULL},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WRAPPED_JOB("y", "")), "main 2; y: main 2", "", NULL},
    {APPWRAPPER("", SERVICE "," WRAPPED_JOB("x", "")), "main 2",
     "ComponentIsNoJob spec.components[0].template", NULL},
    {APPWRAPPER("", WRAPPED_JOBSET("js") "," WRAPPED_JOB("x", "")),
     "a 2 Member, b 3 after a Complete; js-s1: a 2, b 3 Member after a Complete; x: main 2", NULL,
     NULL},
    {APPWRAPPER("", COMPONENT("batch/v1", "Job", "x", "'parallelism':1," JOB_TEMPLATE)), "main 1",
     "", "the pods of the Job need not start together"},
    {APPWRAPPER("", WRAPPED_JOB("x", "'unknown':1,")), "main 2",
     "UnknownField spec.components[0].template.spec.unknown", NULL},
    {APPWRAPPER("'unknown':1,", WRAPPED_JOB("x", "")), "main 2", "UnknownField spec.unknown", NULL},
};

START_TEST(each_component_has_its_gangs)
{
    job_check_reading(&readings[_i]);
}
END_TEST

START_TEST(without_jobs_there_are_no_gangs)
{
    struct job_case opened;

    job_open_good(&opened, APPWRAPPER("", SERVICE));
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 0);
    job_close(&opened);
    job_open_good(&opened, APPWRAPPER("", "{'template':" APPWRAPPER("", SERVICE) "}"));
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 0);
    job_close(&opened);
}
END_TEST

static const struct {
    const char *text;
    bool is_suspended;
    bool is_elsewhere;
} states[] = {
    {APPWRAPPER("", WRAPPED_JOB("x", "")), false, false},
    {APPWRAPPER("'suspend':true,", WRAPPED_JOB("x", "")), true, false},
    {APPWRAPPER("", WRAPPED_JOB("x", "'suspend':true,")), true, false},
    {APPWRAPPER("'managedBy':'kueue.x-k8s.io/multikueue',", WRAPPED_JOB("x", "")), false, true},
    {APPWRAPPER("'managedBy':'workload.codeflare.dev/appwrapper-controller',",
                WRAPPED_JOB("x", "")),
     false, false},
};

START_TEST(the_wrapper_owns_the_gang)
{
    struct job_case opened;

    job_open_good(&opened, states[_i].text);
    ck_slice_eq(opened.job->group_name, "x");
    ck_slice_eq(opened.job->owner.kind, "AppWrapper");
    ck_slice_eq(opened.job->owner.name, "aw");
    ck_assert_int_eq(opened.job->suspended, states[_i].is_suspended);
    ck_assert_int_eq(opened.job->managed_elsewhere != NULL, states[_i].is_elsewhere);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, each_component_has_its_gangs, readings, text);
    tcase_add_test(cases, without_jobs_there_are_no_gangs);
    add_rows(cases, the_wrapper_owns_the_gang, states, text);
}
