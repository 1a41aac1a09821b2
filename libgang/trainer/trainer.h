/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_H
#define LIBGANG_TRAINER_TRAINER_H

#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/gang/gang.h"
#include "libgang/kube/jobset.h"
#include "libgang/kube/strategic_merge.h"

struct trainer_job;

/*
 * Reports what JobSet's webhook would refuse in the JobSet that the operator creates: dependencies,
 * references and names that are too long.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                        struct report *report);

/* The member of `mlPolicy` that is set; ML_PLAIN if none is set. */
enum ml_source { ML_PLAIN, ML_TORCH, ML_MPI, ML_JAX, ML_XGBOOST, ML_FLUX };

/*
 * A runtime's `spec.mlPolicy`. Source:
 * kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go@v2.3.0
 */
struct ml_policy {
    /* NULL without mlPolicy, which differs from an empty mlPolicy */
    const struct node *source_node;
    enum ml_source source;
    const struct node *num_nodes_source; /* NULL if unset */
    int64_t num_nodes;                   /* 1 if unset */
    bool launcher_is_node;               /* mpi.runLauncherAsNode */
};

/*
 * One role per replicatedJob, in the order of the JobSet, with the data that the JobSet alone
 * and the ML policy provide: the counts and the effective requests are those without a trainjob. A
 * runtime stores the roles for all jobs whose patches do not change its JobSet.
 */
struct jobset_roles {
    struct role *roles; /* one per replicatedJob; NULL if out of memory */
    /* the start order is valid, the roles are linked and their stages are set */
    bool is_ordered;
    const uint32_t *start_order;
};

struct jobset_roles jobset_roles_read(const struct jobset *jobset, const struct ml_policy *policy,
                                      struct arena *arena);

/*
 * Returns the roles of a trainjob, which the caller may change. Of a JobSet with the runtime's
 * outline only the roles that a patch changed are read, and the start order is the runtime's.
 */
struct jobset_roles trainer_job_roles(const struct trainer_job *job, struct arena *arena);

struct ml_policy ml_policy_read(const struct node *spec, struct report *report);

/*
 * Reports what the plugin of the runtime's ML policy refuses in a trainjob.
 *
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/{torch,mpi,xgboost,flux}@v2.3.0
 */
void ml_rules_check(const struct trainer_job *job, struct report *report);

/* Reports violations of the rules for `command: [tune, run]`. */
void torchtune_rules_check(const struct trainer_job *job, struct report *report);

/*
 * A runtime's `spec.podGroupPolicy`, with the defaults that the API server applies. At most one
 * member should be set. The decide room maps the member to a backend.
 *
 * Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go@v2.3.0
 */
struct pod_group_policy {
    const struct node *source; /* NULL if absent */
    bool has_timeout;          /* of the member that has a timeout */
    int64_t timeout_seconds;
    const struct node *timeout_source; /* NULL if the default applies */
    struct gang_topology topology;     /* of the member that has a network topology */
    const struct node *scheduling;     /* spec.scheduling of KEP-3015, which replaces a member */
    /* Number of members of podGroupPolicy, known or not, plus one for spec.scheduling. */
    size_t num_asked;
    /* If num_asked is 1: the scheduler that the member selects; NULL if it selects none. */
    const struct descriptor *asked;
};

/* Reports each default that applies, and a runtime with both podGroupPolicy and scheduling. */
struct pod_group_policy pod_group_policy_read(const struct node *spec, struct report *report);

/* Reports each member of podGroupPolicy that selects no scheduler. */
void pod_group_policy_check_members(const struct pod_group_policy *policy, struct report *report);

/*
 * Returns the node that selects the scheduler: the member of podGroupPolicy, its superseded
 * spelling, or spec.scheduling; NULL if there is none.
 */
const struct node *pod_group_policy_find(const struct pod_group_policy *policy,
                                         const struct descriptor *scheduler);
/* Returns the member in its superseded spelling; NULL if absent. */
const struct node *pod_group_policy_superseded(const struct pod_group_policy *policy,
                                               const struct descriptor *scheduler);

/*
 * A compiled TrainingRuntime or ClusterTrainingRuntime: everything that no trainjob can change is
 * computed in advance.
 */
struct gang_runtime {
    struct gang_document document;
    struct object_meta meta;
    struct ml_policy ml_policy;
    struct pod_group_policy pod_group_policy;
    const struct node *template_metadata; /* labels and annotations of the JobSet */
    struct jobset jobset;
    struct jobset_roles roles;
    bool is_exclusive;     /* trainer_metadata_check() of some metadata of the JobSet */
    bool jobset_is_sound;  /* result of jobset_rules_find_nothing() */
    bool counts_are_sound; /* result of pod_counts_check_runtime() */
    unsigned queue_places; /* result of queue_places_in_runtime() */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_runtime *
runtime_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_RUNTIME) ? (const struct gang_runtime *)document
                                                        : NULL;
}

void runtime_compile(struct gang_document *document, struct parse_call *call);

/* Reports the problems of the JobSet and its counts, which are otherwise reported for each job. */
void runtime_judge(const struct gang_document *document, struct report *report);

