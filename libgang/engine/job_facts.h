/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_JOB_FACTS_H
#define LIBGANG_ENGINE_JOB_FACTS_H

#include "libgang/engine/decision.h"
#include "libgang/engine/rule_match.h"

/* What a decision's trainjob and runtime say that a policy may ask. The roles must stand in the decision's gang. */
struct match_facts job_facts_of(const struct gang_decision *decision);

/* The name of the Kueue queue that the job waits in; NULL when Kueue does not manage it. */
const struct node *job_facts_kueue_queue(const struct gang_trainjob *trainjob);

#endif
