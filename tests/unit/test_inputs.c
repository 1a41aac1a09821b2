/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <string.h>

#include "libgang/decide/decision.h"

#include "unit/suite.h"
#include "unit/typed.h"

/* ---- inputs ---- */

#define TRAINER(kind, rest)                                                                        \
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"" kind "\"," rest "}"
#define GROVE(kind, rest) "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"" kind "\"," rest "}"
#define OURS(kind, name)                                                                           \
    "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"" kind                             \
    "\",\"metadata\":{\"name\":\"" name "\"},\"spec\":{}}"
#define PODGANG(name)                                                                              \
    "{\"apiVersion\":\"scheduler.grove.io/"                                                        \
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"" name                               \
    "\",\"namespace\":\"ml\"},\"spec\":{\"podgroups\":[]}}"

/* Named by a letter each in the cases below. */
static const struct {
    char letter;
    const char *text;
} texts[] = {
    {'J', TRAINER("TrainJob", "\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\"},"
                              "\"spec\":{\"runtimeRef\":{\"name\":\"tune\"}}")},
    {'R',
     TRAINER(
         "ClusterTrainingRuntime",
         "\"metadata\":{\"name\":\"tune\"},\"spec\":{\"template\":{\"spec\":{\"replicatedJobs\":[{"
         "\"name\":\"node\",\"template\":{\"metadata\":{\"labels\":{\"trainer.kubeflow.org/"
         "trainjob-ancestor-step\":\"trainer\"}},\"spec\":{\"template\":{\"spec\":{\"containers\":["
         "{"
         "\"name\":\"node\"}]}}}}}]}}}")},
    {'P', OURS("GangPolicy", "lab")},
    {'Q', OURS("GangPolicy", "other")},
    {'C', OURS("GangCluster", "here")},
    {'G', PODGANG("job-0")},
    {'H', PODGANG("job-0-sg-0")},
    {'S',
     GROVE("PodCliqueSet",
           "\"metadata\":{\"name\":\"job\",\"namespace\":\"ml\"},\"spec\":{\"template\":{"
           "\"cliques\":[{"
           "\"name\":\"a\",\"spec\":{\"roleName\":\"a\",\"podSpec\":{\"containers\":[]}}}]}}")},
    {'T', GROVE("ClusterTopologyBinding", "\"metadata\":{\"name\":\"t\"},\"spec\":{\"levels\":[{"
                                          "\"domain\":\"zone\",\"key\":\"z\"}]}")},
};

/* L is no existing object. */
static struct gang_document *
document_named(char letter)
{
    struct gang_document *document = NULL;

    if (letter == 'L')
        ck_assert_int_eq(gang_document_parse_live(NULL, NULL, 0, 0, &document, NULL), GANG_OK);
    for (size_t i = 0; i < ITEMS_OF(texts); i++)
        if (texts[i].letter == letter)
            ck_assert_int_eq(
                gang_document_parse(NULL, texts[i].text, strlen(texts[i].text), 0, &document, NULL),
                GANG_OK);
    ck_assert_ptr_nonnull(document);
    return document;
}

/* The inputs hold the only references. */
static struct gang_inputs *
inputs_named(const char *letters)
{
    struct gang_inputs *inputs = gang_inputs_new();

    for (; *letters; letters++) {
        struct gang_document *document = document_named(*letters);

        ck_assert_int_eq(gang_inputs_add(inputs, document), GANG_OK);
        gang_document_unref(document);
    }
    return inputs;
}

/* `faults`: the messages, a line each; none where the inputs fit. */
static const struct {
    char job;
    const char *inputs;
    const char *faults;
} fits[] = {
    {'J', "R", ""},
    {'J', "RPC", ""},
    {'J', "CPR", ""},
    {'J', "",
     "TrainJob ml/llama needs ClusterTrainingRuntime tune, which is not among the inputs\n"},
    {'J', "RR",
     "ClusterTrainingRuntime tune duplicates the input ClusterTrainingRuntime "
     "tune\n"},
    {'J', "PRQ", "GangPolicy other duplicates the input GangPolicy lab\n"},
    {'J', "RG", "PodGang ml/job-0 is not an input for TrainJob ml/llama\n"},
    {'J', "RJ", "TrainJob ml/llama is not an input for TrainJob ml/llama\n"},
    {'J', "SQPC",
     "TrainJob ml/llama needs ClusterTrainingRuntime tune, which is not among the inputs\n"
     "GangPolicy lab duplicates the input GangPolicy other\n"
     "PodCliqueSet ml/job is not an input for TrainJob ml/llama\n"},
    {'G', "", ""},
    {'G', "SHTPC", ""},
    {'G', "CPTHHS", ""},
    {'G', "R", "ClusterTrainingRuntime tune is not an input for PodGang ml/job-0\n"},
    {'G', "SS", "PodCliqueSet ml/job duplicates the input PodCliqueSet ml/job\n"},
    {'G', "TT", "ClusterTopologyBinding t duplicates the input ClusterTopologyBinding t\n"},
    {'S', "PC", ""},
    {'S', "G", "PodGang ml/job-0 is not an input for PodCliqueSet ml/job\n"},
    {'P', "R", "gang_resolve() cannot resolve GangPolicy lab\n"},
    {'R', "", "gang_resolve() cannot resolve ClusterTrainingRuntime tune\n"},
    {'C', "", "gang_resolve() cannot resolve GangCluster here\n"},
    {'J', "RL", "a list of live objects is not an input for TrainJob ml/llama\n"},
    {'L', "", "gang_resolve() cannot resolve a list of live objects\n"},
};

