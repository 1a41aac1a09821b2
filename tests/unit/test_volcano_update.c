/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include "unit/pod_groups.h"
#include "unit/suite.h"

#define META "{'name':'my-job','namespace':'ml','uid':'o-1','resourceVersion':'7'"

/* A policy for the pods with a label. */
#define SUBGROUP(label)                                                                            \
    "{'name':'a','labelSelector':{'matchLabels':{'" label "':'a'}},'matchLabelKeys':['" label      \
    "'],'subGroupSize':2,'minSubGroups':4}"

/*
 * volcano-sh/volcano:pkg/scheduler/plugins/gang waits for every minimum of a task, if their sum is
 * at most minMember, and for minSubGroups of each policy. The role has eight pods with a CPU each.
 */
static const struct reconciliation rows[] = {
    /* minima that the gang cannot or need not reach are of an earlier job, and would hold it */
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'minTaskMember':{'node':9}"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'minTaskMember':{'node':8,'late':1}"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, AS_VOLCANO ",'minTaskMember':{'node':'8'}"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'subGroupPolicy':[" SUBGROUP("policy.libgang.dev/group") "]"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'subGroupPolicy':[" SUBGROUP("example.com/rack") "]"),
     PODGROUP(Leave), "", NULL},
    /* beside another change, what somebody may have written stays */
    {V, NULL, NULL, NULL,
     VOLCANO_GROUP(OURS, "'minMember':2,'minTaskMember':{'node':8},'subGroupPolicy':[" SUBGROUP(
                             "example.com/rack") "]"),
     PODGROUP(Apply), "",
     META OURS "} {" AS_VOLCANO
               ",'minTaskMember':{'node':8},'subGroupPolicy':[" SUBGROUP("example.com/rack") "]}"},
    {V, NULL, NULL, NULL, VOLCANO_GROUP(OURS, "'minMember':2,'minTaskMember':{'node':9}"),
     PODGROUP(Apply), "", META OURS "} {" AS_VOLCANO "}"},
    /* an ended job needs none of them */
    {V, FINISHED, NULL, NULL,
     VOLCANO_GROUP(OURS, AS_VOLCANO ",'minTaskMember':{'node':8},'subGroupPolicy':[" SUBGROUP(
                             "example.com/rack") "]"),
     PODGROUP(Apply), "", META OURS "} {'minMember':0}"},
};

START_TEST(minima_that_would_hold_the_gang_are_removed)
{
    check_reconciliation(&rows[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, minima_that_would_hold_the_gang_are_removed, rows, gang_policy, trainjob,
             policy);
}
