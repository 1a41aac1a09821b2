/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_CHECKS_H
#define LIBGANG_DECIDE_KUEUE_CHECKS_H

#include "libgang/decide/decision.h"

/* Whether a decision can have anything of Kueue. Every job is asked, so this costs next to nothing.
 */
bool kueue_checks_apply(const struct gang_decision *decision);

/*
 * Reports how Kueue, which queues jobs above the schedulers, and the gang of a job fit together:
 * the placement that Kueue's annotations request, what Kueue's webhook refuses, pods that would be
 * queued twice, and pods that Kueue admits but the gang does not need, or the reverse. libgang
 * renders no key of Kueue and changes none. Only for a job with a gang, if kueue_checks_apply().
 */
void kueue_checks_run(struct gang_decision *decision);

/*
 * Reports what a Workload of Kueue, a live object, admits of the gang: fewer pods of a role than
 * the gang waits for.
 */
void kueue_checks_workload(const struct gang_decision *decision, const struct node *workload,
                           struct report *report);

#endif
