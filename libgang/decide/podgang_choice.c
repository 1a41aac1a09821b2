/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/podgang_choice.h"

#include "libgang/base/text.h"
#include "libgang/decide/attributes.h"
#include "libgang/decide/backend_choice.h"
#include "libgang/decide/choice.h"
#include "libgang/decide/priority_choice.h"
#include "libgang/decide/queue_choice.h"
#include "libgang/document/finding.h"
#include "libgang/gang/wait.h"
#include "libgang/grove/vocabulary.h"

/* ---- podgang choice ---- */

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

static struct podgang_scheduler
podgang_scheduler_of_grove(void)
{
    return podgang_scheduler_built_in(grove_scheduler_named(podgang_default_scheduler));
}

/* A policy that lists no backends has every type once; so it has an entry for each backend. */
static const struct policy_backend *
podgang_entry_of_type(const struct gang_policy *policy, struct slice type)
{
    for (size_t i = 0; policy && i < policy->num_backends; i++)
        if (slice_equal(policy->backends[i].identity->type, type))
            return &policy->backends[i];
    return NULL;
}

/* Every scheduler that has rules has a backend too, or none on purpose. */
static bool
podgang_is_usable(const struct podgang_scheduler *scheduler)
{
    return scheduler->rules != NULL;
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
        out->entry = podgang_entry_of_type(policy, out->rules->type);
        return true;
    }
    if (index < policy->num_backends) {
        *out = podgang_scheduler_of_entry(&policy->backends[index]);
        return true;
    }
    *out = podgang_scheduler_of_grove();
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

/* By the name that the policy gives it, which it must have. */
static struct podgang_scheduler
podgang_scheduler_of_policy(const struct gang_policy *policy, struct slice name)
{
    size_t i = 0;

    while (i + 1 < policy->num_backends && !slice_equal(policy->backends[i].name, name))
        i++;
    return podgang_scheduler_of_entry(&policy->backends[i]);
}

bool
podgang_enables(const struct gang_policy *policy, struct slice name)
{
    return podgang_find(policy, name).rules != NULL;
}

const char *
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

static void
podgang_check_templates(const struct gang_policy *policy, const struct gang_podcliqueset *set,
                        struct slice by_default, struct report *report)
{
    struct slice name;

    if (!set || !set->num_cliques)
        return;
    podgang_check_mixed(set, by_default, report);
    name = podgang_clique_scheduler(&set->cliques[0], by_default);
    if (slice_is_set(name) && !podgang_enables(policy, name))
        podgang_report_disabled(policy, podgang_clique_source(&set->cliques[0]), name, report);
}

/* ---- the sources, in order of precedence ---- */

/* What the documents say, found once. */
struct podgang_facts {
    const struct gang_podgang *podgang; /* NULL: a PodCliqueSet alone */
    const struct node *label;           /* of the PodGang; NULL without one */
    const struct gang_podcliqueset *set;
    bool falls_back;         /* a label that names no enabled scheduler leaves the choice to the default */
    struct slice by_default; /* the scheduler of cliques that name none; unset: Grove cannot drive it */
};

static const char podgang_not_enabled[] = "no enabled backend has a scheduler of this name";

static struct slice
podgang_shown_name(const struct podgang_scheduler *scheduler)
{
    if (scheduler->entry)
        return scheduler->entry->name;
    return scheduler->backend ? scheduler->backend->identity.name : scheduler->name;
}

static void
podgang_offer(const struct choice_call *call, const struct node *source, struct trace_candidate *candidate)
{
    struct podgang_scheduler scheduler = podgang_find(call->decision->inputs.policy, node_string(source));

    candidate->value = scheduler.rules ? podgang_shown_name(&scheduler) : node_string(source);
    candidate->source = source;
    candidate->verdict = scheduler.rules ? VERDICT_CHOSEN : VERDICT_NOT_ENABLED;
    if (!scheduler.rules)
        candidate->reason = podgang_not_enabled;
}

static bool
podgang_of_label(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct podgang_facts *facts = call->facts;

    if (index || !facts->podgang)
        return false;
    if (!facts->label) {
        candidate->document = GANG_DOCUMENT_PODGANG;
        candidate->source = grove_job_label_place(&facts->podgang->meta, &candidate->missing);
        candidate->verdict = VERDICT_UNSET;
        candidate->reason = "no label names a scheduler";
        return true;
    }
    candidate->reason = "the PodGang's label names it";
    podgang_offer(call, facts->label, candidate);
    candidate->stops = candidate->verdict == VERDICT_NOT_ENABLED && !facts->falls_back;
    candidate->overrides = "the PodGang's label stands before";
    return true;
}

