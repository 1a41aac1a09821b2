/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/spark_schema.h"

#include "unit/jobs.h"
#include "unit/schema_order.h"

START_TEST(fields_are_sorted)
{
    check_schema_order(&spark_application_schema);
}
END_TEST

/* Fields whose bounds and words are those of the CRD of Spark operator v2.5.1. */
#define SPARK(members)                                                                             \
    "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"   \
    "'etl'},'spec':{'type':'Scala','sparkVersion':'4.0.0','mainApplicationFile':'local:///a.jar'," \
    "'driver':{'cores':1,'memory':'1g'}," members "}}"
#define EXECUTOR "'executor':{'cores':1,'instances':1,'memory':'1g'}"
#define OPTION "OperatorGangOption spec"

static const struct job_verdict verdicts[] = {
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

START_TEST(bounds_and_words)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(what_the_spec_must_have)
{
    static const struct job_verdict missing = {
        "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"
        "'etl'},'spec':{'driver':{'cores':1,'memory':'1g'}," EXECUTOR "}}",
        true,
        "RequiredField spec.mainApplicationFile, RequiredField spec.sparkVersion, "
        "RequiredField spec.type, " OPTION};

    job_check_verdict(&missing);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, fields_are_sorted);
    add_rows(cases, bounds_and_words, verdicts, text);
    tcase_add_test(cases, what_the_spec_must_have);
}
