/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podcliqueset.h"

#include "unit/departure.h"

#define SET(pods)                                                                                  \
    "{\"apiVersion\":\"grove.io/"                                                                  \
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"x\":null},\"spec\":{\"template\":" pods  \
    "}}"
#define CLIQUES(rest)                                                                              \
    SET("{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":\"a\",\"podSpec\":{}}}]" rest "}")
#define CLIQUE(spec) SET("{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":\"a\"," spec "}}]}")

static const struct departure sets[] = {
    {CLIQUES(""), 0, NULL, NULL, NULL},
    {CLIQUES(",\"podCliqueScalingGroups\":[{\"name\":\"g\",\"cliqueNames\":[\"a\"],\"replicas\":2,"
             "\"minAvailable\":1,"
             "\"scaleConfig\":{\"maxReplicas\":4},\"annotations\":{\"a\":\"b\"}}]"),
     0, NULL, NULL, NULL},
    {CLIQUES(",\"cliqueStartupType\":\"CliqueStartupTypeInOrder\",\"terminationDelay\":\"4h\","
             "\"priorityClassName\":\"p\""),
     0, NULL, NULL, NULL},
    {CLIQUES(",\"topologyConstraint\":{\"topologyName\":\"t\",\"pack\":{\"required\":\"zone\"}}"),
     0, NULL, NULL, NULL},
    {CLIQUE("\"podSpec\":{\"containers\":[],\"schedulerName\":\"x\",\"anything\":{\"else\":1}}"), 0,
     NULL, NULL, NULL},
    {CLIQUE("\"podSpec\":{},\"replicas\":0,\"minAvailable\":1,\"startsAfter\":[\"b\"],"
            "\"autoScalingConfig\":{}"),
     0, NULL, NULL, NULL},
    {SET("{}"), GANG_CODE_REQUIRED_FIELD, "spec.template.cliques", "Required value", NULL},
    {CLIQUE("\"replicas\":1"), GANG_CODE_REQUIRED_FIELD, "spec.template.cliques[0].spec.podSpec",
     "Required value", NULL},
    {CLIQUE("\"podSpec\":{\"priorityClassName\":1}"), GANG_CODE_WRONG_TYPE,
     "spec.template.cliques[0].spec.podSpec.priorityClassName",
     "Invalid value: 1: must be of type string: \"integer\"", QUOTE_IT},
    {CLIQUE("\"podSpec\":{},\"replicas\":2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.template.cliques[0].spec.replicas",
     "Invalid value: 2147483648: must be between 0 and 2147483647", NULL},
    {CLIQUE("\"podSpec\":{},\"minReplicas\":1"), GANG_CODE_UNKNOWN_FIELD,
     "spec.template.cliques[0].spec.minReplicas",
     "unknown field \"spec.template.cliques[0].spec.minReplicas\"", "did you mean \"replicas\"?"},
    {CLIQUES(",\"podCliqueScalingGroups\":[{\"name\":\"g\"}]"), GANG_CODE_REQUIRED_FIELD,
     "spec.template.podCliqueScalingGroups[0].cliqueNames", "Required value", NULL},
    {CLIQUES(",\"topologyConstraint\":{\"pack\":{\"required\":\"\"}}"), GANG_CODE_REQUIRED_FIELD,
     "spec.template.topologyConstraint.pack.required",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {CLIQUES(",\"cliqueStartupType\":\"InOrder\""), GANG_CODE_UNSUPPORTED_VALUE,
     "spec.template.cliqueStartupType",
     "Unsupported value: \"InOrder\": supported values: \"CliqueStartupTypeAnyOrder\", "
     "\"CliqueStartupTypeInOrder\", "
     "\"CliqueStartupTypeExplicit\"",
     NULL},
};

START_TEST(judges_podcliquesets)
{
    check_departure(&podcliqueset_schema, &sets[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, judges_podcliquesets, sets, document);
}
