/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "unit/job_decisions.h"
#include "unit/job_plans.h"

#define DELEGATE                                                                                   \
    "'defaultBackend':'kai','backends':[{'name':'kai','type':'KAI','kai':{'podGroup':'Delegate'}}" \
    "]"
#define OWNED_BY(version, kind)                                                                    \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j',"         \
    "'namespace':'ml'},'spec':{'owner':{'apiVersion':'" version "','kind':'" kind "'},"            \
    "'roles':[{'name':'a','count':2,'requests':{'cpu':'1'}}]}}"
#define BATCH_JOB(annotations)                                                                     \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ml',"               \
    "'annotations':{" annotations "}},'spec':{'completionMode':'Indexed','parallelism':2,"         \
    "'completions':2,'backoffLimit':0,'template':{'spec':{'restartPolicy':'Never',"                \
    "'containers':[{'name':'c'}]}}}}"

#define RAY_POD "'template':{'spec':{'containers':[{'name':'c'}]}}"
#define RAY_CLUSTER(sizes)                                                                         \
    "{'apiVersion':'ray.io/v1','kind':'RayCluster','metadata':{'name':'r','namespace':'ml'},"      \
    "'spec':{'headGroupSpec':{'rayStartParams':{}," RAY_POD "},'workerGroupSpecs':[{'groupName':"  \
    "'w'," sizes ",'numOfHosts':2,'rayStartParams':"                                               \
    "{}," RAY_POD "}]}}"
#define REPLICATED(name, rest)                                                                     \
    "{'name':'" name "'," rest "'replicas':1,'template':{'spec':{'parallelism':2,'completions':2," \
    "'template':{'spec':{'containers':[{'name':'c'}]}}}}}"
#define JOBSET(members, rest)                                                                      \
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'j','namespace':" \
    "'ml'},'spec':{" members                                                                       \
    "'replicatedJobs':[" REPLICATED("a", "") "," REPLICATED("b", rest) "]}}"

/* Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/hub/hub.go@d5bc503a */
static const struct {
    const char *job;
    bool is_gang;
    const char *groups; /* a part of the message about the PodGroup */
} kinds[] = {
    {OWNED_BY("apps/v1", "StatefulSet"), false, "a group with the minimum 1"},
    {OWNED_BY("sparkoperator.k8s.io/v1beta2", "SparkApplication"), false,
     "a group with the minimum 1"},
    {OWNED_BY("v1", "PodList"), false, "a group for each pod"},
    {BATCH_JOB(""), false, "a group with the minimum 1"},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'2'"), true, "a group with the minimum 1"},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'1'"), false, "a group with the minimum 1"},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'3'"), false, "a group with the minimum 1"},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'all'"), false, "a group with the minimum 1"},
    {OWNED_BY("jobset.x-k8s.io/v1alpha2", "JobSet"), true, "for the JobSet of a TrainJob"},
    {OWNED_BY("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"), true, "a group for each replica"},
    {OWNED_BY("ray.io/v1", "RayJob"), true, "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'replicas':2,'minReplicas':2,'maxReplicas':2"), true,
     "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'replicas':2,'minReplicas':0,'maxReplicas':2"), true,
     "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'replicas':2,'minReplicas':1,'maxReplicas':2"), false,
     "minReplicas pods of each worker group"},
    /* KubeRay creates 2 or 3: the podgrouper fails below minReplicas, and reads no maxReplicas */
    {RAY_CLUSTER("'replicas':3,'minReplicas':2,'maxReplicas':2"), true,
     "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'replicas':2,'minReplicas':3,'maxReplicas':3"), false,
     "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'minReplicas':2,'maxReplicas':2"), false,
     "minReplicas pods of each worker group"},
    {RAY_CLUSTER("'replicas':3,'minReplicas':0,'maxReplicas':2"), false,
     "minReplicas pods of each worker group"},
    {OWNED_BY("kubeflow.org/v1", "TFJob"), true, "a subgroup of each role"},
    {OWNED_BY("kubeflow.org/v1", "PaddleJob"), false, "a group for each pod"},
    {OWNED_BY("a.io/v1", "Fleet"), true, "libgang does not know"},
    {OWNED_BY("apps/v1", "Deployment"), true, "libgang does not know"},
};

