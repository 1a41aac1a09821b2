/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_CHECKS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_CHECKS_H

#include "libgang/backend/workload/workload_groups.h"

/*
 * What happens to a field that is wanted on a group. A field that no document sets is silently
 * omitted if the version does not have it.
 */
enum workload_fate {
    WORKLOAD_RENDERED,
    WORKLOAD_NOT_WANTED,
    WORKLOAD_LOST,    /* its gate is off, so the API server would silently drop it */
    WORKLOAD_UNKNOWN, /* rendered, but it is not known whether the gate is on */
    WORKLOAD_NO_PLACE /* the version does not have it */
};

enum workload_fate workload_fate_of(const struct workload_group *group, enum workload_field field,
                                    const struct workload_version *version,
                                    const struct gang_cluster *cluster);

/* Reports names, counts and fields of the groups that Kubernetes would reject or drop. */
void workload_check_groups(const struct workload_groups *groups, const struct backend_call *call,
                           const struct workload_version *version, struct report *report);

/* Reports groups that can never start or are no gang, and members that join late. */
void workload_check_order(const struct workload_groups *groups, const struct backend_call *call,
                          struct report *report);

#endif
