/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_WRITE_H
#define LIBGANG_DOCUMENT_WRITE_H

#include "libgang/base/buffer.h"
#include "libgang/document/node.h"

/* Compact JSON in the order of the tree, without a newline at the end. */
void json_write(struct buffer *out, const struct node *node);

/*
 * Block YAML in the order of the tree, ending in a newline. A string is double-quoted unless it matches
 * `^[A-Za-z][A-Za-z0-9_./-]*$` and is no word that any YAML version reads as something else. Empty containers print
 * as {} and []. Items of a list stand at the indentation of its key.
 */
void yaml_write(struct buffer *out, const struct node *node);

#endif
