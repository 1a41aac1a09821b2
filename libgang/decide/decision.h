/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_DECISION_H
#define LIBGANG_DECIDE_DECISION_H

#include "libgang/backend/backend.h"
#include "libgang/catalog/job_names.h"
#include "libgang/grove/grove.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy.h"
#include "libgang/trainer/trainer.h"

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
void decision_inputs_take(struct decision_inputs *taken, const struct gang_document *job,
                          const struct gang_inputs *inputs, struct report *report);

/* What the caller passes with a job. One with zeros has nothing. */
struct gang_inputs {
    struct gang_document **documents; /* one reference held on each */
    size_t count;
    size_t capacity;
    char *created_uid; /* NULL if absent */
    struct gang_run run;
    uint64_t gang_index;
};

/* Frees what it holds. */
void inputs_clear(struct gang_inputs *inputs);

/*
 * Fills inputs for one of many jobs: those of `all` (may be NULL) without the runtimes that the job
 * cannot mean. Keeps no other document that `selected` had. False if out of memory.
 */
bool inputs_select(struct gang_inputs *selected, const struct gang_inputs *all,
                   const struct gang_document *job);

/*
 * gang_document_parse() of a document that another library holds. Not in gang.h: for libgang-json-c
 * of the same release.
 */
GANG_EXPORT
int gang_private_document_parse(const struct gang_context *context,
                                const struct document_tree *tree, uint32_t flags,
                                struct gang_document **out, struct gang_error **err);

struct front_end;

/* A schedulerName in a template, with its first occurrence; each name once. */
struct named_scheduler {
    struct slice name;
    const struct node *source;
};

/*
 * The values in a job's documents that select its backend. Fields that a kind of job does not have
 * are unset.
 */
struct backend_facts {
    /* members of podGroupPolicy that belong to a backend */
    size_t members;
    const struct node *member_of[CATALOG_COUNT]; /* in the order of the catalog; NULL if absent */
    const struct named_scheduler *named;
    size_t num_named;
    size_t num_enabled;       /* number of those names that belong to one enabled backend */
    const struct node *label; /* of a PodGang, which names a scheduler */
    /* the scheduler of cliques without a schedulerName; unset if Grove does not support it */
    struct slice by_default;
};

/* The values in the job's documents that set the queue and the priority class of its group. */
struct group_facts {
    struct queue_values queues; /* that the chosen backend reads */
    struct queue_values queues_of_others;
    struct grove_queue grove_queue; /* the queue in Grove's documents, or Grove's default */
    struct queue_values priority_labels;
    struct backend_classes classes; /* of a trainjob */
};

/*
 * The choices for a job, in the order in which decide() makes them: a step reads what the steps
 * before it have made. The trace, which has their reasons, is computed from this structure on
 * request.
 */
struct gang_decision {
    struct refcount references;
    struct arena *arena;
    const struct limits *limits; /* of the context, which may be freed after the decision */
    uint32_t flags;              /* of the call that created it */
    struct report *report;
    struct decision_inputs inputs;
    uint64_t gang_index;               /* of a job with several gangs */
    const struct front_end *front_end; /* of the kind of job */

    /* What the front end reads; then the wishes have what rules can match. */
    struct trainer_job job; /* of a runtime and a trainjob */
    struct grove_job grove; /* of a PodGang and its PodCliqueSet, with the cluster's defaults */
    bool grove_aggregates;  /* PodGangs of one replica share a group */
    struct gang_wishes wishes;

    /* The first rule that matches; NULL if none does, or without a policy. */
    const struct policy_rule *rule;
    bool rule_is_undecided; /* a rule needs facts that are not known */

    /* By backend_choose(). */
    struct backend_facts backend_facts;
    const struct backend *backend;              /* NULL: no gang */
    const struct policy_backend *backend_entry; /* its entry in the policy; NULL without a policy */
    /* For a PodGang or PodCliqueSet; NULL if none is chosen. */
    const struct grove_scheduler *grove_scheduler;
    const char *reason; /* why there is a gang or none, or why the job is refused; never NULL */

