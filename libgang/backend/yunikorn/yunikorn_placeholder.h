/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_YUNIKORN_YUNIKORN_PLACEHOLDER_H
#define LIBGANG_BACKEND_YUNIKORN_YUNIKORN_PLACEHOLDER_H

#include "libgang/backend/backend.h"

/*
 * Adds the fields of a pod of the role that decide where it fits to its task group: those of the
 * template, and those that others add to the pod. A placeholder without them holds another node,
 * and the gang starts in part.
 */
void yunikorn_placeholder_build(const struct backend_call *call, size_t role,
                                struct builder *group);

/* Reports what others add to the pods of the gang and a task group cannot have. */
void yunikorn_placeholder_check(const struct backend_call *call, struct report *report);

#endif
