/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/judgement.h"

#include "libgang/engine/constraint_check.h"
#include "libgang/engine/job_facts.h"

void
judgement_find_rule(struct gang_decision *decision)
{
    struct match_facts facts;

    if (!decision->inputs.policy)
        return;
    facts = job_facts_of(decision);
    decision->rule =
        rule_match_first(decision->inputs.policy, &facts, &decision->rule_is_undecided, &decision->report);
}

/* False when an input is wrong, which stands before what a constraint denies. */
static bool
judgement_of_constraints(struct gang_decision *decision)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct match_facts facts;
    bool is_valid;

    if (!policy || !policy->num_constraints || !decision->backend)
        return !report_has_errors(&decision->report);
    facts = job_facts_of(decision);
    constraint_soften_marks(decision, &facts);
    is_valid = !report_has_errors(&decision->report);
    return constraint_check(decision, &facts) && is_valid;
}

/* A rule that denies stands before everything. */
void
judgement_pass(struct gang_decision *decision, bool has_gang)
{
    bool is_ruled_out = decision->is_denied;
    bool is_valid = judgement_of_constraints(decision);

    decision->outcome = is_ruled_out          ? GANG_OUTCOME_DENIED
                        : !is_valid           ? GANG_OUTCOME_INVALID
                        : decision->is_denied ? GANG_OUTCOME_DENIED
                        : has_gang            ? GANG_OUTCOME_GANG
                                              : GANG_OUTCOME_NO_GANG;
}
