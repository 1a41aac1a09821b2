/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/jobs.h"
#include "unit/schema_order.h"

static const struct schema *const schemas[] = {
    &ray_cluster_schema, &ray_job_schema,           &ray_service_schema,
    &lws_schema,         &mpi_job_schema,           &pytorch_job_schema,
    &tf_job_schema,      &xgboost_job_schema,       &paddle_job_schema,
    &jax_job_schema,     &spark_application_schema, &appwrapper_schema,
};

START_TEST(fields_are_sorted)
{
    check_schema_order(schemas[_i]);
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

/* Fields whose bounds and words are those of the CRD of Spark operator v2.5.2. */
#define SPARK(members)                                                                             \
    "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"   \
    "'etl'},'spec':{'type':'Scala','sparkVersion':'4.0.0','mainApplicationFile':'local:///a.jar'," \
    "'driver':{'cores':1,'memory':'1g'}," members "}}"
#define EXECUTOR "'executor':{'cores':1,'instances':1,'memory':'1g'}"
#define OPTION "OperatorGangOption spec"

static const struct job_verdict spark_schema_verdicts[] = {
    {SPARK(EXECUTOR), false, OPTION},
    {SPARK("'executor':{'cores':1,'instances':0,'memory':'1g'}"), true,
     OPTION ", ValueOutOfRange spec.executor.instances"},
    {SPARK("'executor':{'cores':0,'instances':1,'memory':'1g'}"), true,
     OPTION ", ValueOutOfRange spec.executor.cores"},
    {SPARK("'executor':{'cores':1,'instances':1,'memory':1024}"), true,
     OPTION ", WrongType spec.executor.memory, JavaSize spec.executor.memory"},
    {SPARK(EXECUTOR ",'mode':'local'"), true, OPTION ", UnsupportedValue spec.mode"},
    {SPARK(EXECUTOR ",'restartPolicy':{'type':'Sometimes'}"), true,
     OPTION ", UnsupportedValue spec.restartPolicy.type"},
    {SPARK("'executor':{'cores':1,'instances':1,'memory':'1g','gpu':{'name':'gpu'}}"), true,
     OPTION ", RequiredField spec.executor.gpu.quantity"},
    {SPARK(EXECUTOR ",'dynamicAlocation':{}"), false,
     "UnknownField spec.dynamicAlocation, " OPTION},
};

START_TEST(spark_findings_of_the_schema)
{
    job_check_verdict(&spark_schema_verdicts[_i]);
}
END_TEST

START_TEST(what_a_spark_application_must_have)
{
    static const struct job_verdict missing = {
        "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"
        "'etl'},'spec':{'driver':{'cores':1,'memory':'1g'}," EXECUTOR "}}",
        true,
        /* not type, which the webhook fills: api/v1beta2/defaults.go@v2.5.2 */
        "RequiredField spec.mainApplicationFile, RequiredField spec.sparkVersion, " OPTION};

    job_check_verdict(&missing);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, fields_are_sorted, 0, COUNT_OF(schemas));
    add_rows(cases, ray_findings_of_the_schema, ray_schema_verdicts, text);
    add_rows(cases, spark_findings_of_the_schema, spark_schema_verdicts, text);
    tcase_add_test(cases, what_a_spark_application_must_have);
}
