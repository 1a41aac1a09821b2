/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_RULES_H
#define LIBGANG_TRAINER_RUNTIME_RULES_H

#include "libgang/trainer/runtime.h"

/*
 * What the CRD's CEL rules and the operator's webhook refuse in a runtime, in their words.
 * Source: kubeflow/trainer:pkg/webhooks/trainingruntime_webhook.go@v2.3.0
 */
void runtime_rules_check(const struct gang_runtime *runtime, struct report *report);

#endif
