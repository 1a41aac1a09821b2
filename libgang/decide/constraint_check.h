/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CONSTRAINT_CHECK_H
#define LIBGANG_DECIDE_CONSTRAINT_CHECK_H

#include "libgang/decide/decision.h"
#include "libgang/decide/rule_match.h"

/*
 * Where every constraint that matches and says `reservedKeys` says Warn, marks of membership that
 * the job pre-sets are warnings: one that says Deny stands before any number of others. For a gang
 * alone.
 */
void constraint_soften_marks(struct gang_decision *decision, const struct match_facts *facts);

/*
 * Checks a formed gang against all constraints that match. Each violation is an error, or a warning
 * where the constraint says so. False when one cannot be decided, which is reported.
 */
bool constraint_check(struct gang_decision *decision, const struct match_facts *facts);

/* Finds the policy's rule for the job, whose roles must stand in the gang. Without a policy there
 * is none. */
void judgement_find_rule(struct gang_decision *decision);

/*
 * Holds what was chosen against the policy's constraints, and says what the decision comes to.
 * `has_gang` false: what was chosen is only admitted, and no gang comes of it. Constraints are
 * about what has a backend alone.
 */
void judgement_pass(struct gang_decision *decision, bool has_gang);

#endif
