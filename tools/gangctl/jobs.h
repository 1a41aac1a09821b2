/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_JOBS_H
#define GANGCTL_JOBS_H

#include "documents.h"
#include "options.h"

/* A runtime of the input, parsed once for every job that uses it. */
struct runtime {
    const struct document *document;
    struct gang_document *handle; /* NULL: it has errors, which were reported */
};

/* A PodCliqueSet of the input, parsed once for all its PodGangs. */
struct clique_set {
    const struct document *document;
    struct gang_document *handle; /* NULL: it has errors, which were reported */
    bool has_podgang;             /* among the inputs */
};

/* A TrainJob, a PodGang, or a PodCliqueSet without any PodGang among the inputs, and what became of
 * it. */
struct job {
    const struct document *document;
    struct gang_document *handle;    /* NULL: of Grove, or it has errors, which were reported */
    struct gang_document *podgang;   /* the same */
    const struct topology *topology; /* that the PodGang names; NULL: none among the inputs */
    const struct clique_set *set;    /* NULL: none among the inputs */
    const struct runtime *runtime;   /* NULL: none was found, which was reported */
    struct gang_decision *decision;  /* NULL: it could not come to one */
    struct gang_plan *plan;
    struct origins origins;
    int result; /* of the resolve */
};

/* A ClusterTopologyBinding of the input. */
struct topology {
    const struct document *document;
    struct gang_document *handle; /* NULL: it has errors, which were reported */
    int action; /* enum gang_action of reconcile; none: it could not be compared */
};

/* A pod of Grove among the inputs. */
struct pod {
    const struct document *document;
    struct gang_blob
        *blob; /* as it is prepared; NULL: for no job, or it has errors, which were reported */
};

/* Where what is found goes: with render among the complaints, with explain into a report for each
 * job. */
enum purpose { FOR_OBJECTS, FOR_REPORTS, FOR_FINDINGS };

/* Everything that one run reads and decides. */
struct workbench {
    struct gang_context *context;
    struct source_list sources;
    struct documents documents;
    struct runtime *runtimes;
    size_t num_runtimes;
    struct clique_set *sets;
    size_t num_sets;
    struct job *jobs;
    size_t num_jobs;
    struct topology *topologies;
    size_t num_topologies;
    struct pod *pods;
    size_t num_pods;
    struct documents policy_documents;
    struct gang_document *policy;
    enum purpose purpose;
    struct documents cluster_documents;
    struct gang_document *cluster;
    bool settings_failed; /* without the policy and cluster that were asked for, nothing is decided
                           */
    const char *workload_uid; /* of --workload-uid; NULL without */
    struct complaints complaints;
};

/* With a bench of zeroes: reads files and splits them into documents. False: a file could not be
 * read. */
bool workbench_read(struct workbench *bench, const char *const *inputs, size_t count,
                    bool recursive);
/* With a bench of zeroes, but for its purpose: reads all inputs, pairs jobs and runtimes, resolves
 * and renders. False: a file could not be read. */
bool workbench_run(struct workbench *bench, const struct options *options);
void workbench_free(struct workbench *bench);

/* NULL is passed over. */
void pass_input(struct gang_inputs *inputs, struct gang_document *document);

#endif
