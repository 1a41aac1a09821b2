/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_JOB_WISHES_H
#define LIBGANG_DECIDE_JOB_WISHES_H

#include "libgang/decide/choice.h"

/*
 * What a job of another kind asks for its gang, as sources of candidates (choice.h). Each has the
 * precedence of a runtime's podGroupPolicy, and a policy that ignores that one ignores these.
 */
bool job_wish_queue(const struct choice_call *call, size_t index,
                    struct trace_candidate *candidate);
bool job_wish_priority(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate);
bool job_wish_timeout(const struct choice_call *call, size_t index,
                      struct trace_candidate *candidate);
bool job_wish_topology(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate);

/* Returns the topology as backends read it: the required level, else the preferred one. */
struct gang_topology job_wish_gang_topology(const struct gang_placement *topology);

#endif
