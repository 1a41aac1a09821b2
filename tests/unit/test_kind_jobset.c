/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"

#define JOBSET_WITH(metadata, members, jobs)                                                       \
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'js'" metadata    \
    "},'spec':{" members "'replicatedJobs':[" jobs "]}}"
#define JOBSET(members, jobs) JOBSET_WITH("", members, jobs)
/* `members` of the replicatedJob, `metadata` of its template, `spec` of its Job. */
#define JOBS_WITH(name, members, metadata, spec)                                                   \
    "{'name':'" name "'," members "'template':{" metadata "'spec':{" spec JOB_TEMPLATE "}}}"
#define JOBS(name, replicas, parallelism)                                                          \
    JOBS_WITH(name, "'replicas':" replicas ",", "", "'parallelism':" parallelism ",")
#define AFTER(name, replicas, parallelism, target, status)                                         \
    JOBS_WITH(name,                                                                                \
              "'replicas':" replicas ",'dependsOn':[{'name':'" target "','status':'" status        \
              "'}],",                                                                              \
              "", "'parallelism':" parallelism ",")
#define BY_JOB " by jobset.sigs.k8s.io/job-index"
#define IN_ORDER "'startupPolicy':{'startupPolicyOrder':'InOrder'},"
#define EXCLUSIVE "'alpha.jobset.sigs.k8s.io/exclusive-topology':'rack'"
#define NODE_SELECTOR "'alpha.jobset.sigs.k8s.io/node-selector':'true'"
#define COORDINATED(indices, job)                                                                  \
    JOBSET("'coordinator':{'replicatedJob':'a'" indices "},",                                      \
           JOBS_WITH("a", "'replicas':2,", "", job))
#define TRAINS "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},"

/*
 * The numbers of pods are those of PodSets() of Kueue v0.19.2, the order is that in which the
 * reconciler of JobSet v0.12.0 creates Jobs.
 */
