/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_GROVE_GANG_H
#define LIBGANG_GROVE_GROVE_GANG_H

#include "libgang/gang/gang.h"
#include "libgang/grove/podcliqueset.h"
#include "libgang/grove/podgang.h"
#include "libgang/grove/topologybinding.h"

/* A PodGang and what belongs to it: what Grove's operator works on. */
struct grove_job {
    const struct gang_podgang *podgang;
    const struct gang_podcliqueset *podcliqueset; /* NULL: not known */
    const struct gang_topologybinding *topology;  /* of any name; NULL: not known */
    const struct gang_podgang *const *siblings;   /* that may be of other replicas */
    size_t num_siblings;
};

/* `<namespace>/<name>`, as Grove's messages call an object. */
const char *grove_job_full_name(struct slice namespace_, struct slice name, struct arena *arena);

/* Where a label that is missing would stand: among the labels, or, without any, below the metadata. */
const struct node *grove_job_label_place(const struct object_meta *meta, struct slice *missing);

/* Reports a PodCliqueSet that is not the one that controls the PodGang. Without one nothing is reported. */
void grove_job_check_set(const struct grove_job *job, struct report *report);

/*
 * Reports, in Grove's words, a PodGang of which nobody knows the PodCliqueSet: no owner, another kind of owner, or a
 * PodCliqueSet that was not passed in. False then.
 */
bool grove_job_require_set(const struct grove_job *job, struct report *report);

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
/* and what the topology of one of its PodGangs is called; unset without a name. */
struct slice grove_gang_topology_name(const struct grove_job *job, const struct gang_podgang *podgang);

/* The roles of a PodCliqueSet of which no PodGang is known: its cliques. */
void grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang *gang, struct report *report);

#endif