/* The findings with this code; sets the message of the last one. */
static size_t
count_findings(const struct gang_decision *decision, enum gang_code code, const char **message)
{
    size_t found = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_code(one) != (int)code)
            continue;
        *message = gang_diagnostic_get_message(one);
        found++;
    }
    return found;
}

START_TEST(the_podgroupers_group_of_a_kind)
{
    struct job_plan plan;
    const char *message = "";

    job_plan_open(&plan, kinds[_i].job, DELEGATE, 0);
    ck_assert_ptr_nonnull(plan.decision);
    ck_assert_uint_eq(count_findings(plan.decision, GANG_CODE_KAI_DELEGATE_NO_GANG, &message),
                      kinds[_i].is_gang ? 0 : 1);
    ck_assert_int_eq(plan.result, kinds[_i].is_gang ? GANG_OK : GANG_ERROR_INVALID);
    ck_assert_uint_eq(count_findings(plan.decision, GANG_CODE_KAI_NOT_PREDICTED, &message), 1);
    ck_assert_msg(strstr(message, kinds[_i].groups) != NULL, "%s", message);
    job_plan_close(&plan);
}
END_TEST

/*
 * The group of a bare JobSet is that of the JobSet of a TrainJob: tests/recorded/kai. The
 * annotation of a Job counts since v0.14.1 (PR 1308).
 */
static const struct {
    const char *job, *release;
    int code; /* 0: a gang */
} releases[] = {
    {JOBSET("", ""), "v0.12.0", GANG_CODE_KAI_DELEGATE_NO_GANG},
    {JOBSET("", ""), "v0.14.7", 0},
    {JOBSET("", ""), "v0.15.3", GANG_CODE_KAI_DELEGATE_NO_GANG},
    {JOBSET("", ""), "v0.17.1", 0},
    {JOBSET("", "'dependsOn':[{'name':'a','status':'Ready'}],"), "v0.14.7",
     GANG_CODE_KAI_DELEGATE_STUCK},
    {JOBSET("", "'dependsOn':[{'name':'a','status':'Ready'}],"), "v0.17.1",
     GANG_CODE_KAI_DELEGATE_STUCK},
    {JOBSET("'startupPolicy':{'startupPolicyOrder':'InOrder'},", ""), "v0.17.1", 0},
    /* KubeRay reads `suspend` and creates no pod, the podgrouper `suspended`, and waits for them */
    {RAY_CLUSTER("'suspend':true,'replicas':2,'minReplicas':2,'maxReplicas':2"), "v0.17.1",
     GANG_CODE_KAI_DELEGATE_STUCK},
    {RAY_CLUSTER("'suspend':true,'replicas':2,'minReplicas':0,'maxReplicas':2"), "v0.12.0",
     GANG_CODE_KAI_DELEGATE_STUCK},
    {RAY_CLUSTER("'suspend':true,'replicas':0,'minReplicas':0,'maxReplicas':2"), "v0.17.1", 0},
    {RAY_CLUSTER("'suspend':true,'replicas':0,'minReplicas':2,'maxReplicas':2"), "v0.17.1",
     GANG_CODE_KAI_DELEGATE_STUCK},
    {RAY_CLUSTER("'suspend':false,'replicas':2,'minReplicas':2,'maxReplicas':2"), "v0.17.1", 0},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'2'"), "v0.14.0", GANG_CODE_KAI_DELEGATE_NO_GANG},
    {BATCH_JOB("'kai.scheduler/batch-min-member':'2'"), "v0.14.1", 0},
};

START_TEST(the_podgroupers_group_in_a_release)
{
    static const enum gang_code codes[] = {GANG_CODE_KAI_DELEGATE_NO_GANG,
                                           GANG_CODE_KAI_DELEGATE_STUCK};
    struct gang_decision *decision;
    const char *message = "";
    char facts[256];

    snprintf(facts, sizeof(facts),
             "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangCluster','metadata':{'name':"
             "'c'},'spec':{'components':{'kai':'%s'}}}",
             releases[_i].release);
    decision = resolve_job_in(releases[_i].job, 0, DELEGATE, facts);
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        ck_assert_uint_eq(count_findings(decision, codes[i], &message),
                          releases[_i].code == (int)codes[i]);
    gang_decision_unref(decision);
}
END_TEST

