/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/jobset.h"

#include "unit/departure.h"
#include "unit/schema_order.h"

#define RUNTIME(spec)                                                                              \
    "{\"apiVersion\":\"trainer.kubeflow.org/"                                                      \
    "v1alpha1\",\"kind\":\"ClusterTrainingRuntime\",\"metadata\":{},\"spec\":" spec "}"
#define ROLE(rest)                                                                                 \
    "{\"name\":\"node\",\"template\":{\"spec\":{\"template\":{\"spec\":{\"containers\":[{"         \
    "\"name\":"                                                                                    \
    "\"node\"" rest "}]}}}}}"
#define ROLES(roles) RUNTIME("{\"template\":{\"spec\":{\"replicatedJobs\":[" roles "]}}}")
#define IN_CONTAINER                                                                               \
    "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0]"

#define ENTRY(name) "{\"targetReplicatedJobs\":[\"" name "\"]}"
#define CLAIM(name) "{\"name\":\"" name "\",\"resourceClaimName\":\"x\"}"
#define CLAIMS(items)                                                                              \
    RUNTIME("{\"scheduling\":{\"replicatedJobs\":[{\"targetReplicatedJobs\":[\"node\"],\"job\":{"  \
            "\"resourceClaims\":"                                                                  \
            "[" items "]}}]}}")

