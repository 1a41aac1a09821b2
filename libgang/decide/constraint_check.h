/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CONSTRAINT_CHECK_H
#define LIBGANG_DECIDE_CONSTRAINT_CHECK_H

#include "libgang/decide/decision.h"
#include "libgang/decide/rule_match.h"

/*
 * Turns findings about gang marks that the job pre-sets into warnings if every matching constraint
 * with `reservedKeys` says Warn. One constraint with Deny has precedence over any number of others.
 * Only for a gang.
 */
void constraint_soften_marks(struct gang_decision *decision, const struct match_facts *facts);

/*
 * Checks a formed gang against all matching constraints. Each violation is an error, or a warning
 * if the constraint says so. Returns false if a constraint cannot be decided, which is reported.
 */
bool constraint_check(struct gang_decision *decision, const struct match_facts *facts);

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
