/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_MERGE_H
#define LIBGANG_DOCUMENT_YAML_MERGE_H

#include "libgang/document/document.h"

/*
 * Adds what a merge key brings: the members of `source`, or of each map in the list `source`. A key written in the map
 * itself wins wherever it stands, then the first map of the list. In strict mode any overlap is a duplicate key.
 * Merged members share their children with the map they come from and keep its marks.
 */
bool yaml_merge(const struct document_request *request, struct node *map, struct node *last,
                const struct node *source);

#endif
