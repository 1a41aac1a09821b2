/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_RUN_POLICY_H
#define LIBGANG_JOBS_RUN_POLICY_H

#include "libgang/jobs/gang_job.h"

/*
 * What the jobs of mpi-operator and training-operator have in common: spec.runPolicy, and a map
 * from replica types to pods.
 */

/* An operator that reads runPolicy. */
struct run_policy_operator {
    const char *name;
    struct slice managed_by; /* its own value in runPolicy.managedBy */
    const char *option;      /* the option with which it makes gangs itself */
};

/*
 * Reads suspend, managedBy and schedulingPolicy into the job. Reports which option of the operator
 * must be off.
 */
void run_policy_read(const struct job_source *source, const struct run_policy_operator *by,
                     struct gang_job *job);

/* Whether runPolicy.suspend is true. */
bool run_policy_is_suspended(const struct node *spec);

/* Whether a member of the map has this replica type, in any case. */
bool replica_spec_is(const struct node *spec, struct slice type);

/*
 * Returns the pods of a replica type, of which case does not matter; NULL if the job has none. An
 * exact match has precedence.
 */
const struct node *replica_spec_find(const struct node *specs, struct slice type);

/*
 * Adds the role of a replica type, which is named after it in lower case. Without `replicas` it has
 * `absent` pods, and that is reported. NULL after a failed allocation.
 */
struct role *replica_spec_add_role(struct gang_job *job, const struct job_source *source,
                                   size_t most, const struct node *spec, int64_t absent);

/* Returns `spec.containers` of the pods; NULL if there is none. */
const struct node *replica_spec_containers(const struct node *spec);

/* Whether the pods have no containers, and the schema has not reported that. */
bool replica_spec_is_empty(const struct node *spec);

#endif
