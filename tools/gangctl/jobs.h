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
    bool has_podgang;             /* in the input */
};

/*
 * A TrainJob, a job of another kind, a PodGang, or a PodCliqueSet without a PodGang in the input,
 * and its result.
 */
struct job {
    const struct document *document;
    struct gang_document *handle;    /* NULL: a Grove job, or it has errors, which were reported */
    struct gang_document *podgang;   /* NULL: no job of Grove, or it has errors */
    const struct topology *topology; /* the one that the PodGang names; NULL: not in the input */
    const struct clique_set *set;    /* NULL: not in the input */
    const struct runtime *runtime;   /* NULL: not found, which was reported, or none is needed */
    struct gang_decision *decision;  /* NULL: there is no decision */
    struct gang_plan *plan;
    struct origins origins;
    char *title;   /* "namespace/name", if findings name it; NULL if not */
    int result;    /* of resolving it */
    uint64_t gang; /* of a job with several */
};

/* A ClusterTopologyBinding of the input. */
struct topology {
    const struct document *document;
    struct gang_document *handle; /* NULL: it has errors, which were reported */
    int action; /* enum gang_action of reconcile; none: it could not be compared */
};

/* A Grove pod in the input. */
struct pod {
    const struct document *document;
    /* the prepared pod; NULL: it belongs to no job, or has errors, which were reported */
    struct gang_blob *blob;
};

/*
 * The destination of findings: with render the complaints, with explain a report for each job. With
 * audit it is a row for each job, and the jobs are not among those of the bench: they are decided
 * one at a time.
 */
enum purpose { FOR_OBJECTS, FOR_REPORTS, FOR_FINDINGS, FOR_ROWS };

/* The state of one run. */
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
    /* after them: PodGangs that the options do not select, but that belong to a selected one's set
     */
    size_t num_others;
    const struct selection *selection; /* NULL: all jobs */
    struct topology *topologies;
    size_t num_topologies;
    struct pod *pods;
    size_t num_pods;
    struct documents policy_documents;
    struct gang_document *policy;
    struct documents against_documents; /* of --against */
    struct gang_document *against;
    enum purpose purpose;
    struct documents cluster_documents;
    struct gang_document *cluster;
    /* if the policy or cluster cannot be read, nothing is decided */
    bool settings_failed;
    bool without_plans;       /* jobs are decided and not rendered */
    bool is_read_only;        /* jobs are only read */
    uint32_t resolve_flags;   /* of --fall-back */
    const char *workload_uid; /* of --workload-uid; NULL if absent */
    int64_t run_number;       /* of --run-number; less than 0 if absent */
    const char *gang;         /* of --gang, a name or a number; NULL if absent */
    struct complaints complaints;
};

/*
 * Reads files and splits them into documents. The bench must be zero-initialized. Returns false if
 * a file could not be read.
 */
bool workbench_read(struct workbench *bench, const char *const *inputs, size_t count,
                    unsigned walk);
/*
 * Reads all inputs, matches jobs with runtimes, resolves and renders. The bench must be
 * zero-initialized, except its purpose. Returns false if a file could not be read.
 */
bool workbench_run(struct workbench *bench, const struct options *options);
/*
 * The same in steps: the context, the settings, then the documents that were added to the bench,
 * then one job. Returns false if a file could not be read.
 */
void workbench_start(struct workbench *bench, uint64_t max_documents);
bool workbench_read_settings(struct workbench *bench, const struct options *options);
void workbench_parse(struct workbench *bench, const struct options *options);
void workbench_decide(struct workbench *bench, struct job *job);
/* Parses a job of a bench FOR_ROWS, not one of Grove; job_free() frees what it holds. */
void workbench_add_job(struct workbench *bench, struct job *job, const struct document *document,
                       const struct options *options);
void job_free(struct job *job);
/* Whether the job is a TrainJob, which needs a runtime. */
bool is_trainjob(const struct job *job);
/* Whether all jobs of the bench are gangs of one document. */
bool has_one_document(const struct workbench *bench);
/* With lint every finding names its job. */
void job_set_title(struct job *job, enum purpose purpose);
void workbench_set_selection(struct workbench *bench, const struct selection *selection);
void workbench_say_nothing_was_found(struct workbench *bench);
/* Exchanges the policies of -p and --against. */
void workbench_swap_policies(struct workbench *bench);
void workbench_free(struct workbench *bench);

/* Ignores NULL. */
void pass_input(struct gang_inputs *inputs, struct gang_document *document);

#endif
