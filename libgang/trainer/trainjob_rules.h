/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINJOB_RULES_H
#define LIBGANG_TRAINER_TRAINJOB_RULES_H

#include "libgang/gang/gang.h"
#include "libgang/trainer/trainer_job.h"

/*
 * What the operator's webhooks refuse in a trainjob together with its runtime, and what JobSet's webhook would refuse in
 * the JobSet made of them, in their words. The roles of `gang` must be counted.
 * Source: the Validate functions in kubeflow/trainer:pkg/runtime/framework/plugins@v2.3.0,
 * kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go@v0.12.0
 */
void trainjob_rules_check(const struct trainer_job *job, const struct gang *gang, struct report *report);

#endif
