/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_START_ORDER_H
#define LIBGANG_GANG_START_ORDER_H

#include "libgang/base/report.h"
#include "libgang/gang/role.h"

/*
 * Sets `dependencies[].index` of every role. Reports unknown names, self-edges, and cycles with
 * their members in order. Returns false if there is a cycle: stages and waves are then undefined.
 */
bool start_order_link(struct role *roles, size_t count, struct report *report);

/*
 * Returns the indices of the linked roles, each after all roles it waits for. Roles of one cycle
 * are adjacent. NULL if no role waits for another, or if the arena has failed.
 */
const uint32_t *start_order_sort(const struct role *roles, size_t count, struct arena *arena);

/*
 * Does both; the order, in the arena, stays one if dependencies are dropped later. Returns false,
 * without an order, if there is a cycle.
 */
bool start_order_link_and_sort(struct role *roles, size_t count, struct arena *arena,
                               struct report *report, const uint32_t **order);

/*
 * Drops dependencies on roles without pods, because they hold at once, and reports them. Reports
 * dependencies on elastic roles, which hold when all their pods are ready. The roles must be linked
 * and have their counts.
 */
void start_order_check_counts(struct role *roles, size_t count, struct report *report);

/*
 * stage(r): the largest number of Complete edges on a path to r. The roles must be linked and
 * acyclic; `order` is the result of start_order_sort().
 */
void start_order_stages(struct role *roles, size_t count, const uint32_t *order);

/*
 * wave(r): the longest chain of members on a path, through any role, that leads to r from another
 * member; 0 for the first wave. Roles that are ROLE_OUTSIDE get 0. `parts` has the
 * memberships, and wave 0 for every role.
 */
void start_order_waves(const struct role *roles, struct role_part *parts, size_t count,
                       const uint32_t *order);

/*
 * Links and sorts the roles and sets their stages, once for all gangs that use them. Returns false,
 * without a report, if the order has an error; start_order_link() reports it.
 */
bool start_order_settle(struct role *roles, size_t count, struct arena *arena,
                        const uint32_t **order);

#endif
