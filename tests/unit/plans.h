/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_PLANS_H
#define TESTS_UNIT_PLANS_H

#include <stdbool.h>

#include "unit/documents.h"

/*
 * Two runtimes and a trainjob in JSON, so that they are read by every build. Here and in what tests
 * expect of a plan, ' stands for a double quote, '' for an apostrophe, and \' for an escaped double
 * quote.
 */

/* Two initializers, then the trainer, with GPUs given as limits alone. */
static const char tune_runtime[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"                 /* 1 */
    " 'kind': 'ClusterTrainingRuntime',\n"                              /* 2 */
    " 'metadata': {'name': 'tune'},\n"                                  /* 3 */
    " 'spec': {\n"                                                      /* 4 */
    "  'mlPolicy': {'numNodes': 1},\n"                                  /* 5 */
    "  'podGroupPolicy': {'volcano': {}},\n"                            /* 6 */
    "  'template': {'spec': {'replicatedJobs': [\n"                     /* 7 */
    "   {'name': 'dataset-initializer', 'replicas': 1, 'template': {\n" /* 8 */
    "    'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': "
    "'dataset-initializer'}},\n"                                                    /* 9 */
    "    'spec': {'template': {'spec': {\n"                                         /* 10 */
    "     'containers': [{'name': 'dataset-initializer', 'image': 'load'}]}}}}},\n" /* 11 */
    "   {'name': 'model-initializer', 'replicas': 1, 'template': {\n"               /* 12 */
    "    'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': "
    "'model-initializer'}},\n"                                                    /* 13 */
    "    'spec': {'template': {'spec': {\n"                                       /* 14 */
    "     'containers': [{'name': 'model-initializer', 'image': 'load'}]}}}}},\n" /* 15 */
    "   {'name': 'node', 'replicas': 1,\n"                                        /* 16 */
    "    'dependsOn': [{'name': 'dataset-initializer', 'status': 'Complete'},\n"  /* 17 */
    "                  {'name': 'model-initializer', 'status': 'Complete'}],\n"   /* 18 */
    "    'template': {\n"                                                         /* 19 */
    "     'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': "
    "'trainer'}},\n"                                                       /* 20 */
    "     'spec': {'template': {'spec': {\n"                               /* 21 */
    "      'containers': [{'name': 'node', 'image': 'train',\n"            /* 22 */
    "       'resources': {'limits': {'nvidia.com/gpu': 2}}}]}}}}}]}}}}\n"; /* 23 */

static const char tune_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"    /* 1 */
    " 'kind': 'TrainJob',\n"                               /* 2 */
    " 'metadata': {'name': 'llama', 'namespace': 'ml'},\n" /* 3 */
    " 'spec': {\n"                                         /* 4 */
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'ClusterTrainingRuntime',\n" /* 5
                                                                                                */
    "                 'name': 'tune'},\n" /* 6 */
    "  'trainer': {'numNodes': 1}}}\n";   /* 7 */

/* One role of two pods; coscheduling with a timeout, and a queue that it has no place for. */
static const char plain_runtime[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"                        /* 1 */
    " 'kind': 'TrainingRuntime',\n"                                            /* 2 */
    " 'metadata': {'name': 'plain', 'namespace': 'ml'},\n"                     /* 3 */
    " 'spec': {\n"                                                             /* 4 */
    "  'mlPolicy': {'numNodes': 2},\n"                                         /* 5 */
    "  'podGroupPolicy': {'coscheduling': {'scheduleTimeoutSeconds': 300}},\n" /* 6 */
    "  'template': {\n"                                                        /* 7 */
    "   'metadata': {'annotations': {'scheduling.volcano.sh/queue-name': "
    "'research'}},\n"                                     /* 8 */
    "   'spec': {'replicatedJobs': [\n"                   /* 9 */
    "    {'name': 'node', 'replicas': 1, 'template': {\n" /* 10 */
    "     'metadata': {'labels': {'trainer.kubeflow.org/trainjob-ancestor-step': "
    "'trainer'}},\n"                                            /* 11 */
    "     'spec': {'backoffLimit': 0, 'template': {'spec': {\n" /* 12 */
    "      'schedulerName': 'scheduler-plugins-scheduler',\n"   /* 13 */
    "      'priorityClassName': 'high',\n"                      /* 14 */
    "      'containers': [{'name': 'node', 'image': 'train',\n" /* 15 */
    "       'resources': {'requests': {'memory': '1536Mi', 'cpu': "
    "'1500m'}}}]}}}}}]}}}}\n"; /* 16 */

static const char plain_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"                                 /* 1 */
    " 'kind': 'TrainJob',\n"                                                            /* 2 */
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1'},\n"                /* 3 */
    " 'spec': {\n"                                                                      /* 4 */
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime',\n" /* 5 */
    "                 'name': 'plain'}}}\n";                                            /* 6 */

static const char compatibility_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1',\n"   /* 1 */
    " 'kind': 'GangPolicy',\n"                          /* 2 */
    " 'metadata': {'name': 'lab'},\n"                   /* 3 */
    " 'spec': {'compatibility': 'KubeflowTrainer'}}\n"; /* 4 */

static inline const char *
spell(char out[DOCUMENT_SIZE], const char *text)
{
    char *end = out;

    ck_assert_uint_lt(strlen(text), DOCUMENT_SIZE);
    while (*text) {
        bool escape = text[0] == '\\' && text[1] == '\'';
        bool apostrophe = text[0] == '\'' && text[1] == '\'';

        if (escape)
            *end++ = *text++;
        *end++ = *text == '\'' && !apostrophe ? '"' : *text;
        text += 1 + apostrophe;
    }
    *end = '\0';
    return out;
}

/* A run over texts with ' for a double quote; `find` becomes `replace` in the runtime unless it is
 * NULL. */
static inline struct run
run_spelled(const char *runtime, const char *find, const char *replace, const char *trainjob,
            const char *policy)
{
    char changed[DOCUMENT_SIZE];
    char texts[3][DOCUMENT_SIZE];

    if (find)
        runtime = with_change(changed, runtime, find, replace);
    return run_texts(spell(texts[0], runtime), spell(texts[1], trainjob),
                     policy ? spell(texts[2], policy) : NULL);
}

/*
 * All diagnostics of an error, which must be about one document: "GANG803 path: message", a line
 * each.
 */
static inline const char *
error_in_words(const struct gang_error *error, enum gang_document_type document,
               char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, i);

        ck_assert_int_eq(gang_diagnostic_get_document(finding), document);
        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%s%s %s: %s", i ? "\n" : "",
                                gang_diagnostic_get_id(finding), gang_diagnostic_get_path(finding),
                                gang_diagnostic_get_message(finding));
    }
    return out;
}

