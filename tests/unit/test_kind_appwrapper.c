/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"

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

/* internal/controller/appwrapper/resource_management.go@v1.2.2 supports generateName. */
#define UNNAMED_JOB                                                                                \
    "{'template':{'apiVersion':'batch/v1','kind':'Job','metadata':{'generateName':'x-'},'spec':{"  \
    "'completionMode':'Indexed','parallelism':2,'completions':2," JOB_TEMPLATE "}}}"

static const struct job_reading readings[] = {
    {APPWRAPPER("", UNNAMED_JOB), "main 2", "", NULL},
    {APPWRAPPER("", UNNAMED_JOB "," UNNAMED_JOB), "main 2; x-xxxxx: main 2", "", NULL},
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

#define SPARK(name)                                                                                \
    COMPONENT("sparkoperator.k8s.io/v1beta2", "SparkApplication", name,                            \
              "'type':'Python','sparkVersion':'3.5.0','mode':'cluster',"                           \
              "'mainApplicationFile':'local:///a.py','driver':{'cores':1},"                        \
              "'executor':{'instances':2}")
#define LWS_SPEC(replicas)                                                                         \
    "'replicas':" replicas ",'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{"          \
    "'containers':[{'name':'c','image':'i'}]}}}"
#define LWS(name, replicas)                                                                        \
    COMPONENT("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", name, LWS_SPEC(replicas))
#define REVISED_LWS(name, replicas)                                                                \
    COMPONENT("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",                                    \
              name "','labels':{'leaderworkerset.sigs.k8s.io/template-revision-hash':'abc'},"      \
                   "'namespace':'ml",                                                              \
              LWS_SPEC(replicas))
#define PLAIN_JOB(name) COMPONENT("batch/v1", "Job", name, "'parallelism':1," JOB_TEMPLATE)

/* Names of gangs, not of components: that of Spark's executors has a suffix. */
static const struct {
    const char *text;
    const char *path; /* of the error; NULL: none */
} names[] = {
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WRAPPED_JOB("y", "")), NULL},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WRAPPED_JOB("x", "")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," SERVICE "," WRAPPED_JOBSET("x")),
     "spec.components[2].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," SPARK("x")), NULL},
    {APPWRAPPER("", WRAPPED_JOB("x-exec", "") "," SPARK("x")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("web", "") "," SERVICE), NULL},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," PLAIN_JOB("x")), NULL},
    /* the gang of a later stage */
    {APPWRAPPER("", WRAPPED_JOBSET("x") "," WRAPPED_JOB("x-s1", "")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("x-s1", "") "," WRAPPED_JOBSET("x")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOBSET("x") "," WRAPPED_JOB("x-s2", "")), NULL},
    {APPWRAPPER("", WRAPPED_JOBSET("x") "," WRAPPED_JOBSET("x-s1")),
     "spec.components[1].template.metadata.name"},
    /* the gang of a replica */
    {APPWRAPPER("", LWS("x", "1000000") "," WRAPPED_JOB("x-999999", "")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("x-7", "") "," LWS("x", "1000000")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", LWS("x", "3") "," WRAPPED_JOB("x-3", "") "," WRAPPED_JOB("x-01", "") //
                "," WRAPPED_JOB("x-1-a", "") "," WRAPPED_JOB("x-a", "") "," WRAPPED_JOB("x", "")),
     NULL},
    {APPWRAPPER("", LWS("x", "3") "," WRAPPED_JOB("y", "") "," WRAPPED_JOB("x--1", "")), NULL},
    {APPWRAPPER("", LWS("x", "3") "," WRAPPED_JOB("x-0", "")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", LWS("x", "1") "," WRAPPED_JOB("x-0", "")),
     "spec.components[1].template.metadata.name"},
    {APPWRAPPER("", REVISED_LWS("x", "3") "," WRAPPED_JOB("x-2", "")), NULL},
    {APPWRAPPER("", REVISED_LWS("x", "3") "," WRAPPED_JOB("x-abc", "")), NULL},
    {APPWRAPPER("", REVISED_LWS("x", "3") "," WRAPPED_JOB("x-2-abc", "")),
     "spec.components[1].template.metadata.name"},
};

