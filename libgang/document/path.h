/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_PATH_H
#define LIBGANG_DOCUMENT_PATH_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"

/* Members in Kubernetes' form: `spec.replicatedJobs[0].name`, `metadata.annotations[a.b/c]`; "" for the root. */
struct slice path_of(struct arena *arena, const struct node *node);

/* The path of a member that is not there: `child` is a name, "" or several joined by dots. */
struct slice path_below(struct arena *arena, const struct node *parent, struct slice child);

#endif
