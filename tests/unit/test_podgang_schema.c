/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podgang.h"

#include "unit/departure.h"

#define PODGANG(spec)                                                                              \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"x\":null},\"spec\":" spec "}"
#define PODGROUP(rest)                                                                             \
    PODGANG("{\"podgroups\":[{\"name\":\"a\",\"minReplicas\":0,\"podReferences\":[]" rest "}]}")

static const struct departure podgangs[] = {
    {PODGANG("{\"podgroups\":[]}"), 0, NULL, NULL, NULL},
    {PODGROUP(""), 0, NULL, NULL, NULL},
    {PODGROUP(
         ",\"topologyConstraint\":{\"packConstraint\":{\"required\":\"a\",\"preferred\":\"b\"}}"),
     0, NULL, NULL, NULL},
    {PODGROUP(",\"topologyConstraint\":{}"), 0, NULL, NULL, NULL},
    {PODGANG("{\"podgroups\":[],\"reuseReservationRef\":{\"name\":\"a\",\"namespace\":\"b\"}}"), 0,
     NULL, NULL, NULL},
    {PODGANG("{\"podgroups\":[],\"topologyConstraintGroupConfigs\":[{\"name\":\"a\","
             "\"podGroupNames\":[\"b\"]"
             "}]}"),
     0, NULL, NULL, NULL},
    {PODGANG("{}"), GANG_CODE_REQUIRED_FIELD, "spec.podgroups", "Required value", NULL},
    {PODGANG("{\"podgroups\":{}}"), GANG_CODE_WRONG_TYPE, "spec.podgroups",
     "Invalid value: {...}: must be of type array: \"object\"", "write a list"},
    {PODGANG("{\"podgroups\":[],\"minMember\":3}"), GANG_CODE_UNKNOWN_FIELD, "spec.minMember",
     "unknown field \"spec.minMember\"", NULL},
    {PODGROUP(",\"minReplica\":1"), GANG_CODE_UNKNOWN_FIELD, "spec.podgroups[0].minReplica",
     "unknown field \"spec.podgroups[0].minReplica\"", "did you mean \"minReplicas\"?"},
    {PODGANG("{\"podgroups\":[],\"topologyConstraintGroupConfigs\":[{\"name\":\"a\"}]}"),
     GANG_CODE_REQUIRED_FIELD, "spec.topologyConstraintGroupConfigs[0].podGroupNames",
     "Required value", NULL},
    {PODGANG("{\"podgroups\":[],\"reuseReservationRef\":{\"name\":\"a\"}}"),
     GANG_CODE_REQUIRED_FIELD, "spec.reuseReservationRef.namespace", "Required value", NULL},
};

START_TEST(judges_podgangs)
{
    check_departure(&podgang_schema, &podgangs[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, judges_podgangs, podgangs, document);
}
