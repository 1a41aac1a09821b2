/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainjob_schema.h"

#include "unit/departure.h"
#include "unit/schema_lengths.h"

#define TRAINJOB(spec)                                                                                       \
    "{\"apiVersion\":\"trainer.kubeflow.org/"                                                                \
    "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"x\":null},\"spec\":" spec "}"
#define JOB(rest) TRAINJOB("{\"runtimeRef\":{\"name\":\"r\"}" rest "}")
#define PATCH(manager, pod)                                                                                  \
    JOB(",\"runtimePatches\":[{" manager                                                                     \
        "\"trainingRuntimeSpec\":{\"template\":{\"spec\":{\"replicatedJobs\":["                              \
        "{\"name\":\"node\",\"template\":{\"spec\":{\"template\":{\"spec\":" pod "}}}}]}}}}]")
#define MANAGER "\"manager\":\"a.io/b\","

static const struct departure trainjobs[] = {
    {JOB(""), 0, NULL, NULL, NULL},
    {JOB(",\"trainer\":{\"numNodes\":2,\"resourcesPerNode\":{\"requests\":{\"cpu\":1,\"nvidia.com/"
         "gpu\":\"2\"}}}"),
     0, NULL, NULL, NULL},
    {TRAINJOB("{\"runtimeRef\":{\"name\":\"r\",\"apiGroup\":null}}"), 0, NULL, NULL, NULL},
    {TRAINJOB("{}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef", "Required value", NULL},
    {TRAINJOB("{\"runtimeRef\":{}}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef.name", "Required value",
     NULL},
    {TRAINJOB("{\"runtimeRef\":{\"name\":\"\"}}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef.name",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {JOB(",\"trainer\":{\"numNode\":2}"), GANG_CODE_UNKNOWN_FIELD, "spec.trainer.numNode",
     "unknown field \"spec.trainer.numNode\"", "did you mean \"numNodes\"?"},
    {JOB(",\"Trainer\":{}"), GANG_CODE_UNKNOWN_FIELD, "spec.Trainer", "unknown field \"spec.Trainer\"",
     "did you mean \"trainer\"?"},
    {JOB(",\"trainer\":{\"numNodes\":\"2\"}"), GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes",
     "Invalid value: \"2\": must be of type integer: \"string\"", UNQUOTE_IT},
    {JOB(",\"trainer\":{\"numNodes\":2147483648}"), GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numNodes",
     "Invalid value: 2147483648: must be between -2147483648 and 2147483647", NULL},
    {JOB(",\"activeDeadlineSeconds\":9223372036854775808"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.activeDeadlineSeconds",
     "Invalid value: 9223372036854775808: must be between 1 and 9223372036854775807", NULL},
    {JOB(",\"trainer\":{\"numNodes\":0}"), 0, NULL, NULL, NULL},
    {JOB(",\"trainer\":{\"image\":1.5}"), GANG_CODE_WRONG_TYPE, "spec.trainer.image",
     "Invalid value: 1.5: must be of type string: \"number\"", QUOTE_IT},
    {JOB(",\"trainer\":{\"env\":[{\"name\":\"A\"},{\"name\":\"A\"}]}"), GANG_CODE_DUPLICATE_ITEM,
     "spec.trainer.env[1].name", "Duplicate value: \"A\"", NULL},
    {JOB(",\"trainer\":{\"env\":[{\"nam\":\"A\",\"name\":\"B\"}]}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.trainer.env[0].nam", "unknown field \"spec.trainer.env[0].nam\"", "did you mean \"name\"?"},
    {JOB(",\"trainer\":{\"resourcesPerNode\":{\"limits\":{\"cpu\":0.5}}}"), GANG_CODE_FRACTIONAL_NUMBER,
     "spec.trainer.resourcesPerNode.limits[cpu]", "the API server refuses the fractional number 0.5 here",
     "put the number in quotes"},
    {JOB(",\"trainer\":{\"resourcesPerNode\":{\"limits\":{\"cpu\":null}}}"), GANG_CODE_NULL_VALUE,
     "spec.trainer.resourcesPerNode.limits[cpu]",
     "Invalid value: null: must be of type integer,string: \"null\"", NULL},
    {JOB(",\"activeDeadlineSeconds\":0"), GANG_CODE_VALUE_OUT_OF_RANGE, "spec.activeDeadlineSeconds",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {JOB(",\"suspend\":\"yes\""), GANG_CODE_WRONG_TYPE, "spec.suspend",
     "Invalid value: \"yes\": must be of type boolean: \"string\"", UNQUOTE_IT},
    {JOB(",\"podSpecOverrides\":[]"), GANG_CODE_UNKNOWN_FIELD, "spec.podSpecOverrides",
     "unknown field \"spec.podSpecOverrides\"", NULL},
    {PATCH(MANAGER,
           "{\"nodeSelector\":{\"a\":\"b\"},\"tolerations\":[{\"key\":\"k\",\"operator\":\"Exists\"}]}"),
     0, NULL, NULL, NULL},
    {PATCH("", "{}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimePatches[0].manager", "Required value", NULL},
    {PATCH(MANAGER, "{\"schedulerName\":\"x\"}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec."
     "schedulerName",
     "unknown field "
     "\"spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template."
     "spec.schedulerName\"",
     NULL},
    {PATCH(MANAGER, "{\"containers\":[{\"name\":\"node\",\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"/"
                    "a\"},{\"name\":\"v\",\"mountPath\":\"/b\"}]}]}"),
     GANG_CODE_DUPLICATE_ITEM,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec."
     "containers[0].volumeMounts[1].name",
     "Duplicate value: \"v\"", NULL},
};

START_TEST(judges_trainjobs)
{
    check_departure(&trainjob_schema, &trainjobs[_i]);
}
END_TEST

START_TEST(fields_are_found_by_their_lengths)
{
    ck_assert_uint_gt(check_schema_lengths(&trainjob_schema), 100);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, fields_are_found_by_their_lengths);
    add_rows(cases, judges_trainjobs, trainjobs, document);
}
