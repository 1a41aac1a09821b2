/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RESOLVE_H
#define LIBGANG_DECIDE_RESOLVE_H

#include "libgang/decide/decision.h"

/*
 * Decides a job of any kind: reads it, finds its rule, chooses the backend and all other
 * attributes, forms the gang, runs the checks and sets the outcome. Call it once, on a new
 * decision.
 */
void decide(struct gang_decision *decision);

/* With these findings, only errors have a path, a message and a hint: the others are not read. */
enum resolve_findings { RESOLVE_FINDINGS_IN_FULL, RESOLVE_FINDINGS_IN_BRIEF };

/* gang_resolve(), for a caller that chooses how much of its findings is written. */
int resolve_job(const struct gang_context *context, struct gang_document *job,
                const struct gang_inputs *inputs, uint32_t flags, enum resolve_findings findings,
                struct gang_decision **out, struct gang_error **err);

/*
 * Resolves another gang of the same job with the same inputs. Fails as gang_resolve(); the decision
 * is released with gang_decision_unref().
 */
int resolve_other_gang(const struct gang_decision *decision, uint64_t gang,
                       const struct limits *limits, struct gang_decision **out,
                       struct gang_error **err);

#endif
