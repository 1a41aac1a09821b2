/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LONE_JOB_H
#define GANGCTL_LONE_JOB_H

#include "jobs.h"

/*
 * Checks a TrainJob whose runtime is not among the inputs by the rules that need no runtime: with
 * the smallest runtime that a job can have.
 */
void check_lone_job(struct workbench *bench, const struct job *job);

/*
 * Checks a runtime that no TrainJob of the inputs uses as that of the smallest job that there can
 * be. Which rule of a policy such a job would match is not known, so with a policy only what no
 * rule changes is reported.
 */
void check_lone_runtime(struct workbench *bench, const struct runtime *runtime);

#endif
