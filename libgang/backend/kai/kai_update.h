/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_UPDATE_H
#define LIBGANG_BACKEND_KAI_KAI_UPDATE_H

#include "libgang/backend/backend.h"

/*
 * How KAI's podgrouper updates PodGroups, and how Grove updates its own. PodGroups that libgang
 * makes follow one or the other.
 * Sources: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/{handler,updater}.go@d5bc503a and
 * ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb
 */
extern const struct backend_updates kai_updates;

/* The rules of the podgrouper, for a prediction of what it makes of a live PodGroup. */
extern const struct update_rules kai_podgrouper_rules;

#endif
