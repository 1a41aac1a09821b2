/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_SCHEMA_H
#define LIBGANG_JOBS_GANG_JOB_SCHEMA_H

#include "libgang/base/arena.h"
#include "libgang/document/schema.h"

/* The most items of `spec.roles` and `spec.groups`, and edges of a role. */
enum { GANG_JOB_MOST_ROLES = 64 };

/* A GangJob. The reader, the JSON Schema and the reference use this table. */
extern const struct schema gang_job_schema;

/* Returns the JSON Schema of a GangJob; NULL if out of memory. */
const struct node *gang_job_describe(struct arena *arena);

#endif
