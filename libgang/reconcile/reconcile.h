/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_RECONCILE_H
#define LIBGANG_RECONCILE_RECONCILE_H

#include "libgang/catalog/job_names.h"
#include "libgang/reconcile/live.h"
#include "libgang/render/render.h"

/*
 * The JobSet of a TrainJob. Its role templates are immutable once it exists, so all pods of the job
 * have the scheduler, the marks and the priority class of these templates. While the JobSet is
 * suspended, only labels and annotations (and nodeSelector, tolerations and schedulingGates) of the
 * pods may change. Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go@v0.12.0
 * ValidateUpdate.
 */
struct live_jobset {
    /* NULL if it is not among the live objects, belongs to another job, or is being deleted */
    const struct live_object *object;
    bool is_suspended;
};

struct live_jobset live_jobset_find(const struct live_owner *owner,
                                    const struct live_objects *objects);

/* What a plan says of the pods of a role, and the pods will not have. */
struct live_difference {
    const struct node *at;     /* the live value; NULL if absent */
    const struct node *parent; /* of an absent value: the pod template */
    struct slice member;       /* of an absent value: its place below the pod template */
    struct slice wanted;       /* unset: no value */
    bool is_no_gang;           /* the pods, at `parent`, are in no group of any scheduler */
};

/*
 * Compares the role's pod template with the patch of the plan; NULL: the plan patches nothing.
 * Returns false if they agree, or if the template can still be changed.
 */
bool live_jobset_differs(const struct live_jobset *jobset, const struct node *role,
                         const struct gang_patch *patch, struct arena *arena,
                         struct live_difference *difference);

/*
 * Compares the number of pods that the role's Jobs make with the plan's. Both are in the immutable
 * part of the JobSet, so a gang with another minimum could never be complete. Returns false if they
 * are equal.
 */
bool live_jobset_counts_differ(const struct node *role, int64_t wanted, struct arena *arena,
                               struct live_difference *difference);

/* Returns the name of a live object for messages: "PodGroup ml/llama". */
const char *live_name(const struct live_object *object, struct arena *arena);

/* A live object of a kind that a backend renders and that belongs to the job, by uid or by name. */
struct reconcile_owned {
    const struct live_object *object;
    size_t rank;     /* position of its kind in the order of creation */
    bool is_planned; /* the plan contains the object */
    uint64_t gang;   /* live_gang_of() */
    bool has_pods;   /* pods name it as their group, or another object of its gang */
};

/* Whether the pods of the JobSet will have what the plan says. */
enum reconcile_fit {
    FIT_AS_PLANNED,
    FIT_KEPT, /* no, but their own gang is complete: the plan leaves it as it is */
    /* no, and they are no gang, cannot start, or the job cannot be resumed: a conflict */
    FIT_NEVER
};

/* A role, and whether its pods in the JobSet are not as planned. */
struct reconcile_role {
    bool differs;
    struct slice name;
    struct slice group; /* that the pods name; unset if they are in none */
    struct live_difference difference;
};

/* The state of one call to gang_reconcile(). */
struct reconcile_work {
    struct gang_plan *plan;
    const struct gang_decision *decision;
    struct report *report;
    struct arena *arena;
    const struct live_objects *live;
    struct live_job job;
    struct live_owner owner;
    struct live_gangs gangs;
    struct reconcile_owned **owned; /* sorted by name, at the end by rank */
    size_t num_owned;
    bool has_pods; /* pods of the gang exist */
    struct live_jobset jobset;
    bool is_suspended; /* and its pods are gone */
    enum reconcile_fit fit;
    /* for each role of the gang, and behind them for one that only the JobSet has */
    struct reconcile_role *roles;
    bool wakes;         /* GANG_RECONCILE_WAKE */
    bool adopts;        /* GANG_RECONCILE_ADOPT */
    bool has_left_over; /* an object of the job is not in the plan */
};

/* An object of the plan and the live object with the same key. */
struct reconcile_meeting {
    const struct node *rendered;
    const struct live_object *live; /* NULL if absent */
    enum gang_action action;        /* GANG_ACTION_NONE: the object is not created now */
    const struct node *manifest;
    bool is_held_back; /* it is not written, because of a conflict or for the pods of the JobSet */
};

/* Sets the action and the manifest. */
void meeting_decide(const struct reconcile_work *work, struct reconcile_meeting *meeting);

/* Returns the manifest for a delete: the key of the object, and its uid as a precondition. */
const struct node *meeting_identity(const struct live_object *object, struct arena *arena);

/*
 * Compares the pod templates of the JobSet with the patches of the plan. Reports one difference for
 * each role, all with the severity of the worst. Called after the plan is filled.
 */
void jobset_fit_find(struct reconcile_work *work);

/*
 * Whether pods that differ from the plan make the object useless: the plan's pods name it, or pods
 * name none of the plan's objects directly, as with a Workload.
 */
bool jobset_fit_bars(const struct reconcile_work *work, const struct node *rendered);

#endif
