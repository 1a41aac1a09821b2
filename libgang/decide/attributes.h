/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ATTRIBUTES_H
#define LIBGANG_DECIDE_ATTRIBUTES_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

/* Gives the gang what depends on the chosen backend and on the policy, as far as it needs no memberships. */
void attributes_choose(struct gang_decision *decision);

/* Writes down where scheduler name, queue, priority, timeout, members and topology come from. */
void attributes_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Whose schedulerName the pods have: that of a backend that a rule chooses whatever the templates say; else the templates'
 * own, which must be the backend's; else the backend's. In compatibility nothing is written.
 *
 * Checking it against the templates and patching them is every backend's: see backend/scheduler_name.h.
 */
void scheduler_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Gives the gang its timeout: of a rule with override Always, of the runtime's podGroupPolicy with the API server's default
 * in it, of a rule, of the policy's defaults, of the options of the backend in the policy. Without any the scheduler's own
 * stands.
 */
void timeout_choose(struct gang_decision *decision);
void timeout_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Gives the gang its topology: of a rule with override Always, of the runtime's podGroupPolicy, of a rule, of the policy's
 * defaults. Without any it has none.
 */
void topology_choose(struct gang_decision *decision);
void topology_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Tells the gang which roles are members, what a pod counts for, and whether room is reserved: as the rule that matches
 * says, else the policy's defaults, else Auto, Effective and Auto. In compatibility the operator's ways stand.
 */
void member_choose(struct gang_decision *decision);
void member_trace(const struct gang_decision *decision, struct trace *trace);

#endif
