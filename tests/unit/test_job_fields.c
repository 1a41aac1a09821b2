/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_fields.h"

#include "unit/job_roles.h"
#include "unit/tree.h"

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

static const struct {
    const char *text;
    int64_t number;
} numbers[] = {
    {"{\"n\":3}", 3},
    {"{}", 7},
    {"{\"n\":null}", 7},
    {"{\"n\":\"3\"}", 7},
    {"{\"n\":2147483647}", INT32_MAX},
    {"{\"n\":2147483648}", INT32_MAX},
    {"{\"n\":9223372036854775807}", INT32_MAX},
    {"{\"n\":-9223372036854775808}", INT32_MIN},
};

START_TEST(a_number_beyond_int32_is_the_nearest_one)
{
    struct arena *arena = arena_new(0);
    const struct node *map = tree_of(arena, numbers[_i].text);

    ck_assert_int_eq(job_field_number(map, SLICE("n"), 7), numbers[_i].number);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_number_beyond_int32_is_the_nearest_one, numbers, text);
    add_rows(cases, the_parts_of_another_job_have_no_gang_of_their_own, owners, text);
}
