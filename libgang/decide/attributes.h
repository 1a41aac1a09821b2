/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ATTRIBUTES_H
#define LIBGANG_DECIDE_ATTRIBUTES_H

#include "libgang/decide/choice.h"

/*
 * Chooses all attributes of a gang except its backend, from one table of attributes. The order of
 * an attribute's sources in attributes.c, queue_choice.c and priority_choice.c is its precedence.
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

#endif
