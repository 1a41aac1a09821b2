/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_JOBS_H
#define GANGCTL_JOBS_H

#include <stddef.h>

#include "options.h"
#include "tree.h"

/* The group of GangPolicy, GangCluster and the other kinds of libgang, in an apiVersion. */
#define POLICY_GROUP "policy.libgang.dev/"

/*
 * A document of the input beside the jobs: a runtime, a PodCliqueSet or a ClusterTopologyBinding,
 * parsed once for all jobs that refer to it; or a pod.
 */
struct companion {
    const struct document *document;
    struct gang_document *handle; /* NULL: a pod, or it has errors, which were reported */
    bool has_podgang;             /* of a PodCliqueSet: in the input */
    int action; /* of a binding: enum gang_action of reconcile; none: it could not be compared */
    /* the prepared pod, or the written runtime; NULL: no job needs it, or errors were reported */
    struct gang_blob *blob;
    const struct job *job; /* for which the runtime was written first */
};

struct companions {
    struct companion *items;
    size_t count;
};

/* A job of any kind, a PodGang, or a PodCliqueSet without a PodGang, and its result. */
struct job {
    const struct document *document;
    struct gang_document *handle;     /* NULL: a Grove job, or it has errors, which were reported */
    struct gang_document *podgang;    /* NULL: no job of Grove, or it has errors */
    const struct companion *topology; /* the one that the PodGang names; NULL: not in the input */
    const struct companion *set;      /* NULL: not in the input */
    struct companion *runtime;        /* NULL: not found, which was reported, or none is needed */
    struct gang_decision *decision;   /* NULL: there is no decision */
    struct gang_plan *plan;
    struct origins origins;
    uint64_t gang; /* of a job with several */
};

/*
 * The destination of findings: with render the complaints, with explain a report for each job. With
 * audit it is a row for each job, and the jobs are not among those of the bench: they are decided
 * one at a time. With transform the documents are changed, and there may be none of a job.
 */
enum purpose { FOR_OBJECTS, FOR_REPORTS, FOR_FINDINGS, FOR_ROWS, FOR_EDITS };

/* The argument of -p, --against or --cluster: a file with one document of one kind. */
struct setting {
    struct documents documents;
    struct gang_document *handle;
    enum gang_document_type type;
    const char *kind;
};

/* The state of one run. */
struct workbench {
    const struct options *options;
    struct gang_context *context;
    const struct shared_files *shared; /* all that the options name; NULL: the bench reads itself */
    struct source_list sources;        /* the inputs, then the settings */
    size_t num_inputs;
    struct documents documents;
    struct companions runtimes;
    struct companions sets;
    struct companions topologies;
    struct companions pods; /* of Grove, or in a list of pods */
    struct job *jobs;
    size_t num_jobs;
    /* after them: PodGangs that are not selected, but belong to the set of a selected one */
    size_t num_others;
    const struct selection *selection; /* NULL: all jobs */
    struct setting policy;
    struct setting against;
    struct setting cluster;
    enum purpose purpose;
    /* if the policy or cluster cannot be read, nothing is decided */
    bool settings_failed;
    bool is_read_only; /* jobs are only read */
    bool has_changes;  /* for diff: something is to change */
    bool has_others;   /* documents that are no jobs were passed over */
    struct complaints complaints;
};

/* A file for several benches, which is read once, and each of its documents parsed once. */
struct shared_file {
    const char *name; /* borrowed */
    bool is_read;
    struct workbench bench; /* with its documents */
    struct gang_document **parsed;
};

struct shared_files {
    struct shared_file *items;
    size_t count;
};

/* Reads a file, if it is not among them, in the present step. Ignores NULL. */
void shared_files_add(struct shared_files *files, const char *name);
void shared_files_free(struct shared_files *files);

/*
 * Reads all inputs, matches jobs with runtimes, resolves and renders. The bench must be
 * zero-initialized, except its purpose. Returns false if a file could not be read.
 */
bool workbench_run(struct workbench *bench, const struct options *options);
/* The same in steps, of which the second returns false if a file could not be read. */
void workbench_start(struct workbench *bench, const struct options *options,
                     uint64_t max_documents);
bool workbench_read_settings(struct workbench *bench);
void workbench_parse(struct workbench *bench);
void workbench_decide(struct workbench *bench, struct job *job);
/* Adds the documents of a source to some of the bench, and complaints about them to its own. */
void workbench_add_source(struct workbench *bench, struct documents *documents,
                          const struct source *source);
