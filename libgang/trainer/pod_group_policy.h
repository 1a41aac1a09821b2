/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_POD_GROUP_POLICY_H
#define LIBGANG_TRAINER_POD_GROUP_POLICY_H

#include "libgang/base/report.h"
#include "libgang/catalog/catalog.h"
#include "libgang/gang/gang.h"

/*
 * A runtime's `spec.podGroupPolicy`, with the defaults that the API server applies. At most one member should be set;
 * which one names a backend is the engine's business.
 * Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go@v2.3.0
 */
struct pod_group_policy {
    const struct node *source; /* NULL when absent */
    bool has_timeout;          /* of the member that has a time to wait */
    int64_t timeout_seconds;
    const struct node *timeout_source; /* NULL when the default stands in */
    struct gang_topology topology;     /* of the member that has a network topology */
    const struct node *scheduling;     /* spec.scheduling of KEP-3015, which stands for a member */
    size_t num_asked;                  /* of these two, all that is there, whether anybody knows it or not */
    const struct descriptor *asked;    /* of which scheduler, where it is one; NULL: nobody's */
};

/* Reports each default that stands in, and podGroupPolicy and scheduling side by side. */
struct pod_group_policy pod_group_policy_read(const struct node *spec, struct report *report);

/* Reports each member of podGroupPolicy that selects no scheduler. */
void pod_group_policy_check_members(const struct pod_group_policy *policy, struct report *report);

/*
 * What asks for the scheduler: the member of podGroupPolicy, its superseded spelling, or spec.scheduling; NULL for
 * nothing.
 */
const struct node *pod_group_policy_find(const struct pod_group_policy *policy,
                                         const struct descriptor *scheduler);
/* The superseded spelling alone. */
const struct node *pod_group_policy_superseded(const struct pod_group_policy *policy,
                                               const struct descriptor *scheduler);

#endif
