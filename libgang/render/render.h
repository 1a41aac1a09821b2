/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_RENDER_H
#define LIBGANG_RENDER_RENDER_H

#include "libgang/decide/decision.h"
#include "libgang/plan/plan.h"
#include "libgang/policy/policy.h"

/* What a decision renders to. */
struct gang_plan {
    struct refcount references;
    struct arena *arena;
    struct gang_decision *decision;
    struct plan_content content;
    const struct report *findings; /* the decision's; of a reconciled plan those and its own */
    struct report own_findings;
    bool is_held; /* an object stands against it, so that nothing must be written */
};

/* An empty plan in an arena of its own. Fails like any later allocation does: out of memory, or at
 * the limit. */
struct gang_plan *plan_new(struct gang_decision *decision, const struct limits *limits, int *result,
                           struct gang_error **err);

/* Renders into a new plan, or anew. `created_uid` is of the first object, once it is there; unset
 * before. */
void plan_fill(struct gang_plan *plan, struct slice created_uid);

/*
 * Puts what a policy's `output` says into the metadata of every object of a plan: labels and
 * annotations, of which a key that the backend sets itself keeps the backend's value, the policy's
 * stamp, and no owner references where it wants none.
 */
void output_apply(const struct gang_policy *policy, struct plan_content *content);

#endif
