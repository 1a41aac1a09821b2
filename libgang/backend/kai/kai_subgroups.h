/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_SUBGROUPS_H
#define LIBGANG_BACKEND_KAI_KAI_SUBGROUPS_H

#include "libgang/backend/backend.h"
#include "libgang/backend/kai/kai_pod_group.h"

/* Whether the group asks the scheduler not to evict it for being stale. */
bool kai_subgroups_never_stale(const struct kai_pod_group *group, const struct release *release);

/* Reports a subgroup that can start without some of its children, which KAI evicts. */
void kai_subgroups_check(const struct kai_pod_group *group, const struct release *release,
                         const struct backend_call *call, struct report *report);

/* Writes the subgroups for the plan. A subgroup without others below it has the name of its role.
 */
void kai_subgroups_list(const struct kai_pod_group *group, struct builder *list);

#endif
