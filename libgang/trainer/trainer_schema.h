/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_SCHEMA_H
#define LIBGANG_TRAINER_TRAINER_SCHEMA_H

#include "libgang/document/schema.h"

/* A whole TrainingRuntime or ClusterTrainingRuntime, and a whole TrainJob; metadata and status may hold anything. */
extern const struct schema training_runtime_schema;
extern const struct schema trainjob_schema;

#endif
