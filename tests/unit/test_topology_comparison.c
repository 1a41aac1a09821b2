/* SPDX-License-Identifier: Apache-2.0 */
#include "support/live.h"
#include "unit/suite.h"
#include "unit/squeeze.h"
#include "unit/topologybindings.h"
#include "unit/typed.h"

/* ---- topology comparison ---- */

#define ZONE "topology.kubernetes.io/zone"
#define HOST "kubernetes.io/hostname"
#define BINDING(metadata, more)                                                                    \
    "{'apiVersion':'grove.io/"                                                                     \
    "v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'test-topology'" metadata        \
    "},'spec':{'levels':[{'domain':'zone','key':'" ZONE "'},{'domain':'host','key':'" HOST         \
    "'}]" more "}}"
#define MADE BINDING(",'uid':'u'", "")
#define NAMED(reference)                                                                           \
    BINDING(",'uid':'u'", ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','"       \
                          "topologyReference':'" reference "'}]")
#define NAMED_AT "spec.schedulerTopologyBindings[0].topologyReference"

#define OBJECT(api, kind, name, metadata, spec)                                                    \
    "{'apiVersion':'" api "','kind':'" kind "','metadata':{'name':'" name "'" metadata             \
    "},'spec':{" spec "}}\n"
#define TOPOLOGY(name, metadata, spec)                                                             \
    OBJECT("kai.scheduler/v1alpha1", "Topology", name, metadata, spec)
#define CONTROLLED_BY(name, uid)                                                                   \
    ",'ownerReferences':[{'apiVersion':'grove.io/"                                                 \
    "v1alpha1','kind':'ClusterTopologyBinding','name':'" name "','uid':'" uid                      \
    "','controller':true,'blockOwnerDeletion':true}]"
#define OURS CONTROLLED_BY("test-topology", "u")
#define OTHERS CONTROLLED_BY("different-owner", "v")
#define GOING ",'deletionTimestamp':'2026-01-01T00:00:00Z'"
#define LEVEL(label) "{'nodeLabel':'" label "'}"
#define LEVELS(list) "'levels':[" list "]"
#define AS_BOUND LEVELS(LEVEL(ZONE) "," LEVEL(HOST))

#define NOT_OWNED                                                                                  \
    "KAI Topology test-topology is not owned by ClusterTopologyBinding test-topology. It is "      \
    "required that "                                                                               \
    "KAI Topology by this name is created by Grove operator and has ClusterTopologyBinding set "   \
    "as its owner"
#define DIFFER "KAI Topology levels differ from ClusterTopologyBinding levels"
#define OWNER_AT "live GANG825 metadata.ownerReferences[0]: "

/*
 * ai-dynamo/grove:operator/internal/scheduler/kai/topology_test.go@fcc3b3bb, by name, and what it
 * leaves open. Errors of the API server have no pure form, but for objects that could not be read.
 */
static const struct {
    const char *name;
    const char *binding;
    const char *live;
    int action;
    const char *finding; /* "live GANG825 path: message"; "" for none */
} comparisons[] = {
    {"TestSyncTopologyWhenNoneExists", MADE, "", GANG_ACTION_CREATE, ""},
    {"TestSyncTopologyWhenLevelsUpdated", MADE,
     TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(HOST))), GANG_ACTION_RECREATE, ""},
    {"TestSyncTopologyWhenNoChangeRequired", MADE,
     TOPOLOGY("test-topology", OURS ",'resourceVersion':'1'", AS_BOUND), GANG_ACTION_LEAVE, ""},
    {"TestSyncTopologyWithUnknownOwner", MADE,
     TOPOLOGY("test-topology", OTHERS, LEVELS(LEVEL(ZONE))), GANG_ACTION_CONFLICT,
     OWNER_AT NOT_OWNED},
    {"TestSyncTopologyErrors: GetError", MADE, "{'apiVersion':'v1'}", GANG_ACTION_NONE,
     "live GANG863 : an object of the cluster has apiVersion, kind and metadata.name"},
    {"TestCheckTopologyDrift_InSync", NAMED("test-topology"),
     TOPOLOGY("test-topology", OURS, AS_BOUND), GANG_ACTION_LEAVE, ""},
    {"TestCheckTopologyDrift_Drift", NAMED("test-topology"),
     TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(HOST))), GANG_ACTION_CONFLICT,
     "live GANG827 spec.levels: " DIFFER},
    {"TestCheckTopologyDrift_NotFound", NAMED("test-topology"), "", GANG_ACTION_CONFLICT,
     "binding GANG826 " NAMED_AT ": KAI Topology \"test-topology\" not found"},
    {"TestIsKAITopologyChanged: No change in levels", MADE,
     TOPOLOGY("test-topology", OURS, AS_BOUND), GANG_ACTION_LEAVE, ""},
    {"TestIsKAITopologyChanged: Change in levels", MADE,
     TOPOLOGY("test-topology", OURS, LEVELS(LEVEL("topology.kubernetes.io/region"))),
     GANG_ACTION_RECREATE, ""},
    {"TestTopologyGVR: another group", MADE,
     OBJECT("kueue.x-k8s.io/v1alpha1", "Topology", "test-topology", OTHERS, ""), GANG_ACTION_CREATE,
     ""},
    {"TestTopologyGVR: another kind", MADE,
     OBJECT("kai.scheduler/v1alpha1", "Other", "test-topology", OTHERS, ""), GANG_ACTION_CREATE,
     ""},
    {"a later version", MADE,
     OBJECT("kai.scheduler/v1", "Topology", "test-topology", OURS, AS_BOUND), GANG_ACTION_LEAVE,
     ""},
    {"another name", MADE, TOPOLOGY("other", OTHERS, AS_BOUND), GANG_ACTION_CREATE, ""},
    {"among others, in a list", MADE,
     "{'apiVersion':'v1','kind':'List','items':[" TOPOLOGY("other", OTHERS, "") "," TOPOLOGY(
         "test-topology", OURS, AS_BOUND) "]}",
     GANG_ACTION_LEAVE, ""},
    {"another order", MADE, TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(HOST) "," LEVEL(ZONE))),
     GANG_ACTION_RECREATE, ""},
    {"one level more", MADE,
     TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(ZONE) "," LEVEL(HOST) "," LEVEL("x"))),
     GANG_ACTION_RECREATE, ""},
    {"one level less", MADE, TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(ZONE))),
     GANG_ACTION_RECREATE, ""},
    {"a level without a label", MADE, TOPOLOGY("test-topology", OURS, LEVELS("{}," LEVEL(HOST))),
     GANG_ACTION_RECREATE, ""},
    {"no levels", MADE, TOPOLOGY("test-topology", OURS, ""), GANG_ACTION_RECREATE, ""},
    {"being deleted", MADE, TOPOLOGY("test-topology", OURS GOING, AS_BOUND), GANG_ACTION_RECREATE,
     ""},
    {"a binding of the same name that is no more", MADE,
     TOPOLOGY("test-topology", CONTROLLED_BY("test-topology", "v"), AS_BOUND), GANG_ACTION_CONFLICT,
     OWNER_AT NOT_OWNED},
    {"nobody's", MADE, TOPOLOGY("test-topology", "", AS_BOUND), GANG_ACTION_CONFLICT,
     "live GANG825 metadata: " NOT_OWNED},
    {"without a uid, by the owner's name", BINDING("", ""),
     TOPOLOGY("test-topology", OURS, AS_BOUND), GANG_ACTION_LEAVE, ""},
    {"without a uid, nobody's", BINDING("", ""), TOPOLOGY("test-topology", "", LEVELS(LEVEL(HOST))),
     GANG_ACTION_RECREATE, ""},
    {"without a uid, another's", BINDING("", ""), TOPOLOGY("test-topology", OTHERS, AS_BOUND),
     GANG_ACTION_CONFLICT, OWNER_AT NOT_OWNED},
    {"named, whoever owns it", NAMED("racks"), TOPOLOGY("racks", OTHERS GOING, AS_BOUND),
     GANG_ACTION_LEAVE, ""},
    {"named, and not the one of the binding's name", NAMED("racks"),
     TOPOLOGY("test-topology", OURS, AS_BOUND), GANG_ACTION_CONFLICT,
     "binding GANG826 " NAMED_AT ": KAI Topology \"racks\" not found"},
    {"named, without levels", NAMED("racks"), TOPOLOGY("racks", "", ""), GANG_ACTION_CONFLICT,
     "live GANG827 spec.levels: " DIFFER},
};

