/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/decide/decision.h"

#include "unit/grove_documents.h"
#include "unit/typed.h"

#define BINDING(spec)                                                                              \
    "{'apiVersion':'grove.io/"                                                                     \
    "v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'t'},'spec':{" spec "}}"
#define LEVEL(domain, key) "{'domain':'" domain "','key':'" key "'}"
#define LEVELS(text) "'levels':[" text "]"
#define TWO LEVELS(LEVEL("zone", "z") "," LEVEL("host", "kubernetes.io/hostname"))
#define FOR(scheduler, reference)                                                                  \
    "{'schedulerName':'" scheduler "','topologyReference':'" reference "'}"
#define SCHEDULERS(text) ",'schedulerTopologyBindings':[" text "]"
#define AT_SCHEDULER(index) "spec.schedulerTopologyBindings[" #index "].schedulerName: "
#define EIGHT(n)                                                                                   \
    LEVEL("a" n, "a" n)                                                                            \
    "," LEVEL("b" n, "b" n) "," LEVEL("c" n, "c" n) "," LEVEL("d" n, "d" n) "," LEVEL(             \
        "e" n, "e" n) "," LEVEL("f" n, "f" n) "," LEVEL("g" n, "g" n) "," LEVEL("h" n, "h" n)

/*
 * The admission of ai-dynamo/grove:operator/internal/webhook/admission@fcc3b3bb, and what the API
 * server refuses in the Topology that is made of it
 * (kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1).
 */
static const struct {
    const char *binding, *findings;
} bindings[] = {
    {BINDING(TWO), ""},
    {BINDING(LEVELS(EIGHT("1") "," EIGHT("2"))), ""},
    {BINDING(TWO SCHEDULERS(FOR("kai-scheduler", "x"))), ""},
    {BINDING(LEVELS(LEVEL("zone", "a") "," LEVEL("zone", "b"))),
     "GANG308 spec.levels[1].domain: Duplicate value: \"zone\""},
    {BINDING(LEVELS(LEVEL("zone", "a") "," LEVEL("rack", "b") "," LEVEL("host", "a"))),
     "GANG308 spec.levels[2].key: Duplicate value: \"a\""},
    {BINDING(TWO SCHEDULERS(FOR("kai-scheduler", "x") "," FOR("kai-scheduler", "y"))),
     "GANG308 " AT_SCHEDULER(1) "Duplicate value: \"kai-scheduler\""},
    {BINDING(TWO SCHEDULERS(FOR("nobody", "x"))),
     "GANG803 " AT_SCHEDULER(
         0) "Invalid value: \"nobody\": scheduler backend is not enabled in Grove"},
    {BINDING(TWO SCHEDULERS(FOR("default-scheduler", "default-topology"))),
     "GANG803 " AT_SCHEDULER(
         0) "Invalid value: \"default-scheduler\": scheduler backend does not implement "
            "topology-aware scheduling"},
    {BINDING(TWO SCHEDULERS(FOR("volcano", "x"))),
     "GANG803 " AT_SCHEDULER(
         0) "Invalid value: \"volcano\": scheduler backend does not implement topology-aware "
            "scheduling"},
    {BINDING(LEVELS(LEVEL("host", "kubernetes.io/hostname") "," LEVEL("zone", "z"))),
     "GANG824 spec.levels[0].key: Invalid value: \"kubernetes.io/hostname\": the "
     "kubernetes.io/hostname "
     "label can only "
     "be used at the lowest level of topology"},
    {BINDING(LEVELS(EIGHT("1") "," EIGHT("2"))), ""},
    {BINDING(LEVELS(EIGHT("1") "," EIGHT("2") "," LEVEL("z", "z"))),
     "GANG824 spec.levels: Too many: 17: must have at most 16 items"},
    {BINDING(LEVELS(LEVEL("zone", "a/b/c"))),
     "GANG412 spec.levels[0].key: Invalid value: \"a/b/c\": a valid label key must consist of "
     "alphanumeric "
     "characters, "
     "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
     "'my.name',  "
     "or "
     "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an "
     "optional "
     "DNS subdomain "
     "prefix and '/' (e.g. 'example.com/MyName')"},
    {BINDING(LEVELS("{'domain':\"\",'key':'a'},{'domain':\"\",'key':'b'}")),
     "GANG303 spec.levels[0].domain: Invalid value: \"\": must be at least 1 character long\n"
     "GANG303 spec.levels[1].domain: Invalid value: \"\": must be at least 1 character long"},
    {BINDING(LEVELS("")), "GANG303 spec.levels: Required value: at least one level"},
    {BINDING("'schedulerTopologyBindings':[]"), "GANG303 spec.levels: Required value"},
    {BINDING(LEVELS("{'domain':'zone'}")), "GANG303 spec.levels[0].key: Required value"},
    {BINDING(TWO SCHEDULERS("{'topologyReference':'x'}")),
     "GANG303 spec.schedulerTopologyBindings[0].schedulerName: Required value"},
    {BINDING(TWO SCHEDULERS("{'topologyReference':'x'}," FOR("nobody", "x"))),
     "GANG303 spec.schedulerTopologyBindings[0].schedulerName: Required value\n"
     "GANG803 " AT_SCHEDULER(
         1) "Invalid value: \"nobody\": scheduler backend is not enabled in Grove"},
};

