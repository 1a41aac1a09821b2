/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_SCHEDULER_CHOICE_H
#define LIBGANG_ENGINE_SCHEDULER_CHOICE_H

#include "libgang/engine/decision.h"

/*
 * Whose schedulerName the pods have: that of a backend that a rule chooses whatever the templates say; else the templates'
 * own, which must be the backend's; else the backend's. In compatibility nothing is written.
 *
 * Checking it against the templates and patching them is every backend's: see backend/scheduler_name.h.
 */
void scheduler_trace(const struct gang_decision *decision, struct trace *trace);

#endif
