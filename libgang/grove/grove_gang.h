/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_GROVE_GANG_H
#define LIBGANG_GROVE_GROVE_GANG_H

#include "libgang/gang/gang.h"
#include "libgang/grove/grove_job.h"

/*
 * Fills owner, roles, groups, placement and priority of the gang: one role for each podgroup, with a group of its own;
 * groups of groups for the topologyConstraintGroupConfigs that name podgroups. Counts and requests of a role are those
 * of its clique, where the PodCliqueSet has it. Reports podgroups that are named twice, and configs that name podgroups
 * which do not exist or stand in another config too.
 */
void grove_gang_fill(const struct grove_job *job, struct gang *gang, struct report *report);

/* The roles of a PodCliqueSet of which no PodGang is known: its cliques. */
void grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang *gang, struct report *report);

#endif
