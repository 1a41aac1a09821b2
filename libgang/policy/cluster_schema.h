/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_SCHEMA_H
#define LIBGANG_POLICY_CLUSTER_SCHEMA_H

#include "libgang/document/schema.h"

/* A whole GangCluster. */
extern const struct schema cluster_schema;

#endif
