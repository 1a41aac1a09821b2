/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_JUDGEMENT_H
#define LIBGANG_ENGINE_JUDGEMENT_H

#include "libgang/engine/decision.h"

/* Finds the policy's rule for the job, whose roles must stand in the gang. Without a policy there is none. */
void judgement_find_rule(struct gang_decision *decision);

/*
 * Holds what was chosen against the policy's constraints, and says what the decision comes to. `has_gang` false: what was
 * chosen is only admitted, and no gang comes of it. Constraints are about what has a backend alone.
 */
void judgement_pass(struct gang_decision *decision, bool has_gang);

#endif
