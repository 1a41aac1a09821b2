/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_CONSTRAINT_CHECK_H
#define LIBGANG_ENGINE_CONSTRAINT_CHECK_H

#include "libgang/engine/decision.h"
#include "libgang/engine/rule_match.h"

/*
 * Where every constraint that matches and says `reservedKeys` says Warn, marks of membership that the job pre-sets are
 * warnings: one that says Deny stands before any number of others. For a gang alone.
 */
void constraint_soften_marks(struct gang_decision *decision, const struct match_facts *facts);

/*
 * Checks a formed gang against all constraints that match. Each violation is an error, or a warning where the constraint
 * says so. False when one cannot be decided, which is reported.
 */
bool constraint_check(struct gang_decision *decision, const struct match_facts *facts);

#endif