/* The index-th scheduler that cliques name, with the first of them; NULL past the last. */
static const struct podclique_template *
podgang_naming_clique(const struct gang_podcliqueset *set, size_t index)
{
    for (size_t i = 0; set && i < set->num_cliques; i++)
        if (set->cliques[i].scheduler_name.len && !podgang_named_before(set, i, NO_SLICE) && index-- == 0)
            return &set->cliques[i];
    return NULL;
}

static bool
podgang_of_templates(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct podgang_facts *facts = call->facts;
    const struct podclique_template *clique = podgang_naming_clique(facts->set, index);

    if (!clique)
        return false;
    candidate->reason = "the templates of the PodCliqueSet name it";
    podgang_offer(call, node_member(clique->pod_spec, SLICE("schedulerName")), candidate);
    if (facts->label) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = "the PodGang's label stands before";
        return true;
    }
    if (slice_equal(clique->scheduler_name,
                    podgang_clique_scheduler(&facts->set->cliques[0], facts->by_default))) {
        candidate->stops = candidate->verdict == VERDICT_NOT_ENABLED;
        candidate->overrides = "the templates stand before";
    } else if (candidate->verdict == VERDICT_CHOSEN) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "the first clique stands for all";
    }
    return true;
}

/* What the policy chooses must be something that Grove can drive; nothing else is taken in its place. */
static void
podgang_offer_of_policy(const struct choice_call *call, struct trace_candidate *candidate)
{
    struct podgang_scheduler scheduler;

    if (candidate->verdict != VERDICT_CHOSEN)
        return;
    scheduler = podgang_scheduler_of_policy(call->decision->inputs.policy, candidate->value);
    if (podgang_is_usable(&scheduler))
        return;
    candidate->verdict = VERDICT_REFUSED;
    candidate->reason = "Grove has no backend of this type";
    candidate->stops = true;
}

static bool
podgang_of_strict_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_strict_rule(call, index, candidate))
        return false;
    podgang_offer_of_policy(call, candidate);
    return true;
}

static bool
podgang_of_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_rule(call, index, candidate))
        return false;
    podgang_offer_of_policy(call, candidate);
    return true;
}

static bool
podgang_of_defaults(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_defaults(call, index, candidate))
        return false;
    podgang_offer_of_policy(call, candidate);
    return true;
}

/* The policy's, else Grove's own, which is always enabled. */
static bool
podgang_of_last_resort(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_policy *policy = call->decision->inputs.policy;

    if (index)
        return false;
    candidate->value = podgang_default_scheduler;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "the default of Grove";
    if (!policy || !policy->default_backend)
        return true;
    candidate->value = policy->default_backend->name;
    candidate->document = GANG_DOCUMENT_POLICY;
    candidate->source = policy->default_backend_source;
    candidate->reason = "the policy's defaultBackend";
    podgang_offer_of_policy(call, candidate);
    return true;
}

static const struct choice_source podgang_choice_sources[] = {
    {policy_choice_ruled_out, true}, {podgang_of_strict_rule, true}, {podgang_of_label, false},
    {podgang_of_templates, false},   {podgang_of_rule, true},        {podgang_of_defaults, true},
    {podgang_of_last_resort, false},
};
enum {
    PODGANG_SOURCES = sizeof(podgang_choice_sources) / sizeof(podgang_choice_sources[0]),
    PODGANG_DEFAULT_SOURCES = 3, /* the last ones, which no document names */
};
static const struct choice_table podgang_choice_table = {podgang_choice_sources, PODGANG_SOURCES};
static const struct choice_table podgang_default_table = {
    podgang_choice_sources + PODGANG_SOURCES - PODGANG_DEFAULT_SOURCES, PODGANG_DEFAULT_SOURCES};

/* ---- the choice ---- */

static struct podgang_scheduler
podgang_scheduler_chosen(const struct gang_decision *decision, const struct trace_candidate *chosen)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct podgang_scheduler scheduler = podgang_scheduler_of_grove();

    if (chosen->source && chosen->source->document != GANG_DOCUMENT_POLICY)
        scheduler = podgang_find(policy, node_string(chosen->source));
    else if (policy && (chosen->source || policy->default_backend))
        scheduler = podgang_scheduler_of_policy(policy, chosen->value);
    scheduler.is_strict = chosen->is_strict;
    return scheduler;
}

