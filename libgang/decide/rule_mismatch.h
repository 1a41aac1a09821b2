/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_RULE_MISMATCH_H
#define LIBGANG_DECIDE_RULE_MISMATCH_H

#include "libgang/decide/rule_match.h"

/*
 * Writes `unmatchedRules`: the rules before the one that decides, or all of them if none does, each
 * with the reason. Nothing without such rules.
 */
void rule_mismatch_build(const struct gang_decision *decision, struct builder *document);

#endif
