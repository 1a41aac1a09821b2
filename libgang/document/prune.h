/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_PRUNE_H
#define LIBGANG_DOCUMENT_PRUNE_H

#include "libgang/document/schema.h"

/*
 * The tree without the fields that the schema does not know, as the API server stores it. Shares every branch that
 * loses nothing, the root included. NULL when the arena has failed.
 */
const struct node *prune_unknown(struct arena *arena, const struct schema *schema, const struct node *root);

#endif
