/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_QUEUE_CHOICE_H
#define LIBGANG_ENGINE_QUEUE_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Gives the gang its queue: of a rule with override Always; of the job, in the form that the chosen backend reads, the
 * trainjob's patches before the runtime; of a rule, of the policy's defaults. Without any the backend's own default stands
 * and the gang has none. A name that the policy makes of what the job lacks is an error. Reports queues that nobody reads.
 */
void queue_choose(struct gang_decision *decision);
void queue_trace(const struct gang_decision *decision, struct trace *trace);

#endif
