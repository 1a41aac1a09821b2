/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_VOLCANO_H
#define LIBGANG_BACKEND_VOLCANO_H

#include "libgang/backend/backend.h"

/*
 * The PodGroup that Grove makes of a PodGang: one subGroupPolicy for each podgroup, told apart by a label of its pods.
 * Group configs and topology have no place in it.
 * Source: ai-dynamo/grove:operator/internal/scheduler/volcano/backend.go@fcc3b3bb
 */
void volcano_podgang_validate(const struct backend_call *call, struct report *report);
void volcano_podgang_render(const struct backend_call *call, struct plan_content *content);

/* How Grove brings it up to date. */
extern const struct update_rules volcano_podgang_rules;

#endif
