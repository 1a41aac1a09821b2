/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINJOB_SCHEMA_H
#define LIBGANG_TRAINER_TRAINJOB_SCHEMA_H

#include "libgang/document/schema.h"

/* A whole TrainJob; metadata and status may hold anything. */
extern const struct schema trainjob_schema;

#endif
