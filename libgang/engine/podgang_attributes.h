/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_PODGANG_ATTRIBUTES_H
#define LIBGANG_ENGINE_PODGANG_ATTRIBUTES_H

#include "libgang/engine/podgang_choice.h"

/*
 * Gives the gang of a PodGang what its scheduler and the policy decide: the queue that a rule with override Always makes,
 * else that of the documents, of a rule, of the policy's defaults, of Grove; so with the priority class; timeout and
 * topology, which no object of Grove's schedulers takes from a policy, so that they are reported as lost. A queue that the
 * documents lack is an error only where no policy makes one.
 */
void podgang_attributes_choose(struct gang_decision *decision, const struct podgang_scheduler *scheduler);

/* Writes down where queue, priority, timeout, members and topology come from. */
void podgang_attributes_trace(const struct gang_decision *decision, struct trace *trace);

#endif
