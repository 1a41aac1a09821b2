/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/backend_choice.h"

#include "libgang/backend/scheduler_name.h"
#include "libgang/base/text.h"
#include "libgang/decide/choice.h"
#include "libgang/decide/cluster_checks.h"
#include "libgang/decide/enabled_backend.h"
#include "libgang/document/finding.h"

/* Kubernetes' own scheduler runs every pod that names none, so its name says nothing. */
#define BACKEND_COMMON_SCHEDULER SLICE("default-scheduler")

static const char backend_compatible[] = "with KubeflowTrainer compatibility only podGroupPolicy chooses";

enum { BACKEND_MOST_TYPES = 16 };

/* What the runtime and the templates say, found once. */
struct backend_facts {
    size_t members;                                   /* of podGroupPolicy that belong to a backend */
    const struct node *member_of[BACKEND_MOST_TYPES]; /* by the table of backends; NULL: none */
    const struct role **named;                        /* one role for each schedulerName */
    size_t num_named;
    size_t num_enabled; /* of those names that belong to one enabled backend */
};

static const struct gang_policy *
backend_policy(const struct gang_decision *decision)
{
    return decision->inputs.policy;
}

static bool
backend_is_named_before(const struct backend_facts *facts, struct slice scheduler_name)
{
    for (size_t i = 0; i < facts->num_named; i++)
        if (slice_equal(facts->named[i]->scheduler_name, scheduler_name))
            return true;
    return false;
}

static void
backend_find_schedulers(struct backend_facts *facts, const struct gang_decision *decision,
                        struct arena *arena)
{
    const struct gang *gang = &decision->gang;
    struct enabled_backend unused;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (!role->scheduler_name_source || backend_is_named_before(facts, role->scheduler_name))
            continue;
        if (!facts->named)
            facts->named = arena_array(arena, gang->num_roles, sizeof(*facts->named));
        if (!facts->named)
            return;
        facts->named[facts->num_named++] = role;
        if (!slice_equal(role->scheduler_name, BACKEND_COMMON_SCHEDULER))
            facts->num_enabled +=
                enabled_backend_of_scheduler(backend_policy(decision), role->scheduler_name, &unused) == 1;
    }
}

/* In compatibility the members that the operator's API server drops ask for nothing. */
static bool
backend_is_heard(const struct gang_decision *decision, const struct backend *type)
{
    return decision->gang.compatibility == COMPATIBILITY_NONE || type->is_of_operator;
}

static struct backend_facts
backend_facts_of(const struct gang_decision *decision, struct arena *arena)
{
    const struct pod_group_policy *asked = &decision->inputs.runtime->pod_group_policy;
    struct backend_facts facts = {.members = 0};

    for (size_t i = 0; (asked->source || asked->scheduling) && i < backend_count; i++) {
        facts.member_of[i] = pod_group_policy_find(asked, backend_table[i]->gang_policy_member);
        facts.members += facts.member_of[i] && backend_is_heard(decision, backend_table[i]);
    }
    backend_find_schedulers(&facts, decision, arena);
    return facts;
}

static void
backend_stop(struct trace_candidate *candidate, enum trace_verdict verdict, const char *reason)
{
    candidate->verdict = verdict;
    candidate->reason = reason;
    candidate->stops = true;
}

/* A version that the backend picks for itself is judged when it does. In compatibility nobody asks. */
static bool
backend_is_not_served(const struct gang_decision *decision, const struct enabled_backend *enabled)
{
    struct slice resource =
        slice_is_set(enabled->backend->resource) ? enabled->backend->resource : SLICE("podgroups");

    return slice_is_set(enabled->api_version) && decision->gang.compatibility == COMPATIBILITY_NONE &&
           cluster_serves(decision->inputs.cluster, enabled->api_version, resource) == CLUSTER_NO;
}

/* May be chosen, unless the cluster does not serve what it would render. */
static void
backend_offer(const struct choice_call *call, const struct enabled_backend *enabled,
              struct trace_candidate *candidate)
{
    candidate->value = enabled->name;
    candidate->verdict = VERDICT_CHOSEN;
    if (backend_is_not_served(call->decision, enabled))
        backend_stop(candidate, VERDICT_NOT_SERVED, "the cluster does not serve its objects");
}

/* ---- the sources, in order of precedence ---- */

