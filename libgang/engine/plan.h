/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_PLAN_H
#define LIBGANG_ENGINE_PLAN_H

#include "libgang/engine/decision.h"
#include "libgang/plan/plan.h"

/* What a decision renders to. */
struct gang_plan {
    struct refcount references;
    struct arena *arena;
    struct gang_decision *decision;
    struct plan_content content;
    uint64_t largest_output; /* in bytes */
};

#endif
