/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_BACKEND_CHOICE_H
#define LIBGANG_ENGINE_BACKEND_CHOICE_H

#include "libgang/engine/decision.h"
#include "libgang/engine/trace.h"

/*
 * Chooses the backend in order of precedence: the runtime's podGroupPolicy, then a schedulerName in the templates that
 * belongs to exactly one backend, then none. Templates that name the schedulers of several are an error. In
 * compatibility mode only podGroupPolicy chooses. NULL means no gang.
 */
const struct backend *backend_choose(struct gang_decision *decision);

/* Writes down what became of every backend. */
void backend_trace(const struct gang_decision *decision, struct trace *trace);

#endif