static bool
backend_managed_elsewhere(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (index || !call->decision->inputs.trainjob->managed_by)
        return false;
    candidate->source = call->decision->inputs.trainjob->managed_by;
    candidate->overrides = "managedBy names another controller";
    backend_stop(candidate, VERDICT_REFUSED,
                 "managedBy names another controller; the operator creates nothing");
    return true;
}

struct choice_setting
backend_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->backend ? settings->backend->name : NO_SLICE,
                                   .source = settings->backend_source,
                                   .name = SLICE("backend"),
                                   .override = settings->override};
}

/* What the policy chooses must be served like everything else; in compatibility it is told why it does not choose. */
static void
backend_offer_of_policy(const struct choice_call *call, struct trace_candidate *candidate)
{
    struct enabled_backend enabled;

    if (candidate->verdict == VERDICT_CHOSEN) {
        enabled_backend_of_name(backend_policy(call->decision), candidate->value, &enabled);
        if (enabled.backend)
            backend_offer(call, &enabled, candidate);
    } else if (candidate->verdict == VERDICT_REFUSED) {
        candidate->reason = backend_compatible;
    }
}

static bool
backend_of_strict_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_strict_rule(call, index, candidate))
        return false;
    backend_offer_of_policy(call, candidate);
    return true;
}

/* Several enabled backends of one type: the schedulerName of the templates tells which. */
static size_t
backend_pick_by_scheduler(const struct gang_decision *decision, const struct backend_facts *facts,
                          const struct backend *type, struct enabled_backend *out)
{
    struct enabled_backend other;
    size_t count = 0;

    for (size_t i = 0; enabled_backend_at(backend_policy(decision), i, &other); i++)
        if (other.backend == type && backend_is_named_before(facts, other.scheduler_name) && count++ == 0)
            *out = other;
    return count;
}

static void
backend_judge_member(const struct choice_call *call, const struct backend *type,
                     struct trace_candidate *candidate)
{
    const struct gang_policy *policy = backend_policy(call->decision);
    const struct backend_facts *facts = call->facts;
    struct enabled_backend enabled;
    size_t count = enabled_backend_of_type(policy, type, &enabled);

    candidate->reason = "the runtime's podGroupPolicy names it";
    candidate->overrides = "the runtime's podGroupPolicy stands before";
    if (!backend_is_heard(call->decision, type)) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "with KubeflowTrainer compatibility no such member of podGroupPolicy is read";
    } else if (policy_choice_ignores_runtime(call->decision, candidate))
        return;
    else if (facts->members > 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS, "podGroupPolicy names more than one");
    else if (!count)
        backend_stop(candidate, VERDICT_NOT_ENABLED, "the policy does not enable a backend of this type");
    else if (count > 1 && backend_pick_by_scheduler(call->decision, facts, type, &enabled) != 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS, "the policy enables several backends of this type");
    else
        backend_offer(call, &enabled, candidate);
}

static bool
backend_of_runtime(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct backend_facts *facts = call->facts;
    const struct backend *type;

    if (index >= backend_count || (!facts->members && !call->explains))
        return false;
    type = backend_table[index];
    candidate->value = type->identity.name;
    candidate->document = GANG_DOCUMENT_RUNTIME;
    candidate->source = facts->member_of[index];
    if (candidate->source) {
        backend_judge_member(call, type, candidate);
        return true;
    }
    candidate->missing = type->gang_policy_path;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = "the runtime's podGroupPolicy does not name it";
    return true;
}

static void
backend_judge_scheduler(const struct choice_call *call, struct slice scheduler_name,
                        struct trace_candidate *candidate)
{
    const struct gang_policy *policy = backend_policy(call->decision);
    const struct backend_facts *facts = call->facts;
    struct enabled_backend enabled;
    size_t count = enabled_backend_of_scheduler(policy, scheduler_name, &enabled);

