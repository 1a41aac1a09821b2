/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_ITEMS_H
#define LIBGANG_DOCUMENT_SCHEMA_ITEMS_H

#include "libgang/document/schema.h"

/*
 * Reports every item of a map list whose keys an earlier item has, and every scalar that stands twice in a set. A
 * missing key counts as its default. Items of a wrong type are left to schema_check().
 */
void schema_check_unique(const struct schema *schema, const struct node *list, struct report *report);

#endif
