/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_JOBSET_H
#define LIBGANG_RECONCILE_LIVE_JOBSET_H

#include "libgang/document/node_index.h"
#include "libgang/plan/plan.h"
#include "libgang/reconcile/live_objects.h"

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

/* The entries of spec.replicatedJobs, by the name of their role; none without a JobSet. */
struct node_index live_jobset_roles(const struct live_jobset *jobset, struct arena *arena);

/* A group that the mark of a pod template names. */
struct live_mark {
    const struct descriptor *scheduler; /* NULL: there is none */
    struct slice group;
};

/* Returns the first group that the role's pod template names. */
struct live_mark live_jobset_mark(const struct node *role);

/* What a plan says of the pods of a role, and the pods will not have. */
struct live_difference {
    const struct node *at;     /* the live value; NULL if absent */
    const struct node *parent; /* of an absent value: the pod template */
    struct slice member;       /* of an absent value: its place below the pod template */
    struct slice wanted;       /* unset: no value */
};

/*
 * Compares the role's pod template with the patch of the plan; NULL: the plan patches nothing.
 * Returns false if they agree, or if the template can still be changed.
 */
bool live_jobset_differs(const struct live_jobset *jobset, const struct node *role,
                         const struct gang_patch *patch, struct live_difference *difference);

/*
 * Compares the number of pods that the role's Jobs make with the plan's. Both are in the immutable
 * part of the JobSet, so a gang with another minimum could never be complete. Returns false if they
 * are equal.
 */
bool live_jobset_counts_differ(const struct node *role, int64_t wanted, struct arena *arena,
                               struct live_difference *difference);

/* Returns the group that a patch names; unset if it names none. */
struct slice patch_group(const struct gang_patch *patch);

#endif
