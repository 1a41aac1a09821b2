/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_SCHEMA_H
#define LIBGANG_POLICY_CLUSTER_SCHEMA_H

#include "libgang/document/schema.h"

/*
 * Returns the schema of a GangCluster. The catalog supplies the components that have a version or
 * queues. NULL if out of memory.
 */
const struct schema *cluster_schema(struct arena *arena);

#endif
