/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/podgang_choice.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"
#include "libgang/gang/wording.h"
#include "libgang/grove/vocabulary.h"

/* Grove's configuration is refused without this profile: operator/api/config/validation@fcc3b3bb. */
static const struct slice podgang_default_scheduler = SLICE_INIT("default-scheduler");

/* What Grove makes of an entry of the policy; without rules for a backend that Grove has none for. */
static struct podgang_scheduler
podgang_scheduler_of_entry(const struct policy_backend *entry)
{
    struct podgang_scheduler found = {.entry = entry, .name = entry->scheduler_name};

    if (entry->identity) {
        found.backend = backend_by_type(entry->identity->type);
        found.rules = grove_scheduler_of_type(entry->identity->type);
        return found;
    }
    if (!found.name.len)
        found.name = podgang_default_scheduler;
    found.rules = grove_scheduler_named(found.name);
    if (!found.rules || found.rules->report_topology == NULL)
        found.rules = grove_scheduler_named(podgang_default_scheduler);
    return found;
}

static struct podgang_scheduler
podgang_scheduler_built_in(const struct grove_scheduler *rules)
{
    return (struct podgang_scheduler){
        .name = rules->name,
        .rules = rules,
        .backend = backend_by_type(rules->type),
    };
}

static bool
podgang_is_usable(const struct podgang_scheduler *scheduler)
{
    return scheduler->rules && (scheduler->backend || slice_equal(scheduler->rules->type, SLICE("None")));
}

static bool
podgang_lists_default(const struct gang_policy *policy)
{
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_equal(podgang_scheduler_of_entry(&policy->backends[i]).name, podgang_default_scheduler))
            return true;
    return false;
}

/* The index-th that is enabled, the default last where a policy does not list it; false behind the last. */
static bool
podgang_scheduler_at(const struct gang_policy *policy, size_t index, struct podgang_scheduler *out)
{
    if (!policy || !policy->lists_backends) {
        if (index >= grove_scheduler_count)
            return false;
        *out = podgang_scheduler_built_in(&grove_schedulers[index]);
        return true;
    }
    if (index < policy->num_backends) {
        *out = podgang_scheduler_of_entry(&policy->backends[index]);
        return true;
    }
    *out = podgang_scheduler_built_in(grove_scheduler_named(podgang_default_scheduler));
    return index == policy->num_backends && !podgang_lists_default(policy);
}

static struct podgang_scheduler
podgang_find(const struct gang_policy *policy, struct slice name)
{
    struct podgang_scheduler scheduler;

    for (size_t i = 0; podgang_scheduler_at(policy, i, &scheduler); i++)
        if (podgang_is_usable(&scheduler) && slice_equal(scheduler.name, name))
            return scheduler;
    return (struct podgang_scheduler){0};
}

/* What stands in where nobody names a scheduler. */
static struct podgang_scheduler
podgang_default(const struct gang_policy *policy)
{
    struct podgang_scheduler scheduler = {0};

    if (policy && policy->default_backend)
        scheduler = podgang_scheduler_of_entry(policy->default_backend);
    return podgang_is_usable(&scheduler)
               ? scheduler
               : podgang_scheduler_built_in(grove_scheduler_named(podgang_default_scheduler));
}

static const char *
podgang_enabled_names(const struct gang_policy *policy, struct arena *arena)
{
    struct podgang_scheduler scheduler;
    struct wording names = {0};

    for (size_t i = 0; podgang_scheduler_at(policy, i, &scheduler); i++)
        if (podgang_is_usable(&scheduler))
            wording_add(&names, ", ", scheduler.name);
    return arena_format(arena, "%s", wording_end_list(&names));
}

/* ai-dynamo/grove:operator/internal/webhook/admission/pcs/validation/podcliqueset.go@fcc3b3bb validateSchedulerNames */

static struct slice
podgang_clique_scheduler(const struct podclique_template *clique, struct slice by_default)
{
    return clique->scheduler_name.len ? clique->scheduler_name : by_default;
}

