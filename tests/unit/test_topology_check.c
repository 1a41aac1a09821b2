/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/suite.h"
#include "unit/topologybindings.h"
#include "unit/typed.h"

#define BINDING(schedulers)                                                                        \
    "{'apiVersion':'grove.io/v1alpha1','kind':'ClusterTopologyBinding','metadata':{'name':'t'},"   \
    "'spec':{'levels':[{'domain':'zone','key':'z'}]" schedulers "}}"
#define FOR_KAI                                                                                    \
    BINDING(",'schedulerTopologyBindings':[{'schedulerName':'kai-scheduler','topologyReference':'" \
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
    {"no scheduler is named", BINDING(""), BACKENDS("{'name':'v','type':'Volcano'}"), ""},
    {"an empty list", BINDING(",'schedulerTopologyBindings':[]"),
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
    add_rows(cases, which_schedulers_a_policy_enables, checks, name, binding, policy);
    tcase_add_test(cases, misuse_is_refused);
    tcase_add_test(cases, a_limit_ends_a_check);
}
