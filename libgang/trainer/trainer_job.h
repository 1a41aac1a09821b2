/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_JOB_H
#define LIBGANG_TRAINER_TRAINER_JOB_H

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
};

struct trainer_job trainer_job_combine(const struct gang_runtime *runtime,
                                       const struct gang_trainjob *trainjob,
                                       const struct resolve_scratch *scratch);

/*
 * The JobSet's annotation of this key, where it was written: that of the last patch that sets it, else the runtime
 * template's; NULL when there is none. `index` 0 is the one in force, 1 the one it hides, and so on.
 */
const struct node *trainer_job_annotation(const struct trainer_job *job, struct slice key, size_t index);

#endif
