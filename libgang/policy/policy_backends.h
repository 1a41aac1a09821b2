/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_BACKENDS_H
#define LIBGANG_POLICY_POLICY_BACKENDS_H

#include "libgang/policy/policy.h"

/* Reads `spec.backends`, and applies the default if it is absent. */
void policy_backends_read(struct policy_reader *reader, const struct node *list);

/*
 * Must be called after the rest of the policy is read. Warns about a backend that nothing can
 * choose, about two backends with the same schedulerName, and about a setting that no backend has.
 * Reports nothing after an error, because the error may hide what chooses a backend.
 */
void policy_backends_check_use(struct policy_reader *reader);

#endif
