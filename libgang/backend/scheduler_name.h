/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_SCHEDULER_NAME_H
#define LIBGANG_BACKEND_SCHEDULER_NAME_H

#include "libgang/gang/wishes.h"
#include "libgang/plan/plan.h"

/*
 * Kubernetes' default scheduler, which the API server sets in pods without a schedulerName: core/v1
 * DefaultSchedulerName.
 */
#define SCHEDULER_NAME_OF_KUBERNETES "default-scheduler"

/*
 * Every role of the job, members or not, must go to the gang's scheduler, so that one scheduler
 * accounts for the free space of a node. Roles that name another scheduler are reported. Roles that
 * name none get it from the patches, except in compatibility, which only warns, because the
 * upstream operator sets none. If the gang overrides schedulers, the patches replace the names of
 * the roles instead.
 */
void scheduler_name_check(const struct gang_wishes *wishes, struct slice wanted,
                          struct report *report);
void scheduler_name_patch(const struct gang_wishes *wishes, struct slice wanted,
                          struct plan_content *content);

/* Reports roles that name different schedulers: the part of the check that needs no backend. */
void scheduler_name_compare_roles(const struct gang_wishes *wishes, struct report *report);

#endif
