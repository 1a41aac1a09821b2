/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_GANG_H
#define LIBGANG_GANG_GANG_H

#include "libgang/gang/wishes.h"

/*
 * The gang that is made of the wishes. Every backend reads it. gang_form() sets the first part; the
 * attributes of the second part only appear in the rendered objects and are chosen afterwards.
 */
struct gang {
    const struct gang_wishes *wishes;
    struct slice name;              /* name of the group in the pods */
    const struct node *annotations; /* of the group's object; NULL if absent */
    const struct role *roles;       /* of the wishes */
    size_t num_roles;
    struct role_part *parts;        /* one for each role */
    int64_t minimum;                /* pods that must start together */
    int64_t members;                /* pods with the gang mark */
    int64_t late_members;           /* of them, those created after the first wave has started */
    int64_t first_pods;             /* of them, those created before */
    int64_t pods;                   /* all pods of the job */
    struct resource_list resources; /* total of the members */

    struct slice queue; /* unset if not requested */
    const struct node *queue_source;
    struct slice priority_class_name; /* until it is chosen, that of the wishes */
    const struct node *priority_class_source;
    /* a label of the job, or the scheduler's configuration, gives the class, not the members */
    bool has_priority_label;
    bool gives_priority; /* the class is not from the members, so it is set on their pods */
    bool has_timeout;
    int64_t timeout_seconds;
    const struct node *timeout_source; /* NULL: a default value */
    struct gang_topology topology;
};

/*
 * Forms the gang: decides the membership and wave of every role, and computes minimum, members,
 * pods and resources. The minimum counts the pods of the first wave that must start and that can
 * exist at first, unless the wishes have one; the resources are those of all pods that must start.
 * `roles`, `owner` and `compatibility` of the wishes must be set, and their roles in order
 * (wishes_order_roles()). Reports ambiguous stages, empty gangs, late members, gangs that can never
 * fill, and overflows.
 *
 * With `members_choice` All, every role is a member and counts for the minimum. TrainerOnly
 * excludes roles of the stage that do not train.
 *
 * In compatibility mode the gang is the one of the upstream operator: every role is a member and
 * counts for the minimum, with `operator_count` pods each.
 *
 * If the groups of the wishes set how many pods of each role must start, every role is a member and
 * none is late.
 *
 * The gang borrows the wishes, which must not change any more.
 */
void gang_form(const struct gang_wishes *wishes, struct gang *gang, struct arena *arena,
               struct report *report);

/*
 * Instead of gang_form(), for a job without a gang of its own: gives every role the same
 * membership, and counts nothing.
 */
void gang_leave_unformed(const struct gang_wishes *wishes, enum membership membership,
                         struct gang *gang, struct arena *arena);

/*
 * Returns how many pods of a role must start together: what a group of the role says, or the role's
 * part of the minimum if it is in the first wave. `role` is an index.
 */
int64_t gang_role_minimum(const struct gang *gang, size_t role);

/*
 * Returns what the roles of the first wave contribute to a minimum: the gang's, unless the
 * documents set another one.
 */
int64_t gang_sum_of_role_minima(const struct gang *gang);

/* `role` is one of gang->roles. */
static inline enum membership
gang_membership(const struct gang *gang, const struct role *role)
{
    return gang->parts[role - gang->roles].membership;
}

#endif
