/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_BACKEND_CHOICE_H
#define LIBGANG_DECIDE_BACKEND_CHOICE_H

#include "libgang/decide/choice.h"

/*
 * Chooses the backend. No backend if a rule skips or denies the job, or if another controller
 * manages it. Otherwise, in order of precedence: a rule with override Always; the job; a rule; the
 * policy's defaults; the policy's defaultBackend.
 *
 * A trainjob selects a backend by the runtime's podGroupPolicy, or by a schedulerName in the
 * templates that belongs to exactly one enabled backend. A backend that is not enabled, not served
 * or ambiguous is an error and is never skipped. In compatibility mode only podGroupPolicy chooses.
 *
 * A PodGang selects a backend as Grove reads it: by its label, or by the templates of the
 * PodCliqueSet, which must agree; otherwise Grove's default is used. A label that names no enabled
 * scheduler is an error, or, with GANG_RESOLVE_FALL_BACK, a warning after which the default is
 * used, as in Grove's reconciler.
 *
 * Sets `backend`, `backend_entry` and the gang's scheduler. Needs the matching rule and the roles.
 */
void backend_choose(struct gang_decision *decision);

extern const struct attribute backend_attribute;

#endif
