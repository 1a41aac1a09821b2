/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_SCHEMA_H
#define LIBGANG_TRAINER_TRAINER_SCHEMA_H

#include "libgang/document/schema.h"

/*
 * The schemas of a complete TrainingRuntime or ClusterTrainingRuntime, and of a complete TrainJob.
 * metadata and status accept any value.
 */
extern const struct schema training_runtime_schema;
extern const struct schema trainjob_schema;

#endif