static void
check_faults(const struct gang_error *error, const char *expected)
{
    char found[2048] = "";

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *fault = gang_error_get_diagnostic(error, i);

        ck_assert_int_eq(gang_diagnostic_get_code(fault), GANG_CODE_WRONG_INPUT);
        ck_assert_int_ne((int)gang_diagnostic_get_document(fault), GANG_DOCUMENT_NONE);
        snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s\n",
                 gang_diagnostic_get_message(fault));
    }
    ck_assert_str_eq(found, expected);
}

START_TEST(unusable_input_error_names_both_documents)
{
    struct gang_inputs *inputs = inputs_named(fits[_i].inputs);
    struct gang_document *job = document_named(fits[_i].job);
    struct gang_decision *decision = (struct gang_decision *)inputs; /* must be overwritten */
    struct gang_error *error = NULL;
    int result = gang_resolve(NULL, job, inputs, 0, &decision, &error);

    gang_inputs_free(inputs);
    gang_document_unref(job);
    if (fits[_i].faults[0]) {
        ck_assert_int_eq(result, GANG_ERROR_INVALID);
        ck_assert_ptr_null(decision);
        check_faults(error, fits[_i].faults);
    } else
        ck_assert_ptr_nonnull(decision); /* which holds all that it needs */
    gang_decision_unref(decision);
    gang_error_free(error);
}
END_TEST

/* The job itself among the inputs, as from a list of all PodGangs, and a document added twice count
 * once. */
START_TEST(the_same_document_counts_once)
{
    struct gang_document *podgang = document_named('G');
    struct gang_document *policy = document_named('P');
    struct gang_inputs *inputs = inputs_named("H");
    struct gang_decision *decision = NULL;

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gang_inputs_add(inputs, podgang), GANG_OK);
        ck_assert_int_eq(gang_inputs_add(inputs, policy), GANG_OK);
    }
    (void)!gang_resolve(NULL, podgang, inputs, 0, &decision, NULL);
    ck_assert_ptr_nonnull(decision);
    ck_assert_uint_eq(decision->inputs.num_siblings, 1);
    ck_assert_ptr_eq(decision->inputs.podgang, podgang_of(podgang));
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(policy);
    gang_document_unref(podgang);
}
END_TEST

START_TEST(a_created_uid_can_be_taken_back)
{
    struct gang_inputs *inputs = gang_inputs_new();

    ck_assert_int_eq(gang_inputs_set_created_uid(inputs, "u"), GANG_OK);
    ck_assert_str_eq(inputs->created_uid, "u");
    ck_assert_int_eq(gang_inputs_set_created_uid(inputs, NULL), GANG_OK);
    ck_assert_ptr_null(inputs->created_uid);
    gang_inputs_free(inputs);
}
END_TEST

static const struct {
    int64_t given;
    bool is_known;
    int64_t number;
} runs[] = {{0, true, 0}, {1, true, 1}, {INT64_MAX, true, INT64_MAX}, {-1, false, 0}};

START_TEST(a_run_number_below_0_is_unknown)
{
    struct gang_inputs *inputs = gang_inputs_new();

    ck_assert(!inputs->run.is_known);
    ck_assert_int_eq(gang_inputs_set_run_number(inputs, 7), GANG_OK);
    ck_assert_int_eq(gang_inputs_set_run_number(inputs, runs[_i].given), GANG_OK);
    ck_assert_int_eq(inputs->run.is_known, runs[_i].is_known);
    ck_assert_int_eq(inputs->run.number, runs[_i].number);
    gang_inputs_free(inputs);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_document *job = document_named('J');

    ck_assert_int_eq(gang_inputs_add(inputs, NULL), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_inputs_add(NULL, job), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_inputs_set_created_uid(NULL, "u"), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_inputs_set_run_number(NULL, 0), GANG_ERROR_INVALID_ARGUMENT);
    gang_inputs_free(NULL);
    gang_inputs_free(inputs);
    gang_document_unref(job);
}
END_TEST

