/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_MANIFEST_LABELS_H
#define LIBGANG_BACKEND_MANIFEST_LABELS_H

#include "libgang/document/build.h"

/* Writes a copy of labels or annotations as the member `key`, sorted by byte. Nothing for none. */
void manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs);

#endif