    struct gang gang;               /* formed of the wishes, with the attributes of its objects */
    struct group_facts group_facts; /* of a job with a backend */
    struct backend_call call;       /* the arguments of the backend; of a job with a backend */

    unsigned char *constraint_verdicts; /* by judgement_pass() */
    enum gang_outcome outcome;
    int64_t minimum; /* pods that must start together, as the backend counts them */
};

/*
 * Returns the backend's name in the policy, or its type in lower case if no policy lists it. The
 * decision must have a backend. NUL-terminated.
 */
struct slice decision_backend_name(const struct gang_decision *decision);

/* Returns the error of an arena that has failed; without steps left it names the decision's job. */
int decision_error(const struct gang_decision *decision, const struct arena *arena,
                   struct gang_error **err);

/*
 * A backend with its name in the policy. Without a policy every backend is enabled and has the name
 * of its type.
 */
struct enabled_backend {
    struct slice name;
    struct slice scheduler_name;
    struct slice api_version;           /* unset: selected by the cluster */
    const struct backend *backend;      /* NULL for the type None: no gang */
    const struct policy_backend *entry; /* NULL without a policy */
    /*
     * The scheduler in Grove; NULL if Grove does not support it, or for a job that is not Grove's.
     */
    const struct grove_scheduler *grove;
};

/*
 * The index-th, in the order of the policy, or of the backend table without a policy. False if
 * there are no more.
 */
bool enabled_backend_at(const struct gang_policy *policy, size_t index,
                        struct enabled_backend *out);
/* Returns false if no backend has this name; `out` then has no backend. */
bool enabled_backend_of_name(const struct gang_policy *policy, struct slice name,
                             struct enabled_backend *out);
/* Returns the number of backends with this type; `out` is the first. */
size_t enabled_backend_of_type(const struct gang_policy *policy, const struct backend *type,
                               struct enabled_backend *out);
/* Returns the number of backends with this scheduler; `out` is the first. */
SELDOM size_t enabled_backend_of_scheduler(const struct gang_policy *policy,
                                           struct slice scheduler_name,
                                           struct enabled_backend *out);

/* Returns `"volcano", "kai"`: their names, or the names of their schedulers, for a message. */
SELDOM const char *enabled_backend_list(const struct gang_policy *policy, bool of_schedulers,
                                        struct arena *arena);

/*
 * The schedulers that Grove's operator may use: those in the policy, and its default if the policy
 * does not list it; without a list, all that Grove supports. Some have no backend, because they
 * have no gangs.
 */
struct enabled_backend enabled_backend_of_grove(void);
/* `grove` is unset if Grove does not support an entry of this type. */
struct enabled_backend enabled_backend_of_grove_entry(const struct policy_backend *entry);
/*
 * Finds a backend by the name of its scheduler. Returns false, with `out` unset, if it is not
 * enabled.
 */
SELDOM bool enabled_backend_for_grove(const struct gang_policy *policy, struct slice scheduler_name,
                                      struct enabled_backend *out);
/* Returns the names of the schedulers, for messages. */
SELDOM const char *enabled_backend_names_for_grove(const struct gang_policy *policy,
                                                   struct arena *arena);

/* The kinds of job, one bit each. */
enum {
    JOB_OF_TRAINER = 1 << 0,
    JOB_OF_GROVE = 1 << 1,
    JOB_OF_OTHERS = 1 << 2, /* a GangJob, or a job that is translated to one */
};

/* For tables of sources (choice.h): the kinds of job that a source is not for. */
enum {
    OF_TRAINER = JOB_OF_GROVE | JOB_OF_OTHERS,
    OF_GROVE = JOB_OF_TRAINER | JOB_OF_OTHERS,
    OF_OTHERS = JOB_OF_TRAINER | JOB_OF_GROVE,
    OF_ALL_BUT_GROVE = JOB_OF_GROVE,
};

