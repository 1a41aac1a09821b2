/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_RENDER_H
#define LIBGANG_RENDER_RENDER_H

#include "libgang/decide/decision.h"
#include "libgang/plan/plan.h"
#include "libgang/policy/policy.h"

/* The rendered result of a decision. */
struct gang_plan {
    struct refcount references;
    struct arena *arena;
    struct gang_decision *decision;
    struct gang_document *live;      /* of a reconciled plan; NULL: no object exists */
    const struct backend_live *seen; /* of a reconciled plan; NULL: nothing */
    struct plan_content content;
    const struct report *findings; /* the decision's; of a reconciled plan, these and its own */
    struct report own_findings;
    bool is_held;       /* an object, or the pods of the JobSet, conflict with the plan */
    bool omits_patches; /* the pods keep what the JobSet says */
};

/*
 * Returns an empty plan in its own arena. Fails as every later allocation can: out of memory, or at
 * the limit.
 */
struct gang_plan *plan_new(struct gang_decision *decision, const struct limits *limits, int *result,
                           struct gang_error **err);

/*
 * Renders into a new plan, or again. `created_uid` is the uid of the first object after it was
 * created; unset before.
 */
void plan_fill(struct gang_plan *plan, struct slice created_uid);

/*
 * Applies a policy's `output` to the metadata of every object of a plan: labels and annotations,
 * except keys that the backend sets itself; the policy's stamp; and no owner references if the
 * policy omits them.
 */
void output_apply(const struct gang_policy *policy, struct plan_content *content);

#endif
