/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_JOB_FIELDS_H
#define LIBGANG_JOBS_JOB_FIELDS_H

#include "libgang/jobs/gang_job.h"

/* Fields that jobs of several operators have. */

/*
 * Returns a number of a map; `absent` if it is absent or no number. The schemas refuse a number
 * that is no int32; it is read as the nearest one, so that products of two numbers cannot overflow.
 */
int64_t job_field_number(const struct node *map, struct slice key, int64_t absent);

/* Refuses a negative number of pods at its field, and returns 0 for it. */
int64_t job_field_pods(int64_t number, const struct node *field, struct report *report);

/*
 * Reads `spec.managedBy`. Another value than `own` says that the cluster's own controller creates
 * no pods.
 */
void job_field_read_manager(const struct job_source *source, struct slice own,
                            struct gang_job *job);

/*
 * Stands back if the controller of this object is a job that has the gang, such as the JobSet of a
 * Job.
 */
void job_field_check_parent(const struct job_source *source, struct gang_job *job);

/* Stands back if the object asks Kubernetes for a gang with `spec.scheduling`. */
void job_field_check_scheduling(const struct job_source *source, struct gang_job *job);

#endif
