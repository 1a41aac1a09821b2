/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_H
#define LIBGANG_BACKEND_KAI_KAI_H

#include "libgang/backend/backend.h"

/* ---- releases and the PodGroup ---- */

/* Differences between the releases of KAI Scheduler that affect rendering. */
enum kai_feature {
    KAI_MIN_SUB_GROUP,    /* minSubGroup exists; minima may be absent, and 0 in subgroups */
    KAI_EXTERNAL_GROUPS,  /* kai.scheduler/skip-podgrouper: a PodGroup may have another creator */
    KAI_DELAYS,           /* preemptionDelay, stalenessGracePeriod */
    KAI_ROOT_ZERO,        /* a minimum of 0 at the root is valid: no gang */
    KAI_IGNORES_FINISHED, /* the scheduler does not see succeeded pods: a gang looks incomplete */
    KAI_KEEPS_TOPOLOGY,   /* an existing group keeps its topology if the job names none */
};

/* Whether a release has the feature. The release must be known. */
bool kai_has(enum kai_feature feature, const struct release *release);

#define KAI_RELEASE(minor_, patch_)                                                                \
    {                                                                                              \
        .is_known = true, .minor = (minor_), .patch = (patch_)                                     \
    }

/* The newest release whose behaviour this backend knows. */
extern const struct release kai_newest_release;

/* Returns a text such as "v0.16.8", in `arena`. */
const char *kai_release_text(const struct release *release, struct arena *arena);

/*
 * The PodGroup of KAI Scheduler, scheduling.run.ai/v2alpha2, limited to what libgang writes or
 * predicts. Unset text is omitted.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_types.go@d5bc503a
 */
#define KAI_API_VERSION SLICE("scheduling.run.ai/v2alpha2")
#define KAI_POD_GROUP_KIND SLICE("PodGroup")

/* minMember or minSubGroup. Absent differs from 0. */
struct kai_minimum {
    bool is_set;
    int64_t value;
};

#define KAI_MINIMUM(value_) ((struct kai_minimum){.is_set = true, .value = (value_)})

/* Whether a topologyConstraint is written: also an empty one, if it `is_set`. */
static inline bool
kai_is_placed(const struct gang_placement *placement)
{
    return placement->is_set || slice_is_set(placement->topology) ||
           slice_is_set(placement->required) || slice_is_set(placement->preferred);
}

struct kai_subgroup {
    struct slice name;
    struct slice parent; /* unset: a child of the root */
    struct kai_minimum min_member;
    struct kai_minimum min_sub_group;
    struct gang_placement placement;
};

struct kai_pod_group {
    struct kai_minimum min_member;
    struct kai_minimum min_sub_group;
    struct slice queue;
    struct slice priority_class_name;
    struct slice preemptibility;         /* "preemptible", "non-preemptible" */
    struct slice preemption_delay;       /* a Go duration; needs KAI_DELAYS */
    struct slice staleness_grace_period; /* the same */
    struct gang_placement placement;
    struct kai_subgroup *subgroups; /* in output order */
    size_t num_subgroups;
};

/* Writes the members of `spec`, except those that a known release does not have. */
void kai_pod_group_build(const struct kai_pod_group *group, const struct release *release,
                         struct builder *spec);

/* ---- what the podgrouper does ---- */

/*
 * Keys. Source: kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go and
 * pkg/podgrouper/podgrouper/plugins/constants/constants.go@d5bc503a
 */
#define KAI_QUEUE_LABEL SLICE(GANG_LABEL_KAI_QUEUE)
#define KAI_NODE_POOL_LABEL SLICE("kai.scheduler/node-pool")
#define KAI_PRIORITY_LABEL SLICE("priorityClassName")
#define KAI_PREEMPTIBILITY_LABEL SLICE("kai.scheduler/preemptibility")
#define KAI_PROJECT_LABEL SLICE("project")
#define KAI_DEFAULT_QUEUE SLICE("default-queue")
#define KAI_DEFAULT_PRIORITY SLICE("train") /* the podgrouper's, for training jobs */

struct kai_metadata {
    const struct node *labels; /* NULL if none */
    const struct node *annotations;
};

struct kai_kind {
    struct slice group;
    struct slice kind; /* unset: there are no defaults */
};

#define KAI_KIND(group_, kind_) ((struct kai_kind){SLICE(group_), SLICE(kind_)})
#define KAI_JOBSET_KIND KAI_KIND("jobset.x-k8s.io", "JobSet")
#define KAI_TRAINJOB_KIND KAI_KIND("trainer.kubeflow.org", "TrainJob")

enum { KAI_MOST_OWNERS = 4 };

