/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_FIELDS_H
#define LIBGANG_BACKEND_KAI_FIELDS_H

#include "libgang/base/arena.h"
#include "libgang/kube/release.h"

/* What differs between the releases of KAI Scheduler, as far as a renderer must know. */
enum kai_feature {
    KAI_MIN_SUB_GROUP,    /* minSubGroup; minima may be absent, those of subgroups 0 */
    KAI_EXTERNAL_GROUPS,  /* kai.scheduler/skip-podgrouper: a PodGroup may come from somebody else */
    KAI_DELAYS,           /* preemptionDelay, stalenessGracePeriod */
    KAI_ROOT_ZERO,        /* a minimum of 0 at the root: no gang */
    KAI_FORGETS_FINISHED, /* the scheduler does not see succeeded pods, and so takes a gang for incomplete */
    KAI_KEEPS_TOPOLOGY,   /* an existing group keeps its topology where the job names none */
};

/* Whether a release has it; the release must be known. */
bool kai_has(enum kai_feature feature, const struct release *release);

/* The newest release whose behaviour is known here. */
extern const struct release kai_newest_release;

/* "v0.16.8" in `arena`. */
const char *kai_release_text(const struct release *release, struct arena *arena);

#endif
