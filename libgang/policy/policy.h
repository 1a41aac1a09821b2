/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_H
#define LIBGANG_POLICY_POLICY_H

#include "libgang/document/parse_call.h"
#include "libgang/gang/gang.h"

/* A GangPolicy: what the administrator decided. Read strictly; anything unknown refuses the whole. */
struct gang_policy {
    struct document_handle handle;
    struct slice name; /* ends in NUL, for the getter */
    enum gang_compatibility compatibility;
    const struct node *compatibility_source; /* NULL when the default stands in */
};

extern const char *const compatibility_names[];

#endif
