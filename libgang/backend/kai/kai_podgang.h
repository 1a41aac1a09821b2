/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_PODGANG_H
#define LIBGANG_BACKEND_KAI_KAI_PODGANG_H

#include "libgang/backend/backend.h"
#include "libgang/base/slice.h"

/*
 * The PodGroup that Grove makes for a PodGang, or for all PodGangs of a replica: a subgroup for
 * each group of the gang, and the mark that makes KAI's podgrouper skip it.
 * Sources: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb; for the second
 * layout, aggregate.go of its pull request 735 @ebe5f5a0. GREP-525.
 */
const void *kai_podgang_open(const struct backend_call *call, struct report *report);
void kai_podgang_validate(const struct backend_call *call, struct report *report);
void kai_podgang_render(const struct backend_call *call, struct plan_content *content);

/* Adds the marks of a pod to `patch`: its PodGroup and its subgroup in that PodGroup. */
void kai_podgang_mark(struct gang_patch *patch, struct slice group, struct slice subgroup);

/*
 * Writes the spec of a Topology of KAI.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go
 */
void kai_podgang_render_topology(const struct node *levels, struct builder *spec);

#endif