static const struct departure runtimes[] = {
    {ROLES(ROLE("")), 0, NULL, NULL, NULL},
    {RUNTIME("{}"), GANG_CODE_TOO_FEW_ITEMS, "spec", "Too few: 0: must have at least 1 item", NULL},
    {RUNTIME("{\"template\":{}}"), GANG_CODE_TOO_FEW_ITEMS, "spec.template",
     "Too few: 0: must have at least 1 item", NULL},
    {RUNTIME("{\"podGroupPolicy\":{\"coscheduling\":{\"scheduleTimeoutSeconds\":0}}}"), 0, NULL,
     NULL, NULL},
    {RUNTIME("{\"podGroupPolicy\":{\"kaiScheduler\":{\"queue\":\"q\"},\"anything\":1}}"), 0, NULL,
     NULL, NULL},
    {RUNTIME("{\"podGroupPolicy\":{\"volcano\":{\"queue\":\"q\"}}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.podGroupPolicy.volcano.queue", "unknown field \"spec.podGroupPolicy.volcano.queue\"",
     NULL},
    {RUNTIME("{\"podGroupPolicy\":{\"volcano\":{\"networkTopology\":{\"mode\":\"Hard\"}}}}"),
     GANG_CODE_UNSUPPORTED_VALUE, "spec.podGroupPolicy.volcano.networkTopology.mode",
     "Unsupported value: \"Hard\": supported values: \"hard\", \"soft\"", "did you mean \"hard\"?"},
    {RUNTIME("{\"mlPolicy\":{\"numNodes\":-1,\"torch\":{}}}"), 0, NULL, NULL, NULL},
    {RUNTIME("{\"mlPolicy\":{\"jax\":{\"x\":1}}}"), GANG_CODE_UNKNOWN_FIELD, "spec.mlPolicy.jax.x",
     "unknown field \"spec.mlPolicy.jax.x\"", NULL},
    {RUNTIME("{\"mlPolicy\":{\"mpi\":{\"mpiImplementation\":\"\"}}}"), 0, NULL, NULL, NULL},
    {RUNTIME("{\"mlPolicy\":{\"mpi\":{\"mpiImplementation\":\"Intel\"}}}"),
     GANG_CODE_UNSUPPORTED_VALUE, "spec.mlPolicy.mpi.mpiImplementation",
     "Unsupported value: \"Intel\": supported values: \"OpenMPI\", \"\"", NULL},
    {ROLES("{\"name\":\"node\"}"), GANG_CODE_REQUIRED_FIELD,
     "spec.template.spec.replicatedJobs[0].template", "Required value", NULL},
    {ROLES(ROLE("") "," ROLE("")), GANG_CODE_DUPLICATE_ITEM,
     "spec.template.spec.replicatedJobs[1].name", "Duplicate value: \"node\"",
     "the first is spec.template.spec.replicatedJobs[0]"},
    {ROLES(ROLE(",\"resources\":{\"requests\":{\"cpu\":\"500m\",\"memory\":1}}")), 0, NULL, NULL,
     NULL},
    {ROLES(ROLE(",\"resources\":{\"requests\":{\"cpu\":true}}")), GANG_CODE_WRONG_TYPE,
     IN_CONTAINER ".resources.requests[cpu]",
     "Invalid value: true: must be of type integer,string: \"boolean\"", NULL},
    {ROLES(ROLE(",\"ports\":[{\"containerPort\":1},{\"containerPort\":1,\"protocol\":\"UDP\"}]")),
     0, NULL, NULL, NULL},
    {ROLES(ROLE(",\"ports\":[{\"containerPort\":1},{\"containerPort\":1}]")),
     GANG_CODE_DUPLICATE_ITEM, IN_CONTAINER ".ports[1].containerPort", "Duplicate value: 1",
     "the first is " IN_CONTAINER ".ports[0]"},
    {ROLES(ROLE(",\"comand\":[]")), GANG_CODE_UNKNOWN_FIELD, IN_CONTAINER ".comand",
     "unknown field \"" IN_CONTAINER ".comand\"", "did you mean \"command\"?"},
    /* what is only proposed: kubeflow/trainer#3015 and KEP-3015 */
    {RUNTIME("{\"podGroupPolicy\":{\"workload\":{}}}"), 0, NULL, NULL, NULL},
    {RUNTIME("{\"podGroupPolicy\":{\"workload\":{\"minCount\":2}}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.podGroupPolicy.workload.minCount",
     "unknown field \"spec.podGroupPolicy.workload.minCount\"", NULL},
    {RUNTIME("{\"scheduling\":{}}"), 0, NULL, NULL, NULL},
    {RUNTIME("{\"scheduling\":{\"schedulingPolicy\":{\"gang\":{}},\"schedulingConstraints\":{"
             "\"topology\":[{"
             "\"key\":\"rack\"}]},\"disruptionMode\":{\"all\":{}}}}"),
     0, NULL, NULL, NULL},
    {RUNTIME("{\"scheduling\":{\"replicatedJobs\":[{\"targetReplicatedJobs\":[\"node\"],\"job\":{"
             "\"schedulingPolicy\":{\"basic\":{}},\"resourceClaims\":[{\"name\":\"gpu\"}]}}]}}"),
     0, NULL, NULL, NULL},
    {RUNTIME("{\"scheduling\":{\"replicatedJobs\":[]}}"), GANG_CODE_TOO_FEW_ITEMS,
     "spec.scheduling.replicatedJobs", "Too few: 0: must have at least 1 item", NULL},
    {RUNTIME("{\"scheduling\":{\"replicatedJobs\":[{\"schedulingPolicy\":{}}]}}"),
     GANG_CODE_REQUIRED_FIELD, "spec.scheduling.replicatedJobs[0].targetReplicatedJobs",
     "Required value", NULL},
    {RUNTIME("{\"scheduling\":{\"replicatedJobs\":[{\"targetReplicatedJobs\":[]}]}}"),
     GANG_CODE_TOO_FEW_ITEMS, "spec.scheduling.replicatedJobs[0].targetReplicatedJobs",
     "Too few: 0: must have at least 1 item", NULL},
    {RUNTIME(
         "{\"scheduling\":{\"replicatedJobs\":[" ENTRY("a") "," ENTRY("b") "," ENTRY("c") "," ENTRY(
             "d") "," ENTRY("e") "," ENTRY("f") "," ENTRY("g") "," ENTRY("h") "," ENTRY("i") "]}}"),
     GANG_CODE_TOO_MANY_ITEMS, "spec.scheduling.replicatedJobs",
     "Too many: 9: must have at most 8 items", NULL},
    {CLAIMS(CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d")), 0, NULL, NULL, NULL},
    {CLAIMS(CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d") "," CLAIM("e")),
     GANG_CODE_TOO_MANY_ITEMS, "spec.scheduling.replicatedJobs[0].job.resourceClaims",
     "Too many: 5: must have at most 4 items", NULL},
    {CLAIMS(CLAIM("a") "," CLAIM("b") "," CLAIM("a")), GANG_CODE_DUPLICATE_ITEM,
     "spec.scheduling.replicatedJobs[0].job.resourceClaims[2].name", "Duplicate value: \"a\"",
     "the first is spec.scheduling.replicatedJobs[0].job.resourceClaims[0]"},
    {RUNTIME("{\"scheduling\":{\"disruptionMode\":{\"none\":{}}}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.scheduling.disruptionMode.none", "unknown field \"spec.scheduling.disruptionMode.none\"",
     NULL},
    {RUNTIME("{\"scheduling\":{\"schedulingPolicy\":{\"gang\":{\"minCount\":2147483648}}}}"),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.scheduling.schedulingPolicy.gang.minCount",
     "Invalid value: 2147483648: must be between -2147483648 and 2147483647", NULL},
    {RUNTIME("{\"scheduling\":{\"priority\":7}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.scheduling.priority", "unknown field \"spec.scheduling.priority\"", NULL},
    {RUNTIME("{\"scheduling\":{\"schedulingConstraints\":{\"topology\":[{\"key\":\"a\"},{\"key\":"
             "\"b\"}]}}}"),
     GANG_CODE_TOO_MANY_ITEMS, "spec.scheduling.schedulingConstraints.topology",
     "Too many: 2: must have at most 1 item", NULL},
    {RUNTIME("{\"scheduling\":{\"schedulingConstraints\":{\"topology\":[{\"key\":\"rack\","
             "\"level\":1}]}}}"),
     GANG_CODE_UNKNOWN_FIELD, "spec.scheduling.schedulingConstraints.topology[0].level",
     "unknown field \"spec.scheduling.schedulingConstraints.topology[0].level\"", NULL},
    {RUNTIME("{\"scheduling\":{\"resourceClaims\":[]}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.scheduling.resourceClaims", "unknown field \"spec.scheduling.resourceClaims\"", NULL},
    {RUNTIME("{\"scheduling\":{\"policy\":{\"gang\":{}}}}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.scheduling.policy", "unknown field \"spec.scheduling.policy\"", NULL},
};

START_TEST(schema_of_runtimes)
{
    check_departure(&training_runtime_schema, &runtimes[_i]);
}
END_TEST

#define TRAINJOB(spec)                                                                             \
    "{\"apiVersion\":\"trainer.kubeflow.org/"                                                      \
    "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"x\":null},\"spec\":" spec "}"
#define JOB(rest) TRAINJOB("{\"runtimeRef\":{\"name\":\"r\"}" rest "}")
#define PATCH(manager, pod)                                                                        \
    JOB(",\"runtimePatches\":[{" manager                                                           \
        "\"trainingRuntimeSpec\":{\"template\":{\"spec\":{\"replicatedJobs\":["                    \
        "{\"name\":\"node\",\"template\":{\"spec\":{\"template\":{\"spec\":" pod "}}}}]}}}}]")
#define MANAGER "\"manager\":\"a.io/b\","

static const struct departure trainjobs[] = {
    {JOB(""), 0, NULL, NULL, NULL},
    {JOB(",\"trainer\":{\"numNodes\":2,\"resourcesPerNode\":{\"requests\":{\"cpu\":1,\"nvidia.com/"
         "gpu\":\"2\"}}}"),
     0, NULL, NULL, NULL},
    {TRAINJOB("{\"runtimeRef\":{\"name\":\"r\",\"apiGroup\":null}}"), 0, NULL, NULL, NULL},
    {TRAINJOB("{}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef", "Required value", NULL},
    {TRAINJOB("{\"runtimeRef\":{}}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef.name",
     "Required value", NULL},
    {TRAINJOB("{\"runtimeRef\":{\"name\":\"\"}}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimeRef.name",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {JOB(",\"trainer\":{\"numNode\":2}"), GANG_CODE_UNKNOWN_FIELD, "spec.trainer.numNode",
     "unknown field \"spec.trainer.numNode\"", "did you mean \"numNodes\"?"},
    {JOB(",\"Trainer\":{}"), GANG_CODE_UNKNOWN_FIELD, "spec.Trainer",
     "unknown field \"spec.Trainer\"", "did you mean \"trainer\"?"},
    {JOB(",\"trainer\":{\"numNodes\":\"2\"}"), GANG_CODE_WRONG_TYPE, "spec.trainer.numNodes",
     "Invalid value: \"2\": must be of type integer: \"string\"", UNQUOTE_IT},
    {JOB(",\"trainer\":{\"numNodes\":2147483648}"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.trainer.numNodes",
     "Invalid value: 2147483648: must be between -2147483648 and 2147483647", NULL},
    {JOB(",\"activeDeadlineSeconds\":9223372036854775808"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.activeDeadlineSeconds",
     "Invalid value: 9223372036854775808: must be between 1 and 9223372036854775807", NULL},
    {JOB(",\"trainer\":{\"numNodes\":0}"), 0, NULL, NULL, NULL},
    {JOB(",\"trainer\":{\"image\":1.5}"), GANG_CODE_WRONG_TYPE, "spec.trainer.image",
     "Invalid value: 1.5: must be of type string: \"number\"", QUOTE_IT},
    {JOB(",\"trainer\":{\"env\":[{\"name\":\"A\"},{\"name\":\"A\"}]}"), GANG_CODE_DUPLICATE_ITEM,
     "spec.trainer.env[1].name", "Duplicate value: \"A\"", "the first is spec.trainer.env[0]"},
    {JOB(",\"trainer\":{\"env\":[{\"nam\":\"A\",\"name\":\"B\"}]}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.trainer.env[0].nam", "unknown field \"spec.trainer.env[0].nam\"",
     "did you mean \"name\"?"},
    {JOB(",\"trainer\":{\"resourcesPerNode\":{\"limits\":{\"cpu\":0.5}}}"),
     GANG_CODE_FRACTIONAL_NUMBER, "spec.trainer.resourcesPerNode.limits[cpu]",
     "Invalid value: 0.5: must be of type integer,string: \"number\"", "put the number in quotes"},
    {JOB(",\"trainer\":{\"resourcesPerNode\":{\"limits\":{\"cpu\":null}}}"), GANG_CODE_NULL_VALUE,
     "spec.trainer.resourcesPerNode.limits[cpu]",
     "Invalid value: null: must be of type integer,string: \"null\"", NULL},
    {JOB(",\"activeDeadlineSeconds\":0"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.activeDeadlineSeconds", "Invalid value: 0: must be greater than or equal to 1", NULL},
    {JOB(",\"suspend\":\"yes\""), GANG_CODE_WRONG_TYPE, "spec.suspend",
     "Invalid value: \"yes\": must be of type boolean: \"string\"", UNQUOTE_IT},
    {JOB(",\"podSpecOverrides\":[]"), GANG_CODE_UNKNOWN_FIELD, "spec.podSpecOverrides",
     "unknown field \"spec.podSpecOverrides\"", NULL},
    {PATCH(MANAGER, "{\"nodeSelector\":{\"a\":\"b\"},\"tolerations\":[{\"key\":\"k\",\"operator\":"
                    "\"Exists\"}]}"),
     0, NULL, NULL, NULL},
    {PATCH("", "{}"), GANG_CODE_REQUIRED_FIELD, "spec.runtimePatches[0].manager", "Required value",
     NULL},
    {PATCH(MANAGER, "{\"schedulerName\":\"x\"}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec."
     "template.spec."
     "schedulerName",
     "unknown field "
     "\"spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec."
     "template."
     "spec.schedulerName\"",
     NULL},
    {PATCH(MANAGER,
           "{\"containers\":[{\"name\":\"node\",\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"/"
           "a\"},{\"name\":\"v\",\"mountPath\":\"/b\"}]}]}"),
     GANG_CODE_DUPLICATE_ITEM,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec."
     "template.spec."
     "containers[0].volumeMounts[1].name",
     "Duplicate value: \"v\"",
     "the first is spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]."
     "template.spec.template.spec.containers[0].volumeMounts[0]"},
};

START_TEST(schema_of_trainjobs)
{
    check_departure(&trainjob_schema, &trainjobs[_i]);
}
END_TEST

START_TEST(fields_are_sorted)
{
    check_schema_order(&training_runtime_schema);
    check_schema_order(&trainjob_schema);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, fields_are_sorted);
    add_rows(cases, schema_of_runtimes, runtimes, document);
    add_rows(cases, schema_of_trainjobs, trainjobs, document);
}
