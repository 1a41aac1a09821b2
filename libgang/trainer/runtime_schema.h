/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_SCHEMA_H
#define LIBGANG_TRAINER_RUNTIME_SCHEMA_H

#include "libgang/document/schema.h"

/* A whole TrainingRuntime or ClusterTrainingRuntime; metadata and status may hold anything. */
extern const struct schema training_runtime_schema;

#endif
