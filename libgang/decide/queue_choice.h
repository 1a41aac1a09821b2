/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_QUEUE_CHOICE_H
#define LIBGANG_DECIDE_QUEUE_CHOICE_H

#include "libgang/decide/choice.h"

/* Reads what the job's documents say of queues, in the form that the chosen backend reads. */
void queue_choice_read(struct gang_decision *decision);

/*
 * The queue: of a rule with override Always; of the job, where a trainjob's patches stand before
 * the runtime; of a rule, of the policy's defaults; else the scheduler's own default, or Grove's. A
 * name that the policy makes of what the job lacks is an error. What the documents of a PodGang
 * lack is one only where no policy makes a queue. Reports queues that nobody reads.
 */
extern const struct attribute queue_attribute;

#endif