    candidate->verdict = VERDICT_REFUSED;
    candidate->overrides = "the schedulerName of the templates stands before";
    if (slice_equal(scheduler_name, BACKEND_COMMON_SCHEDULER))
        candidate->reason = "default-scheduler never chooses a backend";
    else if (!count && !backend_by_scheduler(scheduler_name))
        candidate->reason = "no backend has a scheduler of this name";
    else if (call->decision->gang.compatibility != COMPATIBILITY_NONE)
        candidate->reason = backend_compatible;
    else if (!count)
        backend_stop(candidate, VERDICT_NOT_ENABLED, "the policy enables no backend with this scheduler");
    else if (count > 1) {
        candidate->verdict = VERDICT_AMBIGUOUS;
        candidate->reason = "several enabled backends have this scheduler";
    } else if (facts->num_enabled > 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS, "the templates name the schedulers of several backends");
    else {
        candidate->reason = "the schedulerName of the templates is this backend's";
        backend_offer(call, &enabled, candidate);
    }
    if (count == 1 && !slice_equal(scheduler_name, BACKEND_COMMON_SCHEDULER))
        candidate->value = enabled.name;
}

static bool
backend_of_templates(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct backend_facts *facts = call->facts;

    if (index < facts->num_named) {
        candidate->source = facts->named[index]->scheduler_name_source;
        backend_judge_scheduler(call, facts->named[index]->scheduler_name, candidate);
        return true;
    }
    candidate->document = GANG_DOCUMENT_RUNTIME;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = "no template names a scheduler";
    return index == 0;
}

static bool
backend_of_rule(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_rule(call, index, candidate))
        return false;
    backend_offer_of_policy(call, candidate);
    return true;
}

static bool
backend_of_defaults(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (!policy_choice_defaults(call, index, candidate))
        return false;
    backend_offer_of_policy(call, candidate);
    return true;
}

static bool
backend_of_last_resort(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_policy *policy = backend_policy(call->decision);

    if (index || (!policy->default_backend && call->decision->gang.compatibility != COMPATIBILITY_NONE))
        return false;
    candidate->document = GANG_DOCUMENT_POLICY;
    if (!policy->default_backend) {
        candidate->missing = SLICE("spec.defaultBackend");
        candidate->verdict = VERDICT_UNSET;
        candidate->reason = "the policy has no defaultBackend";
        return true;
    }
    candidate->value = policy->default_backend->name;
    candidate->source = policy->default_backend_source;
    candidate->verdict =
        call->decision->gang.compatibility == COMPATIBILITY_NONE ? VERDICT_CHOSEN : VERDICT_REFUSED;
    candidate->reason = "the policy's defaultBackend";
    backend_offer_of_policy(call, candidate);
    return true;
}

static const struct choice_source backend_choice_sources[] = {
    {policy_choice_ruled_out, true}, {backend_managed_elsewhere, false}, {backend_of_strict_rule, true},
    {backend_of_runtime, false},     {backend_of_templates, false},      {backend_of_rule, true},
    {backend_of_defaults, true},     {backend_of_last_resort, true},
};
static const struct choice_table backend_choice_table = {
    backend_choice_sources, sizeof(backend_choice_sources) / sizeof(backend_choice_sources[0])};

/* ---- what is wrong ---- */

static void
backend_refuse_two_members(struct gang_decision *decision, const struct backend_facts *facts)
{
    const char *names = "";

    for (size_t i = 0; i < backend_count; i++)
        if (facts->member_of[i] && backend_is_heard(decision, backend_table[i]))
            names = arena_format(decision->arena, "%s%s%.*s", names, names[0] ? ", " : "",
                                 SLICE_ARG(backend_table[i]->gang_policy_member));
    find_note(&decision->report, GANG_CODE_BACKEND_CONFLICT,
              decision->inputs.runtime->pod_group_policy.source,
              "keep the one whose scheduler shall run the job",
              "Invalid value: \"%s\": at most one may be set", names);
}

/* What podGroupPolicy must say, whoever chooses in the end. */
static void
backend_check_members(struct gang_decision *decision, const struct backend_facts *facts)
{
    const struct gang_policy *policy = backend_policy(decision);
    enum runtime_policy weight = policy ? policy->runtime_policy : RUNTIME_POLICY_HONOR;

    if (facts->members > 1 && weight != RUNTIME_POLICY_IGNORE)
        backend_refuse_two_members(decision, facts);
    if (!facts->members && weight == RUNTIME_POLICY_REQUIRE)
        find_required(&decision->report, GANG_CODE_GANG_POLICY_REQUIRED,
                      node_member(decision->inputs.runtime->meta.source->parent, SLICE("spec")),
                      SLICE("podGroupPolicy"), "write `podGroupPolicy` in the runtime",
                      "the policy %.*s demands that every runtime names its backend",
                      SLICE_ARG(policy->name));
}

