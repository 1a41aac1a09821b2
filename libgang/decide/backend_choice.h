/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_BACKEND_CHOICE_H
#define LIBGANG_DECIDE_BACKEND_CHOICE_H

#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

/*
 * Chooses the backend: nothing, where a rule skips or denies the job or another controller manages
 * it; else by a rule with override Always; by the job; by a rule, the policy's defaults, its
 * defaultBackend.
 *
 * A trainjob names one by the runtime's podGroupPolicy, or by a schedulerName in the templates that
 * belongs to exactly one enabled backend; what is asked for and not enabled, not served or not
 * clear is an error, never passed over. In compatibility only podGroupPolicy chooses.
 *
 * A PodGang names one as Grove reads it: by its label, else by the templates of the PodCliqueSet,
 * which must agree; without any Grove's default stands. A label that names no enabled scheduler is
 * an error, or, with GANG_RESOLVE_FALL_BACK, a warning after which the default stands in, as in
 * Grove's reconciler.
 *
 * Sets `backend`, `backend_entry` and what the gang takes from them: its scheduler. Needs the
 * matching rule and the roles.
 */
void backend_choose(struct gang_decision *decision);

extern const struct attribute backend_attribute;

#endif
