/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_SCHEDULING_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_SCHEDULING_H

#include "libgang/backend/workload/workload_groups.h"
#include "libgang/backend/workload/workload_versions.h"
#include "libgang/base/report.h"
#include "libgang/gang/gang.h"

/*
 * A runtime's spec.scheduling: kubeflow/trainer KEP-3015 in its newest form, with the three levels
 * of JobSet (kubernetes-sigs/jobset KEP-969). Level 1 applies to the whole job, level 2 to groups
 * of roles, level 3 to the Jobs of one role. The runtime's schema has checked the types.
 */

/* What a level asks for on a group. Fields that it does not set are NULL or false. */
struct workload_block {
    bool is_basic; /* false: a gang, also if no policy is set */
    const struct node *topology_key;
    const struct node *disruption; /* `single` or `all` below disruptionMode */
    const struct node *claims;
    const struct node *source;
};

/* Reads `scheduling` of level 1, an entry of replicatedJobs of level 2, or its `job` of level 3. */
struct workload_block workload_block_read(const struct node *source);

/* Returns the entries of levels 2 and 3; NULL at level 1 and without spec.scheduling. */
const struct node *workload_scheduling_entries(const struct node *scheduling);
/* Reads an entry, or its `job` if it has one, which makes it an entry of level 3. */
struct workload_block workload_scheduling_entry(const struct node *entry);
/*
 * Reports what Kubernetes or JobSet would reject: unions with no member or several, counts that
 * only the controller may set, and roles that are targeted twice, not at all, or do not exist. Uses
 * the words of `version`; of the newest version if NULL.
 */
void workload_scheduling_check(const struct gang *gang, const struct workload_version *version,
                               struct report *report);

/*
 * Reports claims with none or both of their sources, and invalid names; also for a policy's
 * options. `claims` may be NULL.
 */
void workload_check_claims(const struct node *claims, struct report *report);
/* Reports a topology key that is not a label key. `key` may be NULL. */
void workload_check_topology_key(const struct node *key, struct report *report);

/*
 * Reports pod fields that conflict with the groups: another controller's groups, priorities,
 * claims, eviction responders. `version` is NULL if none could be chosen.
 */
void workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                         const struct workload_version *version, struct report *report);

#endif