static const struct job_reading readings[] = {
    {JOBSET("", JOBS("w", "2", "4")), "w 8 unit 4" BY_JOB, "", NULL},
    {JOBSET("", JOBS("w", "1", "4")), "w 4", "", NULL},
    {JOBSET("", JOBS_WITH("w", "", "", "")), "w 1",
     "DefaultApplied spec.replicatedJobs[0].replicas", NULL},
    /* a Job has no more pods than completions; a work queue has its parallelism */
    {JOBSET("", JOBS_WITH("w", "'replicas':2,", "", "'parallelism':4,'completions':3,")),
     "w 6 unit 3" BY_JOB, "", NULL},
    {JOBSET("", JOBS_WITH("w", "'replicas':1,", "", "'completions':3,")), "w 1", "", NULL},
    /* no stages: the webhook accepts a role without pods, and nothing waits for it */
    {JOBSET("", JOBS("a", "0", "2") "," AFTER("b", "1", "2", "a", "Ready")),
     "a 0, b 2 after a Ready", "", NULL},
    {JOBSET("", JOBS("a", "0", "2") "," AFTER("b", "1", "2", "a", "Complete")),
     "a 0, b 2 Member after a Complete", "", NULL},
    {JOBSET("", JOBS("a", "1", "2") "," AFTER("b", "1", "2", "a", "Ready")),
     "a 2, b 2 after a Ready", "", NULL},
    {JOBSET(IN_ORDER, JOBS("a", "1", "1") "," JOBS("b", "0", "2") "," JOBS("c", "1", "3")),
     "a 1, b 0 after a Ready, c 3 after a Ready", "", NULL},
    /* a Job of parallelism 0 is created after others, is ready at once and never complete */
    {JOBSET("", JOBS("d", "1", "3") "," AFTER("a", "1", "0", "d", "Complete") "," //
            AFTER("c", "1", "2", "a", "Complete")),
     "d 3 Member, a 0 after d Complete, c 2 Outside after d Complete",
     "RoleNeverCreated spec.replicatedJobs[2].dependsOn[0]", NULL},
    {JOBSET("", JOBS("d", "1", "3") "," AFTER("a", "1", "0", "d", "Ready") "," //
            AFTER("c", "1", "2", "a", "Ready")),
     "d 3, a 0 after d Ready, c 2 after d Ready", "", NULL},
    {JOBSET("", JOBS("d", "1", "3") "," AFTER("a", "1", "0", "d", "Complete") "," //
            AFTER("c", "1", "2", "a", "Complete") "," AFTER("e", "1", "2", "c", "Ready")),
     "d 3 Member, a 0 after d Complete, c 2 Outside after d Complete, e 2 Outside after c Ready",
     "RoleNeverCreated spec.replicatedJobs[2].dependsOn[0], RoleNeverCreated "
     "spec.replicatedJobs[3].dependsOn[0]",
     NULL},
    /* nothing is missed of a role without Jobs, and nothing waits for it */
    {JOBSET("", JOBS("d", "1", "0") "," AFTER("a", "0", "3", "d", "Complete") "," //
            AFTER("c", "1", "2", "a", "Complete")),
     "d 0, a 0, c 2 Member after a Complete", "", NULL},
    /* a role that waits for another one directly, and by way of one without pods, waits once */
    {JOBSET("", JOBS("d", "1", "3") "," AFTER("a", "1", "0", "d", "Complete") "," JOBS_WITH(
                    "c",
                    "'replicas':1,'dependsOn':[{'name':'d','status':'Ready'},{'name':'a','status':"
                    "'Ready'}],",
                    "", "'parallelism':2,")),
     "d 3 Member, a 0 after d Complete, c 2 after d Complete; js-s1: d 3, a 0 after d Complete, c "
     "2 Member after d Complete",
     "", NULL},
    {JOBSET("", JOBS("d", "1", "3") "," AFTER("a", "1", "0", "d", "Complete") "," JOBS_WITH(
                    "c",
                    "'replicas':1,'dependsOn':[{'name':'a','status':'Ready'},{'name':'d','status':"
                    "'Ready'}],",
                    "", "'parallelism':2,")),
     "d 3 Member, a 0 after d Complete, c 2 after d Complete; js-s1: d 3, a 0 after d Complete, c "
     "2 Member after d Complete",
     "", NULL},
    {JOBSET("", JOBS("d", "0", "3") "," AFTER("a", "1", "0", "d", "Ready") "," JOBS_WITH(
                    "c",
                    "'replicas':1,'dependsOn':[{'name':'d','status':'Complete'},{'name':'a','status"
                    "':'Ready'}],",
                    "", "'parallelism':2,")),
     "d 0, a 0 after d Ready, c 2 Member after d Complete", "", NULL},
    /* stages: a gang for each with several pods */
    {JOBSET("", JOBS("prepare", "1", "1") "," AFTER("train", "1", "4", "prepare", "Complete") "," //
            AFTER("export", "1", "1", "train", "Complete")),
     "prepare 1, train 4 Member after prepare Complete, export 1 after train Complete", "", NULL},
    {JOBSET("", JOBS("prepare", "1", "2") "," AFTER("train", "1", "4", "prepare", "Complete") "," //
            AFTER("watch", "1", "1", "train", "Ready")),
     "prepare 2 Member, train 4 after prepare Complete, watch 1 after train Ready; js-s1: prepare "
     "2, train 4 Member after prepare Complete, watch 1 Member after train Ready",
     "", NULL},
    {JOBSET("", JOBS("a", "1", "2") "," AFTER("b", "1", "1", "a", "Complete") "," //
            AFTER("c", "1", "3", "b", "Complete") "," AFTER("d", "1", "1", "c", "Complete")),
     "a 2 Member, b 1 after a Complete, c 3 after b Complete, d 1 after c Complete; js-s1: a 2, b "
     "1 "
     "after a Complete, c 3 Member after b Complete, d 1 after c Complete",
     "", NULL},
    /* a role of a later stage, which also waits for one of the first gang */
    {JOBSET("", JOBS("a", "1", "2") "," AFTER("b", "1", "2", "a", "Complete") "," JOBS_WITH(
                    "c",
                    "'replicas':1,'dependsOn':[{'name':'a','status':'Ready'},{'name':'b','status':"
                    "'Complete'}],",
                    "", "")),
     "a 2 Member, b 2 after a Complete, c 1 after a Ready after b Complete; js-s1: a 2, b 2 Member "
     "after a Complete, c 1 after a Ready after b Complete",
     "", NULL},
    {JOBSET("", JOBS("a", "1", "1") "," AFTER("b", "1", "1", "a", "Complete")),
     "a 1, b 1 after a Complete", "", "no stage of the job has more than one pod"},
    /* the label of Trainer says which stage is the gang */
    {JOBSET("", JOBS("a", "1", "2") "," JOBS_WITH(
                    "b", "'replicas':1,'dependsOn':[{'name':'a','status':'Complete'}],", TRAINS,
                    "'parallelism':3,")),
     "a 2, b 3 Member after a Complete", "", NULL},
    /* the webhook lets one pod of each Job through, and the others when it has a node */
    {JOBSET_WITH(",'annotations':{" EXCLUSIVE "}", "", JOBS("w", "2", "4")),
     "w 8 unit 4" BY_JOB " first 2",
     "ExclusiveTopology metadata.annotations[alpha.jobset.sigs.k8s.io/exclusive-topology]", NULL},
    {JOBSET_WITH(",'annotations':{" EXCLUSIVE "," NODE_SELECTOR "}", "", JOBS("w", "2", "4")),
     "w 8 unit 4" BY_JOB, "", NULL},
    {JOBSET("", JOBS_WITH("w", "'replicas':2,", "'metadata':{'annotations':{" EXCLUSIVE "}},",
                          "'parallelism':4,") "," JOBS("x", "1", "4")),
     "w 8 unit 4" BY_JOB " first 2, x 4",
     "ExclusiveTopology spec.replicatedJobs[0].template.metadata.annotations"
     "[alpha.jobset.sigs.k8s.io/exclusive-topology]",
     NULL},
    {JOBSET_WITH(",'annotations':{" EXCLUSIVE "}", "", JOBS("w", "4", "1")), "w 4", "", NULL},
    /* JobSet's own gang, and the gang of a TrainJob */
    {JOBSET("'scheduling':{},", JOBS("w", "1", "4")), "w 4", "NativeGang spec.scheduling",
     "Kubernetes makes the gang: spec.scheduling is set"},
    {JOBSET_WITH(
         ",'ownerReferences':[{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob"
         "','name':'t','uid':'u','controller':true}]",
         "", JOBS("w", "1", "4")),
     "w 4", "", "it is a part of another job, which has the gang"},
};