static inline struct gang_plan *
plan_of(const struct run *run)
{
    struct gang_plan *plan = NULL;

    ck_assert_ptr_nonnull(run->decision);
    ck_assert_int_eq(gang_render(NULL, run->decision, 0, &plan, NULL), GANG_OK);
    return plan;
}

/* The plan as text; the caller lets go of it. */
static inline struct gang_blob *
blob_of(const struct gang_plan *plan, enum gang_target target, enum gang_format format)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_plan_serialize(NULL, plan, (int)target, (int)format, 0, &blob, NULL),
                     GANG_OK);
    return blob;
}

static inline struct gang_context *
context_with_output_limit(uint64_t bytes)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_OUTPUT_BYTES, bytes), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    return context;
}

/* Byte for byte; shows from where the two differ. */
static inline void
check_text(const char *actual, const char *expected)
{
    size_t same = 0;

    while (actual[same] && actual[same] == expected[same])
        same++;
    ck_assert_msg(!actual[same] && !expected[same],
                  "differs from byte %zu on:\n%.300s\nexpected was:\n%.300s", same, actual + same,
                  expected + same);
}

static inline void
check_plan_text(const struct gang_plan *plan, enum gang_target target, enum gang_format format,
                const char *expected)
{
    struct gang_blob *blob = blob_of(plan, target, format);
    char spelled[DOCUMENT_SIZE];
    size_t len = 0;

    check_text(gang_blob_get_data(blob, &len), spell(spelled, expected));
    ck_assert_uint_eq(len, strlen(spelled));
    gang_blob_unref(blob);
}

#endif
