/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_SCHEDULING_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_SCHEDULING_H

#include "libgang/backend/workload/workload_groups.h"
#include "libgang/backend/workload/workload_versions.h"
#include "libgang/base/report.h"
#include "libgang/gang/gang.h"

/*
 * A runtime's spec.scheduling: kubeflow/trainer KEP-3015 in its newest form, whose three levels are those of JobSet
 * (kubernetes-sigs/jobset KEP-969). Level 1 speaks of the whole job, level 2 of groups of roles, level 3 of the Jobs of
 * one role. The runtime's schema has checked the types.
 */

/* What a level says of a group. Everything is NULL or false where it says nothing. */
struct workload_block {
    bool is_basic; /* else a gang, also when nothing is said */
    const struct node *topology_key;
    const struct node *disruption; /* `single` or `all` below disruptionMode */
    const struct node *claims;
    const struct node *source;
};

/* `scheduling` of level 1, an entry of replicatedJobs of level 2 or its `job` of level 3. */
struct workload_block workload_block_read(const struct node *source);

/* The entries of levels 2 and 3; NULL at level 1 and without spec.scheduling. */
const struct node *workload_scheduling_entries(const struct node *scheduling);
/* What an entry says: its `job` where there is one, which makes it one of level 3. */
struct workload_block workload_scheduling_entry(const struct node *entry);
bool workload_scheduling_is_per_job(const struct node *entry);

/*
 * Reports what Kubernetes or JobSet would refuse: unions with none or several members, counts that only the controller
 * may set, roles that are targeted twice, not at all, or do not exist. In the words of `version`, the newest for NULL.
 */
void workload_scheduling_check(const struct gang *gang, const struct workload_version *version,
                               struct report *report);

/* Claims with none or both of their sources, and names that are none; also of a policy's options. NULL is no list. */
void workload_check_claims(const struct node *claims, struct report *report);
/* A topology key that is no key of a label. NULL is none. */
void workload_check_topology_key(const struct node *key, struct report *report);

/*
 * Reports what the pods of the groups say that does not go with them: another controller's groups, priorities, claims,
 * responders to evictions. `version` is NULL where none could be chosen.
 */
void workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                         const struct workload_version *version, struct report *report);

#endif
