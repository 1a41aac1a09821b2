/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/ray_schema.h"

#include "unit/jobs.h"
#include "unit/schema_order.h"

static const struct schema *const ray_schemas[] = {&ray_cluster_schema, &ray_job_schema,
                                                   &ray_service_schema};

START_TEST(ray_fields_are_sorted)
{
    check_schema_order(ray_schemas[_i]);
}
END_TEST

/* Fields whose bounds and words are those of the CRDs of KubeRay v1.6.2. */
#define RAY_DOCUMENT(kind, spec)                                                                   \
    "{'apiVersion':'ray.io/v1','kind':'" kind "','metadata':{'name':'r'},'spec':{" spec "}}"
#define RAY_HEAD "'headGroupSpec':{'template':{'spec':{'containers':[{'name':'c'}]}}}"

static const struct job_verdict ray_schema_verdicts[] = {
    {RAY_DOCUMENT("RayCluster", RAY_HEAD ",'authOptions':{'mode':'tokens'}"), true,
     "UnsupportedValue spec.authOptions.mode"},
    {RAY_DOCUMENT("RayCluster", RAY_HEAD ",'autoscalerOptions':{'upscalingMode':'Fast'}"), true,
     "UnsupportedValue spec.autoscalerOptions.upscalingMode"},
    {RAY_DOCUMENT("RayCluster", RAY_HEAD ",'workerGroupSpecs':[{'template':{'spec':{'containers':["
                                         "{'name':'c'}]}},'replicas':1}]"),
     true, "RequiredField spec.workerGroupSpecs[0].groupName"},
    {RAY_DOCUMENT("RayCluster", "'headGroupSpec':{'template':{'spec':{'containers':[{'name':'c',"
                                "'resource':{}}]}}}"),
     false, "UnknownField spec.headGroupSpec.template.spec.containers[0].resource"},
    {RAY_DOCUMENT("RayJob", "'rayClusterSpec':{" RAY_HEAD
                            "},'submissionMode':'HTTPMode','preRunningDeadlineSeconds':0"),
     true, "ValueOutOfRange spec.preRunningDeadlineSeconds"},
    {RAY_DOCUMENT("RayJob", "'rayClusterSpec':{" RAY_HEAD "},'submissionMode':'HTTPMode','entrypoin"
                            "tt':'x'"),
     false, "UnknownField spec.entrypointt"},
};

START_TEST(ray_findings_of_the_schema)
{
    job_check_verdict(&ray_schema_verdicts[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, ray_fields_are_sorted, 0, COUNT_OF(ray_schemas));
    add_rows(cases, ray_findings_of_the_schema, ray_schema_verdicts, text);
}