/* ---- document kinds ---- */

static int
read_text(const char *text, struct gang_document **out, struct gang_error **err)
{
    return gang_document_parse(NULL, text, strlen(text), 0, out, err);
}

#define NO_CODE (enum gang_code)0
#define META "\"metadata\":{\"name\":\"lab\"}"

/* The place and spelling of the kind in the text have no effect; nor do similar texts elsewhere. */
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
    /* anchors are for the kinds that may have them, at any place of the kind */
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

START_TEST(kind_is_found_at_any_position)
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

START_TEST(malformed_text_has_the_kind_that_it_names)
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
#define KIND_IN_QUOTES(name, kind, group) "\"" kind "\", "
    JOB_KINDS(KIND_IN_QUOTES) "\"GangPolicy\", \"GangCluster\"";

START_TEST(refusal_of_a_kind_lists_supported_kinds)
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

START_TEST(getters_of_a_document)
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

/* ---- refused documents ---- */

#define RUNTIME_SPEC(jobs)                                                                         \
    "\"spec\":{\"mlPolicy\":{\"numNodes\":0},\"template\":{\"spec\":{\"replicatedJobs\":[" jobs    \
    "]}}}"
#define RUNTIME_JOB(rest, pod)                                                                     \
    "{" rest "\"template\":{\"spec\":{\"template\":{\"spec\":{\"containers\":[" pod "]}}}}}"
#define CONTAINER "{\"name\":\"node\"}"

/* A document without a required field, and the codes and paths of all its errors, in its order. */
static const struct {
    const char *text;
    const char *errors;
} incomplete[] = {
    {TRAINER("TrainJob", "\"metadata\":{\"name\":\"a\"},\"spec\":{\"trainer\":{\"numNodes\":0}}"),
     "GANG303 spec.runtimeRef\nGANG029 spec.trainer.numNodes\n"},
    {TRAINER("TrainJob", "\"metadata\":{\"name\":\"A\"},\"spec\":{\"runtimeRef\":{},"
                         "\"trainer\":{\"numNodes\":-1},\"managedBy\":\"me\"}"),
     "GANG411 metadata.name\nGANG303 spec.runtimeRef.name\nGANG029 spec.trainer.numNodes\n"
     "GANG309 spec.managedBy\n"},
    {TRAINER("TrainJob", "\"spec\":{\"runtimeRef\":{\"name\":\"t\"},\"trainer\":{"
                         "\"resourcesPerNode\":{\"requests\":{\"cpu\":\"x\"}}}}"),
     "GANG303 metadata.name\nGANG401 spec.trainer.resourcesPerNode.requests[cpu]\n"},
    {TRAINER("ClusterTrainingRuntime",
             RUNTIME_SPEC(RUNTIME_JOB("\"name\":\"A_\",", CONTAINER) "," RUNTIME_JOB(
                 "\"name\":\"b\",\"dependsOn\":[{\"name\":\"none\",\"status\":\"Ready\"}],",
                 CONTAINER))),
     "GANG303 metadata.name\nGANG029 spec.mlPolicy.numNodes\n"
     "GANG416 spec.template.spec.replicatedJobs[0].name\n"
     "GANG020 spec.template.spec.replicatedJobs[1].dependsOn[0]\n"},
    {TRAINER("TrainingRuntime",
             "\"metadata\":{\"name\":\"r\"}," RUNTIME_SPEC(RUNTIME_JOB("", CONTAINER))),
     "GANG029 spec.mlPolicy.numNodes\nGANG303 spec.template.spec.replicatedJobs[0].name\n"},
    {TRAINER("TrainingRuntime",
             "\"metadata\":{\"name\":\"r\"}," RUNTIME_SPEC(RUNTIME_JOB(
                 "\"name\":\"a\",\"dependsOn\":[{\"name\":\"a\",\"status\":\"Ready\"}],", "{}"))),
     "GANG029 spec.mlPolicy.numNodes\n"
     "GANG505 spec.template.spec.replicatedJobs[0].dependsOn\n"
     "GANG019 spec.template.spec.replicatedJobs[0].dependsOn[0]\n"
     "GANG303 "
     "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].name\n"},
    {"{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
     "\"spec\":{\"rules\":[{\"match\":{\"minNodes\":4,\"maxNodes\":2},\"backend\":\"vulcano\"}]}}",
     "GANG303 metadata\nGANG303 metadata.name\nGANG303 spec.rules[0].name\nGANG602 "
     "spec.rules[0].match.maxNodes\n"
     "GANG601 spec.rules[0].backend\n"},
    {"{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangCluster\",\"spec\":{"
     "\"resourceQuotas\":[{\"namespace\":\"ml\",\"hard\":{\"cpu\":\"x\"},\"used\":{\"cpu\":\"y\"}}]"
     ","
     "\"priorityClasses\":[{\"value\":1},{\"name\":\"p_\",\"value\":1}]}}",
     "GANG303 metadata\nGANG303 metadata.name\nGANG303 spec.resourceQuotas[0].name\n"
     "GANG401 spec.resourceQuotas[0].hard.cpu\nGANG401 spec.resourceQuotas[0].used.cpu\n"
     "GANG303 spec.priorityClasses[0].name\nGANG411 spec.priorityClasses[1].name\n"},
    {"{\"apiVersion\":\"scheduler.grove.io/v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":"
     "\"A_\"},\"spec\":{\"podgroups\":[{\"minReplicas\":-1,\"podReferences\":[]}]}}",
     "GANG411 metadata.name\nGANG303 spec.podgroups[0].name\n"
     "GANG305 spec.podgroups[0].minReplicas\n"},
    {GROVE("PodCliqueSet",
           "\"metadata\":{\"name\":\"A_\"},\"spec\":{\"template\":{\"cliques\":[{"
           "\"spec\":{\"roleName\":\"a\",\"podSpec\":{\"containers\":[{\"name\":\"a\","
           "\"resources\":{\"requests\":{\"cpu\":\"x\"}}}]}}}]}}"),
     "GANG411 metadata.name\nGANG303 spec.template.cliques[0].name\n"
     "GANG401 spec.template.cliques[0].spec.podSpec.containers[0].resources.requests[cpu]\n"},
};

