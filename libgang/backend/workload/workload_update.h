/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_UPDATE_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_UPDATE_H

#include "libgang/backend/backend.h"
#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"

/*
 * What each version of scheduling.k8s.io allows to change, and what its server fills in or drops.
 * Sources: kubernetes/api:scheduling/{v1alpha1,v1alpha2,v1alpha3,v1beta1}/types.go@v0.35.7,
 * @v0.36.3 and @10b39a3; for the lifecycle and for differences that are no drift,
 * kubernetes-sigs/jobset:keps/969-GangScheduling and kubernetes/enhancements KEP-5547.
 */
extern const struct backend_updates workload_updates;

/* The values of `backends[].workload` in a policy. A node is NULL if the option is absent. */
struct workload_options {
    bool is_hashed; /* nameStyle: Hashed */
    enum gang_late late;
    const struct node *late_source;
    bool groups_initializers; /* initializers: Basic */
    const struct node *initializers_source;
    bool by_role;   /* groups: Role */
    bool composite; /* composite: WhereServed */
    const struct node *composite_source;
    const struct node *topology_key;
    const struct node *disruption_mode; /* "Single" or "All" */
    const struct node *preemption_policy;
    const struct node *resource_claims;
};

/* `options` is NULL if the block is absent. */
struct workload_options workload_options_read(const struct node *options);

#endif
