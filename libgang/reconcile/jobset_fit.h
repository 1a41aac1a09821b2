/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_JOBSET_FIT_H
#define LIBGANG_RECONCILE_JOBSET_FIT_H

#include "libgang/reconcile/meeting.h"

/*
 * Compares the pod templates of the JobSet with the patches of the plan. Reports one difference for
 * each role, all with the severity of the worst. Called after the plan is filled.
 */
void jobset_fit_find(struct reconcile_work *work);

/*
 * Whether pods that differ from the plan make the object useless: the plan's pods name it, or pods
 * name none of the plan's objects directly, as with a Workload.
 */
bool jobset_fit_bars(const struct reconcile_work *work, const struct node *rendered);

#endif
