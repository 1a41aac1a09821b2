/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_DECISION_H
#define LIBGANG_ENGINE_DECISION_H

#include "libgang/backend/backend.h"
#include "libgang/base/refcount.h"
#include "libgang/policy/policy.h"
#include "libgang/trainer/trainer_job.h"

/* What was chosen. Why, the trace tells, which is made from this when somebody wants to read it. */
struct gang_decision {
    struct refcount references;
    struct arena *arena;
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
    struct gang_policy *policy; /* NULL without one */
    enum gang_outcome outcome;
    const struct backend *backend; /* NULL for no gang */
    struct gang gang;
    struct backend_call call; /* what the backend is told */
    struct report report;
};

#endif