/* `spec.runtimeRef`, with the defaults of the API server. */
struct runtime_ref {
    const struct node *source;
    struct slice api_group;
    struct slice kind;
    struct slice name;
};

/* A TrainJob. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 */
struct gang_trainjob {
    struct gang_document document;
    struct object_meta meta;
    struct runtime_ref runtime_ref;
    const struct node *spec;
    const struct node *trainer;          /* spec.trainer; NULL if absent */
    const struct node *num_nodes_source; /* NULL if unset */
    int64_t num_nodes;
    const struct node *resources_per_node; /* NULL if unset */
    struct resource_list node_requests;
    struct resource_list node_limits;
    const struct node *runtime_patches; /* without the entry of libgang; NULL if absent */
    bool has_unknown_field;             /* anywhere in the document */
    const struct node *own_patch;       /* the entry of libgang; NULL if absent */
    const struct node *kueue_patch;     /* the entry of Kueue; NULL if absent */
    unsigned queue_places;              /* result of queue_places_in_trainjob() */
    bool suspended;
    const struct node *managed_by; /* set if it names a controller other than the operator */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_trainjob *
trainjob_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_TRAINJOB) ? (const struct gang_trainjob *)document
                                                         : NULL;
}

void trainjob_compile(struct gang_document *document, struct parse_call *call);

/* Reports a number of nodes that no runtime accepts. */
void trainjob_judge(const struct gang_document *document, struct report *report);

/* Returns the name of the object of `kind` to which the trainjob refers. */
struct slice trainjob_refers_to(const struct gang_document *document, struct slice kind);

/*
 * Reports what the operator's webhooks refuse in a trainjob together with its runtime, and what
 * JobSet's webhook would refuse in the JobSet made of them, with their messages. The roles must
 * be counted.
 *
 * Source: the Validate functions in kubeflow/trainer:pkg/runtime/framework/plugins@v2.3.0,
 * kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go@v0.12.0
 */
void trainjob_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                          struct report *report);

/*
 * Names with a meaning in Kubeflow Trainer. Source:
 * kubeflow/trainer:pkg/constants/constants.go@v2.3.0.
 */
#define TRAINER_SUPPORT_LABEL SLICE("trainer.kubeflow.org/support")
#define TRAINER_WEBHOOK_LABEL SLICE("trainer.kubeflow.org/webhook-validation")
#define TRAINER_NODE SLICE("node")         /* job and container of the training nodes */
#define TRAINER_LAUNCHER SLICE("launcher") /* job that starts mpirun */

/*
 * A runtime and a trainjob together, with the trainjob's patches applied: the input of the
 * operator.
 */
struct trainer_job {
    const struct gang_runtime *runtime;
    const struct gang_trainjob *trainjob;
    struct jobset jobset;
    bool is_exclusive;  /* trainer_metadata_check() of some metadata of the JobSet */
    bool keeps_outline; /* result of jobset_keeps_outline(), or no patch has changed the JobSet */
    bool has_new_metadata; /* a patch has changed the metadata of a role's Job or pods */
    /* How an earlier release of Kubeflow Trainer than v2.3 applies resourcesPerNode. */
    bool replaces_resources; /* it does not merge them */
    bool needs_no_policy;    /* it does so without an mlPolicy, too, though not in its PodGroup */
    bool leaves_nodes_out;   /* before v2.1: not to the role `node` beside a launcher */
};

struct trainer_job trainer_job_combine(const struct gang_runtime *runtime,
                                       const struct gang_trainjob *trainjob, struct report *report);

/*
 * Sets every field of a gang that follows from the trainjob and its runtime: owner, suspension,
 * roles. The decide room takes the fields that depend on the backend (queue, timeout, topology)
 * from the podGroupPolicy. `admission` has the cluster's facts; NULL: pods are used as written.
 */
void trainer_gang_fill(const struct trainer_job *job, struct gang_wishes *wishes,
                       const struct pod_admission *admission, struct report *report);

/* Sets what the runtime's podGroupPolicy asks for the objects of a gang of the scheduler. */
void trainer_gang_request(const struct pod_group_policy *policy, const struct descriptor *scheduler,
                          struct gang_wishes *wishes);

/* What owns the pods, for a backend that reads it; NULL only without memory. */
const struct owner_chain *trainer_gang_chain(const struct trainer_job *job, struct arena *arena);

/*
 * Reports reserved marks in metadata of the JobSet, or of a template in it. Returns whether it has
 * annotations of JobSet's exclusive placement. Without any, all pods of a role are created at once.
 * NULL has none.
 */
bool trainer_metadata_check(const struct node *metadata, struct report *report);

/*
 * Creates one role per replicatedJob, in the order of the runtime: the number of pods that the
 * operator creates and counts, the requests of one pod, and the dependencies. Reports behaviour of
 * the operator that its user may not expect.
 *
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go and the plugins beside it, @v2.3.0
 */
void pod_sets_make(const struct trainer_job *job, struct gang_wishes *wishes,
                   const struct pod_admission *admission, struct report *report);

