/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_JSON_H
#define LIBGANG_DOCUMENT_SCHEMA_JSON_H

#include "libgang/document/build.h"
#include "libgang/document/schema.h"

/*
 * Adds to a map what JSON Schema (draft 2020-12) says for the same documents, as far as it has words for it: it knows
 * nothing of lists whose items have a key, and null, which counts as absent, is not offered. Borrows the schema's
 * texts. Recurses as deep as the schema, which is finite by its being a constant.
 */
void schema_json_describe(const struct schema *schema, struct builder *out);

#endif
