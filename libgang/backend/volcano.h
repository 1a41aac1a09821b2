/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_VOLCANO_H
#define LIBGANG_BACKEND_VOLCANO_H

#include "libgang/backend/backend.h"

/*
 * The PodGroup that Grove creates for a PodGang: one subGroupPolicy for each podgroup, selected by
 * a label of its pods. It cannot express group configs and topology.
 * Source: ai-dynamo/grove:operator/internal/scheduler/volcano/backend.go@fcc3b3bb
 */
void volcano_podgang_validate(const struct backend_call *call, struct report *report);
void volcano_podgang_render(const struct backend_call *call, struct plan_content *content);

#endif