/* The functions that differ between the kinds of job. decide() calls them in this order. */
struct front_end {
    unsigned job;                     /* its bit */
    bool follows_compatibility;       /* the policy's `compatibility` applies to this operator */
    enum gang_document_type document; /* the document of the job */
    const char *uid_hint;             /* hint for a job without a uid */
    /* Checks the documents and sets the wishes that rules can match, such as roles. */
    void (*read)(struct gang_decision *decision);
    /*
     * Sets the wishes that depend on the backend, which may be absent. Returns false if the job has
     * no gang of its own; the choice is then only checked.
     */
    bool (*fill)(struct gang_decision *decision);
    /* Counts pod requests again, without limits as replacements for missing requests. */
    void (*count_requests_only)(struct gang_decision *decision);
};

static inline bool
decision_is_of_grove(const struct gang_decision *decision)
{
    return decision->front_end->job == JOB_OF_GROVE;
}

/* Returns the front end of the job in the documents, and the metadata of the job. */
const struct front_end *front_end_of(const struct decision_inputs *inputs,
                                     const struct object_meta **meta);

/*
 * Decides a job of any kind: reads it, finds its rule, chooses the backend and all other
 * attributes, forms the gang, runs the checks and sets the outcome. Call it once, on a new
 * decision.
 */
void decide(struct gang_decision *decision);

/* With these findings, only errors have a path, a message and a hint: the others are not read. */
enum resolve_findings { RESOLVE_FINDINGS_IN_FULL, RESOLVE_FINDINGS_IN_BRIEF };

/* gang_resolve(), for a caller that chooses how much of its findings is written. */
int decide_job(const struct gang_context *context, const struct gang_document *job,
               const struct gang_inputs *inputs, uint32_t flags, enum resolve_findings findings,
               struct gang_decision **out, struct gang_error **err);

/*
 * Resolves another gang of the same job with the same inputs. Fails as gang_resolve(); the decision
 * is released with gang_decision_unref().
 */
int resolve_other_gang(const struct gang_decision *decision, uint64_t gang,
                       const struct limits *limits, struct gang_decision **out,
                       struct gang_error **err);

enum constraint_verdict {
    CONSTRAINT_UNMATCHED, /* 0: does not select the job */
    CONSTRAINT_HELD,
    CONSTRAINT_BROKEN,
    CONSTRAINT_UNKNOWN, /* needs facts that are not known */
};

/* The values of a job that rules and constraints match. Everything is borrowed. */
struct match_facts {
    struct slice namespace_;   /* unset if not known */
    struct slice runtime;      /* its name */
    struct slice framework;    /* value of the runtime's label; unset if absent */
    const struct node *labels; /* of the job */
    const struct node *runtime_labels;
    int64_t nodes;      /* of a TrainJob; pods in the gang of another job; 0 for a PodGang */
    job_kind_set kinds; /* of the job, and of the owner of a GangJob */
    bool is_kueue_managed;
    const struct gang_wishes *wishes; /* with the requests of the roles */
    const struct gang_cluster *cluster;
    const struct node *metadata; /* of the job, for findings */
    struct arena *arena;         /* whose budget of steps comparing draws from */
};

/*
 * MATCH_UNKNOWN: a value that the result depends on is not known, so the caller must report an
 * error.
 */
enum match_answer { MATCH_NO, MATCH_YES, MATCH_UNKNOWN };

/*
 * Whether a rule applies to a job: every part of `match` matches and, if there is an exclude, some
 * part of it does not. Known values have precedence: UNKNOWN is returned only if no known value
 * decides.
 */
enum match_answer match_decide(const struct policy_match *match, const struct policy_match *exclude,
                               const struct match_facts *facts);

/*
 * Reports why match_decide() returned MATCH_UNKNOWN. `owner` is the name of the rule in the
 * message, such as `rule prod`.
 */
void match_report_unknown(const struct policy_match *match, const struct policy_match *exclude,
                          const struct match_facts *facts, const char *owner,
                          struct report *report);

