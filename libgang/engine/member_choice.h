/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_MEMBER_CHOICE_H
#define LIBGANG_ENGINE_MEMBER_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Tells the gang which roles are members, what a pod counts for, and whether room is reserved: as the rule that matches
 * says, else the policy's defaults, else Auto, Effective and Auto. In compatibility the operator's ways stand.
 */
void member_choose(struct gang_decision *decision);
void member_trace(const struct gang_decision *decision, struct trace *trace);

#endif
