/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_LOSSES_H
#define LIBGANG_BACKEND_LOSSES_H

#include "libgang/backend/backend.h"

/*
 * Where lost values go: into a report as findings, or into the plan. The values of both are the
 * same, and each has a source in a document.
 */
struct loss_sink {
    struct arena *arena;
    struct report *report;
    struct plan_content *content; /* NULL: `report` is set */
};

/* The name of a field in the plan's trace. */
struct slice loss_field_name(enum loss_field field);

/* The lost values of these rows, for rows that a backend adds to those of its descriptor. */
void loss_report(const struct loss *losses, size_t count, const struct gang *gang,
                 struct report *report);
void loss_render(const struct loss *losses, size_t count, const struct gang *gang,
                 struct plan_content *content);

/*
 * All that the backend loses of a gang: rows of the descriptor, units, groups and topologies. The
 * backend's state must be set.
 */
void backend_report_losses(const struct backend *backend, const struct backend_call *call,
                           struct report *report);
void backend_render_losses(const struct backend *backend, const struct backend_call *call,
                           struct plan_content *content);

/*
 * Whether fewer pods must start than exist in the first wave. Otherwise the minima of single roles
 * are not lost.
 */
static inline bool
gang_may_start_in_part(const struct gang *gang)
{
    return gang->members - gang->late_members > gang->minimum;
}

/*
 * Whether a part of a unit of the role, an index, could start alone. Nothing is lost where all pods
 * of a role must start together: then all its units do.
 */
bool unit_may_be_parted(const struct gang *gang, size_t role);

/*
 * The groups of roles that the documents of a job divide its gang into, for schedulers that have a
 * place for them. Those of PodGangs are a backend's own: the job's operator renders them.
 */

/* Whether the job has such groups, or a topology of its own. */
static inline bool
group_tree_matters(const struct gang_wishes *wishes)
{
    return (wishes->num_groups || wishes->placement.is_set) && !wishes->is_grouped;
}

static inline bool
group_tree_has_groups(const struct gang_wishes *wishes)
{
    return wishes->num_groups && !wishes->is_grouped;
}

/* What a group needs in this gang: other gangs of the job, and roles outside, do not count. */
struct group_need {
    /* of a group: its direct children with members; of a role: 1 if it is a member, else 0 */
    int64_t children;
    int64_t minimum; /* of them, those that must start; of a role: its pods */
};

struct group_tree {
    /* of each group of the wishes, in their order; NULL if there are none, or without memory */
    const struct group_need *needs;
    int64_t pods; /* the smallest number with which all groups have what they need */
};

/* The gang must be formed. */
struct group_tree group_tree_make(const struct gang *gang, struct arena *arena);

/* Whether the gang can start without some child of the group. */
static inline bool
group_need_is_optional(const struct group_need *need)
{
    return need->minimum < need->children;
}

/*
 * Returns the placement of the whole gang that the job's own topology asks for; NULL if there is
 * none, or if the policy has chosen another topology.
 */
const struct gang_placement *group_tree_placement(const struct gang *gang);

/* Write the topology object and the levels, and a member `topology` with them if there are any. */
void group_tree_build_levels(const struct gang_placement *placement, struct builder *topology);
void group_tree_build_placement(const struct gang_placement *placement, struct builder *holder);

#endif
