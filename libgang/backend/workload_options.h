/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_OPTIONS_H
#define LIBGANG_BACKEND_WORKLOAD_OPTIONS_H

#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"

/* Of `backends[].workload` in a policy. Each default stands in its table and in doc/backends.md. */
extern const struct schema workload_options_schema;

/* The same, read. A node is NULL where the option is absent. */
struct workload_options {
    bool is_hashed; /* nameStyle: Hashed */
    enum gang_late late;
    const struct node *late_source;
    bool groups_initializers; /* initializers: Basic */
    const struct node *initializers_source;
    bool by_role;   /* groups: Role */
    bool composite; /* composite: WhereServed */
    const struct node *composite_source;
    const struct node *topology_key;
    const struct node *disruption_mode; /* "Single" or "All" */
    const struct node *preemption_policy;
    const struct node *resource_claims;
};

/* NULL is the absent block. */
struct workload_options workload_options_read(const struct node *options);

#endif