/*
 * What the podgrouper reads of a job. The owner nearest to the pod comes first, and the group is
 * made for the last one: the JobSet, with what only the TrainJob has; before v0.13 the owners are
 * the Job, the JobSet, the TrainJob and its own owner. All owners count for priority and
 * preemptibility.
 */
struct kai_sources {
    struct kai_metadata owners[KAI_MOST_OWNERS];
    struct kai_kind kinds[KAI_MOST_OWNERS]; /* for the defaults of each owner's kind */
    size_t num_owners;
    struct kai_metadata pod;
    struct slice pod_priority_class;
    bool leaves_defaults;               /* a class that no document sets stays unset */
    const struct gang_cluster *cluster; /* NULL: every priority class is assumed to exist */
};

/*
 * Fills in what the podgrouper would read from labels and annotations: queue, priority class,
 * preemptibility, delays and topology. Ignores invalid values, as the podgrouper does.
 * Source: plugins/defaultgrouper/default_grouper.go@d5bc503a
 */
void kai_settings_fill(const struct kai_sources *sources, struct kai_pod_group *group,
                       struct arena *arena);

/*
 * Returns a default of the podgrouper's ConfigMap for a kind, as the GangCluster has it: of the
 * kind in its group, else in any group. NULL if there is none.
 */
const struct node *kai_default_node(const struct gang_cluster *cluster, const struct kai_kind *kind,
                                    struct slice field);
/*
 * Returns the first default for the class of these kinds, the nearest first, whose class exists.
 * NULL if there is none.
 */
const struct node *kai_default_class(const struct gang_cluster *cluster,
                                     const struct kai_kind *kinds, size_t count);

/* Returns `first`, the separator and `second` as one text of any length. */
struct slice kai_join(struct slice first, char separator, struct slice second, struct arena *arena);

#define KAI_MIN_MEMBER_ANNOTATION SLICE("kai.scheduler/batch-min-member")

/* A replicatedJob as the podgrouper reads it. */
struct kai_job_role {
    struct slice name;
    int64_t replicas;
    int64_t pods;                   /* of each: parallelism and completions of its Job */
    const struct node *annotations; /* of the Job's template; NULL if none */
    struct kai_metadata pod;        /* of the pod's template */
    struct slice pod_priority_class;
    bool is_skipped; /* its Jobs or pods tell the podgrouper to pass over them */
};

/* A JobSet that a TrainJob owns, as the podgrouper reads it. */
struct kai_job {
    struct release release; /* of KAI; must be known */
    struct slice name;      /* of the JobSet and the TrainJob */
    struct slice namespace_;
    struct slice jobset_uid;   /* unset if not known */
    struct slice trainjob_uid; /* unset if not known */
    struct kai_metadata jobset;
    struct kai_metadata trainjob;
    bool in_order; /* startupPolicy.startupPolicyOrder */
    const struct kai_job_role *roles;
    size_t num_roles;
    const struct gang_cluster *cluster;
    struct backend_owner top_owner; /* of the TrainJob; its kind is unset if there is none */
    struct kai_kind passed_owner;   /* of an owner that it passes over; unset if there is none */
    bool has_several_owners;        /* the TrainJob, which the podgrouper refuses */
    bool stays_flat;                /* a PodGroup without subgroups exists already */
};

enum kai_shape {
    KAI_SHAPE_OWNER,    /* one group for the owner of the pods, named after the TrainJob */
    KAI_SHAPE_ONE,      /* one group, with a minimum in pods */
    KAI_SHAPE_PER_ROLE, /* a group for each role, with minima in pods */
    KAI_SHAPE_TREE,     /* one group, a subgroup for each role, and in it one for each replica */
};

/* The groups that the podgrouper of a release makes, and how many pods they ask for. */
struct kai_grouping {
    enum kai_shape shape;
    int64_t root;        /* ONE and OWNER: pods; TREE: roles */
    int64_t *minima;     /* PER_ROLE: pods of each role's group; TREE: pods of each replica */
    const char *failure; /* the podgrouper's error instead of a group; NULL if it makes one */
    bool has_annotation; /* kai.scheduler/batch-min-member of JobSet or TrainJob applies */
};

/* The result is in `arena`. */
struct kai_grouping kai_grouping_of(const struct kai_job *job, struct arena *arena);

/* Returns the number of subgroups of a role in a tree; 1 for an explicit 0. */
int64_t kai_grouping_replicas(const struct kai_job_role *role);

/* What libgang itself puts on the job and its pods for the podgrouper to read. Unset: nothing. */
struct kai_marks {
    struct slice queue;      /* label of the pods */
    bool queue_on_job;       /* also of the JobSet, whose own label would override the pods' */
    struct slice priority;   /* label of the JobSet, for the same reason */
    bool priority_on_pods;   /* also of the pods that have the label, which is read first */
    struct slice min_member; /* annotation of the JobSet */
};

