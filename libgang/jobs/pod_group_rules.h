/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_POD_GROUP_RULES_H
#define LIBGANG_JOBS_POD_GROUP_RULES_H

#include "libgang/jobs/pod_group.h"

/* The rules of Kueue for groups of pods, in its words. */

/* The pods of one group that can run, in the order of the list. */
struct pod_group_pods {
    const struct node *const *items;
    size_t count;
};

/* Whether the pod runs, can still run or has succeeded; other pods do not count. */
bool pod_group_can_run(const struct node *pod);

/* Reports a pod whose keys of a group do not belong together. */
void pod_group_check_pod(const struct node *pod, const struct pod_group *group,
                         struct report *report);

/*
 * Returns how many pods the group has in all, by `pod-group-total-count`; the number of the given
 * pods if it is not given, or not valid, which is reported. Reports pods that disagree, missing
 * pods, and pods that are too many.
 */
int64_t pod_group_check_total(const struct pod_group_pods *pods, struct slice name,
                              struct report *report);

/* Reports a group of more roles than Kueue has pod sets. */
void pod_group_check_roles(const struct gang_job *job, struct report *report);

#endif
