/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_WISHES_H
#define LIBGANG_JOBS_GANG_JOB_WISHES_H

#include "libgang/jobs/gang_job.h"

/*
 * Sets every field of a gang that follows from the job alone: owner, name, suspension, roles.
 * `admission` has the cluster's facts; NULL: pods are used as written. The wishes borrow the job.
 */
void gang_job_fill(const struct gang_job *job, struct gang_wishes *wishes,
                   const struct pod_admission *admission, struct report *report);

/* Sets what the start order follows from: the name of a role, its count and its edges. */
void gang_job_fill_order(const struct gang_job_role *source, struct role *role,
                         struct arena *arena);

/* Counts the requests of the pods again, without limits as replacements for missing requests. */
void gang_job_count_requests_only(const struct gang_job *job, struct gang_wishes *wishes,
                                  struct report *report);

/* Returns what owns the pods, for a backend that reads it; NULL only without memory. */
const struct owner_chain *gang_job_chain(const struct gang_job *job, struct arena *arena);

#endif