static void
backend_refuse_not_enabled(struct gang_decision *decision, const struct trace_candidate *candidate)
{
    const struct gang_policy *policy = backend_policy(decision);
    bool is_scheduler = node_is(candidate->source, NODE_STRING);
    struct quoted name;

    if (is_scheduler)
        find_note(&decision->report, GANG_CODE_BACKEND_NOT_ENABLED, candidate->source,
                  "name the scheduler of an enabled backend, or enable this one in the policy",
                  "Invalid value: %s: schedulerName must be that of an enabled backend; the policy %.*s "
                  "enables: %s",
                  quote(&name, node_string(candidate->source)), SLICE_ARG(policy->name),
                  enabled_backend_schedulers(policy, decision->arena));
    else
        find_note_at_key(&decision->report, GANG_CODE_BACKEND_NOT_ENABLED, candidate->source,
                         "choose an enabled backend, or enable this one in the policy",
                         "Unsupported value: %s: the backend is not enabled in the policy %.*s: supported "
                         "values: %s",
                         quote(&name, candidate->value), SLICE_ARG(policy->name),
                         enabled_backend_names(policy, decision->arena));
}

static void
backend_refuse_not_served(struct gang_decision *decision, const struct trace_candidate *candidate)
{
    struct enabled_backend enabled;

    enabled_backend_of_name(backend_policy(decision), candidate->value, &enabled);
    cluster_checks_report_not_served(decision, enabled.api_version, enabled.name);
}

/* Several of one type, or the schedulers of several. */
static void
backend_refuse_ambiguous(struct gang_decision *decision, const struct backend_facts *facts,
                         const struct trace_candidate *candidate)
{
    if (node_is(candidate->source, NODE_STRING))
        scheduler_name_compare_roles(&decision->gang, &decision->report);
    else if (facts->members == 1)
        find_note_at_key(&decision->report, GANG_CODE_BACKEND_AMBIGUOUS, candidate->source,
                         "write the schedulerName of one of them in the pod templates",
                         "the policy %.*s enables several backends of this type: %s",
                         SLICE_ARG(backend_policy(decision)->name),
                         enabled_backend_names(backend_policy(decision), decision->arena));
}

static void
backend_report_stop(struct gang_decision *decision, const struct backend_facts *facts,
                    const struct trace_candidate *stop)
{
    if (stop->verdict == VERDICT_NOT_ENABLED)
        backend_refuse_not_enabled(decision, stop);
    else if (stop->verdict == VERDICT_NOT_SERVED)
        backend_refuse_not_served(decision, stop);
    else
        backend_refuse_ambiguous(decision, facts, stop);
}

static void
backend_take(struct gang_decision *decision, const struct trace_candidate *candidate)
{
    struct enabled_backend chosen;

    enabled_backend_of_name(backend_policy(decision), candidate->value, &chosen);
    if (!chosen.backend)
        return; /* the type None */
    decision->backend = chosen.backend;
    decision->backend_entry = chosen.entry;
    decision->gang.scheduler_name = chosen.scheduler_name;
    decision->gang.overrides_schedulers = candidate->is_strict;
}

void
backend_choose(struct gang_decision *decision)
{
    const struct backend_facts facts = backend_facts_of(decision, decision->arena);
    const struct choice_call call = {
        .decision = decision, .setting = backend_setting, .facts = &facts, .arena = decision->arena};
    struct trace_candidate chosen;

    choice_decide(&backend_choice_table, &call, &chosen);
    if (chosen.stops && chosen.verdict == VERDICT_REFUSED) {
        policy_choice_report_denial(decision);
        return;
    }
    backend_check_members(decision, &facts);
    choice_warn_overridden(&backend_choice_table, &call, &chosen, &decision->report);
    if (chosen.stops)
        backend_report_stop(decision, &facts, &chosen);
    else if (chosen.verdict == VERDICT_CHOSEN)
        backend_take(decision, &chosen);
}

void
backend_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct backend_facts facts = backend_facts_of(decision, trace->arena);
    const struct choice_call call = {decision, backend_setting, &facts, trace->arena, true};

    choice_trace(&backend_choice_table, &call, TRACE_BACKEND, trace);
}
