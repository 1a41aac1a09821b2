/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_AUDIT_TOTALS_H
#define GANGCTL_AUDIT_TOTALS_H

#include "audit_row.h"

/* So that reasons that are all different take no memory without a bound. */
enum { MOST_REASONS = 1000, NUM_OUTCOMES = GANG_OUTCOME_INVALID + 1 };

/* With --against, of the gangs whose answer changes. */
struct audit_reason {
    int outcome;
    char *reason;
    size_t count;
};

struct audit_totals {
    size_t jobs;
    size_t gangs; /* of all jobs, which have one row each */
    size_t by_outcome[NUM_OUTCOMES];
    size_t changed; /* with --against */
    struct audit_reason *reasons;
    size_t num_reasons;
    size_t other_reasons; /* gangs with a reason after the first thousand different ones */
};

void audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair);
/* Sorts the reasons: the most frequent first. */
void audit_totals_sort(struct audit_totals *totals);
/* Whether a job is invalid or forbidden, or has another answer. */
bool audit_totals_have_findings(const struct audit_totals *totals, bool is_compared);
void audit_totals_free(struct audit_totals *totals);

#endif
