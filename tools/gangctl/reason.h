/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REASON_H
#define GANGCTL_REASON_H

#include <stddef.h>

#include <gang/gang.h>

#include "text.h"

/*
 * Adds why a decision has its outcome, on one line: the first error with its path, unless that is
 * one of the policy, whose message names the rule.
 */
void add_reason(struct text *out, const struct gang_decision *decision);
/* Returns the first error; NULL if there is none. */
const struct gang_diagnostic *first_error_of(const struct gang_decision *decision);
/*
 * Returns the length of a prefix such as "Forbidden: ": one of the types of Kubernetes' field
 * errors without a value, which is part of the path.
 */
size_t kind_of_error(const char *message);

#endif