START_TEST(what_is_read_of_a_jobset)
{
    job_check_reading(&readings[_i]);
}
END_TEST

/*
 * Refused by the webhook of JobSet v0.12.0 or by the API server. Some are warnings under a policy
 * with compatibility, so the document alone is not refused for them.
 */
static const struct job_verdict verdicts[] = {
    {JOBSET("", AFTER("a", "1", "1", "a", "Ready")), false,
     "DependencyRule spec.replicatedJobs[0].dependsOn"},
    {JOBSET("", AFTER("a", "1", "1", "b", "Ready") "," JOBS("b", "1", "1")), false,
     "DependencyRule spec.replicatedJobs[0].dependsOn, DependencyRule "
     "spec.replicatedJobs[0].dependsOn[0]"},
    {JOBSET("", JOBS("a", "1", "1") "," JOBS_WITH(
                    "b", "'replicas':1,'dependsOn':[{'status':'Ready'}],", "", "")),
     true, "RequiredField spec.replicatedJobs[1].dependsOn[0].name"},
    {JOBSET(IN_ORDER, JOBS("a", "1", "1") "," AFTER("b", "1", "1", "a", "Ready")), true,
     "StartOrderConflict spec.startupPolicy.startupPolicyOrder"},
    {JOBSET("'successPolicy':{'operator':'All','targetReplicatedJobs':['x']},",
            JOBS("a", "1", "1")),
     false, "UnknownRole spec.successPolicy.targetReplicatedJobs[0]"},
    /* pkg/webhooks/jobset_webhook.go Default@v0.12.0 names the rule */
    {JOBSET("'failurePolicy':{'rules':[{'action':'FailJobSet'}]},", JOBS("a", "1", "1")), false,
     ""},
    {JOBSET("'failurePolicy':{'rules':[{'name':'a'}]},", JOBS("a", "1", "1")), true,
     "RequiredField spec.failurePolicy.rules[0].action"},
    {JOBSET("'managedBy':'x',", JOBS("a", "1", "1")), true, "InvalidName spec.managedBy"},
    {JOBSET("'managedBy':'',", JOBS("a", "1", "1")), true, "RequiredField spec.managedBy"},
    {JOBSET("", JOBS("a", "-1", "1")), true, "ValueOutOfRange spec.replicatedJobs[0].replicas"},
    {JOBSET("", JOBS("a", "1", "-1")), true,
     "ValueOutOfRange spec.replicatedJobs[0].template.spec.parallelism"},
    {JOBSET("", JOBS_WITH("a", "'replicas':1,", "", "'completions':-1,")), true,
     "ValueOutOfRange spec.replicatedJobs[0].template.spec.completions"},
    {JOBSET("", JOBS("a", "65536", "32768")), true, "PodsOverflow spec.replicatedJobs[0]"},
    {JOBSET("", JOBS("a", "1", "1") "," JOBS("a", "1", "1")), true,
     "DuplicateItem spec.replicatedJobs[1].name"},
    {JOBSET("", JOBS("a", "1", "'x'")), true,
     "WrongType spec.replicatedJobs[0].template.spec.parallelism"},
    {JOBSET("'unknown':1,", JOBS("a", "1", "1")), false, "UnknownField spec.unknown"},
    /* config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml@v0.11.0 */
    {JOBSET("", "{'name':'a','replicas':1,'template':{'spec':{'template':{'spec':{"
                "'workloadRef':null,'containers':[{'name':'c','image':'x'}]}}}}}"),
     false, ""},
    /* pkg/webhooks/jobset_webhook.go validateCoordinator@v0.12.0, behind Default */
    {COORDINATED("", "'completions':2,"), false, ""},
    {COORDINATED(",'jobIndex':1,'podIndex':1", "'completions':2,'completionMode':'Indexed',"),
     false, ""},
    {COORDINATED(",'jobIndex':2", "'completions':2,"), true,
     "RefusedByOperator spec.coordinator.jobIndex"},
    {COORDINATED(",'jobIndex':-1", "'completions':2,"), true,
     "RefusedByOperator spec.coordinator.jobIndex"},
    {COORDINATED(",'podIndex':2", "'completions':2,"), true,
     "RefusedByOperator spec.coordinator.podIndex"},
    {COORDINATED(",'podIndex':-1", "'completions':2,"), true,
     "RefusedByOperator spec.coordinator.podIndex"},
    {COORDINATED("", "'completions':0,"), true, "RefusedByOperator spec.coordinator"},
    {COORDINATED("", "'parallelism':2,"), true, "RefusedByOperator spec.coordinator"},
    {COORDINATED("", "'completions':2,'completionMode':'NonIndexed',"), true,
     "RefusedByOperator spec.coordinator"},
    {JOBSET("'coordinator':{'replicatedJob':'a'},", JOBS("a", "0", "1")), true,
     "RefusedByOperator spec.coordinator, RefusedByOperator spec.coordinator"},
};

