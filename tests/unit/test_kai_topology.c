/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/plans.h"
#include "unit/suite.h"

#define BINDING(metadata, more)                                                                              \
    "{'apiVersion':'grove.io/"                                                                               \
    "v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'grove-topology'" metadata                 \
    "},'spec':{'levels':[{'domain':'zone','key':'topology.kubernetes.io/zone'},{'domain':'rack',"            \
    "'key':'example.com/rack'},{'domain':'host','key':'kubernetes.io/hostname'}]" more "}}"
#define TOPOLOGY(metadata)                                                                                   \
    "{'apiVersion':'kai.scheduler/v1alpha1','kind':'Topology','metadata':{'name':'grove-topology'" metadata  \
    "},'spec':{'levels':[{'nodeLabel':'topology.kubernetes.io/zone'},{'nodeLabel':'example.com/rack'},"      \
    "{'nodeLabel':'kubernetes.io/hostname'}]}}\n"
#define OWNER                                                                                                \
    ",'ownerReferences':[{'apiVersion':'grove.io/"                                                           \
    "v1alpha1','kind':'ClusterTopologyBinding','name':'grove-topology',"                                     \
    "'uid':'u','controller':true,'blockOwnerDeletion':true}]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology_test.go@fcc3b3bb: levels, order, owner, by name; TestTopologyGVR is the
 * apiVersion and kind of each. What is to be done with one that exists stands in test_topology_comparison.c.
 */
static const struct {
    const char *name, *binding, *topology;
} topologies[] = {
    {"TestSyncTopologyWhenNoneExists, TestBuildKAITopology", BINDING(",'uid':'u'", ""), TOPOLOGY(OWNER)},
    {"without a uid", BINDING("", ""), TOPOLOGY("")},
    {"no scheduler named", BINDING("", ",'schedulerTopologyBindings':[]"), TOPOLOGY("")},
    {"somebody else's: nothing is made",
     BINDING("", ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','topologyReference':'x'}]"),
     ""},
};

START_TEST(what_is_made_of_a_binding)
{
    struct gang_topologybinding *binding = NULL;
    struct gang_blob *blob = NULL;
    char text[DOCUMENT_SIZE];
    char expected[DOCUMENT_SIZE];

    spell(text, topologies[_i].binding);
    spell(expected, topologies[_i].topology);
    ck_assert_int_eq(gang_topologybinding_parse(NULL, text, strlen(text), 0, &binding, NULL), GANG_OK);
    ck_assert_int_eq(gang_topologybinding_serialize(binding, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    check_text(gang_blob_get_data(blob, NULL), expected);
    gang_blob_unref(blob);
    ck_assert_int_eq(gang_topologybinding_serialize(binding, (enum gang_format)7, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_topologybinding_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_topologybinding_serialize(binding, GANG_FORMAT_JSON, 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_topologybinding_serialize(binding, GANG_FORMAT_JSON, 1, &blob, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    gang_topologybinding_unref(binding);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, what_is_made_of_a_binding, 0, COUNT_OF(topologies));
}
