/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_KAI_CALLS_H
#define TESTS_UNIT_KAI_CALLS_H

#include "libgang/backend/backend.h"
#include "unit/front.h"
#include "unit/tree.h"
#include "unit/typed.h"

/*
 * A call for KAI as the engine makes it, from documents in the form of front.h. The gang's queue is
 * what a test says.
 */
struct kai_call {
    struct front front;
    struct gang_cluster *cluster; /* NULL without a release */
    struct backend_call call;
};

/* N = 4, and the nodes of the last one are three and a launcher. */
#define KAI_RUNTIME(metadata, ml, jobs)                                                            \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{" ml "'podGroupPolicy':{'kaiScheduler':{}},'template':{" metadata                     \
    "'spec':{'replicatedJobs':[" jobs "]}}}}"
#define KAI_INITIALIZER(name) ROLE(name, "", LABEL(name), "", POD(CONTAINER(name, "")))
#define KAI_NODES_AFTER                                                                            \
    ROLE("node",                                                                                   \
         "'dependsOn':[{'name':'dataset-initializer','status':'Complete'},{'name':'model-"         \
         "initializer',"                                                                           \
         "'status':'Complete'}],",                                                                 \
         LABEL("trainer"), "", NODE_POD)
#define KAI_TORCH KAI_RUNTIME("", ML("'numNodes':4"), NODE_ROLE)
#define KAI_TORCHTUNE                                                                              \
    KAI_RUNTIME("", ML("'numNodes':4"),                                                            \
                KAI_INITIALIZER("dataset-initializer") "," KAI_INITIALIZER(                        \
                    "model-initializer") "," KAI_NODES_AFTER)
#define KAI_MPI                                                                                    \
    KAI_RUNTIME("", NO_ML,                                                                         \
                ROLE("node", "", PLAIN, "'parallelism':3,", NODE_POD) "," ROLE(                    \
                    "launcher", "'dependsOn':[{'name':'node','status':'Ready'}],",                 \
                    LABEL("trainer"), "", NODE_POD))

static inline struct gang_cluster *
kai_cluster_of(const char *release)
{
    char text[512];
    struct gang_cluster *cluster = NULL;

    if (!release)
        return NULL;
    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"policy.libgang.dev/"
             "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":"
             "\"c\"},\"spec\":{\"components\":{\"kai\":\"%s\"}}}",
             release);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    return cluster;
}

/* `options` is JSON with apostrophes, or NULL. */
static inline void
kai_open(struct kai_call *out, const char *runtime, const char *trainjob, const char *release,
         const char *options, enum gang_compatibility compatibility)
{
    struct front_place unused;
    char text[DOCUMENT_SIZE];

    front_open(&out->front, runtime, trainjob, compatibility);
    wishes_order_roles(&out->front.wishes, &out->front.report);
    gang_form(&out->front.wishes, &out->front.gang, &out->front.report);
    out->front.report.count = 0;
    out->front.report.errors = 0;
    out->front.wishes.superseded =
        pod_group_policy_superseded(&out->front.runtime->pod_group_policy, &kai_descriptor);
    out->cluster = kai_cluster_of(release);
    out->call = (struct backend_call){
        .gang = &out->front.gang,
        .cluster = out->cluster,
        .api_version = SLICE("scheduling.run.ai/v2alpha2"),
    };
    if (options) {
        front_text(text, options, &unused);
        out->call.options =
            tree_of(out->front.arena, arena_copy(out->front.arena, slice_from_text(text)).data);
    }
}

/* What the engine does before it lets the backend validate or render, once the gang is as a test
 * wants it. */
static inline void
kai_open_state(struct kai_call *call)
{
    call->call.state = kai_backend.open(&call->call, &call->front.report);
}

static inline void
kai_close(struct kai_call *call)
{
    unref_cluster(call->cluster);
    front_close(&call->front);
}

/* Reasons of the findings: `ReleaseAssumed KaiGroupCreated`. */
static inline const char *
kai_findings(const struct kai_call *call)
{
    const struct report *report = &call->front.report;
    const char *text = "";

    for (size_t i = 0; i < report->count; i++)
        text = arena_format(call->front.arena, "%s%s%s", text, i ? " " : "",
                            diagnostic_entry_of(report->items[i].code)->reason);
    return text;
}

/* The first finding of a code; the test fails without one. */
static inline const struct gang_diagnostic *
kai_finding(const struct kai_call *call, enum gang_code code)
{
    const struct report *report = &call->front.report;

    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].code == code)
            return &report->items[i];
    ck_abort_msg("no %s among: %s", diagnostic_entry_of(code)->reason, kai_findings(call));
    return NULL;
}

#endif
