/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RESOLVE_H
#define LIBGANG_DECIDE_RESOLVE_H

#include "libgang/decide/decision.h"

/*
 * Decides a job of any kind: reads it, finds its rule, chooses the backend and all other
 * attributes, forms the gang, runs the checks and sets the outcome. Call it once, on a new
 * decision.
 */
void decide(struct gang_decision *decision);

#endif
