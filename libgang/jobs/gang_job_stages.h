/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_STAGES_H
#define LIBGANG_JOBS_GANG_JOB_STAGES_H

#include "libgang/jobs/gang_job.h"

/*
 * The gangs of a job with several stages: roles between which there is a Complete edge never run
 * together, so each stage with several pods has a gang of its own. A job with a role that is a
 * Member has one gang, and so has one whose roles wait for each other, which is an error of the
 * gang. Edges to no role count as absent.
 */

/*
 * Makes the job that of one of its gangs: the roles of its stage are Members, and the name of every
 * gang but the first ends in `-s<number>`. The other roles keep their edges, so that each gang
 * knows what its pods wait for. Those of the other gangs are elsewhere, and so are, except in the
 * first gang, those of no gang. Stands back if no stage has several pods. Sets `num_gangs`.
 */
void gang_job_take_stage(struct gang_job *job, uint64_t gang, const struct job_source *source);

/* Returns the name of a gang by that of the first one. */
struct slice gang_job_name_of_stage(struct slice first, uint64_t gang, struct arena *arena);

#endif