static const char *
comparison_in_words(const struct gang_error *error, char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, i);

        len += (size_t)snprintf(
            out + len, DOCUMENT_SIZE - len, "%s %s %s: %s",
            gang_diagnostic_get_document(finding) == GANG_DOCUMENT_LIVE ? "live" : "binding",
            gang_diagnostic_get_id(finding), gang_diagnostic_get_path(finding),
            gang_diagnostic_get_message(finding));
    }
    return out;
}

/* Once what is to be written is there, nothing is left to do. */
static void
check_settled(const struct gang_topologybinding *binding)
{
    int action = GANG_ACTION_NONE;
    struct gang_blob *blob = NULL;
    const char *text;
    size_t len;

    ck_assert_int_eq(gang_topologybinding_serialize(NULL, document_of(binding), GANG_FORMAT_JSON, 0,
                                                    &blob, NULL),
                     GANG_OK);
    text = gang_blob_get_data(blob, &len);
    ck_assert_int_eq(compare_topology_text(NULL, document_of(binding), text, len, &action, NULL),
                     GANG_OK);
    ck_assert_int_eq(action, GANG_ACTION_LEAVE);
    gang_blob_unref(blob);
}

START_TEST(action_for_a_topology)
{
    struct gang_topologybinding *binding = binding_of(comparisons[_i].binding);
    struct gang_error *error = NULL;
    int action = GANG_ACTION_NONE;
    char live[DOCUMENT_SIZE];
    char found[DOCUMENT_SIZE];
    int result;

    spell(live, comparisons[_i].live);
    result = compare_topology_text(NULL, document_of(binding), live, strlen(live), &action, &error);
    check_text(comparison_in_words(error, found), comparisons[_i].finding);
    ck_assert_int_eq(action, comparisons[_i].action);
    ck_assert_int_eq(result, *comparisons[_i].finding ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_int_eq(gang_error_get_code(error), result);
    if (action == GANG_ACTION_CREATE || action == GANG_ACTION_RECREATE)
        check_settled(binding);
    gang_error_free(error);
    unref_topologybinding(binding);
}
END_TEST

START_TEST(documents_that_cannot_be_compared)
{
    struct gang_topologybinding *binding = binding_of(MADE);
    int action = GANG_ACTION_CREATE;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_topologybinding_compare(NULL, NULL, NULL, 0, &action, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(action, GANG_ACTION_NONE);
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_topologybinding_compare(NULL, document_of(binding), NULL, 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_topologybinding_compare(NULL, document_of(binding), document_of(binding),
                                                  0, &action, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(
        gang_topologybinding_compare(NULL, document_of(binding), NULL, 1, &action, NULL),
        GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(
        gang_topologybinding_compare(NULL, document_of(binding), NULL, 0, &action, NULL), GANG_OK);
    ck_assert_int_eq(action, GANG_ACTION_CREATE);
    unref_topologybinding(binding);
}
END_TEST

/* What exists may be larger than what a program is ready to hold. */
static const struct {
    enum gang_limit limit;
    uint64_t value;
} limits[] = {{GANG_LIMIT_LIVE_BYTES, 8}, {GANG_LIMIT_MEMORY_BYTES, 64}};

START_TEST(limits_end_a_comparison)
{
    struct gang_topologybinding *binding = binding_of(MADE);
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    int action = GANG_ACTION_CREATE;
    char live[DOCUMENT_SIZE];

    ck_assert_int_eq(gang_config_set_limit(config, (int)limits[_i].limit, limits[_i].value),
                     GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    spell(live, TOPOLOGY("test-topology", OURS, AS_BOUND));
    ck_assert_int_eq(
        compare_topology_text(context, document_of(binding), live, strlen(live), &action, NULL),
        GANG_ERROR_LIMIT);
    ck_assert_int_eq(action, GANG_ACTION_NONE);
    gang_context_unref(context);
    unref_topologybinding(binding);
}
END_TEST

static const struct {
    const char *binding, *live;
    int result;
} squeezed[] = {
    {MADE, TOPOLOGY("test-topology", OURS, LEVELS(LEVEL(HOST))), GANG_OK},
    {MADE, TOPOLOGY("test-topology", OTHERS, AS_BOUND), GANG_ERROR_INVALID},
    {NAMED("racks"), TOPOLOGY("racks", OTHERS, LEVELS(LEVEL(HOST))), GANG_ERROR_INVALID},
    {NAMED("racks"), TOPOLOGY("test-topology", OTHERS, AS_BOUND), GANG_ERROR_INVALID},
};

struct squeezed_input {
    const struct gang_topologybinding *binding;
    const char *live;
};

static bool
compare_again(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
{
    const struct squeezed_input *squeezed_input = input;
    int action = GANG_ACTION_CREATE;

    *result =
        compare_topology_text(context, document_of(squeezed_input->binding), squeezed_input->live,
                              strlen(squeezed_input->live), &action, error);
    return action != GANG_ACTION_NONE;
}

START_TEST(comparing_ends_cleanly_at_every_limit_of_memory)
{
    struct gang_topologybinding *binding = binding_of(squeezed[_i].binding);
    char live[DOCUMENT_SIZE];
    const struct squeezed_input input = {binding, spell(live, squeezed[_i].live)};

    ck_assert_int_eq(squeeze(compare_again, &input), squeezed[_i].result);
    unref_topologybinding(binding);
}
END_TEST

/* ---- topology check ---- */

#define TOPOLOGY_CHECK_BINDING(schedulers)                                                         \
    "{'apiVersion':'grove.io/v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'t'},"   \
    "'spec':{'levels':[{'domain':'zone','key':'z'}]" schedulers "}}"
#define FOR_KAI                                                                                    \
    TOPOLOGY_CHECK_BINDING(                                                                        \
        ",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','topologyReference':'"     \
        "racks'}]")
#define POLICY(spec)                                                                               \
    "{'apiVersion':'policy.libgang.dev/"                                                           \
    "v1alpha1','kind':'GangPolicy','metadata':{'name':'p'},'spec':{" spec "}}"
#define BACKENDS(list) POLICY("'backends':[" list "]")
#define REFUSED(enabled)                                                                           \
    "GANG803 spec.schedulerTopologyBindings[0].schedulerName: Invalid value: \"kai-scheduler\": "  \
    "scheduler "                                                                                   \
    "backend is not enabled in Grove; enabled: " enabled

/*
 * ai-dynamo/grove:operator/internal/webhook/admission/clustertopology/validation@fcc3b3bb: a
 * scheduler that is named must be among the profiles. `default-scheduler` is always one; a policy
 * without `backends` enables all.
 */
static const struct {
    const char *name, *binding, *policy, *finding;
} checks[] = {
    {"no policy", FOR_KAI, NULL, ""},
    {"a policy that lists no backends", FOR_KAI, POLICY(""), ""},
    {"KAI is enabled", FOR_KAI, BACKENDS("{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'}"),
     ""},
    {"KAI is not enabled", FOR_KAI, BACKENDS("{'name':'v','type':'Volcano'}"),
     REFUSED("\"volcano\", \"default-scheduler\"")},
    {"the default alone", FOR_KAI, BACKENDS("{'name':'none','type':'None'}"),
     REFUSED("\"default-scheduler\"")},
    {"KAI by another name", FOR_KAI, BACKENDS("{'name':'k','type':'KAI','schedulerName':'kai-b'}"),
     REFUSED("\"kai-b\", \"default-scheduler\"")},
    {"no scheduler is named", TOPOLOGY_CHECK_BINDING(""), BACKENDS("{'name':'v','type':'Volcano'}"),
     ""},
    {"an empty list", TOPOLOGY_CHECK_BINDING(",'schedulerTopologyBindings':[]"),
     BACKENDS("{'name':'v','type':'Volcano'}"), ""},
};

static struct gang_policy *
policy_from(const char *text)
{
    struct gang_policy *policy = NULL;
    char spelled[DOCUMENT_SIZE];

    if (!text)
        return NULL;
    spell(spelled, text);
    ck_assert_int_eq(parse_policy(NULL, spelled, strlen(spelled), 0, &policy, NULL), GANG_OK);
    return policy;
}

START_TEST(which_schedulers_a_policy_enables)
{
    struct gang_topologybinding *binding = binding_of(checks[_i].binding);
    struct gang_policy *policy = policy_from(checks[_i].policy);
    struct gang_error *error = NULL;
    char found[DOCUMENT_SIZE] = "";
    int result =
        gang_topologybinding_check(NULL, document_of(binding), document_of(policy), 0, &error);

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, i);

        ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_TOPOLOGYBINDING);
        snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s %s: %s",
                 gang_diagnostic_get_id(finding), gang_diagnostic_get_path(finding),
                 gang_diagnostic_get_message(finding));
    }
    check_text(found, checks[_i].finding);
    ck_assert_int_eq(result, *checks[_i].finding ? GANG_ERROR_INVALID : GANG_OK);
    ck_assert_int_eq(gang_error_get_code(error), result);
    gang_error_free(error);
    unref_policy(policy);
    unref_topologybinding(binding);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_topologybinding *binding = binding_of(FOR_KAI);
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_topologybinding_check(NULL, NULL, NULL, 0, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_topologybinding_check(NULL, NULL, NULL, 0, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_topologybinding_check(NULL, document_of(binding), NULL, 1, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(gang_topologybinding_check(NULL, document_of(binding), NULL, 0, NULL),
                     GANG_OK);
    unref_topologybinding(binding);
}
END_TEST

/* The message needs more than this. */
START_TEST(a_limit_ends_a_check)
{
    struct gang_topologybinding *binding = binding_of(FOR_KAI);
    struct gang_policy *policy = policy_from(BACKENDS("{'name':'v','type':'Volcano'}"));
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 64), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    ck_assert_int_eq(
        gang_topologybinding_check(context, document_of(binding), document_of(policy), 0, &error),
        GANG_ERROR_LIMIT);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_MEMORY);
    ck_assert_int_eq(gang_topologybinding_check(context, document_of(binding), NULL, 0, NULL),
                     GANG_OK);
    gang_error_free(error);
    gang_context_unref(context);
    unref_policy(policy);
    unref_topologybinding(binding);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, comparing_ends_cleanly_at_every_limit_of_memory, squeezed, binding, live);
    add_rows(cases, action_for_a_topology, comparisons, name, binding, live);
    tcase_add_test(cases, documents_that_cannot_be_compared);
    add_rows(cases, limits_end_a_comparison, limits, limit, value);
    add_rows(cases, which_schedulers_a_policy_enables, checks, name, binding, policy);
    tcase_add_test(cases, misuse_is_refused);
    tcase_add_test(cases, a_limit_ends_a_check);
}