/* A document that is refused gets no decision, so it is the parser that reports what one would. */
START_TEST(a_refused_document_reports_all_its_errors)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    char errors[2048] = "";
    size_t at = 0;

    ck_assert_int_lt(gang_document_parse(NULL, incomplete[_i].text, strlen(incomplete[_i].text), 0,
                                         &document, &error),
                     0);
    ck_assert_ptr_null(document);
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *one = gang_error_get_diagnostic(error, i);

        if (gang_diagnostic_get_severity(one) == GANG_SEVERITY_ERROR)
            at += (size_t)snprintf(errors + at, sizeof(errors) - at, "%s %s\n",
                                   gang_diagnostic_get_id(one), gang_diagnostic_get_path(one));
    }
    ck_assert_str_eq(errors, incomplete[_i].errors);
    gang_error_free(error);
}
END_TEST

/* ---- schemas ---- */

static const struct {
    const char *text; /* the kind */
    const char *title;
} schema_kinds[] = {
    {"GangPolicy", "\"title\":\"GangPolicy\""},
    {"GangCluster", "\"title\":\"GangCluster\""},
    {"GangJob", "\"title\":\"GangJob\""},
};

START_TEST(each_kind_has_a_schema)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(
        gang_schema_serialize(NULL, schema_kinds[_i].text, GANG_FORMAT_JSON, 0, &blob, NULL),
        GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), schema_kinds[_i].title));
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "draft/2020-12/schema"));
    gang_blob_unref(blob);
}
END_TEST

START_TEST(the_schema_of_a_job_has_its_fields)
{
    static const char *const words[] = {"\"minCount\":{", "\"dependsOn\":{", "\"Scheduled\"",
                                        "\"required\":[\"owner\",\"roles\"]"};
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_schema_serialize(NULL, "GangJob", GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_OK);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), words[i]) != NULL, "%s", words[i]);
    gang_blob_unref(blob);
}
END_TEST

START_TEST(other_kinds_are_refused)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_schema_serialize(NULL, "TrainJob", GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_schema_serialize(NULL, NULL, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(blob);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, unusable_input_error_names_both_documents, 0, ITEMS_OF(fits));
    tcase_add_test(cases, the_same_document_counts_once);
    tcase_add_test(cases, a_created_uid_can_be_taken_back);
    add_rows(cases, a_run_number_below_0_is_unknown, runs, given);
    tcase_add_test(cases, misuse_is_refused);
    tcase_add_loop_test(cases, kind_is_found_at_any_position, 0, ITEMS_OF(spellings));
    tcase_add_loop_test(cases, malformed_text_has_the_kind_that_it_names, 0, ITEMS_OF(broken));
    tcase_add_test(cases, refusal_of_a_kind_lists_supported_kinds);
    tcase_add_test(cases, a_document_without_a_kind_is_refused);
    tcase_add_test(cases, getters_of_a_document);
    add_rows(cases, a_refused_document_reports_all_its_errors, incomplete, text);
    add_rows(cases, each_kind_has_a_schema, schema_kinds, text);
    tcase_add_test(cases, the_schema_of_a_job_has_its_fields);
    tcase_add_test(cases, other_kinds_are_refused);
}
