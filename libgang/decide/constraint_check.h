/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CONSTRAINT_CHECK_H
#define LIBGANG_DECIDE_CONSTRAINT_CHECK_H

#include "libgang/decide/rule_match.h"

/*
 * Finds the policy's rule for the job, whose roles must be in the gang. Without a policy there is
 * no rule.
 */
void judgement_find_rule(struct gang_decision *decision);

/*
 * Checks the result against the policy's constraints and sets the outcome. `has_gang` false: the
 * choice is checked, but the job has no gang of its own. Constraints apply only to jobs with a
 * backend.
 */
void judgement_pass(struct gang_decision *decision, bool has_gang);

#endif
