/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_ML_RULES_H
#define LIBGANG_TRAINER_ML_RULES_H

#include "libgang/trainer/trainer_job.h"

/*
 * What the plugin of the runtime's ML policy refuses in a trainjob.
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/{torch,mpi,xgboost,flux}@v2.3.0
 */
void ml_rules_check(const struct trainer_job *job, struct report *report);

/* The rules for `command: [tune, run]`, in a file of their own. */
void torchtune_rules_check(const struct trainer_job *job, struct report *report);

#endif
