/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_QUEUE_CHOICE_H
#define LIBGANG_ENGINE_QUEUE_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Gives the gang its queue: what the trainjob's patches name, then the runtime, each in the form that the chosen backend
 * reads. Without any the backend's own default stands and the gang has none. Reports queues that nobody reads.
 */
void queue_choose(struct gang_decision *decision);
void queue_trace(const struct gang_decision *decision, struct trace *trace);

#endif
