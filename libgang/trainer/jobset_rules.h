/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_JOBSET_RULES_H
#define LIBGANG_TRAINER_JOBSET_RULES_H

#include "libgang/gang/gang.h"
#include "libgang/gang/start_order.h"
#include "libgang/kube/jobset.h"

struct trainer_job;

/* Whether there is nothing against the JobSet by itself: a runtime finds it out once for all its jobs. */
bool jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena);

/*
 * What JobSet's webhook would refuse in the JobSet that the operator makes: dependencies, references, names too long.
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_rules_check(const struct trainer_job *job, const struct gang *gang, struct report *report);

/*
 * Names in a JobSet that JobSet's webhook refuses: roles that do not exist in its policies, and names of groups and
 * subdomains that are no DNS labels.
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_references_check(const struct jobset *jobset, struct report *report);

/*
 * One role per replicatedJob, in the order of the JobSet, as far as the JobSet alone says: counts and requests are
 * still to come. A runtime has them ready for all jobs whose patches leave its JobSet alone.
 */
struct jobset_roles {
    struct role *roles; /* as many as the JobSet has jobs; NULL without memory */
    bool is_ordered;    /* they are linked, nothing is wrong with the start order, stages are set */
    const uint32_t *start_order;
};

struct jobset_roles jobset_roles_read(const struct jobset *jobset, struct arena *arena);

#endif
