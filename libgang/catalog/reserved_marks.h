/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_RESERVED_MARKS_H
#define LIBGANG_CATALOG_RESERVED_MARKS_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Marks of gang membership that only libgang may set: whoever pre-sets one joins, starves or escapes a gang.
 * NULL is an absent value.
 */
void reserved_marks_check_metadata(const struct node *metadata, struct report *report);
void reserved_marks_check_pod_spec(const struct node *pod_spec, struct report *report);

/* Whether a label or annotation of this key is such a mark. */
bool reserved_marks_has_key(struct slice key);

#endif
