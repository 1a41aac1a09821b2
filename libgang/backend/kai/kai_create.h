/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_CREATE_H
#define LIBGANG_BACKEND_KAI_KAI_CREATE_H

#include "libgang/backend/kai/kai.h"
#include "libgang/backend/kai/kai_webhook.h"

/*
 * PodGroups that libgang makes instead of the podgrouper: one for the gang, flat when it has one role, else with a
 * subgroup for each, those of late members with a minimum of 0; and one for each role outside, because the podgrouper
 * would put its pods into a group with the gang's and hold both.
 * Source: kai-scheduler/KAI-Scheduler:docs/batch/README.md@d5bc503a, and what was seen to start.
 */
struct kai_created {
    struct slice name;
    const struct role *role; /* outside the gang; NULL for the gang's */
    struct kai_pod_group group;
};

struct kai_created_groups {
    struct kai_created *items; /* the gang's first */
    size_t count;
};

struct kai_created_groups kai_create_groups(const struct kai_mode *mode, const struct backend_call *call,
                                            struct arena *arena);

/*
 * The name of the gang's group, `<job>.<namespace>`: the scheduler knows a group by its name alone, in all namespaces, up
 * to v0.17.0. Groups of roles outside have the role's name in front.
 */
struct slice kai_create_name(const struct gang *gang, struct arena *arena);

/* What the webhook would say, as findings about `source`. */
void kai_create_check(const struct kai_pod_group *group, const struct release *release,
                      const struct node *source, struct report *report);

void kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                       const struct backend_call *call, struct plan_content *content);

#endif
