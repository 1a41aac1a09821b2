/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RULE_MISMATCH_H
#define LIBGANG_DECIDE_RULE_MISMATCH_H

#include "libgang/decide/rule_match.h"
#include "libgang/document/build.h"

/* Why a rule does not match a job: the first field that the job does not satisfy, and its value. */
struct rule_mismatch {
    const struct node *source; /* the field, or `exclude` */
    const char *reason;
};

/* Returns false if the rule matches the job, or if this cannot be decided. */
bool rule_mismatch_find(const struct policy_rule *rule, const struct match_facts *facts,
                        struct arena *arena, struct rule_mismatch *out);

/*
 * Writes `unmatchedRules`: the rules before the one that decides, or all of them if none does, each
 * with the reason. Nothing without such rules.
 */
void rule_mismatch_build(const struct gang_decision *decision, struct builder *document);

#endif
