/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_RESERVED_MARKS_H
#define LIBGANG_CATALOG_RESERVED_MARKS_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Report marks of gang membership in a job: only libgang may set them. A job that sets one could
 * join, starve or escape a gang. NULL means an absent value.
 */
void reserved_marks_check_metadata(const struct node *metadata, struct report *report);
void reserved_marks_check_pod_spec(const struct node *pod_spec, struct report *report);

/* Returns whether a label or annotation with this key is such a mark. */
bool reserved_marks_has_key(struct slice key);

#endif
