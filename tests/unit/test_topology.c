/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/suite.h"
#include "unit/topologybindings.h"
#include "unit/typed.h"

#define BINDING(metadata, more)                                                                    \
    "{'apiVersion':'grove.io/"                                                                     \
    "v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'grove-topology'" metadata       \
    "},'spec':{'levels':[{'domain':'zone','key':'topology.kubernetes.io/zone'},{'domain':'rack',"  \
    "'key':'example.com/rack'},{'domain':'host','key':'kubernetes.io/hostname'}]" more "}}"
#define TOPOLOGY(metadata)                                                                         \
    "{'apiVersion':'kai.scheduler/"                                                                \
    "v1alpha1','kind':'Topology','metadata':{'name':'grove-topology'" metadata                     \
    "},'spec':{'levels':[{'nodeLabel':'topology.kubernetes.io/zone'},{'nodeLabel':'example.com/"   \
    "rack'},"                                                                                      \
    "{'nodeLabel':'kubernetes.io/hostname'}]}}\n"
#define OWNER                                                                                      \
    ",'ownerReferences':[{'apiVersion':'grove.io/"                                                 \
    "v1alpha1','kind':'ClusterTopologyBinding','name':'grove-topology',"                           \
    "'uid':'u','controller':true,'blockOwnerDeletion':true}]"

/*
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology_test.go@fcc3b3bb: levels, order, owner,
 * by name; TestTopologyGVR is the apiVersion and kind of each. Existing ones are in
 * test_topology_comparison.c.
 */
static const struct {
    const char *name, *binding, *topology, *topology_name;
} topologies[] = {
    {"TestSyncTopologyWhenNoneExists, TestBuildKAITopology", BINDING(",'uid':'u'", ""),
     TOPOLOGY(OWNER), "grove-topology"},
    {"without a uid", BINDING("", ""), TOPOLOGY(""), "grove-topology"},
    {"with an empty uid", BINDING(",'uid':\"\"", ""), TOPOLOGY(""), "grove-topology"},
    {"no scheduler named", BINDING("", ",'schedulerTopologyBindings':[]"), TOPOLOGY(""),
     "grove-topology"},
    {"somebody else's: nothing is made",
     BINDING("", ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','"
                 "topologyReference':'x'}]"),
     "", "x"},
    {"somebody else's of the same name",
     BINDING("",
             ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','topologyReference':"
             "'grove-topology'}]"),
     "", "grove-topology"},
};

START_TEST(topologies_of_a_binding)
{
    struct gang_topologybinding *binding = binding_of(topologies[_i].binding);
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    char expected[DOCUMENT_SIZE];

    spell(expected, topologies[_i].topology);
    ck_assert_int_eq(gang_topologybinding_serialize(NULL, document_of(binding), GANG_FORMAT_JSON, 0,
                                                    &blob, &error),
                     GANG_OK);
    ck_assert_ptr_null(error);
    check_text(gang_blob_get_data(blob, NULL), expected);
    check_text(gang_document_get_reference(document_of(binding), "Topology"),
               topologies[_i].topology_name);
    gang_blob_unref(blob);
    unref_topologybinding(binding);
}
END_TEST

START_TEST(a_topology_in_yaml)
{
    struct gang_topologybinding *binding = binding_of(BINDING("", ""));
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_topologybinding_serialize(NULL, document_of(binding), GANG_FORMAT_YAML, 0,
                                                    &blob, NULL),
                     GANG_OK);
    check_text(
        gang_blob_get_data(blob, NULL),
        "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata:\n  name: "
        "grove-topology\nspec:\n"
        "  levels:\n  - nodeLabel: topology.kubernetes.io/zone\n  - nodeLabel: example.com/rack\n"
        "  - nodeLabel: kubernetes.io/hostname\n");
    gang_blob_unref(blob);
    unref_topologybinding(binding);
}
END_TEST

/* One argument of gang_topologybinding_serialize() that it does not take. */
static const struct {
    bool has_binding, has_out;
    enum gang_format format;
    uint32_t flags;
    int result;
} misuses[] = {
    {false, true, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, false, GANG_FORMAT_JSON, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, (enum gang_format)7, 0, GANG_ERROR_INVALID_ARGUMENT},
    {true, true, GANG_FORMAT_YAML, 1, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    struct gang_blob *const untouched = (struct gang_blob *)(void *)(uintptr_t)&misuses;
    struct gang_topologybinding *binding = binding_of(BINDING("", ""));
    struct gang_error *error = NULL;
    struct gang_blob *blob = untouched;

    ck_assert_int_eq(
        gang_topologybinding_serialize(NULL, document_of(misuses[_i].has_binding ? binding : NULL),
                                       (int)misuses[_i].format, misuses[_i].flags,
                                       misuses[_i].has_out ? &blob : NULL, &error),
        misuses[_i].result);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_ptr_eq(blob, misuses[_i].has_out ? NULL : untouched);
    gang_error_free(error);
    unref_topologybinding(binding);
    ck_assert_ptr_null(gang_document_get_reference(document_of(NULL), "Topology"));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, topologies_of_a_binding, topologies, name, binding);
    tcase_add_test(cases, a_topology_in_yaml);
    add_rows(cases, misuse_is_refused, misuses, has_binding, has_out, format);
}
