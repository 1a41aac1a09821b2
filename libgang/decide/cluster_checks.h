/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CLUSTER_CHECKS_H
#define LIBGANG_DECIDE_CLUSTER_CHECKS_H

#include "libgang/decide/decision.h"

/*
 * What the API server is known to do with the pods of a namespace, for a front end that sums their
 * requests. False where nothing is known of it, and in compatibility, where pods count as they are
 * written.
 */
bool cluster_checks_admission(const struct gang_decision *decision, struct slice namespace_,
                              struct pod_admission *out);

/*
 * Holds the gang against the facts of the cluster: priority classes, queues, served versions, a
 * second gang of the Job controller. What a missing fact leaves open is reported as not checked.
 * Nothing without a cluster.
 */
void cluster_checks_run(struct gang_decision *decision);

/* Reports that the API server has no PodGroups of this version, which the backend of that name
 * renders. */
void cluster_checks_report_not_served(struct gang_decision *decision, struct slice version,
                                      struct slice backend);

#endif