/*
 * Reads the input files and splits them into documents. Returns false if a file could not be read.
 * A list of kubectl can be larger than a document, so the items of a large file are read one by
 * one, except for edits, which need the places of all documents.
 */
bool workbench_read(struct workbench *bench);
/* Adds the documents of a chunk to the `context`, a bench. It is a take_chunk. */
void workbench_take(void *context, const struct chunk *chunk, const struct origin *origin);
/* Adds a GangPolicy or GangCluster, as -p and --cluster do. */
void workbench_add_setting(struct workbench *bench, const char *kind, const struct origin *origin,
                           const char *data, size_t len);
/* Adds the settings in the functionConfig of a ResourceList, if the input is one. */
void read_function_config(struct workbench *bench);
/* Parses a document, which then knows its file. NULL after reporting errors. */
struct gang_document *parse_document(struct workbench *bench, const struct document *document,
                                     uint32_t flags, const struct origins *origins);
/* Reports what was found when a document was parsed; decisions have the findings of theirs. */
void complain_parsed(struct workbench *bench, const struct gang_document *parsed,
                     const struct origins *origins);
/* Returns the job of a document, before anything else is known of it. */
struct job job_of_document(const struct workbench *bench, const struct document *document);
/* Parses a job of a bench FOR_ROWS, not one of Grove. */
void workbench_add_job(struct workbench *bench, struct job *job, const struct document *document);
/* What is resolved: the job, or its PodGang or PodCliqueSet; NULL if it has errors. */
struct gang_document *job_document(const struct job *job);
/* Whether the job is a TrainJob, which needs a runtime. */
bool is_trainjob(const struct job *job);
/* Whether all jobs of the bench are gangs of one document. */
bool has_one_document(const struct workbench *bench);
/* With lint every finding names its job. */
void job_set_title(struct job *job, enum purpose purpose);
void workbench_say_nothing_was_found(struct workbench *bench);
/* Frees the memory of a bench of its own; what it refers to is of the step. */
void workbench_free(struct workbench *bench);

/* Returns the inputs of a job's decision, which the caller frees. */
struct gang_inputs *workbench_inputs(const struct workbench *bench, const struct job *job);
/* Ignores NULL. */
void pass_input(struct gang_inputs *inputs, struct gang_document *document);

/*
 * A job can have several gangs, which are decided one by one: each is a job of the bench. Adds
 * those that --gang selects, and the first of them in the place of `job`, which is parsed and the
 * last of the bench. Reports a gang that the job does not have. Of a job with very many gangs, lint
 * checks the first and the last.
 */
void add_gangs(struct workbench *bench, struct job *job);

/* Reports a job with more gangs than are decided without --gang, and returns whether it is one. */
bool has_too_many_gangs(struct workbench *bench, const struct job *job);

/* The name of the group of a gang, of the step. NULL if the job cannot be read. */
const char *group_name_of(const struct workbench *bench, const struct job *job, uint64_t gang);

/* Gives each PodGang its topology and set, and each set without PodGangs a job. */
void pair_podgangs(struct workbench *bench);

/* By group and kind. Reports documents that look like gangctl's but are not read. */
enum gang_document_type document_role(const struct document *document,
                                      struct complaints *complaints);

/* Reports two jobs or runtimes of one kind and name, and two GangJobs of one group. */
void report_duplicates(struct workbench *bench);
/* Reports a second job whose plan has the same object as that of another one. */
void report_shared_objects(struct workbench *bench);

/* That of its runtimeRef; NULL after reporting that there is none or more than one. */
struct companion *match_runtime(struct workbench *bench, const struct job *job);
/* Whether the namespaces are equal; an object without a namespace gets that of the others. */
bool namespaces_meet(const char *a, const char *b);

/* Whether it is a Pod with one of Grove's labels; other pods are ignored. */
bool is_pod_of_grove(const struct document *document);

/* Prepares each pod for its job, written in this format. */
void prepare_pods(struct workbench *bench, enum gang_format format);

/* The library's facts about each scheduler, which gangctl has no copy of: maps, of the step. */
struct json_object *schedulers_read(void);

enum { SCHEDULERS_MOST = 32 };

/* The names, ended by NULL; set by schedulers_list_names(). */
extern const char *scheduler_names[SCHEDULERS_MOST + 1];
void schedulers_list_names(void);

/* The GangDecision, for values without an accessor. NULL after reporting an error. */
struct json_object *decision_as_json(struct workbench *bench, const struct job *job);

#endif
