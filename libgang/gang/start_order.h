/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_START_ORDER_H
#define LIBGANG_GANG_START_ORDER_H

#include "libgang/base/report.h"
#include "libgang/gang/role.h"

/*
 * Fills `dependencies[].index` of every role, reports unknown names, and self-edges and cycles with
 * their members in order. False when there is a cycle: stages and waves are then undefined.
 */
bool start_order_link(struct role *roles, size_t count, struct report *report);

/*
 * Indices of the linked roles, each after all that it waits for. Roles of one cycle stand side by
 * side. NULL when no role waits for another, and when the arena has failed.
 */
const uint32_t *start_order_sort(const struct role *roles, size_t count, struct arena *arena);

/*
 * stage(r): the largest number of Complete edges on a path into r. The roles must be linked and
 * acyclic, `order` what start_order_sort() made of them.
 */
void start_order_stages(struct role *roles, size_t count, const uint32_t *order);

/*
 * wave(r): the longest chain of members on a path, through any role, that leads to r from another
 * member; 0 for the first wave. Roles that are ROLE_OUTSIDE get 0.
 */
void start_order_waves(struct role *roles, size_t count, const uint32_t *order);

/*
 * Links and sorts the roles and sets their stages, once for every gang that will be made of them.
 * False when anything is wrong with the order: nothing is said then, start_order_link() has the
 * words.
 */
bool start_order_settle(struct role *roles, size_t count, struct arena *arena,
                        const uint32_t **order);

#endif
