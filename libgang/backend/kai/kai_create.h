/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_CREATE_H
#define LIBGANG_BACKEND_KAI_KAI_CREATE_H

#include "libgang/backend/kai/kai.h"
#include "libgang/backend/kai/kai_webhook.h"

/*
 * PodGroups that libgang makes instead of the podgrouper: one for the gang and one for each role
 * outside it. The gang's group is flat if the gang has one role; else it has a subgroup for each
 * role, with a minimum of 0 for late members. Roles outside need groups of their own, because the
 * podgrouper would put their pods into one group with the gang's pods and hold both.
 * Source: kai-scheduler/KAI-Scheduler:docs/batch/README.md@d5bc503a, and observed starts.
 */
struct kai_created {
    struct slice name;
    const struct role *role;    /* outside the gang; NULL for the gang's group */
    struct kai_metadata copied; /* as the podgrouper copies it: shards select by the node pool */
    struct kai_pod_group group;
};

struct kai_created_groups {
    struct kai_created *items; /* the gang's group first */
    size_t count;
    int64_t
        pods; /* that must start together, as the groups of the job say; 0: the gang's minimum */
};

struct kai_created_groups kai_create_groups(const struct kai_mode *mode,
                                            const struct backend_call *call, struct arena *arena);

/*
 * Returns the name of the gang's group, `<job>.<namespace>`: up to v0.17.0 the scheduler identifies
 * a group by its name alone, in all namespaces. Groups of roles outside the gang have the role's
 * name as a prefix.
 */
struct slice kai_create_name(const struct gang *gang, struct arena *arena);

/* Returns why the placement of the gang, or of one of its groups, is not rendered; NULL if it is.
 */
const char *kai_create_why_not_placed(const struct kai_pod_group *group,
                                      const struct gang_placement *placement);

/* Reports what KAI's webhook would report, as findings at `source`. */
void kai_create_check(const struct kai_pod_group *group, const struct release *release,
                      const struct node *source, struct report *report);

void kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                       const struct backend_call *call, struct plan_content *content);

#endif