START_TEST(findings_about_a_jobset)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

/* js-<role>-0 is the longest name of a Job, js-<role>-0-9-xxxxx that of a pod. */
#define ROLE_OF_58 "a234567890123456789012345678901234567890123456789012345678"
#define ROLE_OF_51 "a23456789012345678901234567890123456789012345678901"

static const struct job_verdict lengths[] = {
    {JOBSET("", JOBS(ROLE_OF_58, "1", "1")), false, ""},
    {JOBSET("", JOBS(ROLE_OF_58 "9", "1", "1")), false, "DerivedNameTooLong metadata.name"},
    {JOBSET("", JOBS_WITH(ROLE_OF_51, "'replicas':1,", "", "'completions':10,")), false,
     "DerivedNameTooLong metadata.name"},
    /* js-<role>-0--1-xxxxx */
    {JOBSET("", JOBS_WITH(ROLE_OF_51, "'replicas':1,", "", "'completions':0,")), false,
     "DerivedNameTooLong metadata.name"},
    {JOBSET("", JOBS_WITH("b", "'replicas':1,", "", "'completions':10,")), false, ""},
    {JOBSET("", JOBS_WITH(ROLE_OF_51, "'replicas':1,", "",
                          "'completionMode':'NonIndexed','completions':10,")),
     false, ""},
    {JOBSET("", JOBS(ROLE_OF_51, "1", "10")), false, ""}, /* the webhook needs completions */
    /* validateCoordinatorLabelValue: js-a-1-12.<subdomain> */
    {JOBSET("'coordinator':{'replicatedJob':'a','jobIndex':1,'podIndex':12},"
            "'network':{'subdomain':'a1234567890123456789012345678901234567890123456789012'},",
            JOBS_WITH("a", "'replicas':2,", "", "'completions':13,")),
     false, ""},
    {JOBSET("'coordinator':{'replicatedJob':'a','jobIndex':1,'podIndex':12},"
            "'network':{'subdomain':'a12345678901234567890123456789012345678901234567890123'},",
            JOBS_WITH("a", "'replicas':2,", "", "'completions':13,")),
     false, "DerivedNameTooLong metadata.name"},
};

