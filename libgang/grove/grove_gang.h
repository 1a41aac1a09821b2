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

/* The parts of it, for another layout of the same documents: what does not depend on the podgroups, */
void grove_gang_fill_shared(const struct grove_job *job, struct gang *gang);
/* its roles alone, for what asks before the rest is known, */
void grove_gang_fill_roles(const struct grove_job *job, struct gang *gang, struct report *report);
/* one of them, */
struct role grove_gang_role(const struct grove_job *job, const struct podgang_podgroup *podgroup);
/* the groups from `first` on, whose roles are those from `first_role` on, put into the configs that name them, */
void grove_gang_link_groups(struct gang *gang, size_t first, size_t first_role, struct report *report);
/* names that two groups have, */
void grove_gang_check_names(const struct gang *gang, struct report *report);
/* and what the PodGang calls its topology; unset without a name. */
struct slice grove_gang_topology_name(const struct gang_podgang *podgang);

/* The roles of a PodCliqueSet of which no PodGang is known: its cliques. */
void grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang *gang, struct report *report);

#endif