START_TEST(components_have_gangs_of_different_names)
{
    const struct gang_diagnostic *found = NULL;
    struct job_case opened;

    job_open(&opened, names[_i].text);
    ck_assert_int_eq(opened.result, names[_i].path ? GANG_ERROR_INVALID : GANG_OK);
    for (size_t i = 0; opened.error && i < gang_error_num_diagnostics(opened.error); i++)
        if (gang_diagnostic_get_code(gang_error_get_diagnostic(opened.error, i)) ==
            GANG_CODE_COMPONENTS_SHARE_NAME)
            found = gang_error_get_diagnostic(opened.error, i);
    ck_assert_int_eq(found != NULL, names[_i].path != NULL);
    if (found)
        ck_assert_str_eq(gang_diagnostic_get_path(found), names[_i].path);
    job_close(&opened);
}
END_TEST

#define WITHOUT_SPEC                                                                               \
    "{'template':{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'y'}}}"

#define WRAPPED_IN(namespace)                                                                      \
    "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{'name':'aw',"  \
    "'namespace':'ml'},'spec':{'components':[{'template':{'apiVersion':'v1','kind':'Service',"     \
    "'metadata':{'name':'web','namespace':'" namespace "'}}}," WRAPPED_JOB("x", "") "]}}"

static const struct job_verdict verdicts[] = {
    /* internal/webhook/appwrapper_webhook.go@v1.2.2 validateAppWrapperCreate */
    {WRAPPED_IN("ml"), false, "ComponentIsNoJob spec.components[0].template"},
    {WRAPPED_IN(""), false, "ComponentIsNoJob spec.components[0].template"},
    {WRAPPED_IN("other"), true,
     "ComponentIsNoJob spec.components[0].template, RefusedByOperator "
     "spec.components[0].template.metadata.namespace"},
    {APPWRAPPER("", COMPONENT("workload.codeflare.dev/v1beta2", "AppWrapper", "in",
                              "") "," WRAPPED_JOB("x", "")),
     true,
     "ComponentIsNoJob spec.components[0].template, RefusedByOperator "
     "spec.components[0].template"},
    /* the name of the group is that of the component */
    {APPWRAPPER("", WRAPPED_JOB("x/y", "")), true,
     "InvalidName spec.components[0].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("1x", "")), false, ""},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WRAPPED_JOB("", "")), true,
     "RequiredField spec.components[1].template.metadata.name"},
    /* once, although they have both gangs in common */
    {APPWRAPPER("", WRAPPED_JOBSET("x") "," WRAPPED_JOBSET("x")), true,
     "ComponentsShareName spec.components[1].template.metadata.name"},
    {APPWRAPPER("", WRAPPED_JOB("x", "") ",{}"), true, "RequiredField spec.components[1].template"},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WRAPPED_JOB("y/z", "'unknown':1,")), true,
     "InvalidName spec.components[1].template.metadata.name, UnknownField "
     "spec.components[1].template.spec.unknown"},
    {APPWRAPPER("", WRAPPED_JOB("x", "") "," WITHOUT_SPEC), true,
     "RequiredField spec.components[1].template.spec"},
};

START_TEST(findings_about_components)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(APPWRAPPER("", SERVICE "," WRAPPED_JOBSET("js") "," WRAPPED_JOB("x", "")));
}
END_TEST

/* Other kinds, and those that an AppWrapper cannot contain. */
static const char *const wrapping_none[] = {
    APPWRAPPER("", SERVICE),
    APPWRAPPER("", "{'template':" APPWRAPPER("", SERVICE) "}"),
    APPWRAPPER("", "{'template':" GANG_JOB(JOB_ROLES(JOB_PODS(",'count':2"))) "}"),
    APPWRAPPER("", "{'template':{'apiVersion':'v1','kind':'PodList','items':[{'metadata':{"
                   "'labels':{'policy.libgang.dev/group':'g'}}}]}}"),
};

START_TEST(without_jobs_there_are_no_gangs)
{
    struct job_case opened;

    job_open_good(&opened, wrapping_none[_i]);
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
    {APPWRAPPER("'managedBy':'x',", WRAPPED_JOB("x", "")), false, true},
    {APPWRAPPER("'managedBy':'',", WRAPPED_JOB("x", "")), false, true},
    {APPWRAPPER("'managedBy':null,", WRAPPED_JOB("x", "")), false, false},
    {APPWRAPPER("'managedBy':'workload.codeflare.dev/appwrapper-controller',",
                WRAPPED_JOB("x", "")),
     false, false},
};

START_TEST(the_wrapper_owns_the_gang)
{
    struct job_case opened;

    job_open_good(&opened, states[_i].text);
    ck_slice_eq(opened.job->name, "x");
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
    add_rows(cases, components_have_gangs_of_different_names, names, text);
    add_rows(cases, findings_about_components, verdicts, text);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_items(cases, without_jobs_there_are_no_gangs, wrapping_none);
    add_rows(cases, the_wrapper_owns_the_gang, states, text);
}
