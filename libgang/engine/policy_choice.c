/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/policy_choice.h"

#include "libgang/document/finding.h"

static const char policy_choice_ignored[] = "with KubeflowTrainer compatibility no policy chooses it";

static void
policy_choice_take(const struct choice_call *call, const struct choice_setting *setting,
                   struct trace_candidate *candidate)
{
    candidate->value = setting->value;
    candidate->source = setting->source;
    candidate->verdict = VERDICT_CHOSEN;
    if (call->decision->gang.compatibility != COMPATIBILITY_NONE) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = policy_choice_ignored;
    } else if (setting->problem) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = setting->problem;
        candidate->stops = true;
    }
}

static const char *
policy_choice_rule_words(const struct choice_call *call, const char *more)
{
    const struct policy_rule *rule = call->decision->rule;

    return call->explains ? arena_format(call->arena, "rule %.*s%s", SLICE_ARG(rule->name), more) : "";
}

static const char *
policy_choice_message(const struct choice_call *call, const struct policy_rule *rule)
{
    return !call->explains ? ""
           : rule->message.len
               ? arena_format(call->arena, "rule %.*s: %.*s", SLICE_ARG(rule->name), SLICE_ARG(rule->message))
               : arena_format(call->arena, "rule %.*s", SLICE_ARG(rule->name));
}

bool
policy_choice_ruled_out(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;

    if (index || (!call->decision->rule_is_undecided && (!rule || rule->action == RULE_GANG)))
        return false;
    candidate->verdict = VERDICT_REFUSED;
    candidate->stops = true;
    if (call->decision->rule_is_undecided) {
        candidate->document = GANG_DOCUMENT_POLICY;
        candidate->missing = SLICE("spec.rules");
        candidate->overrides = "a rule that cannot be decided stands before";
        candidate->reason = "a rule asks for facts that are not known";
        return true;
    }
    candidate->source = node_member(rule->source, SLICE("action"));
    candidate->overrides = rule->action == RULE_SKIP ? "a rule skips the job" : "a rule denies the job";
    candidate->reason = policy_choice_message(call, rule);
    return true;
}

void
policy_choice_report_denial(struct gang_decision *decision)
{
    const struct policy_rule *rule = decision->rule;

    if (!rule || rule->action != RULE_DENY)
        return;
    decision->is_denied = true;
    find_note(&decision->report, GANG_CODE_RULE_DENIES, node_member(rule->source, SLICE("action")), NULL,
              "rule %.*s denies the job%s%.*s", SLICE_ARG(rule->name), rule->message.len ? ": " : "",
              SLICE_ARG(rule->message));
}

bool
policy_choice_strict_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;
    struct choice_setting setting;

    if (index || !rule || !rule->is_strict)
        return false;
    setting = call->setting(call, &rule->settings);
    if (!setting.source || setting.override != OVERRIDE_ALWAYS)
        return false;
    candidate->reason = policy_choice_rule_words(call, " (Always)");
    candidate->overrides = "a rule with override Always stands before";
    candidate->is_strict = true;
    policy_choice_take(call, &setting, candidate);
    return true;
}

/* What the rule does not say, or that none matches, weighs nothing in the choice: only the trace tells it. */
static bool
policy_choice_unset(const struct choice_call *call, struct slice name, struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;

    if (!call->explains)
        return false;
    candidate->document = GANG_DOCUMENT_POLICY;
    candidate->source = rule ? rule->source : NULL;
    candidate->missing = name;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = rule ? policy_choice_rule_words(call, " does not say") : "no rule matches";
    return true;
}

bool
policy_choice_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct policy_rule *rule = call->decision->rule;
    struct choice_setting setting;

    if (index)
        return false;
    if (!rule)
        return call->decision->inputs.policy->num_rules > 0 &&
               policy_choice_unset(call, SLICE("spec.rules"), candidate);
    setting = call->setting(call, &rule->settings);
    if (!setting.source)
        return policy_choice_unset(call, setting.name, candidate);
    if (setting.override == OVERRIDE_ALWAYS)
        return false;
    candidate->reason = policy_choice_rule_words(call, "");
    candidate->overrides = "a rule stands before";
    policy_choice_take(call, &setting, candidate);
    return true;
}

bool
policy_choice_defaults(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    struct choice_setting setting;

    if (index)
        return false;
    setting = call->setting(call, &call->decision->inputs.policy->defaults);
    if (!setting.source)
        return false;
    candidate->reason = "the policy's defaults";
    candidate->overrides = "the policy's defaults stand before";
    policy_choice_take(call, &setting, candidate);
    return true;
}

const struct policy_settings *
policy_choice_block(const struct gang_decision *decision,
                    bool (*says)(const struct policy_settings *settings))
{
    const struct gang_policy *policy = decision->inputs.policy;

    if (!policy || decision->gang.compatibility != COMPATIBILITY_NONE)
        return NULL;
    if (decision->rule && says(&decision->rule->settings))
        return &decision->rule->settings;
    return says(&policy->defaults) ? &policy->defaults : NULL;
}

bool
policy_choice_ignores_runtime(const struct gang_decision *decision, struct trace_candidate *candidate)
{
    const struct gang_policy *policy = decision->inputs.policy;

    if (!policy || policy->runtime_policy != RUNTIME_POLICY_IGNORE)
        return false;
    candidate->verdict = VERDICT_REFUSED;
    candidate->reason = "the policy ignores podGroupPolicy";
    return true;
}