static bool
podgang_named_before(const struct gang_podcliqueset *set, size_t index, struct slice by_default)
{
    struct slice name = podgang_clique_scheduler(&set->cliques[index], by_default);

    for (size_t i = 0; i < index; i++)
        if (slice_equal(podgang_clique_scheduler(&set->cliques[i], by_default), name))
            return true;
    return false;
}

static const struct node *
podgang_clique_source(const struct podclique_template *clique)
{
    const struct node *name = node_member(clique->pod_spec, SLICE("schedulerName"));

    return name ? name : clique->source;
}

static void
podgang_check_mixed(const struct gang_podcliqueset *set, struct slice by_default, struct report *report)
{
    const struct podclique_template *other = NULL;
    const char *names = "";

    for (size_t i = 0; i < set->num_cliques; i++) {
        if (podgang_named_before(set, i, by_default))
            continue;
        names = arena_format(report->arena, "%s%s%.*s", names, i ? ", " : "",
                             SLICE_ARG(podgang_clique_scheduler(&set->cliques[i], by_default)));
        if (i)
            other = other ? other : &set->cliques[i];
    }
    if (other)
        find_note(report, GANG_CODE_SCHEDULERS_DISAGREE, podgang_clique_source(other),
                  "give every clique the same schedulerName, or none",
                  "Invalid value: \"%s\": the schedulerName for all pods have to be the same", names);
}

static void
podgang_report_disabled(const struct gang_policy *policy, const struct node *at, struct slice name,
                        struct report *report)
{
    struct quoted quoted;

    find_note(report, GANG_CODE_SCHEDULER_NOT_ENABLED, at,
              "enable its backend in the policy, or name another",
              "Invalid value: %s: schedulerName must be an enabled scheduler backend; enabled: %s",
              quote(&quoted, name), podgang_enabled_names(policy, report->arena));
}

/* The scheduler of the first clique stands for all; unset after errors. */
static struct podgang_scheduler
podgang_by_templates(const struct gang_policy *policy, const struct gang_podcliqueset *set,
                     struct report *report)
{
    struct slice by_default = podgang_default(policy).name;
    struct podgang_scheduler scheduler;
    struct slice name;

    if (!set->num_cliques)
        return (struct podgang_scheduler){0};
    podgang_check_mixed(set, by_default, report);
    name = podgang_clique_scheduler(&set->cliques[0], by_default);
    scheduler = podgang_find(policy, name);
    if (!scheduler.rules)
        podgang_report_disabled(policy, podgang_clique_source(&set->cliques[0]), name, report);
    return scheduler;
}

/* ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go@fcc3b3bb resolveSchedulerBackend */
static struct podgang_scheduler
podgang_by_label(const struct gang_decision *decision, const struct node *label, struct report *report)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct podgang_scheduler scheduler = podgang_find(policy, node_string(label));
    struct quoted names[2];

    if (scheduler.rules)
        return scheduler;
    if (!(decision->flags & GANG_RESOLVE_FALL_BACK)) {
        find_invalid(report, GANG_CODE_SCHEDULER_NOT_ENABLED, label,
                     "enable its backend in the policy; Grove itself would take the default for the PodGang "
                     "and refuse to build its pods",
                     "must be an enabled scheduler backend; enabled: %s",
                     podgang_enabled_names(policy, report->arena));
        return (struct podgang_scheduler){0};
    }
    scheduler = podgang_default(policy);
    find_note(report, GANG_CODE_SCHEDULER_FALLS_BACK, label, NULL,
              "Invalid value: %s: not an enabled scheduler backend, so the default stands in: %s",
              quote(&names[0], node_string(label)), quote(&names[1], scheduler.name));
    return scheduler;
}

static const struct node *
podgang_scheduler_label(const struct gang_decision *decision)
{
    const struct gang_podgang *podgang = decision->inputs.podgang;

    return podgang ? podgang_label(podgang, GROVE_LABEL_SCHEDULER) : NULL;
}

