/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_NEAREST_H
#define LIBGANG_DOCUMENT_SCHEMA_NEAREST_H

#include "libgang/document/schema.h"

/* The field whose name is nearest to a misspelt one; NULL when none is near. */
const char *schema_nearest_field(const struct schema *schema, struct slice name);
/* The same among words, which end in NULL, and among texts that end in NUL. */
const char *schema_nearest_word(const char *const *words, struct slice name);
const char *schema_nearest_text(const struct slice *texts, size_t count, struct slice name);

/* A hint that names it; NULL for none. */
const char *schema_did_you_mean(struct arena *arena, const char *nearest);

#endif