START_TEST(findings_of_bindings)
{
    struct gang_topologybinding *binding = NULL;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];
    char found[DOCUMENT_SIZE];

    spell(text, bindings[_i].binding);
    ck_assert_int_eq(parse_topologybinding(NULL, text, strlen(text), 0, &binding, &error),
                     bindings[_i].findings[0] ? GANG_ERROR_INVALID : GANG_OK);
    check_text(error_in_words(error, GANG_DOCUMENT_TOPOLOGYBINDING, found), bindings[_i].findings);
    ck_assert_int_eq(binding != NULL, !bindings[_i].findings[0]);
    gang_error_free(error);
    unref_topologybinding(binding);
}
END_TEST

/* In which topology the constraints of a PodGang are: upstream's TestBackend_ResolveTopologyName.
 */
static const struct {
    const char *annotations, *schedulers, *topology;
} names[] = {
    {"'grove.io/topology-name':'t'", "", "t"},
    {"'grove.io/topology-name':'t'", SCHEDULERS(FOR("kai-scheduler", "external")), "external"},
    {"'grove.io/topology-name':'other'", SCHEDULERS(FOR("kai-scheduler", "external")), "other"},
    {"'kai.scheduler/topology':'t'", SCHEDULERS(FOR("kai-scheduler", "external")), "t"},
};

START_TEST(the_topology_of_a_podgang)
{
    struct grove_documents documents = {0};
    struct gang_topologybinding *binding = NULL;
    struct gang_decision *decision = NULL;
    char spelled[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];

    snprintf(
        text, sizeof(text),
        PODGANG_TEXT(
            OWNED_BY_JOB ",'labels':{'grove.io/scheduler-name':'kai-scheduler'},'annotations':{%s}",
            "'topologyConstraint':{'packConstraint':{'required':'z'}},'podgroups':[{'name':'a',"
            "'minReplicas':1,'podReferences':[]}]"),
        names[_i].annotations);
    documents = grove_documents(text, SET_TEXT(",'labels':{'kai.scheduler/queue':'q'}",
                                               "'cliques':[" CLIQUE_TEXT("a", "") "]"));
    snprintf(text, sizeof(text), BINDING(TWO "%s"), names[_i].schedulers);
    spell(spelled, text);
    ck_assert_int_eq(parse_topologybinding(NULL, spelled, strlen(spelled), 0, &binding, NULL),
                     GANG_OK);
    ck_assert_int_eq(resolve_with(NULL, documents.podgang,
                                  (const void *const[]){binding, documents.podcliqueset}, 2, 0,
                                  &decision, NULL),
                     GANG_OK);
    unref_topologybinding(binding);
    ck_slice_eq(decision->wishes.placement.topology, names[_i].topology);
    gang_decision_unref(decision);
    grove_documents_free(&documents);
}
END_TEST

START_TEST(schedulers_with_a_topology_of_their_own)
{
    struct gang_topologybinding *binding = NULL;
    char text[DOCUMENT_SIZE];

    spell(text, BINDING(TWO SCHEDULERS(FOR("kai-scheduler", "racks"))));
    ck_assert_int_eq(parse_topologybinding(NULL, text, strlen(text), 0, &binding, NULL), GANG_OK);
    ck_slice_eq(node_string(topologybinding_reference(binding, SLICE("kai-scheduler"))), "racks");
    ck_assert_ptr_null(topologybinding_reference(binding, SLICE("kai")));
    ck_assert_ptr_null(topologybinding_reference(binding, SLICE("volcano")));
    unref_topologybinding(binding);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct grove_documents documents = grove_documents(PODGANG_TEXT("", "'podgroups':[]"), NULL);
    struct gang_topologybinding *binding = NULL;
    char text[DOCUMENT_SIZE];

    spell(text, BINDING(TWO));
    ck_assert_int_eq(parse_topologybinding(NULL, text, strlen(text), 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(parse_topologybinding(NULL, text, strlen(text), 0, &binding, NULL), GANG_OK);
    ck_assert_str_eq(gang_document_get_name(document_of(binding)), "t");
    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(binding)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(binding), 0));
    ck_assert_ptr_null(ref_topologybinding(NULL));
    ck_assert_ptr_null(topologybinding_reference(binding, SLICE("kai-scheduler")));
    unref_topologybinding(binding);
    grove_documents_free(&documents);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, findings_of_bindings, bindings, binding);
    add_rows(cases, the_topology_of_a_podgang, names, annotations);
    tcase_add_test(cases, schedulers_with_a_topology_of_their_own);
    tcase_add_test(cases, misuse_is_refused);
}
