/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_PATCH_RULES_H
#define LIBGANG_TRAINER_PATCH_RULES_H

#include "libgang/trainer/trainer_job.h"

/*
 * What a trainjob's runtimePatches may say: the manager's form, no env on the operator's containers, and no role or
 * container that the runtime lacks. The operator has a check for the last one that never fires, and adds them.
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0
 */
void patch_rules_check(const struct trainer_job *job, struct report *report);

#endif
