/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_GANGS_H
#define GANGCTL_GANGS_H

#include "jobs.h"

/*
 * A job can have several gangs, which are decided one by one: each is a job of the bench. Adds
 * those that --gang selects, and the first of them in the place of `job`, which is parsed and the
 * last of the bench. Reports a gang that the job does not have. Of a job with very many gangs, lint
 * checks the first and the last.
 */
void add_gangs(struct workbench *bench, struct job *job);

/* Reports a job with more gangs than are decided without --gang, and returns whether it is one. */
bool has_too_many_gangs(struct workbench *bench, const struct job *job);

/* The name of the group of a gang; the caller frees it. NULL if the job cannot be read. */
char *group_name_of(const struct workbench *bench, const struct job *job, uint64_t gang);

#endif
