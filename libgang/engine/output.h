/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_OUTPUT_H
#define LIBGANG_ENGINE_OUTPUT_H

#include "libgang/plan/plan.h"
#include "libgang/policy/policy.h"

/*
 * Puts what a policy's `output` says into the metadata of every object of a plan: labels and annotations, of which a key
 * that the backend sets itself keeps the backend's value, the policy's stamp, and no owner references where it wants none.
 */
void output_apply(const struct gang_policy *policy, struct plan_content *content);

#endif