static struct podgang_facts
podgang_facts_of(const struct gang_decision *decision, struct arena *arena)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct choice_call call = {.decision = decision, .setting = backend_setting, .arena = arena};
    struct podgang_facts facts = {
        .podgang = inputs->podgang,
        .label = inputs->podgang ? podgang_label(inputs->podgang, GROVE_LABEL_SCHEDULER) : NULL,
        .set = inputs->podcliqueset,
    };
    struct trace_candidate by_default;

    facts.falls_back = decision->flags & GANG_RESOLVE_FALL_BACK;
    choice_decide(&podgang_default_table, &call, &by_default);
    if (!by_default.stops)
        facts.by_default = podgang_scheduler_chosen(decision, &by_default).name;
    return facts;
}

/* ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go@fcc3b3bb resolveSchedulerBackend */
static void
podgang_refuse_label(const struct gang_decision *decision, const struct node *label, struct report *report)
{
    find_invalid(report, GANG_CODE_SCHEDULER_NOT_ENABLED, label,
                 "enable its backend in the policy; Grove itself would take the default for the PodGang "
                 "and refuse to build its pods",
                 "must be an enabled scheduler backend; enabled: %s",
                 podgang_enabled_names(decision->inputs.policy, report->arena));
}

static void
podgang_report_fall_back(const struct node *label, const struct podgang_scheduler *scheduler,
                         struct report *report)
{
    struct quoted names[2];

    find_note(report, GANG_CODE_SCHEDULER_FALLS_BACK, label, NULL,
              "Invalid value: %s: not an enabled scheduler backend, so the default stands in: %s",
              quote(&names[0], node_string(label)), quote(&names[1], scheduler->name));
}

/* A template that names none that is enabled was reported with the others. */
static void
podgang_report_stop(const struct gang_decision *decision, const struct podgang_facts *facts,
                    const struct trace_candidate *stop, struct report *report)
{
    struct quoted name;

    if (stop->verdict == VERDICT_REFUSED)
        find_note(report, GANG_CODE_BACKEND_NOT_FOR_PODGANGS, stop->source,
                  "choose a backend of the type KAI, Volcano or None for PodGangs",
                  "Unsupported value: %s: Grove drives no backend of this type; enabled schedulers: %s",
                  quote(&name, stop->value), podgang_enabled_names(decision->inputs.policy, report->arena));
    else if (stop->source == facts->label)
        podgang_refuse_label(decision, facts->label, report);
}

struct podgang_scheduler
podgang_choose(const struct gang_decision *decision, struct report *report)
{
    const struct podgang_facts facts = podgang_facts_of(decision, report->arena);
    const struct choice_call call = {
        .decision = decision, .setting = backend_setting, .facts = &facts, .arena = report->arena};
    struct podgang_scheduler scheduler;
    struct trace_candidate chosen;

    if (policy_choice_ruled_out(&call, 0, &chosen))
        return (struct podgang_scheduler){0};
    choice_decide(&podgang_choice_table, &call, &chosen);
    choice_warn_overridden(&podgang_choice_table, &call, &chosen, report);
    if (!chosen.is_strict)
        podgang_check_templates(decision->inputs.policy, facts.set, facts.by_default, report);
    if (chosen.stops) {
        podgang_report_stop(decision, &facts, &chosen, report);
        return (struct podgang_scheduler){0};
    }
    scheduler = podgang_scheduler_chosen(decision, &chosen);
    if (facts.label && !chosen.is_strict && chosen.source != facts.label)
        podgang_report_fall_back(facts.label, &scheduler, report);
    return scheduler;
}

void
podgang_choice_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct podgang_facts facts = podgang_facts_of(decision, trace->arena);
    const struct choice_call call = {decision, backend_setting, &facts, trace->arena, true};

    choice_trace(&podgang_choice_table, &call, TRACE_BACKEND, trace);
}

/* ---- podgang attributes ---- */

/* ---- the queue ---- */

static bool
podgang_queue_of_documents(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->grove_queue;

    candidate->document = GANG_DOCUMENT_PODGANG;
    candidate->source = queue->source;
    candidate->value = queue->source ? queue->name : NO_SLICE;
    candidate->verdict = queue->source ? VERDICT_CHOSEN : VERDICT_UNSET;
    candidate->reason = queue->source ? "a document names it" : "no document names a queue";
    candidate->overrides = "Grove's documents stand before";
    if (queue->source)
        candidate->document = (enum gang_document_type)queue->source->document;
    return index == 0;
}

static bool
podgang_queue_of_grove(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->grove_queue;

    candidate->value = queue->name;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "Grove's default for this scheduler";
    return index == 0 && !queue->source && slice_is_set(queue->name);
}

static const struct choice_source podgang_queue_sources[] = {
    {policy_choice_strict_rule, true}, {podgang_queue_of_documents, false}, {policy_choice_rule, true},
    {policy_choice_defaults, true},    {podgang_queue_of_grove, false},
};
static const struct choice_table podgang_queue_table = {
    podgang_queue_sources, sizeof(podgang_queue_sources) / sizeof(podgang_queue_sources[0])};

