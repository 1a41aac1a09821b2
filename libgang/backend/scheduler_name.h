/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_SCHEDULER_NAME_H
#define LIBGANG_BACKEND_SCHEDULER_NAME_H

#include "libgang/gang/gang.h"
#include "libgang/plan/plan.h"

/* Kubernetes' own, and what the API server writes into a pod without one: core/v1 DefaultSchedulerName. */
#define SCHEDULER_NAME_OF_KUBERNETES "default-scheduler"

/*
 * Every role of the job, members or not, goes to the gang's scheduler: one scheduler sees a node's free
 * space. Roles that name another one are reported; those that name none get it from the patches, but not in
 * compatibility, where the upstream operator's silence is only warned of. A gang that overrides schedulers replaces
 * what the roles name instead.
 */
void scheduler_name_check(const struct gang *gang, struct slice wanted, struct report *report);
void scheduler_name_patch(const struct gang *gang, struct slice wanted, struct plan_content *content);

/* The part of it that needs no backend: roles that name different schedulers. */
void scheduler_name_compare_roles(const struct gang *gang, struct report *report);

#endif
