/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_SCHEMA_H
#define LIBGANG_JOBS_GANG_JOB_SCHEMA_H

#include "libgang/document/schema.h"

/* The most items of `spec.roles` and `spec.groups`, and edges of a role. */
enum { GANG_JOB_MOST_ROLES = 64 };

/* A GangJob. The reader, the JSON Schema and the reference use this table. */
extern const struct schema gang_job_schema;

#endif
