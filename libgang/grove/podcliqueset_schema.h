/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PODCLIQUESET_SCHEMA_H
#define LIBGANG_GROVE_PODCLIQUESET_SCHEMA_H

#include "libgang/document/schema.h"

/* A pod's spec is checked only where it is read. */
extern const struct schema podcliqueset_schema;

#endif
