/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_BACKEND_CHOICE_H
#define LIBGANG_DECIDE_BACKEND_CHOICE_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

/*
 * Chooses the backend: nothing, where a rule skips or denies the job or another controller manages it; else a rule with
 * override Always, the runtime's podGroupPolicy, a schedulerName in the templates that belongs to exactly one enabled
 * backend, a rule, the policy's defaults, its defaultBackend. What is asked for and not enabled, not served or not clear
 * is an error, never passed over. In compatibility only podGroupPolicy chooses.
 *
 * Sets `backend`, `backend_entry` and what the gang takes from them: its scheduler. Needs the matching rule and the roles.
 */
void backend_choose(struct gang_decision *decision);

/* What a block of settings says of the backend, whoever asks for one. */
struct choice_setting backend_setting(const struct choice_call *call, const struct policy_settings *settings);

/* Writes down what became of every candidate. */
void backend_trace(const struct gang_decision *decision, struct trace *trace);

#endif
