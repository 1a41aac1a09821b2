/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_BACKEND_LIST_H
#define LIBGANG_BACKEND_BACKEND_LIST_H

#include "libgang/document/build.h"

/* What gang_backends_serialize() writes: every backend, from the tables that it works by. */
const struct node *backend_list_build(struct arena *arena);

#endif
