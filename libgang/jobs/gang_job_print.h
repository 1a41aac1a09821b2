/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_PRINT_H
#define LIBGANG_JOBS_GANG_JOB_PRINT_H

#include "libgang/jobs/gang_job.h"

/*
 * Returns the job as a GangJob document, which reads as the same job. Each role has the requests of
 * its pods instead of a template. NULL if out of memory.
 */
const struct node *gang_job_build(const struct gang_job *job, struct arena *arena);

#endif