/*
 * Uses only `requests` as the requests of a pod, as the operator does, and reports limits that are
 * not counted.
 */
SELDOM void pod_sets_count_requests_only(const struct trainer_job *job, struct gang_wishes *wishes,
                                         struct report *report);

/* Report counts that are not positive: the TrainJob's, and those of a runtime and its roles. */
void pod_counts_check_trainjob(const struct gang_trainjob *trainjob, struct report *report);
/*
 * The latter returns whether there was nothing to report; without a report that is all it does. A
 * runtime calls it so once for all its jobs.
 */
bool pod_counts_check_runtime(const struct ml_policy *policy, const struct jobset *jobset,
                              const struct role *roles, struct report *report);

/*
 * Sets `count` and `operator_count` of a role without a trainjob: the base count (parallelism, or
 * the runtime's numNodes for roles labelled trainer), then replicas.
 */
void pod_counts_start(const struct ml_policy *policy, const struct replicated_job *replicated,
                      struct role *role);

/* Sets `pods_are_sound` of each job of a runtime. */
void pod_sets_judge_pods(struct jobset *jobset);

/*
 * The trainjob's `resourcesPerNode` overrides the resources of the container `node` in the roles
 * that the operator selects. For each key the trainjob's value has precedence; limits and requests
 * are merged separately. Before v2.3 they replace those of the container.
 *
 * Source: kubeflow/trainer:pkg/runtime/core/trainingruntime.go newRuntimeInfo@v2.3.0,
 * pkg/runtime/framework/plugins/jobset/builder.go Trainer@v2.0.1, @v2.1.0, @v2.2.1
 */
bool resources_per_node_reach(const struct trainer_job *job,
                              const struct replicated_job *replicated, bool is_trainer);

/* A value, and the source in whose place it was found. */
struct queue_found {
    const struct node *value;
    const struct queue_source *source;
    const struct descriptor *scheduler;
};

struct queue_values {
    struct queue_found *items; /* allocated in `arena`; NULL if there are none */
    size_t count;
};

/*
 * Return the places in a runtime, and in a trainjob without it, that have a queue key of any
 * scheduler, one bit for each `enum queue_place`.
 */
unsigned queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena);
unsigned queue_places_in_trainjob(const struct gang_trainjob *trainjob, struct arena *arena);

/* A TrainJob with its runtime, or another job: its own metadata, and that of its pod templates. */
struct queue_owner {
    const struct trainer_job *job;    /* NULL: not a TrainJob */
    const struct gang_wishes *wishes; /* of another job */
};

enum queue_question {
    /*
     * Every value that this scheduler reads. A scheduler without sources has no queues: for it, the
     * values of all schedulers, so that they can be reported as lost.
     */
    QUEUES_READ,
    /* Every value, in any place, whose key belongs to other schedulers and not to this one. */
    QUEUES_OF_OTHERS,
    /* Every label that decides the class of the scheduler's group. */
    QUEUES_PRIORITY,
};

/*
 * Returns the values in order of precedence; among the patches, the value of the last one first.
 * Without a runtime, a key that a TrainJob can have on itself or in its runtime's template is read
 * in the job's metadata.
 */
struct queue_values queue_sources_find(const struct queue_owner *owner,
                                       const struct descriptor *scheduler,
                                       enum queue_question question, struct arena *arena);

/* Reports queues in places that no component reads. */
void queue_sources_check_places(const struct trainer_job *job, struct report *report);

/*
 * Returns the JobSetSpec of a runtime (`spec.template.spec`) with the patches of a trainjob
 * (`spec.runtimePatches`) merged in, in list order. Fields that a patch must not have are omitted,
 * because the API server drops them; `has_unknown_field` says whether there may be any. After the
 * merge, replicatedJobs have the runtime's order again; a job that the runtime does not have is
 * sorted as if it were the runtime's first. The order of other lists is not restored.
 *
 * Shares the nodes that strategic_merge() shares. Without patches, returns the spec unchanged. NULL
 * if the arena has failed.
 */
const struct node *runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                                         const struct node *runtime_patches,
                                         bool has_unknown_field);

/* Returns `trainingRuntimeSpec.template` of an entry of runtimePatches; NULL if absent. */
const struct node *patch_template(const struct node *patch);

/* The manager of the entry that GANG_TARGET_JOB writes: the marks of the gang. */
#define RUNTIME_PATCH_MANAGER SLICE("libgang.dev/gang")

/*
 * Returns whether a member of a patch has no effect: null, an empty list, or a zero that Go omits
 * when it writes the patch (`omitempty` on a field that is not a pointer). `parent` names the field
 * that holds the member, directly or in a list.
 */
bool patch_omits(struct slice parent, const struct node *member);

/*
 * Checks a trainjob's runtimePatches: the form of the manager, no env for the operator's
 * containers, and no role or container that the runtime lacks. For the last rule the operator has a
 * check that never triggers, and it adds such roles and containers.
 *
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0
 */
void patch_rules_check(const struct trainer_job *job, struct report *report);

#endif
