/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_INPUTS_H
#define LIBGANG_DECIDE_INPUTS_H

#include "libgang/grove/podcliqueset.h"
#include "libgang/grove/podgang.h"
#include "libgang/grove/topologybinding.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy.h"
#include "libgang/trainer/runtime.h"
#include "libgang/trainer/trainjob.h"

/*
 * The documents of a decision: the job, which is one of the first four, and the documents passed
 * with it; NULL if absent.
 */
struct decision_inputs {
    const struct gang_trainjob *trainjob;
    const struct gang_podgang *podgang;
    const struct gang_podcliqueset *podcliqueset;
    const struct job_document *job;
    const struct gang_runtime *runtime;
    const struct gang_topologybinding *topology;
    const struct gang_podgang *
        *siblings; /* the other PodGangs, in the order in which they were added */
    size_t num_siblings;
    const struct gang_policy *policy;
    const struct gang_cluster *cluster;
    struct gang_document **documents; /* all of them, the job first, one reference held on each */
    size_t num_documents;
};

/*
 * Sorts the documents by kind and takes a reference on each. Reports documents that are missing,
 * duplicate, or of a kind that the job cannot use. `inputs` may be NULL.
 */
void decision_inputs_take(struct decision_inputs *taken, struct gang_document *job,
                          const struct gang_inputs *inputs, struct report *report);
void decision_inputs_release(struct decision_inputs *taken);

/*
 * Fills inputs for one of many jobs: those of `all` (may be NULL) without the runtimes that the job
 * cannot mean. Keeps no other document that `selected` had. False if out of memory.
 */
bool inputs_select(struct gang_inputs *selected, const struct gang_inputs *all,
                   const struct gang_document *job);

/* Unset if the caller passed none. */
struct slice inputs_created_uid(const struct gang_inputs *inputs);
/* Unknown, with the number 0, if the caller passed none. */
struct gang_run inputs_run(const struct gang_inputs *inputs);

/* The first one if the caller named none. */
uint64_t inputs_gang_index(const struct gang_inputs *inputs);

/*
 * The number of document kinds that gang_document_parse() reads. A new front end adds its rows
 * here.
 */
enum { DOCUMENT_KIND_COUNT = 9 };
extern const struct document_kind document_kinds[DOCUMENT_KIND_COUNT];

#endif
