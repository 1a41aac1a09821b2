/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_GANG_H
#define LIBGANG_TRAINER_TRAINER_GANG_H

#include "libgang/gang/gang.h"
#include "libgang/trainer/trainer_job.h"

/*
 * Fills everything of a gang that the trainjob and its runtime say: owner, suspension, roles. What depends on the
 * backend (queue, timeout, topology) is the engine's to take over from the podGroupPolicy.
 */
void trainer_gang_fill(const struct trainer_job *job, struct gang *gang,
                       const struct resolve_scratch *scratch);

#endif
