/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_QUEUE_CHOICE_H
#define LIBGANG_DECIDE_QUEUE_CHOICE_H

#include "libgang/decide/choice.h"

/*
 * Gives the gang its queue: of a rule with override Always; of the job, in the form that the chosen backend reads, the
 * trainjob's patches before the runtime; of a rule, of the policy's defaults. Without any the backend's own default stands
 * and the gang has none. A name that the policy makes of what the job lacks is an error. Reports queues that nobody reads.
 */
void queue_choose(struct gang_decision *decision);
void queue_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * The name that a rule or the defaults make, for any kind of job; one that lacks what it is made of has none, and no other
 * queue either.
 */
struct choice_setting queue_choice_setting(const struct choice_call *call,
                                           const struct policy_settings *settings);
bool queue_choice_block_says(const struct policy_settings *settings);
/* Reports the label or namespace that the queue's name should be made of. */
void queue_choice_refuse_to_guess(struct gang_decision *decision, const struct trace_candidate *stop);
/* Kueue admits the job by its own queue, and the scheduler holds it back by this one. */
void queue_choice_warn_of_kueue(const struct gang_decision *decision, struct report *report);

#endif
