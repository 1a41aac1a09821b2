/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_AGGREGATE_H
#define LIBGANG_GROVE_AGGREGATE_H

#include "libgang/base/arena.h"
#include "libgang/gang/gang.h"
#include "libgang/grove/grove_gang.h"

/*
 * The gang of all PodGangs of one replica of a PodCliqueSet: the base PodGang, which must start, and those that scaling
 * added, which join as they can. `job` has the base and its siblings. Reports siblings that do not fit together.
 * Source: ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull request 735 @ebe5f5a0
 */
void aggregate_fill(const struct grove_job *job, struct gang *gang, struct report *report);

/* The base PodGang of the job's replica, itself or a sibling; NULL after reporting that there is none. */
const struct gang_podgang *aggregate_base(const struct grove_job *job, struct report *report);

/* Reports a PodGang beside the base that does not say which scaling group it scales. */
void aggregate_check_scaled(const struct gang_podgang *scaled, struct report *report);

/* The name of the PodGroup of a replica, of which the PodCliqueSet and the index are known, or one of its PodGangs. */
struct slice aggregate_name_of(struct slice set, struct slice replica, struct arena *arena);
struct slice aggregate_name(const struct grove_job *job, struct arena *arena);

/*
 * The name itself where KAI takes it for a subgroup, else one made of it that nothing else is made to: lower case, '-'
 * for what has no place, and ten digits of the name's SHA-256. In `arena`, or the name as it is.
 * Source: stableKAIName of ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull request 735 @ebe5f5a0
 */
struct slice aggregate_stable_name(struct slice name, struct arena *arena);

#endif
