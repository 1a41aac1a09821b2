/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_JOBSET_ROLES_H
#define LIBGANG_TRAINER_JOBSET_ROLES_H

#include "libgang/gang/wishes.h"
#include "libgang/gang/start_order.h"
#include "libgang/kube/jobset.h"

struct trainer_job;

/*
 * Reports what JobSet's webhook would refuse in the JobSet that the operator creates: dependencies,
 * references and names that are too long.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                        struct report *report);

/*
 * One role per replicatedJob, in the order of the JobSet, with the data that the JobSet alone
 * provides. Counts and requests are not set yet. A runtime stores the roles for all jobs whose
 * patches do not change its JobSet.
 */
struct jobset_roles {
    struct role *roles; /* one per replicatedJob; NULL if out of memory */
    /* the start order is valid, the roles are linked and their stages are set */
    bool is_ordered;
    const uint32_t *start_order;
};

struct jobset_roles jobset_roles_read(const struct jobset *jobset, struct arena *arena);

#endif