START_TEST(names_of_jobs_and_pods_are_limited)
{
    job_check_verdict(&lengths[_i]);
}
END_TEST

/*
 * Known to be wrong in JobSet v0.12.0: its webhook accepts a role that waits for itself, and its
 * controller never creates it.
 */
START_TEST(a_role_that_waits_for_itself_is_an_error)
{
    struct job_case opened;
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;

    job_open_good(&opened, JOBSET("", JOBS("a", "1", "1") "," AFTER("b", "1", "2", "b", "Ready")));
    ck_assert_int_eq(gang_resolve(NULL, opened.document, inputs, 0, &decision, &opened.error),
                     GANG_ERROR_INVALID);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(opened.error, 0)),
                     GANG_CODE_START_ORDER_CYCLE);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    job_close(&opened);
}
END_TEST

static const struct {
    const char *text;
    bool is_suspended;
    bool is_elsewhere;
} states[] = {
    {JOBSET("", JOBS("a", "1", "1")), false, false},
    {JOBSET("'suspend':true,", JOBS("a", "1", "1")), true, false},
    {JOBSET("'managedBy':'kueue.x-k8s.io/multikueue',", JOBS("a", "1", "1")), false, true},
    {JOBSET("'managedBy':'jobset.sigs.k8s.io/jobset-controller',", JOBS("a", "1", "1")), false,
     false},
};

START_TEST(a_jobset_is_suspended_or_managed_elsewhere)
{
    struct job_case opened;

    job_open_good(&opened, states[_i].text);
    ck_assert_int_eq(opened.job->suspended, states[_i].is_suspended);
    ck_assert_int_eq(opened.job->managed_elsewhere != NULL, states[_i].is_elsewhere);
    job_close(&opened);
}
END_TEST

START_TEST(a_failed_pod_is_replaced_unless_the_backoff_limit_is_0)
{
    struct job_case opened;

    job_open_good(&opened, JOBSET("", JOBS("a", "1", "1") "," JOBS_WITH("b", "'replicas':1,", "",
                                                                        "'backoffLimit':0,")));
    ck_assert(opened.job->roles[0].retries);
    ck_assert(!opened.job->roles[1].retries);
    ck_assert_ptr_nonnull(opened.job->roles[0].pod_template);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, what_is_read_of_a_jobset, readings, text);
    add_rows(cases, findings_about_a_jobset, verdicts, text);
    add_rows(cases, names_of_jobs_and_pods_are_limited, lengths, text);
    tcase_add_test(cases, a_role_that_waits_for_itself_is_an_error);
    add_rows(cases, a_jobset_is_suspended_or_managed_elsewhere, states, text);
    tcase_add_test(cases, a_failed_pod_is_replaced_unless_the_backoff_limit_is_0);
}
