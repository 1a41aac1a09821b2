/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

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
    {OWNED_BY("jobset.x-k8s.io/v1alpha2", "JobSet"), true, "for the JobSet of a TrainJob"},
    {OWNED_BY("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"), true, "a group for each replica"},
    {OWNED_BY("ray.io/v1", "RayJob"), true, "minReplicas pods of each worker group"},
    {OWNED_BY("kubeflow.org/v1", "TFJob"), true, "a subgroup of each role"},
    {OWNED_BY("a.io/v1", "Fleet"), true, "libgang does not know"},
    {OWNED_BY("apps/v1", "Deployment"), true, "libgang does not know"},
};

/* The findings with this code; sets the message of the last one. */
static size_t
count_findings(const struct job_plan *plan, enum gang_code code, const char **message)
{
    size_t found = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(plan->decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(plan->decision, i);

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
    ck_assert_uint_eq(count_findings(&plan, GANG_CODE_KAI_DELEGATE_NO_GANG, &message),
                      kinds[_i].is_gang ? 0 : 1);
    ck_assert_int_eq(plan.result, kinds[_i].is_gang ? GANG_OK : GANG_ERROR_INVALID);
    ck_assert_uint_eq(count_findings(&plan, GANG_CODE_KAI_NOT_PREDICTED, &message), 1);
    ck_assert_msg(strstr(message, kinds[_i].groups) != NULL, "%s", message);
    job_plan_close(&plan);
}
END_TEST

/* The pods then have the annotation with which the podgrouper passes over them. */
START_TEST(nothing_is_reported_of_a_group_that_libgang_creates)
{
    struct job_plan plan;
    const char *message = "";

    job_plan_open(&plan, OWNED_BY("apps/v1", "StatefulSet"), "'defaultBackend':'kai'", 0);
    ck_assert_int_eq(plan.result, GANG_OK);
    ck_assert_uint_eq(count_findings(&plan, GANG_CODE_KAI_DELEGATE_NO_GANG, &message), 0);
    ck_assert_uint_eq(count_findings(&plan, GANG_CODE_KAI_NOT_PREDICTED, &message), 0);
    job_plan_close(&plan);
}
END_TEST

/* An owner without an API version is of no known kind; one without annotations asks for nothing. */
START_TEST(what_is_known_of_an_owner_alone)
{
    struct gang_wishes wishes = {.owner.kind = SLICE_INIT("Job")};

    ck_assert_ptr_null(kai_foreign_trait(&wishes)->groups);
    ck_assert(!kai_foreign_is_no_gang(&wishes));
    wishes.owner.api_version = SLICE("batch/v1");
    ck_assert_ptr_nonnull(kai_foreign_trait(&wishes)->groups);
    ck_assert(kai_foreign_is_no_gang(&wishes));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, what_is_known_of_an_owner_alone);
    add_rows(cases, the_podgroupers_group_of_a_kind, kinds, job);
    tcase_add_test(cases, nothing_is_reported_of_a_group_that_libgang_creates);
}
