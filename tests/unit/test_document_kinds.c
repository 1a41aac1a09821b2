/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/inputs.h"

#include "unit/suite.h"
#include "unit/typed.h"

static int
read_text(const char *text, struct gang_document **out, struct gang_error **err)
{
    return gang_document_parse(NULL, text, strlen(text), 0, out, err);
}

#define NO_CODE (enum gang_code)0
#define META "\"metadata\":{\"name\":\"lab\"}"

/* Where the kind stands in the text, and how, does not matter; neither does what looks like it
 * elsewhere. */
static const struct {
    const char *text;
    enum gang_document_type type; /* none: refused, with `code` */
    enum gang_code code;
    unsigned line;
} spellings[] = {
    {"{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\"," META
     ",\"spec\":{}}",
     GANG_DOCUMENT_POLICY, NO_CODE, 0},
    {"{" META
     ",\"spec\":{},\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\"}",
     GANG_DOCUMENT_POLICY, NO_CODE, 0},
    {"{\"spec\":{\"runtimeRef\":{\"kind\":\"TrainingRuntime\",\"name\":\"\\\"kind\\\"\"}}," META
     ",\"kind\" : \n\"TrainJob\",\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\"}",
     GANG_DOCUMENT_TRAINJOB, NO_CODE, 0},
    {"{\"kind\":\"Gang\\u0050olicy\",\"apiVersion\":\"policy.libgang.dev/v1alpha1\"," META
     ",\"spec\":{}}",
     GANG_DOCUMENT_POLICY, NO_CODE, 0},
    {"apiVersion: policy.libgang.dev/v1alpha1\nkind: \"GangPolicy\" # ours\nmetadata: {name: "
     "lab}\nspec: "
     "{}\n",
     GANG_DOCUMENT_POLICY, NO_CODE, 0},
    {"apiVersion: policy.libgang.dev/v1alpha1\n? kind\n: GangCluster\nmetadata: {name: lab}\nspec: "
     "{}\n",
     GANG_DOCUMENT_CLUSTER, NO_CODE, 0},
    /* anchors are for the kinds that may have them, wherever the kind stands */
    {"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: &n a}\n"
     "spec: {runtimeRef: {name: *n}}\n",
     GANG_DOCUMENT_TRAINJOB, NO_CODE, 0},
    {"apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\nmetadata: {name: &n a}\nspec: "
     "{}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_LIMIT_ANCHORS, 3},
    {"metadata: {name: &n a}\napiVersion: policy.libgang.dev/v1alpha1\n? kind\n: GangPolicy\nspec: "
     "{}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_LIMIT_ANCHORS, 1},
    {"apiVersion: policy.libgang.dev/v1alpha1\nkind: &k GangPolicy\nmetadata: {name: lab}\nspec: "
     "{}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_LIMIT_ANCHORS, 2},
    {"x: &x {kind: GangCluster}\n<<: *x\napiVersion: policy.libgang.dev/v1alpha1\nmetadata: {name: "
     "lab}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_LIMIT_ANCHORS, 1},
    {"apiVersion: policy.libgang.dev/v1alpha1\n? kind\n: GangPolicy\nmetadata: {name: lab}\nspec: "
     "{}\nx: "
     "{<<: "
     "{}}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_MERGE_FORBIDDEN, 6},
    /* strict without being asked, as every field of a policy */
    {"? kind\n: GangPolicy\napiVersion: policy.libgang.dev/v1alpha1\nmetadata: {name: lab}\nspec: "
     "{a: 1}\n",
     GANG_DOCUMENT_NONE, GANG_CODE_UNKNOWN_FIELD, 5},
    {"? kind\n: GangPolicy\napiVersion: policy.libgang.dev/v1alpha1\nmetadata: {name: lab}\nspec: "
     "{}\n1: 1\n",
     GANG_DOCUMENT_NONE, GANG_CODE_KEY_TYPE, 6},
};

START_TEST(the_kind_is_found_wherever_it_stands)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    if (!gang_has_yaml() && spellings[_i].text[0] != '{')
        return;
    ck_assert_int_eq(read_text(spellings[_i].text, &document, &error) == GANG_OK,
                     spellings[_i].code == NO_CODE);
    ck_assert_int_eq(gang_document_get_type(document), (int)spellings[_i].type);
    if (error) {
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                         (int)spellings[_i].code);
        ck_assert_uint_eq(gang_diagnostic_get_line(gang_error_get_diagnostic(error, 0)),
                          spellings[_i].line);
    }
    gang_error_free(error);
    gang_document_unref(document);
}
END_TEST

/* A finding names the document that the text seems to be, also where it cannot be read to the end.
 */
static const struct {
    const char *text;
    enum gang_document_type type;
} broken[] = {
    {"{\"kind\":\"TrainJob\",", GANG_DOCUMENT_TRAINJOB},
    {"{\"kind\":\"GangPolicy\"", GANG_DOCUMENT_POLICY},
    {"{\"kind\":\"Gang", GANG_DOCUMENT_NONE},
    {"{\"kind\"", GANG_DOCUMENT_NONE},
    {"{\"kind\":", GANG_DOCUMENT_NONE},
    {"{\"kind", GANG_DOCUMENT_NONE},
    {"{\"a\\", GANG_DOCUMENT_NONE},
    {"{\"kind\":\"Service\",", GANG_DOCUMENT_NONE},
};

START_TEST(a_broken_text_is_of_the_kind_that_it_names)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(read_text(broken[_i].text, &document, &error), GANG_ERROR_SYNTAX);
    ck_assert_int_eq((int)gang_diagnostic_get_document(gang_error_get_diagnostic(error, 0)),
                     (int)broken[_i].type);
    gang_error_free(error);
}
END_TEST

static const char all_kinds[] =
    "Unsupported value: \"Service\": supported values: \"TrainJob\", \"TrainingRuntime\", "
    "\"ClusterTrainingRuntime\", \"PodGang\", \"PodCliqueSet\", \"ClusterTopologyBinding\", "
    "\"GangPolicy\", "
    "\"GangCluster\"";

START_TEST(another_kind_is_refused_with_those_that_are_read)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    const struct gang_diagnostic *finding;

    ck_assert_int_eq(read_text("{\"apiVersion\":\"v1\",\"kind\":\"Service\"}", &document, &error),
                     GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    finding = gang_error_get_diagnostic(error, 0);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), GANG_CODE_WRONG_DOCUMENT);
    ck_assert_str_eq(gang_diagnostic_get_path(finding), "kind");
    ck_assert_str_eq(gang_diagnostic_get_message(finding), all_kinds);
    ck_assert_int_eq((int)gang_diagnostic_get_document(finding), GANG_DOCUMENT_NONE);
    gang_error_free(error);
}
END_TEST

