/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_PODGANG_TRACE_H
#define LIBGANG_ENGINE_PODGANG_TRACE_H

#include "libgang/engine/decision.h"
#include "libgang/engine/trace.h"

/* Writes down where everything about the gang of a PodGang comes from. */
void podgang_trace(const struct gang_decision *decision, struct trace *trace);

#endif
