/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_PATCHES_H
#define LIBGANG_TRAINER_RUNTIME_PATCHES_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"
#include "libgang/trainer/trainer_gang.h"

/*
 * The JobSetSpec of a runtime (`spec.template.spec`) with the patches of a trainjob (`spec.runtimePatches`) merged in,
 * in list order. Fields that a patch may not have are left out, as the API server drops them. Afterwards
 * replicatedJobs stand in the runtime's order again; one that the runtime does not have sorts as its first. No other
 * list gets its order back.
 *
 * Shares what strategic_merge() shares; without any patch the spec is returned as it is. NULL when the arena has
 * failed.
 */
const struct node *runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                                         const struct node *runtime_patches);

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

/*
 * What a trainjob's runtimePatches may say: the manager's form, no env on the operator's containers, and no role or
 * container that the runtime lacks. The operator has a check for the last one that never fires, and adds them.
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0
 */
void patch_rules_check(const struct trainer_job *job, struct report *report);

#endif
