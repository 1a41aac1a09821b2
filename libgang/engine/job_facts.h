/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_JOB_FACTS_H
#define LIBGANG_ENGINE_JOB_FACTS_H

#include "libgang/engine/decision.h"
#include "libgang/engine/rule_match.h"

/*
 * What a decision's documents say that a policy may ask: trainjob and runtime, or the PodGang, for which its PodCliqueSet
 * stands in where it is alone. The roles must stand in the decision's gang.
 */
struct match_facts job_facts_of(const struct gang_decision *decision);

/* Whose namespace and labels decide. */
const struct object_meta *job_facts_meta(const struct gang_decision *decision);

/* The name of the Kueue queue that the job waits in; NULL when Kueue does not manage it. */
const struct node *job_facts_kueue_queue(const struct gang_decision *decision);

#endif
