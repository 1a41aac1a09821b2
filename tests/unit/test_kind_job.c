/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"

#define BATCH_JOB(metadata, spec)                                                                  \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'" metadata                        \
    "},'spec':{" spec JOB_TEMPLATE "}}"
#define MARKED_JOB(metadata, spec, group)                                                          \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'" metadata "},'spec':{" spec      \
    "'template':{'metadata':{'annotations':{'scheduling.k8s.io/group-name':'" group "'}},"         \
    "'spec':{'containers':[{'name':'c'}]}}}}"
#define NUMBERS(parallelism, completions)                                                          \
    "'parallelism':" parallelism ",'completions':" completions ","
#define INDEXED "'completionMode':'Indexed',"
#define ASKS(key, value) ",'annotations':{'" key "':'" value "'}"
#define MINIMUM(value) ASKS("kueue.x-k8s.io/job-min-parallelism", value)
#define ASKED ASKS("policy.libgang.dev/gang", "true")
#define FREE "the pods of the Job need not start together"

/* The numbers are those of PodSets() of Kueue v0.19.2 after the defaults of Kubernetes 1.37.1. */
static const struct job_reading readings[] = {
    {BATCH_JOB("", INDEXED NUMBERS("4", "4")), "main 4", "", NULL},
    {BATCH_JOB("", NUMBERS("4", "4")), "main 4", "JobIsNoGang ", FREE},
    {BATCH_JOB("", INDEXED NUMBERS("4", "8")), "main 4", "JobIsNoGang ", FREE},
    {BATCH_JOB("", INDEXED NUMBERS("4", "3")), "main 3", "JobIsNoGang ", FREE},
    {BATCH_JOB("", INDEXED NUMBERS("1", "1")), "main 1", "", FREE},
    {BATCH_JOB("", INDEXED NUMBERS("0", "0")), "main 0", "", FREE},
    {BATCH_JOB("", ""), "main 1", "DefaultApplied spec.parallelism", FREE},
    {BATCH_JOB("", "'completions':4,"), "main 1", "DefaultApplied spec.parallelism", FREE},
    {BATCH_JOB("", "'parallelism':4,"), "main 4", "JobIsNoGang ", FREE},
    /* smaller than when it was marked: each pod waits for the group that the marks name */
    {MARKED_JOB("", INDEXED NUMBERS("1", "1"), "j"), "main 1", "", NULL},
    {MARKED_JOB("", INDEXED NUMBERS("1", "4"), "j"), "main 1", "", NULL},
    {MARKED_JOB("", INDEXED NUMBERS("2", "4"), "j"), "main 2 min 1", "", NULL},
    {MARKED_JOB("", INDEXED NUMBERS("4", "4"), "j"), "main 4", "", NULL},
    {MARKED_JOB(ASKED, NUMBERS("1", "1"), "j"), "main 1", "", NULL},
    {MARKED_JOB("", INDEXED NUMBERS("0", "0"), "j"), "main 0", "", FREE},
    {MARKED_JOB("", INDEXED NUMBERS("1", "1"), "j.ml"), "main 1", "", NULL},
    {MARKED_JOB("", INDEXED NUMBERS("1", "1"), "j2"), "main 1", "", FREE},
    {MARKED_JOB("", INDEXED NUMBERS("1", "1"), "j-other"), "main 1", "", FREE},
    {MARKED_JOB("", NUMBERS("1", "1"), "j"), "main 1", "", FREE},
    /* asked for */
    {BATCH_JOB(ASKED, NUMBERS("4", "4")), "main 4", "", NULL},
    {BATCH_JOB(ASKED, NUMBERS("2", "2")), "main 2", "", NULL},
    {BATCH_JOB(ASKED, NUMBERS("4", "8")), "main 4", "GangOutlivesPods spec.completions", NULL},
    {BATCH_JOB(ASKED, "'parallelism':4,"), "main 4", "GangOutlivesPods spec.completions", NULL},
    {BATCH_JOB(ASKED, NUMBERS("4", "3")), "main 3", "", NULL},
    {BATCH_JOB(ASKED, NUMBERS("1", "1")), "main 1", "", FREE},
    {BATCH_JOB(ASKS("policy.libgang.dev/gang", "yes"), NUMBERS("4", "4")), "main 4",
     "AnnotationNotUsed metadata.annotations[policy.libgang.dev/gang], JobIsNoGang ", FREE},
    /* Kueue's partial admission: as Kueue reads it, with the bounds of its webhook */
    {BATCH_JOB(MINIMUM("2"), NUMBERS("4", "3")), "main 3 min 2", "", NULL},
    {BATCH_JOB(MINIMUM("1"), INDEXED NUMBERS("4", "4")), "main 4 min 1", "", NULL},
    {BATCH_JOB(MINIMUM("2"), INDEXED NUMBERS("4", "8")), "main 4 min 2",
     "GangOutlivesPods spec.completions", NULL},
    {BATCH_JOB(MINIMUM("4"), INDEXED NUMBERS("4", "4")), "main 4",
     "AnnotationNotUsed metadata.annotations[kueue.x-k8s.io/job-min-parallelism]", NULL},
    {BATCH_JOB(MINIMUM("0"), INDEXED NUMBERS("4", "4")), "main 4",
     "AnnotationNotUsed metadata.annotations[kueue.x-k8s.io/job-min-parallelism]", NULL},
    {BATCH_JOB(MINIMUM("x"), INDEXED NUMBERS("4", "4")), "main 4",
     "AnnotationNotUsed metadata.annotations[kueue.x-k8s.io/job-min-parallelism]", NULL},
    /* the gang of Kubernetes 1.37, and that of a JobSet */
    {BATCH_JOB("", "'scheduling':{'schedulingPolicy':{'gang':{'minCount':4}}}," INDEXED NUMBERS(
                       "4", "4")),
     "main 4", "NativeGang spec.scheduling", "Kubernetes makes the gang: spec.scheduling is set"},
    {BATCH_JOB("", "'scheduling':{}," INDEXED NUMBERS("4", "4")), "main 4",
     "NativeGang spec.scheduling", "spec.scheduling asks Kubernetes for no gang"},
    {BATCH_JOB("", "'scheduling':{'schedulingPolicy':{'basic':{}}}," INDEXED NUMBERS("4", "4")),
     "main 4", "NativeGang spec.scheduling", "spec.scheduling asks Kubernetes for no gang"},
    {BATCH_JOB(",'ownerReferences':[{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet',"
               "'name':'js','uid':'u','controller':true}]",
               INDEXED NUMBERS("4", "4")),
     "main 4", "", "it is a part of another job, which has the gang"},
};

