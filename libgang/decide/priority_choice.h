/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_PRIORITY_CHOICE_H
#define LIBGANG_DECIDE_PRIORITY_CHOICE_H

#include "libgang/decide/decision.h"

/*
 * Gives the gang its priority class: that of a rule with override Always, of the members' templates, of a rule, of the
 * policy's defaults. Members that disagree are reported, unless the policy overrides them. Needs the memberships.
 */
void priority_choose(struct gang_decision *decision);
void priority_trace(const struct gang_decision *decision, struct trace *trace);

#endif
