/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_JOB_H
#define LIBGANG_TRAINER_TRAINER_JOB_H

#include "libgang/kube/pod_admission.h"
#include "libgang/trainer/runtime.h"
#include "libgang/trainer/trainjob.h"

/* A runtime and a trainjob together, the trainjob's patches applied: what the operator works on. */
struct trainer_job {
    const struct gang_runtime *runtime;
    const struct gang_trainjob *trainjob;
    struct jobset jobset;
};

/* What a resolve works with. */
struct resolve_scratch {
    struct arena *arena;
    const struct limits *limits;
    struct report *report;
    const struct pod_admission *admission; /* NULL: pods are taken as they are written */
};

struct trainer_job trainer_job_combine(const struct gang_runtime *runtime,
                                       const struct gang_trainjob *trainjob,
                                       const struct resolve_scratch *scratch);

#endif
