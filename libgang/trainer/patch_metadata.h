/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_PATCH_METADATA_H
#define LIBGANG_TRAINER_PATCH_METADATA_H

#include "libgang/document/node.h"

/* How a list of a JobSetSpec takes a patch. */
enum patch_strategy {
    PATCH_REPLACE,       /* the patch's list stands */
    PATCH_MERGE_BY_KEY,  /* items with the same key are merged */
    PATCH_MERGE_SCALARS, /* a set of both */
};

struct patch_rule {
    enum patch_strategy strategy;
    struct slice key; /* PATCH_MERGE_BY_KEY: the member that identifies an item */
};

/* The rule of a list by its field name, which is enough: no name stands for two rules anywhere in a JobSetSpec. */
struct patch_rule patch_rule_of(struct slice list);

/*
 * Whether a member of a patch says nothing: null, an empty list, or a zero that Go leaves out when it writes the
 * patch (`omitempty` on a field that is no pointer). `parent` names the field that holds the member, directly or in
 * a list.
 */
bool patch_omits(struct slice parent, const struct node *member);

#endif