START_TEST(what_is_read_of_a_job)
{
    job_check_reading(&readings[_i]);
}
END_TEST

/* Refused by ValidateJobSpec() of Kubernetes 1.37.1. */
static const struct job_verdict verdicts[] = {
    {BATCH_JOB("", NUMBERS("-1", "1")), true, "ValueOutOfRange spec.parallelism"},
    {BATCH_JOB("", NUMBERS("1", "-1")), true, "ValueOutOfRange spec.completions"},
    {BATCH_JOB("", INDEXED "'parallelism':2,"), true,
     "JobIsNoGang , RequiredField spec.completions"},
    {BATCH_JOB("", INDEXED NUMBERS("100001", "100001")), true, "ValueOutOfRange spec.parallelism"},
    {BATCH_JOB("", INDEXED NUMBERS("100000", "100000")), false, ""},
    {BATCH_JOB("", "'unknown':1," INDEXED NUMBERS("2", "2")), false, "UnknownField spec.unknown"},
};

START_TEST(findings_about_a_job)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

#define NAMED(name, mode, completions)                                                             \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'" name "'},'spec':{" mode NUMBERS(  \
        completions, completions) JOB_TEMPLATE "}}"
#define NAME_OF_61 "a234567890123456789012345678901234567890123456789012345678901"

static const struct job_verdict lengths[] = {
    {NAMED(NAME_OF_61, INDEXED, "10"), false, ""}, /* <name>-9: 63 characters */
    {NAMED(NAME_OF_61, INDEXED, "11"), false, "DerivedNameTooLong metadata.name"},
    {NAMED(NAME_OF_61, INDEXED, "0"), false, ""},
    {NAMED(NAME_OF_61, "", "11"), false, "JobIsNoGang "},
};

START_TEST(names_of_indexed_pods_are_limited)
{
    job_check_verdict(&lengths[_i]);
}
END_TEST

static const struct {
    const char *text;
    bool is_suspended;
    bool is_elsewhere;
    bool retries;
} states[] = {
    {BATCH_JOB("", INDEXED NUMBERS("2", "2")), false, false, true},
    {BATCH_JOB("", "'suspend':true,'backoffLimit':0," INDEXED NUMBERS("2", "2")), true, false,
     false},
    {BATCH_JOB("", "'backoffLimit':0,'podFailurePolicy':{'rules':[{'action':'Ignore'}]}," //
               INDEXED NUMBERS("2", "2")),
     false, false, true},
    {BATCH_JOB("", "'managedBy':'kueue.x-k8s.io/multikueue'," INDEXED NUMBERS("2", "2")), false,
     true, true},
    {BATCH_JOB("", "'managedBy':'kubernetes.io/job-controller'," INDEXED NUMBERS("2", "2")), false,
     false, true},
};

START_TEST(the_state_of_a_job)
{
    struct job_case opened;

    job_open_good(&opened, states[_i].text);
    ck_assert_int_eq(opened.job->suspended, states[_i].is_suspended);
    ck_assert_int_eq(opened.job->managed_elsewhere != NULL, states[_i].is_elsewhere);
    ck_assert_int_eq(opened.job->roles[0].retries, states[_i].retries);
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(BATCH_JOB("", INDEXED NUMBERS("2", "2")));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_rows(cases, what_is_read_of_a_job, readings, text);
    add_rows(cases, findings_about_a_job, verdicts, text);
    add_rows(cases, names_of_indexed_pods_are_limited, lengths, text);
    add_rows(cases, the_state_of_a_job, states, text);
}
