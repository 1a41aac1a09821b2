/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_RULES_H
#define LIBGANG_POLICY_CLUSTER_RULES_H

#include "libgang/policy/cluster.h"

/* Reports what the schema of a GangCluster cannot say: names, versions and labels that are none. */
void cluster_rules_check(const struct gang_cluster *cluster, const struct node *root, struct report *report);

#endif
