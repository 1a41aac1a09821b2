/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_JOBSET_REFERENCES_H
#define LIBGANG_TRAINER_JOBSET_REFERENCES_H

#include "libgang/trainer/trainer_job.h"

/*
 * Names in a JobSet that JobSet's webhook refuses: roles that do not exist in its policies, and names of groups and
 * subdomains that are no DNS labels.
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_references_check(const struct jobset *jobset, struct report *report);

#endif
