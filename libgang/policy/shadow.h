/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SHADOW_H
#define LIBGANG_POLICY_SHADOW_H

#include "libgang/policy/policy.h"

/* How many steps may be spent on one policy, a step being about a byte compared. */
enum { SHADOW_MOST_STEPS = 16 * 1024 * 1024 };

/*
 * Whether every job that `narrow` means is one that `wide` means. Never true by mistake; false may mean that it is not
 * known. Takes what it does from `steps`, and answers false once there are none.
 */
bool shadow_covers(const struct policy_match *wide, const struct policy_match *narrow, size_t *steps);

/*
 * Warns of rules and constraints for which no job is left: their own exclude takes them all, or one earlier rule does.
 * And of the backend of a rule that a constraint denies to all its jobs. Silent after an error.
 */
void shadow_check(struct policy_reader *reader);

#endif
