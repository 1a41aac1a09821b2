/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_SPARK_SCHEMA_H
#define LIBGANG_JOBS_SPARK_SCHEMA_H

#include "libgang/document/schema.h"

extern const struct schema spark_application_schema;

#endif
