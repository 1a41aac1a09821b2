/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_SCHEMA_H
#define LIBGANG_POLICY_CLUSTER_SCHEMA_H

#include "libgang/document/schema.h"

/* A whole GangCluster. What has a version or queues, the catalog says. NULL without memory. */
const struct schema *cluster_schema(struct arena *arena);

#endif
