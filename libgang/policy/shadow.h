/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_SHADOW_H
#define LIBGANG_POLICY_SHADOW_H

#include "libgang/policy/policy.h"

/*
 * The maximum number of steps for one policy, so that comparing each rule with all earlier rules
 * takes less than 5 ms. A step is at most about 13 instructions: of all policies that were
 * measured, the slowest took 17 million. 1000 rules with one namespace or one label each take 6 to
 * 11 million and end within the steps.
 */
enum { SHADOW_MOST_STEPS = 5 * 256 * 1024 };

/*
 * Whether `wide` matches every job that `narrow` matches. Never true by mistake; false may also
 * mean unknown. Subtracts its steps from `steps`, and returns false if none are left.
 */
bool shadow_covers(const struct policy_match *wide, const struct policy_match *narrow,
                   size_t *steps);

/*
 * Warns about rules and constraints that no job can match, because their own exclude or one earlier
 * rule covers all their jobs, and about a rule without `match`. Also warns about a rule's backend,
 * queue or priority class that a constraint denies for all its jobs. Reports nothing after an
 * error.
 */
void shadow_check(struct policy_reader *reader);

#endif
