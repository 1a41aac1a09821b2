/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_AGGREGATE_H
#define LIBGANG_GROVE_AGGREGATE_H

#include "libgang/grove/grove_gang.h"

/*
 * Fills the gang for all PodGangs of one replica of a PodCliqueSet: the base PodGang, which must
 * start, and the PodGangs that scaling added, which are optional. `job` has the base and its
 * siblings. Reports siblings that do not match the base.
 *
 * Source: ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull request 735 @ebe5f5a0
 */
void aggregate_fill(const struct grove_job *job, struct gang_wishes *wishes, struct report *report);

/*
 * Returns the base PodGang of the job's replica: the job's own PodGang or a sibling. Reports an
 * error and returns NULL if it is missing.
 */
const struct gang_podgang *aggregate_base(const struct grove_job *job, struct report *report);

/* Reports a scaled PodGang without the label that names its scaling group. */
void aggregate_check_scaled(const struct gang_podgang *scaled, struct report *report);

/*
 * Return the name of the PodGroup of a replica: the former for a known PodCliqueSet and index, the
 * latter for a PodGang of the replica.
 */
struct slice aggregate_name_of(struct slice set, struct slice replica, struct arena *arena);
struct slice aggregate_name(const struct grove_job *job, struct arena *arena);

/*
 * Returns the name unchanged if KAI accepts it as the name of a subgroup. Otherwise returns a
 * unique name made from it: in lower case, with '-' for characters that are not allowed, and with
 * ten digits of the SHA-256 of the name. The result is allocated in `arena`, or is the argument
 * itself.
 *
 * Source: stableKAIName of ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull
 * request 735 @ebe5f5a0
 */
struct slice aggregate_stable_name(struct slice name, struct arena *arena);

#endif
