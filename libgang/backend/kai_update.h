/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_UPDATE_H
#define LIBGANG_BACKEND_KAI_UPDATE_H

#include "libgang/backend/backend.h"

/*
 * How KAI's podgrouper brings PodGroups up to date, and Grove its own; those that are made here follow the one or the other.
 * Sources: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/{handler,updater}.go@d5bc503a and
 * ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb
 */
extern const struct backend_updates kai_updates;

#endif
