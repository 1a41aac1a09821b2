/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/inputs.h"

#include <stdio.h>
#include <string.h>

#include "libgang/decide/decision.h"
#include "unit/suite.h"
#include "unit/typed.h"

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

static struct gang_document *
document_named(char letter)
{
    struct gang_document *document = NULL;

    for (size_t i = 0; i < COUNT_OF(texts); i++)
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
    {'J', "", "TrainJob ml/llama needs ClusterTrainingRuntime tune, which was not passed in\n"},
    {'J', "RR",
     "ClusterTrainingRuntime tune stands beside another of its kind, ClusterTrainingRuntime "
     "tune\n"},
    {'J', "PRQ", "GangPolicy other stands beside another of its kind, GangPolicy lab\n"},
    {'J', "RG", "PodGang ml/job-0 is of no use to TrainJob ml/llama\n"},
    {'J', "RJ", "TrainJob ml/llama is of no use to TrainJob ml/llama\n"},
    {'J', "SQPC",
     "TrainJob ml/llama needs ClusterTrainingRuntime tune, which was not passed in\n"
     "GangPolicy lab stands beside another of its kind, GangPolicy other\n"
     "PodCliqueSet ml/job is of no use to TrainJob ml/llama\n"},
    {'G', "", ""},
    {'G', "SHTPC", ""},
    {'G', "CPTHHS", ""},
    {'G', "R", "ClusterTrainingRuntime tune is of no use to PodGang ml/job-0\n"},
    {'G', "SS", "PodCliqueSet ml/job stands beside another of its kind, PodCliqueSet ml/job\n"},
    {'G', "TT",
     "ClusterTopologyBinding t stands beside another of its kind, ClusterTopologyBinding t\n"},
    {'S', "PC", ""},
    {'S', "G", "PodGang ml/job-0 is of no use to PodCliqueSet ml/job\n"},
    {'P', "R", "nothing can be decided about GangPolicy lab\n"},
    {'R', "", "nothing can be decided about ClusterTrainingRuntime tune\n"},
    {'C', "", "nothing can be decided about GangCluster here\n"},
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

START_TEST(what_does_not_fit_is_an_error_that_names_both)
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

START_TEST(cleared_inputs_are_as_new)
{
    struct gang_inputs *inputs = inputs_named("RRPQCSSTTGH"); /* nothing could use them */
    struct gang_document *runtime = document_named('R');
    struct gang_document *job = document_named('J');
    struct gang_decision *decision = NULL;

    ck_assert_int_eq(gang_inputs_set_created_uid(inputs, "u"), GANG_OK);
    ck_assert_int_eq(gang_inputs_set_created_uid(inputs, NULL), GANG_OK);
    ck_assert(!slice_is_set(inputs_created_uid(inputs)));
    ck_assert_int_eq(gang_inputs_set_created_uid(inputs, "u"), GANG_OK);
    ck_slice_eq(inputs_created_uid(inputs), "u");
    gang_inputs_clear(inputs);
    ck_assert(!slice_is_set(inputs_created_uid(inputs)));
    ck_assert_int_eq(gang_inputs_add(inputs, runtime), GANG_OK);
    ck_assert_int_eq(gang_resolve(NULL, job, inputs, 0, &decision, NULL), GANG_OK);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(job);
    gang_document_unref(runtime);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_document *job = document_named('J');

    ck_assert_int_eq(gang_inputs_add(inputs, NULL), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_inputs_add(NULL, job), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_inputs_set_created_uid(NULL, "u"), GANG_ERROR_INVALID_ARGUMENT);
    gang_inputs_clear(NULL);
    gang_inputs_free(NULL);
    gang_inputs_free(inputs);
    gang_document_unref(job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, what_does_not_fit_is_an_error_that_names_both, 0, COUNT_OF(fits));
    tcase_add_test(cases, the_same_document_counts_once);
    tcase_add_test(cases, cleared_inputs_are_as_new);
    tcase_add_test(cases, misuse_is_refused);
}
