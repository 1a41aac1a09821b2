/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_PODS_H
#define LIBGANG_BACKEND_WORKLOAD_PODS_H

#include "libgang/backend/workload_groups.h"

/*
 * Reports what the pods of the groups say that does not go with them: another controller's groups, priorities, claims,
 * responders to evictions. `version` is NULL where none could be chosen.
 */
void workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                         const struct workload_version *version, struct report *report);

#endif
