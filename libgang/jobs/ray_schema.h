/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_RAY_SCHEMA_H
#define LIBGANG_JOBS_RAY_SCHEMA_H

#include "libgang/document/schema.h"

/* The three kinds of ray.io/v1 that have pods. */
extern const struct schema ray_cluster_schema;
extern const struct schema ray_job_schema;
extern const struct schema ray_service_schema;

#endif
