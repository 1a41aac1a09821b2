/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RESOLVE_H
#define LIBGANG_DECIDE_RESOLVE_H

#include "libgang/decide/decision.h"

/*
 * Decides, whatever the kind of job: reads it, finds its rule, chooses the backend and all other
 * attributes, forms the gang, checks and judges it. Once, on a decision that is new.
 */
void decide(struct gang_decision *decision);

#endif