START_TEST(a_document_without_a_kind_is_refused)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(read_text("{}", &document, &error), GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, i)),
                         GANG_CODE_REQUIRED_FIELD);
    gang_error_free(error);
}
END_TEST

START_TEST(getters_tell_what_it_is)
{
    static const char text[] =
        "{\"apiVersion\":\"scheduler.grove.io/"
        "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"g\","
        "\"namespace\":\"ml\",\"uid\":\"u-1\",\"annotations\":{\"grove.io/topology-name\":\"t\"},"
        "\"ownerReferences\":[{\"apiVersion\":\"grove.io/"
        "v1alpha1\",\"kind\":\"PodCliqueSet\",\"name\":\"job\","
        "\"uid\":\"u\",\"controller\":true}]},\"spec\":{\"podgroups\":[]}}";
    struct gang_document *document = NULL;

    ck_assert_int_eq(read_text(text, &document, NULL), GANG_OK);
    ck_assert_int_eq(gang_document_get_type(document), GANG_DOCUMENT_PODGANG);
    ck_assert_str_eq(gang_document_get_api_version(document), "scheduler.grove.io/v1alpha1");
    ck_assert_str_eq(gang_document_get_kind(document), "PodGang");
    ck_assert_str_eq(gang_document_get_namespace(document), "ml");
    ck_assert_str_eq(gang_document_get_name(document), "g");
    ck_assert_str_eq(gang_document_get_uid(document), "u-1");
    ck_assert_str_eq(gang_document_get_reference(document, "PodCliqueSet"), "job");
    ck_assert_str_eq(gang_document_get_reference(document, "ClusterTopologyBinding"), "t");
    ck_assert_ptr_null(gang_document_get_reference(document, "TrainJob"));
    ck_assert_ptr_null(gang_document_get_reference(document, NULL));
    ck_assert_ptr_null(gang_policy_get_stamp(document_of(document)));
    ck_assert_ptr_null(trainjob_of(document));
    ck_assert_ptr_eq(podgang_of(document), document);
    gang_document_unref(document);
    ck_assert_int_eq(gang_document_get_type(NULL), GANG_DOCUMENT_NONE);
    ck_assert_ptr_null(gang_document_get_api_version(NULL));
    ck_assert_ptr_null(gang_document_get_kind(NULL));
    ck_assert_ptr_null(gang_document_get_uid(NULL));
    ck_assert_ptr_null(gang_document_get_reference(NULL, "PodCliqueSet"));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, the_kind_is_found_wherever_it_stands, 0, COUNT_OF(spellings));
    tcase_add_loop_test(cases, a_broken_text_is_of_the_kind_that_it_names, 0, COUNT_OF(broken));
    tcase_add_test(cases, another_kind_is_refused_with_those_that_are_read);
    tcase_add_test(cases, a_document_without_a_kind_is_refused);
    tcase_add_test(cases, getters_tell_what_it_is);
}
