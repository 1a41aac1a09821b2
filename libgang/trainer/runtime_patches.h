/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_RUNTIME_PATCHES_H
#define LIBGANG_TRAINER_RUNTIME_PATCHES_H

#include "libgang/trainer/trainer_gang.h"

/*
 * Returns the JobSetSpec of a runtime (`spec.template.spec`) with the patches of a trainjob
 * (`spec.runtimePatches`) merged in, in list order. Fields that a patch must not have are omitted,
 * because the API server drops them. After the merge, replicatedJobs have the runtime's order
 * again; a job that the runtime does not have is sorted as if it were the runtime's first. The
 * order of other lists is not restored.
 *
 * Shares the nodes that strategic_merge() shares. Without patches, returns the spec unchanged. NULL
 * if the arena has failed.
 */
const struct node *runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                                         const struct node *runtime_patches);

/* The manager of the entry that GANG_TARGET_JOB writes: the marks of the gang. */
#define RUNTIME_PATCH_MANAGER SLICE("libgang.dev/gang")

/* How a patch changes a list of a JobSetSpec. */
enum patch_strategy {
    PATCH_REPLACE,       /* the patch's list replaces the original */
    PATCH_MERGE_BY_KEY,  /* items with the same key are merged */
    PATCH_MERGE_SCALARS, /* the result is the union of both */
};

struct patch_rule {
    enum patch_strategy strategy;
    struct slice key; /* PATCH_MERGE_BY_KEY: the member that identifies an item */
};

/*
 * Returns the rule of a list by its field name. The name is sufficient: no name has two rules in a
 * JobSetSpec.
 */
struct patch_rule patch_rule_of(struct slice list);

/*
 * Returns whether a member of a patch has no effect: null, an empty list, or a zero that Go omits
 * when it writes the patch (`omitempty` on a field that is not a pointer). `parent` names the field
 * that holds the member, directly or in a list.
 */
bool patch_omits(struct slice parent, const struct node *member);

/*
 * Checks a trainjob's runtimePatches: the form of the manager, no env for the operator's
 * containers, and no role or container that the runtime lacks. For the last rule the operator has a
 * check that never triggers, and it adds such roles and containers.
 *
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0
 */
void patch_rules_check(const struct trainer_job *job, struct report *report);

#endif
