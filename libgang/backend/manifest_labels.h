/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_MANIFEST_LABELS_H
#define LIBGANG_BACKEND_MANIFEST_LABELS_H

#include "libgang/document/build.h"

/*
 * Writes a copy of labels or annotations as the member `key`, sorted by byte, with one pair more, which stands before
 * one of the same key; unset: none. Nothing for an empty copy.
 */
void manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs,
                         struct slice extra_key, struct slice extra_value);

#endif
