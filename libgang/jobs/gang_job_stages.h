/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_STAGES_H
#define LIBGANG_JOBS_GANG_JOB_STAGES_H

#include "libgang/jobs/gang_job.h"

/*
 * The gangs of a job with several stages: roles between which there is a Complete edge never run
 * together, so each stage with several pods has a gang of its own. A job with a role that is a
 * Member has one gang, and so has a job in which no stage has several pods.
 */
struct gang_job_stages {
    uint32_t *of_role; /* stage of each role; NULL if the job has one gang */
    uint32_t *gangs;   /* stage of each gang */
    size_t num_gangs;
};

/* Finds the gangs. Edges that form a cycle, and edges to no role, count as absent. */
struct gang_job_stages gang_job_find_stages(const struct gang_job *job, struct arena *arena);

/*
 * Makes the job that of one of its gangs: its first role is a Member, the roles of its other gangs
 * are elsewhere, and the name of every gang but the first ends in `-s<number>`.
 */
void gang_job_take_stage(struct gang_job *job, uint64_t gang, struct arena *arena);

#endif
