/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CLUSTER_CHECKS_H
#define LIBGANG_DECIDE_CLUSTER_CHECKS_H

#include "libgang/catalog/operator_options.h"
#include "libgang/decide/decision.h"

/*
 * Reads how the API server sets defaults for pods of the namespace, for a front end that sums their
 * requests. Returns false if this is not known, and in compatibility mode, where pod requests are
 * counted as written.
 */
bool cluster_checks_admission(const struct gang_decision *decision, struct slice namespace_,
                              struct pod_admission *out);

/*
 * Checks the gang against the facts of the cluster: priority classes, queues, served versions, a
 * second gang of the Job controller or of the job's operator. Checks that need a missing fact are
 * reported as not done. Does nothing without a cluster.
 */
void cluster_checks_run(struct gang_decision *decision);

/*
 * Returns the fact that the operator of the job makes its gang, and sets `by` to the option of the
 * operator; NULL if it does not, or if this is not known.
 */
const struct node *cluster_checks_operator_gang(const struct gang_decision *decision,
                                                const struct operator_option **by);

/* Reports that the API server does not serve the PodGroup version of the named backend. */
void cluster_checks_report_not_served(struct gang_decision *decision, struct slice version,
                                      struct slice backend);

#endif
