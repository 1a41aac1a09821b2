/* SPDX-License-Identifier: Apache-2.0 */
#include "audit_totals.h"

#include <stdlib.h>
#include <string.h>

/* A frequent reason moves to the front, so that the search is short for most jobs. */
static struct audit_reason *
move_forward(struct audit_totals *totals, size_t index)
{
    struct audit_reason known = totals->reasons[index];

    if (index == 0)
        return &totals->reasons[0];
    totals->reasons[index] = totals->reasons[index / 2];
    totals->reasons[index / 2] = known;
    return &totals->reasons[index / 2];
}

static struct audit_reason *
find_reason(struct audit_totals *totals, int outcome, const char *reason)
{
    for (size_t i = 0; i < totals->num_reasons; i++) {
        const struct audit_reason *known = &totals->reasons[i];

        if (known->outcome == outcome && strcmp(known->reason, reason) == 0)
            return move_forward(totals, i);
    }
    if (totals->num_reasons == MOST_REASONS)
        return NULL;
    totals->reasons =
        must_reallocate(totals->reasons, totals->num_reasons + 1, sizeof(*totals->reasons));
    totals->reasons[totals->num_reasons] =
        (struct audit_reason){.outcome = outcome, .reason = must_copy(reason, strlen(reason))};
    return &totals->reasons[totals->num_reasons++];
}

void
audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair)
{
    const struct audit_row *row = &pair->row;
    struct audit_reason *reason;

    totals->jobs += row->is_first;
    totals->gangs++;
    totals->changed += pair->is_changed;
    if (row->outcome >= 0 && row->outcome < NUM_OUTCOMES)
        totals->by_outcome[row->outcome]++;
    if (pair->is_compared && !pair->is_changed)
        return;
    reason = find_reason(totals, row->outcome, row->group ? row->group : "no reason");
    if (reason)
        reason->count++;
    else
        totals->other_reasons++;
}

/* Equally frequent ones by outcome and text, so that the order of the input has no effect. */
static int
compare_reasons(const void *a, const void *b)
{
    const struct audit_reason *left = a;
    const struct audit_reason *right = b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    if (left->outcome != right->outcome)
        return left->outcome < right->outcome ? -1 : 1;
    return strcmp(left->reason, right->reason);
}

void
audit_totals_sort(struct audit_totals *totals)
{
    if (totals->num_reasons)
        qsort(totals->reasons, totals->num_reasons, sizeof(*totals->reasons), compare_reasons);
}

bool
audit_totals_have_findings(const struct audit_totals *totals, bool is_compared)
{
    if (is_compared)
        return totals->changed > 0;
    return totals->by_outcome[GANG_OUTCOME_DENIED] || totals->by_outcome[GANG_OUTCOME_INVALID];
}

void
audit_totals_free(struct audit_totals *totals)
{
    for (size_t i = 0; i < totals->num_reasons; i++)
        free(totals->reasons[i].reason);
    free(totals->reasons);
    *totals = (struct audit_totals){0};
}
