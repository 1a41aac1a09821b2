/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_ATTRIBUTES_H
#define LIBGANG_ENGINE_ATTRIBUTES_H

#include "libgang/engine/decision.h"
#include "libgang/engine/trace.h"

/* Gives the gang what depends on the chosen backend and on the policy, as far as it needs no memberships. */
void attributes_choose(struct gang_decision *decision);

/* Writes down where scheduler name, queue, priority, timeout, members and topology come from. */
void attributes_trace(const struct gang_decision *decision, struct trace *trace);

#endif
