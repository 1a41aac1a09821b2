/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_TIMEOUT_CHOICE_H
#define LIBGANG_ENGINE_TIMEOUT_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Gives the gang its timeout: of a rule with override Always, of the runtime's podGroupPolicy with the API server's default
 * in it, of a rule, of the policy's defaults, of the options of the backend in the policy. Without any the scheduler's own
 * stands.
 */
void timeout_choose(struct gang_decision *decision);
void timeout_trace(const struct gang_decision *decision, struct trace *trace);

#endif
