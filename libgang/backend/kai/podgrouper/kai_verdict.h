/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_VERDICT_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_VERDICT_H

#include "libgang/backend/kai/podgrouper/kai_grouping.h"
#include "libgang/gang/gang.h"

/*
 * The outcome of a job whose group the podgrouper makes. Three rules of KAI's scheduler decide it
 * (v0.15 and later, observed on real clusters; the first also holds before):
 *
 * 1. The scheduler considers a group only if enough of it is ready, that is, has live pods.
 *    Finished pods do not count, so a role that has finished is never ready again.
 * 2. Below its minimum, the scheduler takes pods from as many subgroups as the minimum asks for:
 *    first those below their own minimum, then by name. It also takes subgroups without pods; if
 *    none of the chosen has pods, nothing starts. At its minimum, it starts the rest pod by pod.
 * 3. A group is stale while some pod is active, none has succeeded and any leaf is below its
 *    minimum. A group that stays stale for a minute is evicted.
 *
 * Roles that no other role waits for run longest: those outside the gang finish first, then its
 * members.
 */
enum kai_outcome {
    KAI_GANG,    /* starts as a whole or not at all */
    KAI_EVICTED, /* starts, but is evicted if that takes longer than the grace period */
    KAI_NO_GANG, /* runs, but not all or nothing */
    KAI_STUCK,   /* some pod waits forever */
};

struct kai_verdict {
    enum kai_outcome outcome;
    size_t role;     /* the role concerned */
    const char *why; /* the rule as it applies here; "" for a gang */
};

/*
 * `gang` must be formed, with the roles of the job in the same order. Roles that name another
 * scheduler than `scheduler` are not KAI's. `never_stale`: the group asks not to be evicted.
 */
struct kai_verdict kai_judge(const struct kai_job *job, const struct kai_grouping *grouping,
                             const struct gang *gang, struct slice scheduler, bool never_stale,
                             struct arena *arena);

#endif
