/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_OWN_MARKS_H
#define LIBGANG_DECIDE_OWN_MARKS_H

#include "libgang/decide/decision.h"

/*
 * Reports the marks of gang membership in the pod templates of a job, except those that its plan
 * sets: a job that was applied with its marks is decided as before. The job is not a TrainJob,
 * whose marks are in an entry of their own (patch_entry.h). Does nothing after errors, because
 * there is no plan to compare with, and for a job that stands back: the Jobs of a JobSet have the
 * marks of its gang.
 */
void own_marks_check(struct gang_decision *decision, bool has_gang);

#endif
