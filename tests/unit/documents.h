/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_DOCUMENTS_H
#define TESTS_UNIT_DOCUMENTS_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "gang/gang.h"
#include "unit/typed.h"

/* A good runtime, trainjob and policy; a case changes one place in one of them. */
static const char good_runtime[] =
    "apiVersion: trainer.kubeflow.org/v1alpha1\n" /* 1 */
    "kind: ClusterTrainingRuntime\n"              /* 2 */
    "metadata:\n"                                 /* 3 */
    "  name: tune\n"                              /* 4 */
    "spec:\n"                                     /* 5 */
    "  mlPolicy:\n"                               /* 6 */
    "    numNodes: 1\n"                           /* 7 */
    "    torch: {}\n"                             /* 8 */
    "  podGroupPolicy:\n"                         /* 9 */
    "    volcano: {}\n"                           /* 10 */
    "  template:\n"                               /* 11 */
    "    spec:\n"                                 /* 12 */
    "      replicatedJobs:\n"                     /* 13 */
    "      - name: data\n"                        /* 14 */
    "        replicas: 1\n"                       /* 15 */
    "        template:\n"                         /* 16 */
    "          metadata:\n"                       /* 17 */
    "            labels:\n"                       /* 18 */
    "              trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer\n"
    "          spec:\n"                             /* 20 */
    "            template:\n"                       /* 21 */
    "              spec:\n"                         /* 22 */
    "                containers:\n"                 /* 23 */
    "                - name: dataset-initializer\n" /* 24 */
    "                  image: load\n"               /* 25 */
    "      - name: node\n"                          /* 26 */
    "        replicas: 1\n"                         /* 27 */
    "        dependsOn:\n"                          /* 28 */
    "        - name: data\n"                        /* 29 */
    "          status: Complete\n"                  /* 30 */
    "        template:\n"                           /* 31 */
    "          metadata:\n"                         /* 32 */
    "            labels:\n"                         /* 33 */
    "              trainer.kubeflow.org/trainjob-ancestor-step: trainer\n"
    "          spec:\n"                          /* 35 */
    "            template:\n"                    /* 36 */
    "              spec:\n"                      /* 37 */
    "                containers:\n"              /* 38 */
    "                - name: node\n"             /* 39 */
    "                  image: train\n"           /* 40 */
    "                  resources:\n"             /* 41 */
    "                    limits:\n"              /* 42 */
    "                      nvidia.com/gpu: 2\n"; /* 43 */

static const char good_trainjob[] = "apiVersion: trainer.kubeflow.org/v1alpha1\n" /* 1 */
                                    "kind: TrainJob\n"                            /* 2 */
                                    "metadata:\n"                                 /* 3 */
                                    "  name: llama\n"                             /* 4 */
                                    "  namespace: ml\n"                           /* 5 */
                                    "spec:\n"                                     /* 6 */
                                    "  runtimeRef:\n"                             /* 7 */
                                    "    name: tune\n"                            /* 8 */
                                    "  trainer:\n"                                /* 9 */
                                    "    numNodes: 4\n";                          /* 10 */

static const char good_policy[] = "apiVersion: policy.libgang.dev/v1alpha1\n" /* 1 */
                                  "kind: GangPolicy\n"                        /* 2 */
                                  "metadata:\n"                               /* 3 */
                                  "  name: lab\n"                             /* 4 */
                                  "spec:\n"                                   /* 5 */
                                  "  compatibility: None\n";                  /* 6 */

/* `find` becomes `replace` in the good document; then exactly this finding must be among those
 * made. */
struct document_case {
    const char *find;
    const char *replace;
    enum gang_code code;
    const char *path;
    unsigned line;
    unsigned column;
};

enum { DOCUMENT_SIZE = 16 * 1024 };

/* The first occurrence of `find` replaced; the test fails when there is none. */
static inline const char *
with_change(char out[DOCUMENT_SIZE], const char *text, const char *find, const char *replace)
{
    const char *at = strstr(text, find);

    ck_assert_msg(at != NULL, "\"%s\" is not in the good document", find);
    snprintf(out, DOCUMENT_SIZE, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
    return out;
}

static inline bool
is_wanted(const struct gang_diagnostic *finding, const struct document_case *wanted)
{
    return gang_diagnostic_get_code(finding) == (int)wanted->code &&
           strcmp(gang_diagnostic_get_path(finding), wanted->path) == 0 &&
           gang_diagnostic_get_line(finding) == wanted->line &&
           gang_diagnostic_get_column(finding) == wanted->column;
}

static inline void
print_finding(const struct gang_diagnostic *finding)
{
    fprintf(stderr, "# %s %s %u:%u %s\n", gang_diagnostic_get_id(finding),
            gang_diagnostic_get_path(finding), gang_diagnostic_get_line(finding),
            gang_diagnostic_get_column(finding), gang_diagnostic_get_message(finding));
}

/* What a whole run over three texts found: of the first parse that fails, else of the resolve. */
struct run {
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
    struct gang_policy *policy;
    struct gang_decision *decision;
    struct gang_error *error;
    int result;
};

static inline struct run
run_texts(const char *runtime, const char *trainjob, const char *policy)
{
    struct run run = {0};

    run.result = parse_runtime(NULL, runtime, strlen(runtime), 0, &run.runtime, &run.error);
    if (!run.result)
        run.result = parse_trainjob(NULL, trainjob, strlen(trainjob), 0, &run.trainjob, &run.error);
    if (!run.result && policy)
        run.result = parse_policy(NULL, policy, strlen(policy), 0, &run.policy, &run.error);
    if (!run.result)
        run.result = resolve_trainjob_with(NULL, run.runtime, run.trainjob, run.policy, NULL, 0,
                                           &run.decision, &run.error);
    return run;
}

static inline void
end_run(struct run *run)
{
    gang_decision_unref(run->decision);
    unref_policy(run->policy);
    unref_trainjob(run->trainjob);
    unref_runtime(run->runtime);
    gang_error_free(run->error);
}

static inline size_t
run_num_findings(const struct run *run)
{
    return run->decision ? gang_decision_num_diagnostics(run->decision)
                         : gang_error_num_diagnostics(run->error);
}

static inline const struct gang_diagnostic *
run_finding(const struct run *run, size_t index)
{
    return run->decision ? gang_decision_get_diagnostic(run->decision, index)
                         : gang_error_get_diagnostic(run->error, index);
}

/* NULL when the finding was not made; then all that were are printed. */
static inline const struct gang_diagnostic *
find_wanted(const struct run *run, const struct document_case *wanted)
{
    for (size_t i = 0; i < run_num_findings(run); i++)
        if (is_wanted(run_finding(run, i), wanted))
            return run_finding(run, i);
    for (size_t i = 0; i < run_num_findings(run); i++)
        print_finding(run_finding(run, i));
    return NULL;
}

/* The finding must be there, and be an error exactly when the run failed because of it or another.
 */
static inline void
check_wanted(struct run run, const struct document_case *wanted, enum gang_severity severity)
{
    const struct gang_diagnostic *finding = find_wanted(&run, wanted);

    ck_assert_msg(finding != NULL, "GANG%03d %s %u:%u was not found", (int)wanted->code,
                  wanted->path, wanted->line, wanted->column);
    ck_assert_int_eq(gang_diagnostic_get_severity(finding), severity);
    if (severity == GANG_SEVERITY_ERROR)
        ck_assert_int_lt(run.result, 0);
    end_run(&run);
}

#endif
