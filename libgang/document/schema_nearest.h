/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_NEAREST_H
#define LIBGANG_DOCUMENT_SCHEMA_NEAREST_H

#include "libgang/document/schema.h"

/* The field whose name is nearest to a misspelt one; NULL when none is near. */
const char *schema_nearest_field(const struct schema *schema, struct slice name);

#endif
