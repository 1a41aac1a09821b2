/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_QUEUE_CHOICE_H
#define LIBGANG_DECIDE_QUEUE_CHOICE_H

#include "libgang/decide/choice.h"

/*
 * Reads the queues in the job's documents, in the form that the chosen backend reads, and the
 * labels that decide the priority class of its group.
 */
void queue_choice_read(struct gang_decision *decision);

/*
 * Sets value, source and words of a candidate that the scheduler would use, from the place where it
 * was found.
 */
void queue_place_candidate(const struct queue_found *found, struct trace_candidate *candidate);

/*
 * The queue, in order of precedence: a rule with override Always; the job, where a trainjob's
 * patches precede the runtime; a rule; the policy's defaults; the default of the scheduler or of
 * Grove. A queue name in the policy that needs a value which the job does not have is an error. A
 * missing value in the documents of a PodGang is an error only if no policy sets a queue. Reports
 * queues that no scheduler reads.
 */
extern const struct attribute queue_attribute;

#endif
