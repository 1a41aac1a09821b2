/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_BACKENDS_H
#define LIBGANG_POLICY_POLICY_BACKENDS_H

#include "libgang/policy/policy.h"

/* Reads `spec.backends` and what its absence means. */
void policy_backends_read(struct policy_reader *reader, const struct node *list);

/*
 * Once the rest is read: warns of a backend that nothing can choose, and of two that a schedulerName cannot tell
 * apart. Silent after an error, which may have hidden what chooses them.
 */
void policy_backends_check_use(struct policy_reader *reader);

#endif