/*
 * Returns the first rule that matches; NULL if none does. A rule that cannot be decided is reported
 * and ends the search: `*undecided` is set and NULL is returned.
 */
const struct policy_rule *rule_match_first(const struct gang_policy *policy,
                                           const struct match_facts *facts, bool *undecided,
                                           struct report *report);

/*
 * Returns the values that a policy can match: of trainjob and runtime, of the PodGang, or of a
 * PodCliqueSet without a PodGang. The roles must be in the decision's wishes. Comparing draws steps
 * from the arena, which must be that of the call.
 */
struct match_facts job_facts_of(const struct gang_decision *decision, struct arena *arena);

/* Returns the name of the Kueue queue of the job; NULL if it names none. */
const struct node *job_facts_kueue_queue(const struct gang_decision *decision);

/*
 * Returns what shows that Kueue manages the job: the name of its queue, or the entry that Kueue's
 * webhook adds to the patches of every trainjob that it manages; NULL if Kueue does not manage it.
 */
const struct node *job_facts_kueue_manager(const struct gang_decision *decision);

/*
 * Writes `unmatchedRules`: the rules before the one that decides, or all of them if none does, each
 * with the reason. Nothing without such rules.
 */
void rule_mismatch_build(const struct gang_decision *decision, struct builder *document);

/*
 * Checks the result against the policy's constraints and returns the outcome, with one enum
 * constraint_verdict for each constraint of the policy in `verdicts`; NULL if none was judged.
 * `has_gang` false: the choice is checked, but the job has no gang of its own. Constraints apply
 * only to jobs with a backend.
 */
enum gang_outcome judgement_pass(const struct gang_decision *decision, bool has_gang,
                                 unsigned char **verdicts);

/*
 * Reads how the API server sets defaults for pods of the namespace, for a front end that sums their
 * requests. Returns false if this is not known, and in compatibility mode, where pod requests are
 * counted as written.
 */
bool cluster_checks_admission(const struct gang_decision *decision, struct slice namespace_,
                              struct pod_admission *out);

/*
 * Checks the gang against the facts of the cluster: priority classes, queues, served versions, a
 * second gang of the Job controller or of the job's operator. Checks that need a missing fact are
 * reported as not done. Does nothing without a cluster.
 */
void cluster_checks_run(const struct gang_decision *decision);

/*
 * Returns the fact that the operator of the job makes its gang, and sets `by` to the option of the
 * operator; NULL if it does not, or if this is not known.
 */
const struct node *cluster_checks_operator_gang(const struct gang_decision *decision,
                                                const struct operator_option **by);

/* Reports that the API server does not serve the PodGroup version of the named backend. */
void cluster_checks_report_not_served(const struct gang_decision *decision, struct slice version,
                                      struct slice backend);

/*
 * Reports the marks of gang membership in the pod templates of a job, except those that its plan
 * sets: a job that was applied with its marks is decided as before. The job is not a TrainJob,
 * whose marks are in an entry of their own (patch_entry_build()). Does nothing after errors,
 * because there is no plan to compare with, and for a job that stands back: the Jobs of a JobSet
 * have the marks of its gang.
 */
void own_marks_check(const struct gang_decision *decision, bool has_gang);

/*
 * The entry of libgang in a TrainJob's `spec.runtimePatches`: the marks of a plan, in the form in
 * which the operator puts them on the JobSet and its pods. GANG_TARGET_JOB writes it.
 */

/*
 * Returns the entry with the labels and annotations of the patches; NULL if they have none. Fields
 * of a pod's spec are not in it: the API has no place for them.
 */
const struct node *patch_entry_build(const struct gang_patch *patches, size_t count,
                                     struct arena *arena);

/*
 * Reports every difference between the entry that the TrainJob has and the entry that its plan
 * would have. A decision is made without the entry, so an entry with anything else would change the
 * job behind the policy's back.
 */
void patch_entry_check(const struct gang_decision *decision);

#endif