/*
 * Returns the JobSet that the operator will make for the call's job, with the marks, as the
 * podgrouper will read it.
 */
struct kai_job kai_jobset_read(const struct backend_call *call, const struct release *release,
                               const struct kai_marks *marks, struct arena *arena);

/* Returns what decides the class of the group, in the order of the podgrouper. */
struct backend_classes kai_classes(const struct gang_wishes *wishes,
                                   const struct gang_cluster *cluster);

/* Returns the marks for the gang's queue and priority class. */
struct kai_marks kai_jobset_marks(const struct backend_call *call, const struct release *release,
                                  struct arena *arena);

/*
 * The outcome of a job whose group the podgrouper makes. Three rules of KAI's scheduler decide it
 * (v0.15 and later, observed on real clusters; the first also holds before):
 *
 * 1. The scheduler considers a group only if enough of it is ready, that is, has live pods.
 *    Finished pods do not count, so a role that has finished is never ready again.
 * 2. Below its minimum, the scheduler takes pods from as many subgroups as the minimum asks for:
 *    first those below their own minimum, then by name. It also takes subgroups without pods; if
 *    none of the chosen has pods, nothing starts. At its minimum, it starts the rest pod by pod.
 * 3. A group is stale while some pod is active, none has succeeded and any leaf is below its
 *    minimum. A group that stays stale for a minute is evicted.
 *
 * Roles that no other role waits for run longest: those outside the gang finish first, then its
 * members.
 */
enum kai_outcome {
    KAI_GANG,    /* starts as a whole or not at all */
    KAI_EVICTED, /* starts, but is evicted if that takes longer than the grace period */
    KAI_NO_GANG, /* runs, but not all or nothing */
    KAI_STUCK,   /* some pod waits forever */
};

struct kai_verdict {
    enum kai_outcome outcome;
    size_t role;     /* the role concerned */
    const char *why; /* the rule as it applies here; "" for a gang */
};

/*
 * `gang` must be formed, with the roles of the job in the same order. Roles that name another
 * scheduler than `scheduler` are not KAI's. `never_stale`: the group asks not to be evicted.
 */
struct kai_verdict kai_judge(const struct kai_job *job, const struct kai_grouping *grouping,
                             const struct gang *gang, struct slice scheduler, bool never_stale,
                             struct arena *arena);

/*
 * The most subgroups that an object of the API server can hold. A larger PodGroup is not predicted.
 */
enum { KAI_MOST_SUBGROUPS = 10000 };

/*
 * A PodGroup that KAI's podgrouper will make for a TrainJob.
 * Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper, v0.12.23 to main d5bc503a
 */
struct kai_predicted_group {
    const struct kai_job_role *role; /* NULL for the pods of all roles */
    struct kai_sources sources;
    struct kai_pod_group group;
};

struct kai_prediction {
    enum kai_shape shape;
    struct kai_predicted_group *groups;
    size_t count;
    const char *failure; /* the podgrouper's error; NULL if it makes the groups */
};

/* What the podgrouper reads for a group of the JobSet, whose pods are those of the role. */
struct kai_sources kai_jobset_sources(const struct kai_job *job, const struct kai_job_role *role,
                                      struct arena *arena);

/*
 * Returns the groups in `arena`; they borrow from the job. Returns no groups, and no failure, if
 * they would be too large.
 */
struct kai_prediction kai_predict(const struct kai_job *job, const struct kai_grouping *grouping,
                                  struct arena *arena);

/*
 * Returns the name of the group that all pods share, with which the names of groups of one role
 * start. It ends where the uid would begin if that is not known.
 */
struct slice kai_predicted_names(const struct kai_job *job, const struct kai_prediction *prediction,
                                 struct arena *arena);

/* Returns the labels and annotations that the podgrouper copies to its groups; NULL if none. */
struct kai_metadata kai_copied_metadata(const struct kai_sources *sources, struct arena *arena);

/* Returns the whole object. A name that contains an unknown uid becomes a `generateName`. */
const struct node *kai_predicted_manifest(const struct kai_job *job,
                                          const struct kai_prediction *prediction, size_t index,
                                          struct arena *arena);

/* Returns the subgroup of a pod of one replica; unset if the group has no subgroups. */
struct slice kai_predicted_subgroup(const struct kai_prediction *prediction, struct slice role,
                                    int64_t replica, struct arena *arena);

/*
 * Returns the topology that a role asks for in its Job's template, or in the pods of a kind that
 * has it there; it counts only with a level, else it is empty.
 */
struct gang_placement kai_leaf_placement(const struct kai_job_role *role);

/* ---- who makes the PodGroup ---- */

/* Who makes the PodGroup: the podgrouper or libgang. Never both. */
enum kai_maker { KAI_DELEGATE, KAI_CREATE };

