/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_GROUP_POLICY_H
#define LIBGANG_TRAINER_POD_GROUP_POLICY_H

#include "libgang/catalog/catalog.h"
#include "libgang/gang/gang.h"

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

#endif
