/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_POLICY_CHOICE_H
#define LIBGANG_ENGINE_POLICY_CHOICE_H

#include "libgang/engine/choice.h"

/* What stands before every choice of a backend: a rule that skips or denies the job, or that nobody can decide. */
bool policy_choice_ruled_out(const struct choice_call *call, size_t index, struct trace_candidate *candidate);
/* Denies the job where its rule does. */
void policy_choice_report_denial(struct gang_decision *decision);

/*
 * The candidates that a policy has for a setting: that of a rule which stands before whatever the job says, that of a rule
 * which gives way to it, that of the defaults. A rule that does not say, and a job that no rule is about, are listed once,
 * with those that give way; defaults that do not say are not listed. In compatibility all of them are refused. Which setting is the call's to say.
 */
bool policy_choice_strict_rule(const struct choice_call *call, size_t index,
                               struct trace_candidate *candidate);
bool policy_choice_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate);
bool policy_choice_defaults(const struct choice_call *call, size_t index, struct trace_candidate *candidate);

/* The same of settings that no job can name: the block that says, the rule's or else the defaults'; NULL for neither. */
const struct policy_settings *policy_choice_block(const struct gang_decision *decision,
                                                  bool (*says)(const struct policy_settings *settings));

/* Turns down a candidate that a runtime's podGroupPolicy has, where the policy does not look at that. */
bool policy_choice_ignores_runtime(const struct gang_decision *decision, struct trace_candidate *candidate);

#endif
