/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_JSON_H
#define LIBGANG_DOCUMENT_SCHEMA_JSON_H

#include "libgang/document/build.h"
#include "libgang/document/schema.h"

/*
 * Writes the schema as JSON Schema (draft 2020-12) into a map, as far as JSON Schema can express
 * it: it has no lists with keys, and null, which counts as absent, is omitted. Borrows the texts of
 * the schema. Recursive; the depth is finite because the schema is a constant.
 */
void schema_json_describe(const struct schema *schema, struct builder *out);

#endif
