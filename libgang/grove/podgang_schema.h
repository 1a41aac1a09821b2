/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PODGANG_SCHEMA_H
#define LIBGANG_GROVE_PODGANG_SCHEMA_H

#include "libgang/document/schema.h"

extern const struct schema podgang_schema;

#endif
