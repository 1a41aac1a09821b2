/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_FRONT_H
#define TESTS_UNIT_FRONT_H

#include "libgang/trainer/trainer.h"

#include "unit/documents.h"
#include "unit/suite.h"
#include "unit/typed.h"

/*
 * Runtimes and trainjobs in JSON, put together of pieces. Quotes are written as apostrophes. An `@`
 * marks the place that a finding must point at and is taken out before the text is read.
 */
#define RUNTIME_NAMED(name, ml, jobs)                                                              \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'" name "'},\n'spec':{" ml       \
    "\n'podGroupPolicy':{'volcano':{}},\n'template':{'spec':{'replicatedJobs':[" jobs "]}}}}"
#define RUNTIME(ml, jobs) RUNTIME_NAMED("tune", ml, jobs)

#define TRAINJOB_NAMED(name, runtime, members)                                                     \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob',\n'metadata':{'name':" name   \
    ",'namespace':'ml'},\n'spec':{'runtimeRef':{'name':" runtime "}" members "}}"
#define TRAINJOB(members) TRAINJOB_NAMED("'llama'", "'tune'", members)

#define ML(source) "'mlPolicy':{" source "},"
#define NO_ML ""
#define TRAINER(members) ",\n'trainer':{" members "}"
#define NODES(count) TRAINJOB(TRAINER("'numNodes':" count))
#define PATCHES(items) ",\n'runtimePatches':[" items "]"
/* Patches of the manager `m.io/<path>`. */
#define PATCH_JOBS(path, jobs)                                                                     \
    "{'manager':'m.io/" path                                                                       \
    "','trainingRuntimeSpec':{'template':{'spec':{'replicatedJobs':[" jobs "]}}}}"
#define PATCH_METADATA(path, metadata)                                                             \
    "{'manager':'m.io/" path "','trainingRuntimeSpec':{'template':{'metadata':{" metadata "}}}}"

/* `ahead` are members of the role, `label` one of the metadata below, `spec` members of the Job's
 * spec. */
#define ROLE(name, ahead, label, spec, pod)                                                        \
    "{'name':'" name "',\n" ahead "'template':{" label "'spec':{" spec "'template':{'spec':{" pod  \
    "}}}}}"
#define LABEL(value)                                                                               \
    "'metadata':{'labels':{'trainer.kubeflow.org/trainjob-ancestor-step':'" value "'}},"
#define PLAIN ""
#define POD(containers) "'containers':[" containers "]"
#define CONTAINER(name, rest) "{'name':'" name "'" rest "}"
#define REQUESTS(amounts) ",'resources':{'requests':{" amounts "}}"
#define LIMITS(amounts) ",'resources':{'limits':{" amounts "}}"

#define NODE_POD POD(CONTAINER("node", ""))
#define NODE_ROLE ROLE("node", "", LABEL("trainer"), "", NODE_POD)

static const char compatible_policy_text[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"as-upstream\"},"
    "\"spec\":{\"compatibility\":\"KubeflowTrainer\"}}";

struct front_place {
    unsigned line;
    unsigned column;
};

/* Replaces apostrophes by quotes and removes the mark; true if there was one. */
static inline bool
front_text(char out[DOCUMENT_SIZE], const char *text, struct front_place *place)
{
    struct front_place at = {1, 1};
    bool marked = false;
    size_t len = 0;

    for (; *text; text++) {
        ck_assert_uint_lt(len, DOCUMENT_SIZE - 1);
        if (*text == '@') {
            *place = at;
            marked = true;
            continue;
        }
        out[len++] = *text == '\'' ? '"' : *text;
        at = *text == '\n' ? (struct front_place){at.line + 1, 1}
                           : (struct front_place){at.line, at.column + 1};
    }
    out[len] = '\0';
    return marked;
}

/* Both documents read and combined, the roles counted. */
struct front {
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
    struct arena *arena;
    struct report report;
    struct trainer_job job;
    struct gang_wishes wishes;
    struct gang gang; /* of a test that forms it */
};

static inline void
front_open(struct front *front, const char *runtime, const char *trainjob,
           enum gang_compatibility compatibility)
{
    struct front_place unused;
    char text[DOCUMENT_SIZE];

    memset(front, 0, sizeof(*front));
    front_text(text, runtime, &unused);
    ck_assert_int_eq(parse_runtime(NULL, text, strlen(text), 0, &front->runtime, NULL), GANG_OK);
    front_text(text, trainjob, &unused);
    ck_assert_int_eq(parse_trainjob(NULL, text, strlen(text), 0, &front->trainjob, NULL), GANG_OK);
    front->arena = arena_new(0);
    report_init(&front->report, front->arena, &standard_limits);
    front->report.compatibility = compatibility != COMPATIBILITY_NONE;
    front->wishes.compatibility = compatibility;
    front->job = trainer_job_combine(front->runtime, front->trainjob, &front->report);
    trainer_gang_fill(&front->job, &front->wishes, NULL, &front->report);
    front->wishes.chain =
        trainer_gang_chain(&front->job, front->arena); /* as for a backend that reads it */
    ck_assert(!arena_failed(front->arena));
}

static inline void
front_close(struct front *front)
{
    arena_free(front->arena);
    unref_trainjob(front->trainjob);
    unref_runtime(front->runtime);
}

/* A finding about one of two texts, whose place is the mark in them. */
struct remark {
    const char *runtime;
    const char *trainjob;
    enum gang_code code;
    const char *path;
};

static inline struct run
run_remark(const struct remark *remark, enum gang_compatibility compatibility,
           struct front_place *place)
{
    char runtime[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];

    front_text(runtime, remark->runtime, place);
    front_text(trainjob, remark->trainjob, place);
    return run_texts(runtime, trainjob,
                     compatibility == COMPATIBILITY_NONE ? NULL : compatible_policy_text);
}

/* The finding is made, at the mark, with this severity. */
static inline void
check_remark(const struct remark *remark, enum gang_compatibility compatibility,
             enum gang_severity severity)
{
    struct front_place place = {0, 0};
    struct run run = run_remark(remark, compatibility, &place);
    const struct document_case wanted = {NULL,         NULL,       remark->code,
                                         remark->path, place.line, place.column};

    ck_assert_uint_gt(place.line, 0);
    if (severity != GANG_SEVERITY_ERROR)
        ck_assert_int_eq(run.result, GANG_OK);
    check_wanted(run, &wanted, severity);
}

/* The run succeeds and no finding has this code. */
static inline void
check_no_remark(const struct remark *remark, enum gang_compatibility compatibility)
{
    struct front_place unused;
    struct run run = run_remark(remark, compatibility, &unused);

    for (size_t i = 0; i < run_num_findings(&run); i++) {
        if (gang_diagnostic_get_severity(run_finding(&run, i)) == GANG_SEVERITY_ERROR)
            print_finding(run_finding(&run, i));
        ck_assert_int_ne(gang_diagnostic_get_code(run_finding(&run, i)), (int)remark->code);
    }
    ck_assert_int_eq(run.result, GANG_OK);
    end_run(&run);
}

#endif
