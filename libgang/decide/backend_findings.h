/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_BACKEND_FINDINGS_H
#define LIBGANG_DECIDE_BACKEND_FINDINGS_H

#include "libgang/decide/choice.h"
#include "libgang/decide/enabled_backend.h"

/* Findings about the sources of the backend. */

bool backend_is_of_grove(const struct gang_decision *decision);

/*
 * Whether the member of podGroupPolicy counts. In compatibility mode, the operator's API server
 * drops members that its CRD does not have.
 */
bool backend_is_heard(const struct gang_decision *decision, const struct backend *type);

/* Checks podGroupPolicy itself, whatever source chooses the backend. */
void backend_check_members(struct gang_decision *decision);

/*
 * Checks the schedulers of the cliques as Grove's operator does. Call it unless a rule with
 * override Always replaces them.
 */
void backend_check_cliques(struct gang_decision *decision);

/* Reports the candidate that stopped the search. */
void backend_report_stop(struct gang_decision *decision, const struct trace_candidate *stop);

/* Reports that the default scheduler replaces the one of the PodGang's label. */
void backend_report_fall_back(struct gang_decision *decision,
                              const struct enabled_backend *enabled);

#endif
