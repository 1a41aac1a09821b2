/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_GROUPS_H
#define LIBGANG_JOBS_GANG_JOB_GROUPS_H

#include "libgang/jobs/gang_job.h"

/*
 * The groups of a job are a tree below the gang. A group contains groups and roles; both are its
 * children. Groups need no check and no work in a job without them.
 */

/* Checks the names of the groups, the tree and the minima. Reports all problems. */
void gang_job_check_groups(const struct gang_job *job, struct report *report);

/*
 * Sets the groups of the wishes, whose roles are set: those of the job, each after its parent, and
 * then one for each role. A group in a cycle, which the check has reported, is left out. Also sets
 * the placement of the whole gang.
 */
void gang_job_fill_groups(const struct gang_job *job, struct gang_wishes *wishes,
                          struct arena *arena);

#endif