static enum grove_queue_need
podgang_queue_need(const struct gang_decision *decision)
{
    const struct policy_settings *block = policy_choice_block(decision, queue_choice_block_says);

    if (!block)
        return GROVE_QUEUE_NEEDED;
    return block->queue.override == OVERRIDE_ALWAYS ? GROVE_QUEUE_IGNORED : GROVE_QUEUE_OPTIONAL;
}

static struct grove_queue
podgang_read_queue(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct grove_job job = {.podgang = inputs->podgang, .podcliqueset = inputs->podcliqueset};
    enum grove_queue_need need = podgang_queue_need(decision);

    return inputs->podgang ? scheduler->rules->read_queue(&job, need, &decision->report)
                           : scheduler->rules->check_queue(inputs->podcliqueset, need, &decision->report);
}

static void
podgang_choose_queue(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    const struct choice_call call = {
        .decision = decision, .setting = queue_choice_setting, .arena = decision->arena};
    struct trace_candidate chosen;

    decision->grove_queue = podgang_read_queue(decision, scheduler);
    choice_decide(&podgang_queue_table, &call, &chosen);
    if (chosen.stops)
        queue_choice_refuse_to_guess(decision, &chosen);
    decision->gang.queue = chosen.stops ? NO_SLICE : chosen.value;
    decision->gang.queue_source = chosen.source;
    choice_warn_overridden(&podgang_queue_table, &call, &chosen, &decision->report);
    queue_choice_warn_of_kueue(decision, &decision->report);
}

static void
podgang_trace_queue(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {decision, queue_choice_setting, NULL, trace->arena, true};

    choice_trace(&podgang_queue_table, &call, TRACE_QUEUE, trace);
}

/* ---- members ---- */

static bool
podgang_block_chooses_members(const struct policy_settings *settings)
{
    return settings->members_source && settings->members == MEMBERS_TRAINER_ONLY;
}

static void
podgang_report_lost_members(const struct gang_decision *decision, struct report *report)
{
    const struct policy_settings *block = policy_choice_block(decision, podgang_block_chooses_members);

    if (block)
        find_note(report, GANG_CODE_FIELD_LOST, block->members_source,
                  "remove it, or write a rule for PodGangs",
                  "members %.*s is lost: every podgroup of a PodGang is a member",
                  SLICE_ARG(node_string(block->members_source)));
}

/* ---- all of them ---- */

void
podgang_attributes_choose(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    member_choose(decision);
    podgang_report_lost_members(decision, &decision->report);
    podgang_choose_queue(decision, scheduler);
    timeout_choose(decision);
    topology_choose(decision);
    priority_choose(decision);
}

void
podgang_attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    podgang_trace_queue(decision, trace);
    priority_trace(decision, trace);
    timeout_trace(decision, trace);
    trace_add(trace, TRACE_MEMBERS,
              (struct trace_candidate){
                  .value = SLICE("All"),
                  .document = GANG_DOCUMENT_PODGANG,
                  .verdict = VERDICT_CHOSEN,
                  .reason = "every podgroup is a member, its minReplicas are the minimum",
              });
    topology_trace(decision, trace);
}

/* ---- podgang trace ---- */

static void
podgang_trace_scheduler(const struct gang *gang, struct trace *trace)
{
    const struct trace_entry *entry = &trace->entries[TRACE_SCHEDULER_NAME];

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool same = slice_equal(role->scheduler_name, gang->scheduler_name);

        if (role->scheduler_name.len)
            trace_add(
                trace, TRACE_SCHEDULER_NAME,
                (struct trace_candidate){
                    .value = role->scheduler_name,
                    .source = role->scheduler_name_source,
                    .verdict = same                         ? VERDICT_CHOSEN
                               : gang->overrides_schedulers ? VERDICT_OVERRIDDEN
                                                            : VERDICT_REFUSED,
                    .reason = same ? "the template names the gang's scheduler" : "not the gang's scheduler",
                });
    }
    if (!entry->count || (gang->overrides_schedulers && !slice_is_set(entry->value)))
        trace_add(trace, TRACE_SCHEDULER_NAME,
                  (struct trace_candidate){.value = gang->scheduler_name,
                                           .verdict = VERDICT_CHOSEN,
                                           .reason = "the scheduler of the backend"});
}

void
podgang_trace(const struct gang_decision *decision, struct trace *trace)
{
    podgang_choice_trace(decision, trace);
    if (!decision->backend)
        return;
    podgang_trace_scheduler(&decision->gang, trace);
    podgang_attributes_trace(decision, trace);
}
