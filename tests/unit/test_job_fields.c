/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_fields.h"

#include "unit/job_roles.h"

#define OWNED(version, kind, controller)                                                           \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','ownerReferences':[{"            \
    "'apiVersion':'" version "','kind':'" kind "','name':'o','uid':'u','controller':" controller   \
    "}]},'spec':{'completionMode':'Indexed','parallelism':2,'completions':2," JOB_TEMPLATE "}}"

static const struct {
    const char *text;
    bool is_part;
} owners[] = {
    {OWNED("jobset.x-k8s.io/v1alpha2", "JobSet", "true"), true},
    {OWNED("kubeflow.org/v2beta1", "MPIJob", "true"), true},
    {OWNED("ray.io/v1", "RayJob", "true"), true},
    {OWNED("ray.io/v1", "RayCluster", "true"), true},
    {OWNED("trainer.kubeflow.org/v1alpha1", "TrainJob", "true"), true},
    {OWNED("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "true"), true},
    {OWNED("v1", "Pod", "true"), true},
    /* these make Jobs that stand alone */
    {OWNED("batch/v1", "CronJob", "true"), false},
    {OWNED("workload.codeflare.dev/v1beta2", "AppWrapper", "true"), false},
    {OWNED("argoproj.io/v1alpha1", "Workflow", "true"), false},
    {OWNED("example.io/v1", "JobSet", "true"), false},
    {OWNED("jobset.x-k8s.io/v1alpha2", "JobSet", "false"), false},
};

START_TEST(the_parts_of_another_job_have_no_gang_of_their_own)
{
    struct job_case opened;

    job_open_good(&opened, owners[_i].text);
    ck_assert_int_eq(opened.job->why_no_gang != NULL, owners[_i].is_part);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_parts_of_another_job_have_no_gang_of_their_own, owners, text);
}
