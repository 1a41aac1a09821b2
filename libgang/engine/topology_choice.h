/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_TOPOLOGY_CHOICE_H
#define LIBGANG_ENGINE_TOPOLOGY_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Gives the gang its topology: of a rule with override Always, of the runtime's podGroupPolicy, of a rule, of the policy's
 * defaults. Without any it has none.
 */
void topology_choose(struct gang_decision *decision);
void topology_trace(const struct gang_decision *decision, struct trace *trace);

#endif
