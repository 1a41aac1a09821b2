/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/documents.h"
#include "unit/suite.h"

static const struct document_case refused[] = {
    {"v1alpha1", "v1", GANG_CODE_WRONG_DOCUMENT, "apiVersion", 1, 13},
    {"kind: GangPolicy", "kind: GangPlan", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
    {"kind: GangPolicy\n", "", GANG_CODE_REQUIRED_FIELD, "kind", 1, 1},
    {"metadata:\n  name: lab\n", "", GANG_CODE_REQUIRED_FIELD, "metadata", 1, 1},
    {"  name: lab", "  labels: {}", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
    {"  name: lab", "  name: La_b", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: lab", "  name: lab\n  namespace: ml", GANG_CODE_UNKNOWN_FIELD, "metadata.namespace", 5, 14},
    {"compatibility: None", "compatibility: none", GANG_CODE_UNSUPPORTED_VALUE, "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibility: No", GANG_CODE_WRONG_TYPE, "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibility: kubeflowTrainer", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibilty: None", GANG_CODE_UNKNOWN_FIELD, "spec.compatibilty", 6, 3},
    {"compatibility: None", "compatibility: None\n  compatibility: None", GANG_CODE_DUPLICATE_KEY,
     "spec.compatibility", 7, 3},
    {"spec:\n", "status: {}\nspec:\n", GANG_CODE_UNKNOWN_FIELD, "status", 5, 1},
    {"spec:\n  compatibility: None\n", "spec: []\n", GANG_CODE_WRONG_TYPE, "spec", 5, 7},
    {"  compatibility: None", "  <<: {compatibility: None}", GANG_CODE_MERGE_FORBIDDEN, "spec", 6, 3},
    {"  name: lab", "  name: &n lab", GANG_CODE_LIMIT_ANCHORS, "metadata.name", 4, 9},
};

START_TEST(refuses_anything_unknown)
{
    struct run run = {0};
    char text[DOCUMENT_SIZE];

    if (!gang_has_yaml())
        return;
    with_change(text, good_policy, refused[_i].find, refused[_i].replace);
    run.result = gang_policy_parse(NULL, text, strlen(text), 0, &run.policy, &run.error);
    ck_assert_ptr_null(run.policy);
    check_wanted(run, &refused[_i], GANG_SEVERITY_ERROR);
}
END_TEST

static const struct {
    const char *spec;
    enum gang_compatibility compatibility;
} accepted[] = {
    {"  compatibility: None", COMPATIBILITY_NONE},
    {"  compatibility: KubeflowTrainer", COMPATIBILITY_KUBEFLOW_TRAINER},
    {"  compatibility: \"KubeflowTrainer\"", COMPATIBILITY_KUBEFLOW_TRAINER},
    {"  compatibility: null", COMPATIBILITY_NONE},
    {"  {}", COMPATIBILITY_NONE},
};

START_TEST(reads_the_compatibility)
{
    struct gang_policy *policy = NULL;
    char text[DOCUMENT_SIZE];

    if (!gang_has_yaml())
        return;
    with_change(text, good_policy, "  compatibility: None", accepted[_i].spec);
    ck_assert_int_eq(gang_policy_parse(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    ck_assert_int_eq(policy->compatibility, accepted[_i].compatibility);
    ck_assert_str_eq(gang_policy_get_name(policy), "lab");
    ck_assert_ptr_eq(gang_policy_ref(policy), policy);
    gang_policy_unref(policy);
    gang_policy_unref(policy);
}
END_TEST

START_TEST(null_is_accepted)
{
    ck_assert_ptr_null(gang_policy_get_name(NULL));
    ck_assert_uint_eq(gang_policy_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_policy_get_diagnostic(NULL, 0));
    ck_assert_ptr_null(gang_policy_ref(NULL));
    gang_policy_unref(NULL);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, refuses_anything_unknown, 0, COUNT_OF(refused));
    tcase_add_loop_test(cases, reads_the_compatibility, 0, COUNT_OF(accepted));
    tcase_add_test(cases, null_is_accepted);
}
