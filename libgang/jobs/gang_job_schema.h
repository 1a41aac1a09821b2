/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_SCHEMA_H
#define LIBGANG_JOBS_GANG_JOB_SCHEMA_H

#include "libgang/document/schema.h"

/* The most items of `spec.roles` and `spec.groups`, and edges of a role. */
enum { GANG_JOB_MOST_ROLES = 64 };

/* A GangJob. The reader, the JSON Schema and the reference use this table. */
extern const struct schema gang_job_schema;

/* The fields of a role, and those of spec, by which schema_members() reads them. */
enum gang_job_role_field {
    GANG_JOB_ROLE_COUNT,
    GANG_JOB_ROLE_DEPENDS_ON,
    GANG_JOB_ROLE_EXTRA_REQUESTS,
    GANG_JOB_ROLE_FIRST_COUNT,
    GANG_JOB_ROLE_GROUP,
    GANG_JOB_ROLE_MEMBERSHIP,
    GANG_JOB_ROLE_MIN_COUNT,
    GANG_JOB_ROLE_NAME,
    GANG_JOB_ROLE_PRIORITY_CLASS,
    GANG_JOB_ROLE_REQUESTS,
    GANG_JOB_ROLE_RETRIES,
    GANG_JOB_ROLE_SCHEDULER,
    GANG_JOB_ROLE_TEMPLATE,
    GANG_JOB_ROLE_UNIT,
    GANG_JOB_ROLE_UNIT_LABEL,
    GANG_JOB_ROLE_FIELDS,
};
enum gang_job_field {
    GANG_JOB_BACKEND,
    GANG_JOB_GROUP_NAME,
    GANG_JOB_GROUPS,
    GANG_JOB_MANAGED_ELSEWHERE,
    GANG_JOB_MINIMUM,
    GANG_JOB_NO_GANG,
    GANG_JOB_OWNER,
    GANG_JOB_POD_MARKS,
    GANG_JOB_PRIORITY_CLASS,
    GANG_JOB_QUEUE,
    GANG_JOB_ROLES,
    GANG_JOB_TIMEOUT,
    GANG_JOB_SUSPEND,
    GANG_JOB_TOPOLOGY,
    GANG_JOB_FIELDS,
};
extern const struct schema gang_job_role_schema;
extern const struct schema gang_job_spec_schema;

/* Returns the JSON Schema of a GangJob; NULL if out of memory. */
const struct node *gang_job_describe(struct arena *arena);

#endif
