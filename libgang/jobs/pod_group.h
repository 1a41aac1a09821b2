/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_POD_GROUP_H
#define LIBGANG_JOBS_POD_GROUP_H

#include "libgang/jobs/gang_job.h"

/* Pods that name their gang themselves, in a label or an annotation. */

/* The gang that a pod names. */
struct pod_group {
    struct slice name;        /* unset: the pod is in no group */
    const struct node *mark;  /* the label or annotation */
    bool is_kueues;           /* it is a key of Kueue, whose rules for groups then apply */
    const struct node *rival; /* another mark that names another group; NULL if there is none */
};

struct pod_group pod_group_of(const struct node *pod);

/* The hash of the role that Kueue's webhook writes into pods; unset if there is none. */
struct slice pod_group_role_hash(const struct node *pod);

/*
 * Whether two pods have the same role: the same label for the role, and the same hash of Kueue.
 * Without hashes, the same requests, containers' ports and rules for nodes. Quantities are compared
 * by value.
 */
bool pod_group_is_same_role(const struct node *pod, const struct node *other, struct arena *arena);

#endif
