/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_WAIT_H
#define LIBGANG_GANG_WAIT_H

#include "libgang/gang/gang.h"

/*
 * Why a role is not created at once, role by role: `"launcher" waits for "node" to be Ready, which waits for
 * "data" to be Complete`. "" for a role that waits for nothing. The roles must be linked.
 */
const char *wait_in_words(const struct role *roles, size_t count, size_t role, struct arena *arena);

/*
 * Reports a gang that can never fill: until it starts none of its members runs, so what waits for a member is
 * not created, and the pods that do exist are fewer than its minimum. The roles must be in order, as
 * gang_order_roles() puts them, memberships and minimum decided.
 */
void wait_check_gang(const struct gang *gang, struct arena *arena, struct report *report);

#endif