/* The decision for a job and the facts behind it. It depends only on the call. */
struct kai_mode {
    enum kai_maker maker;
    bool is_asked_for; /* the policy chooses the maker; else libgang does */
    bool is_foreign;   /* the podgrouper's group for this kind of job is not predicted */
    bool is_judged;    /* the verdict is for this job */
    struct release release;
    bool release_is_stated;
    struct kai_marks marks;
    struct kai_job job;
    struct kai_grouping grouping;
    struct kai_prediction prediction; /* the podgrouper's groups */
    struct kai_verdict verdict;       /* on the predicted groups */
    bool annotation_would_help;       /* the mark min_member would make them a gang */
};

struct kai_mode kai_mode_decide(const struct backend_call *call, struct arena *arena);

/* Reports the decision and its problems. */
void kai_mode_report(const struct kai_mode *mode, const struct backend_call *call,
                     struct report *report);

/*
 * PodGroups that libgang makes instead of the podgrouper: one for the gang and one for each role
 * outside it. The gang's group is flat if the gang has one role; else it has a subgroup for each
 * role, with a minimum of 0 for late members. Roles outside need groups of their own, because the
 * podgrouper would put their pods into one group with the gang's pods and hold both.
 * Source: kai-scheduler/KAI-Scheduler:docs/batch/README.md@d5bc503a, and observed starts.
 */
struct kai_created {
    struct slice name;
    const struct role *role;    /* outside the gang; NULL for the gang's group */
    struct kai_metadata copied; /* as the podgrouper copies it: shards select by the node pool */
    struct kai_pod_group group;
};

struct kai_created_groups {
    struct kai_created *items; /* the gang's group first */
    size_t count;
    int64_t
        pods; /* that must start together, as the groups of the job say; 0: the gang's minimum */
};

struct kai_created_groups kai_create_groups(const struct kai_mode *mode,
                                            const struct backend_call *call, struct arena *arena);

/*
 * Returns the name of the gang's group, `<job>.<namespace>`: up to v0.17.0 the scheduler identifies
 * a group by its name alone, in all namespaces. Groups of roles outside the gang have the role's
 * name as a prefix.
 */
struct slice kai_create_name(const struct gang *gang, struct arena *arena);

/* Returns why the placement of the gang, or of one of its groups, is not rendered; NULL if it is.
 */
const char *kai_create_why_not_placed(const struct kai_pod_group *group,
                                      const struct gang_placement *placement);

void kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                       const struct backend_call *call, struct plan_content *content);

/* What the podgrouper does with the pods of the job's owner. */
const struct podgrouper_trait *kai_foreign_trait(const struct gang_wishes *wishes);

/* Whether the podgrouper's PodGroup for the job is known to be no gang. */
bool kai_foreign_is_no_gang(const struct gang *gang, const struct release *release);

/*
 * The PodGroup that Grove makes for a PodGang, or for all PodGangs of a replica: a subgroup for
 * each group of the gang, and the mark that makes KAI's podgrouper skip it.
 * Sources: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb; for the second
 * layout, aggregate.go of its pull request 735 @ebe5f5a0. GREP-525.
 */
const void *kai_podgang_open(const struct backend_call *call, struct report *report);
void kai_validate_podgangs(const struct backend_call *call, struct report *report);
void kai_podgang_validate(const struct backend_call *call, struct report *report);
void kai_podgang_render(const struct backend_call *call, struct plan_content *content);

/* Adds the marks of a pod to `patch`: its PodGroup and its subgroup in that PodGroup. */
void kai_mark_pod(struct gang_patch *patch, struct slice group, struct slice subgroup);

/*
 * Writes the spec of a Topology of KAI.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go
 */
void kai_podgang_render_topology(const struct node *levels, struct builder *spec);

/* Whether the group asks the scheduler not to evict it for being stale. */
bool kai_subgroups_never_stale(const struct kai_pod_group *group, const struct release *release);

/* Reports a subgroup that can start without some of its children, which KAI evicts. */
void kai_subgroups_check(const struct kai_pod_group *group, const struct release *release,
                         const struct backend_call *call, struct report *report);

/* Writes the subgroups for the plan. A subgroup without others below it has the name of its role.
 */
void kai_subgroups_list(const struct kai_pod_group *group, struct builder *list);

/*
 * How KAI's podgrouper updates PodGroups, and how Grove updates its own. PodGroups that libgang
 * makes follow one or the other.
 * Sources: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/{handler,updater}.go@d5bc503a and
 * ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb
 */
extern const struct backend_updates kai_updates;

/* The rules of the podgrouper, for a prediction of what it makes of a live PodGroup. */
extern const struct update_rules kai_podgrouper_rules;

#endif