static bool
podgang_templates_name_one(const struct gang_podcliqueset *set)
{
    for (size_t i = 0; set && i < set->num_cliques; i++)
        if (set->cliques[i].scheduler_name.len)
            return true;
    return false;
}

struct podgang_scheduler
podgang_choose(const struct gang_decision *decision, struct report *report)
{
    const struct gang_policy *policy = decision->inputs.policy;
    const struct gang_podcliqueset *set = decision->inputs.podcliqueset;
    const struct node *label = podgang_scheduler_label(decision);
    struct podgang_scheduler by_templates = {0};

    if (set)
        by_templates = podgang_by_templates(policy, set, report);
    if (label)
        return podgang_by_label(decision, label, report);
    return set ? by_templates : podgang_default(policy);
}

static struct slice
podgang_shown_name(const struct podgang_scheduler *scheduler)
{
    if (scheduler->entry)
        return scheduler->entry->name;
    return scheduler->backend ? scheduler->backend->identity.name : scheduler->name;
}

static struct trace_candidate
podgang_candidate(const struct gang_policy *policy, const struct node *source, bool is_overridden,
                  const char *reason)
{
    struct podgang_scheduler scheduler = podgang_find(policy, node_string(source));

    return (struct trace_candidate){
        .value = scheduler.rules ? podgang_shown_name(&scheduler) : node_string(source),
        .source = source,
        .verdict = is_overridden      ? VERDICT_OVERRIDDEN
                   : !scheduler.rules ? VERDICT_NOT_ENABLED
                                      : VERDICT_CHOSEN,
        .reason = is_overridden      ? "the PodGang's label stands before it"
                  : !scheduler.rules ? "no enabled backend has a scheduler of this name"
                                     : reason,
    };
}

static void
podgang_trace_label(const struct gang_decision *decision, const struct node *label, struct trace *trace)
{
    struct trace_candidate unset = {
        .document = GANG_DOCUMENT_PODGANG, .verdict = VERDICT_UNSET, .reason = "no label names a scheduler"};

    if (label) {
        trace_add(trace, TRACE_BACKEND,
                  podgang_candidate(decision->inputs.policy, label, false, "the PodGang's label names it"));
    } else if (decision->inputs.podgang) {
        unset.source = grove_job_label_place(&decision->inputs.podgang->meta, &unset.missing);
        trace_add(trace, TRACE_BACKEND, unset);
    }
}

static void
podgang_trace_templates(const struct gang_decision *decision, bool is_overridden, struct trace *trace)
{
    const struct gang_podcliqueset *set = decision->inputs.podcliqueset;

    for (size_t i = 0; set && i < set->num_cliques; i++)
        if (set->cliques[i].scheduler_name.len && !podgang_named_before(set, i, NO_SLICE))
            trace_add(trace, TRACE_BACKEND,
                      podgang_candidate(decision->inputs.policy,
                                        node_member(set->cliques[i].pod_spec, SLICE("schedulerName")),
                                        is_overridden, "the templates of the PodCliqueSet name it"));
}

void
podgang_choice_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang_policy *policy = decision->inputs.policy;
    const struct node *label = podgang_scheduler_label(decision);
    struct podgang_scheduler by_default = podgang_default(policy);
    bool falls_back = label && (decision->flags & GANG_RESOLVE_FALL_BACK) &&
                      !podgang_find(policy, node_string(label)).rules;
    bool is_named = label || podgang_templates_name_one(decision->inputs.podcliqueset);

    podgang_trace_label(decision, label, trace);
    podgang_trace_templates(decision, label != NULL, trace);
    trace_add(trace, TRACE_BACKEND,
              (struct trace_candidate){
                  .value = podgang_shown_name(&by_default),
                  .document = by_default.entry ? GANG_DOCUMENT_POLICY : GANG_DOCUMENT_NONE,
                  .source = by_default.entry ? policy->default_backend_source : NULL,
                  .verdict = is_named && !falls_back ? VERDICT_OVERRIDDEN : VERDICT_CHOSEN,
                  .reason = is_named && !falls_back ? "a scheduler is named" : "the default of Grove",
              });
}
