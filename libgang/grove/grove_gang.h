/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_GROVE_GANG_H
#define LIBGANG_GROVE_GROVE_GANG_H

#include "libgang/grove/podcliqueset.h"
#include "libgang/grove/podgang.h"
#include "libgang/grove/topologybinding.h"

/* A PodGang and the documents that belong to it: the input of Grove's operator. */
struct grove_job {
    const struct gang_podgang *podgang;
    const struct gang_podcliqueset *podcliqueset; /* NULL if unknown */
    const struct gang_topologybinding *topology;  /* of any name; NULL if unknown */
    const struct gang_podgang *const *siblings;   /* may be of other replicas */
    size_t num_siblings;
};

/* Returns `<namespace>/<name>`, as in Grove's messages. */
const char *grove_job_full_name(struct slice namespace_, struct slice name, struct arena *arena);

/*
 * Returns the parent of a missing label, for findings: the labels, or the metadata if there are no
 * labels. Sets `missing` to the path of the missing labels below that parent; empty if only the
 * label is missing.
 */
const struct node *grove_job_label_place(const struct object_meta *meta, struct slice *missing);

/*
 * Reports a PodCliqueSet that does not control the PodGang. Reports nothing without a PodCliqueSet.
 */
void grove_job_check_set(const struct grove_job *job, struct report *report);

/*
 * Reports, with Grove's messages, a PodGang whose PodCliqueSet is unknown: it has no owner, an
 * owner of another kind, or a PodCliqueSet that was not passed in. Returns false in these cases.
 */
bool grove_job_require_set(const struct grove_job *job, struct report *report);

/*
 * Sets owner, roles, groups, placement and priority of the gang: one role for each podgroup, with
 * its own group; parent groups for the topologyConstraintGroupConfigs that name podgroups. The
 * counts and requests of a role come from its clique, if the PodCliqueSet has the clique. Reports
 * podgroups that are named twice, and configs that name podgroups which do not exist or are also in
 * another config.
 */
void grove_gang_fill(const struct grove_job *job, struct gang_wishes *wishes,
                     struct report *report);

/*
 * The following functions are the parts of grove_gang_fill(), for another layout of the same
 * documents.
 *
 * Sets the fields that do not depend on the podgroups.
 */
void grove_gang_fill_shared(const struct grove_job *job, struct gang_wishes *wishes);
/* Sets only the roles, for callers that need them before the rest is known. */
void grove_gang_fill_roles(const struct grove_job *job, struct gang_wishes *wishes,
                           struct report *report);
/* Returns the role for one podgroup. */
struct role grove_gang_role(const struct grove_job *job, const struct podgang_podgroup *podgroup);
/*
 * Links the groups from `first` on, whose roles start at `first_role`, to the configs that name
 * them.
 */
void grove_gang_link_groups(struct gang_wishes *wishes, size_t first, size_t first_role,
                            struct report *report);
/* Reports names that two groups have. */
void grove_gang_check_names(const struct gang_wishes *wishes, struct report *report);
/* Returns the name of the topology of one of the PodGangs; unset if it names none. */
struct slice grove_gang_topology_name(const struct grove_job *job,
                                      const struct gang_podgang *podgang);

/*
 * Sets what a PodGang asks for the objects of its gang, whose placement is set. `spec` is that of
 * the PodGang, or of the pods of a PodCliqueSet, whose class Grove copies to every PodGang.
 */
void grove_gang_request(const struct node *spec, struct gang_wishes *wishes);

/* Sets the roles of a PodCliqueSet for which no PodGang is known: one for each clique. */
void grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang_wishes *wishes,
                              struct report *report);

#endif
