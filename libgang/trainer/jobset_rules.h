/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_JOBSET_RULES_H
#define LIBGANG_TRAINER_JOBSET_RULES_H

#include "libgang/gang/gang.h"
#include "libgang/trainer/trainer_job.h"

/* Whether there is nothing against the JobSet by itself: a runtime finds it out once for all its jobs. */
bool jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena);

/*
 * What JobSet's webhook would refuse in the JobSet that the operator makes: dependencies, references, names too long.
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_rules_check(const struct trainer_job *job, const struct gang *gang, struct report *report);

#endif
