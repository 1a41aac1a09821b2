/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

bool
backend_is_heard(const struct gang_decision *decision, const struct backend *type)
{
    return decision->wishes.compatibility == COMPATIBILITY_NONE ||
           type->descriptor->member.is_of_operator;
}

void
backend_check_members(struct gang_decision *decision)
{
    const struct backend_facts *facts = &decision->backend_facts;
    const struct gang_policy *policy = decision->inputs.policy;
    enum runtime_policy weight = policy ? policy->runtime_policy : RUNTIME_POLICY_HONOR;

    if (facts->members > 1 && weight != RUNTIME_POLICY_IGNORE) {
        const char *names = "";

        for (size_t i = 0; i < backend_count; i++)
            if (facts->member_of[i] && backend_is_heard(decision, backend_table[i]))
                names = arena_format(decision->arena, "%s%s%.*s", names, names[0] ? ", " : "",
                                     SLICE_ARG(backend_table[i]->descriptor->member.name));
        find_note(&decision->report, decision->inputs.runtime->pod_group_policy.source,
                  MESSAGE_BACKEND_CONFLICT, names);
    }
    if (!facts->members && weight == RUNTIME_POLICY_REQUIRE)
        find_required(&decision->report,
                      node_member(decision->inputs.runtime->meta.source->parent, SLICE("spec")),
                      SLICE("podGroupPolicy"), MESSAGE_GANG_POLICY_REQUIRED,
                      SLICE_ARG(policy->name));
}

static void
backend_refuse_not_enabled(struct gang_decision *decision, const struct trace_candidate *candidate)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool is_scheduler = node_is(candidate->source, NODE_STRING) &&
                        candidate->source != decision->wishes.backend_request.source;

    if (is_scheduler)
        find_note(&decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_SCHEDULER,
                  SLICE_ARG(node_string(candidate->source)), SLICE_ARG(policy->name),
                  enabled_backend_list(policy, true, decision->arena));
    else if (policy)
        find_note_at_key(&decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_NAME,
                         SLICE_ARG(candidate->value), SLICE_ARG(policy->name),
                         enabled_backend_list(policy, false, decision->arena));
    else
        find_note_at_key(&decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_BUILT_IN,
                         SLICE_ARG(candidate->value),
                         enabled_backend_list(policy, false, decision->arena));
}

void
backend_check_cliques(struct gang_decision *decision)
{
    const struct gang_podcliqueset *set = decision->inputs.podcliqueset;
    struct enabled_backend unused;
    struct slice name;

    if (!set || !set->num_cliques)
        return;
    grove_cliques_check_scheduler(set, decision->backend_facts.by_default, &decision->report);
    name = grove_cliques_scheduler(set, decision->backend_facts.by_default);
    if (slice_is_set(name) && !enabled_backend_for_grove(decision->inputs.policy, name, &unused))
        find_note(&decision->report, grove_clique_scheduler_source(&set->cliques[0]),
                  MESSAGE_SCHEDULER_NOT_ENABLED_CLIQUE, SLICE_ARG(name),
                  enabled_backend_names_for_grove(decision->inputs.policy, decision->arena));
}

void
backend_report_stop(struct gang_decision *decision, const struct trace_candidate *stop)
{
    if (stop->verdict == VERDICT_REFUSED) {
        find_note(&decision->report, stop->source, MESSAGE_BACKEND_NOT_FOR_PODGANGS,
                  SLICE_ARG(stop->value),
                  enabled_backend_names_for_grove(decision->inputs.policy, decision->arena),
                  grove_scheduler_list(true, ", ", decision->arena));
    } else if (stop->source && stop->source == decision->backend_facts.label) {
        /*
         * ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go@fcc3b3bb
         * resolveSchedulerBackend
         */
        find_invalid(&decision->report, decision->backend_facts.label,
                     MESSAGE_SCHEDULER_NOT_ENABLED_LABEL,
                     enabled_backend_names_for_grove(decision->inputs.policy, decision->arena));
    } else if (decision_is_of_grove(decision)) {
        return; /* backend_check_cliques() has reported it with the other cliques */
    } else if (stop->verdict == VERDICT_NOT_ENABLED) {
        backend_refuse_not_enabled(decision, stop);
    } else if (stop->verdict == VERDICT_NOT_SERVED) {
        struct enabled_backend enabled;

        enabled_backend_of_name(decision->inputs.policy, stop->value, &enabled);
        cluster_checks_report_not_served(decision, enabled.api_version, enabled.name);
    } else {
        /* Lists the candidates: several backends of one type, or the schedulers of several
         * backends. */
        if (node_is(stop->source, NODE_STRING))
            scheduler_name_compare_roles(&decision->wishes, &decision->report);
        else if (decision->backend_facts.members == 1)
            find_note_at_key(&decision->report, stop->source, MESSAGE_BACKEND_AMBIGUOUS,
                             SLICE_ARG(decision->inputs.policy->name),
                             enabled_backend_list(decision->inputs.policy, false, decision->arena));
    }
}