/* The pods then have the annotation with which the podgrouper passes over them. */
START_TEST(nothing_is_reported_of_a_group_that_libgang_creates)
{
    struct job_plan plan;
    const char *message = "";

    job_plan_open(&plan, OWNED_BY("apps/v1", "StatefulSet"), "'defaultBackend':'kai'", 0);
    ck_assert_int_eq(plan.result, GANG_OK);
    ck_assert_uint_eq(count_findings(plan.decision, GANG_CODE_KAI_DELEGATE_NO_GANG, &message), 0);
    ck_assert_uint_eq(count_findings(plan.decision, GANG_CODE_KAI_NOT_PREDICTED, &message), 0);
    job_plan_close(&plan);
}
END_TEST

#define LONG_63 "x23456789-123456789-123456789-123456789-123456789-123456789-123"
#define LONG_JOB(namespace)                                                                        \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'" LONG_63    \
    "." LONG_63 "." LONG_63 "','namespace':'" namespace "'},'spec':{'owner':{'apiVersion':"        \
                                                        "'a.io/"                                   \
                                                        "v1','kind':'Fleet'},'roles':[{'name':'a'" \
                                                        ",'count':2,'requests':{'cpu':'1'}}]}}"
#define SEGMENTS(kind)                                                                             \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j'},"        \
    "'spec':{'owner':{'apiVersion':'kubeflow.org/v1','kind':'" kind "'},'roles':[{'name':'w',"     \
    "'count':4,'template':{'metadata':{'annotations':{'kai.scheduler/segment-size':'2'}},"         \
    "'spec':{'containers':[{'name':'c'}]}}}]}}"

/* What libgang cannot make in the podgrouper's place. Only PyTorchJobs and LWS have segments. */
static const struct {
    const char *job;
    enum gang_code code;
    size_t count;
} created[] = {
    {LONG_JOB("ml"), GANG_CODE_INVALID_NAME, 0},    /* 3 * 63 + 2 + 1 + 2 */
    {LONG_JOB(LONG_63), GANG_CODE_INVALID_NAME, 1}, /* 255 */
    {SEGMENTS("PyTorchJob"), GANG_CODE_FIELD_LOST, 1},
    {SEGMENTS("TFJob"), GANG_CODE_FIELD_LOST, 0},
};

START_TEST(reports_what_its_group_cannot_have)
{
    struct job_plan plan;
    const char *message = "";

    job_plan_open(&plan, created[_i].job, "'defaultBackend':'kai'", 0);
    ck_assert_uint_eq(count_findings(plan.decision, created[_i].code, &message), created[_i].count);
    job_plan_close(&plan);
}
END_TEST

/* An owner without an API version is of no known kind; one without annotations asks for nothing. */
START_TEST(what_is_known_of_an_owner_alone)
{
    struct gang_wishes wishes = {.owner.kind = SLICE_INIT("Job")};
    const struct gang gang = {.wishes = &wishes};

    ck_assert_ptr_null(kai_foreign_trait(&wishes)->groups);
    ck_assert(!kai_foreign_is_no_gang(&gang, &kai_newest_release));
    wishes.owner.api_version = SLICE("batch/v1");
    ck_assert_ptr_nonnull(kai_foreign_trait(&wishes)->groups);
    ck_assert(kai_foreign_is_no_gang(&gang, &kai_newest_release));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, what_is_known_of_an_owner_alone);
    add_rows(cases, the_podgroupers_group_of_a_kind, kinds, job);
    add_rows(cases, the_podgroupers_group_in_a_release, releases, job);
    tcase_add_test(cases, nothing_is_reported_of_a_group_that_libgang_creates);
    add_rows(cases, reports_what_its_group_cannot_have, created, job);
}
