/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_CHECKS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_CHECKS_H

#include "libgang/backend/workload/workload_groups.h"

/*
 * What becomes of a field that is wanted on a group. A field that nobody wrote is silently left out where it has no
 * place.
 */
enum workload_fate {
    WORKLOAD_RENDERED,
    WORKLOAD_NOT_WANTED,
    WORKLOAD_LOST,    /* its gate is off, so that the API server would drop it without a word */
    WORKLOAD_UNKNOWN, /* rendered, but nobody knows whether the gate is on */
    WORKLOAD_NO_PLACE /* the version does not have it */
};

enum workload_fate workload_fate_of(const struct workload_group *group, enum workload_field field,
                                    const struct workload_version *version,
                                    const struct gang_cluster *cluster);

/* Reports names, counts and fields of the groups that Kubernetes would refuse or drop. */
void workload_check_groups(const struct workload_groups *groups, const struct backend_call *call,
                           const struct workload_version *version, struct report *report);

/* Reports groups that can never open or are none, and members that join late. */
void workload_check_order(const struct workload_groups *groups, const struct backend_call *call,
                          struct report *report);

#endif
