/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ATTRIBUTES_H
#define LIBGANG_DECIDE_ATTRIBUTES_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

/*
 * Everything that is chosen for a gang beside its backend, from one table of attributes. The order
 * of an attribute's sources in attributes.c, queue_choice.c and priority_choice.c is its
 * precedence.
 *
 * First what needs the backend alone: members, queue, timeout, topology.
 */
void attributes_choose(struct gang_decision *decision);
/* Then what asks the members, once the gang is formed: the priority class. */
void attributes_choose_of_members(struct gang_decision *decision);

/* Writes down where the backend and every attribute come from. */
void attributes_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * The priority class: that of a rule with override Always, of the PodGang or of the members'
 * templates, of a rule, of the policy's defaults. Members that disagree are reported, unless the
 * policy overrides them. Needs the memberships.
 */
extern const struct attribute priority_attribute;

#endif
