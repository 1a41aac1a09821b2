/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ATTRIBUTES_H
#define LIBGANG_DECIDE_ATTRIBUTES_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

/*
 * Chooses all attributes of a gang except its backend, from one table of attributes. The order of
 * an attribute's sources in attributes.c and queue_choice.c is its precedence.
 *
 * This function chooses what the gang is formed by, and sets it in the wishes: the members, how
 * their requests are counted, and the reservation.
 */
void attributes_choose_members(struct gang_decision *decision);
/*
 * Chooses the attributes that only appear in the rendered objects, and sets them in the formed
 * gang: queue, timeout, topology, priority class.
 */
void attributes_choose(struct gang_decision *decision);

/* Writes the candidates for the backend and for every attribute into the trace. */
void attributes_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * The priority class: from a rule with override Always; the PodGang or the members' templates; a
 * rule; the policy's defaults. Members that disagree are reported, unless the policy overrides
 * them. Needs the memberships.
 */
extern const struct attribute priority_attribute;

#endif
