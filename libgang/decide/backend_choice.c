/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

/*
 * Kubernetes' default scheduler runs every pod without a schedulerName, so its name selects no
 * backend.
 */
#define BACKEND_COMMON_SCHEDULER SLICE(SCHEDULER_NAME_OF_KUBERNETES)

static const char backend_compatible[] =
    "with KubeflowTrainer compatibility only podGroupPolicy chooses";

/* Collects the schedulerNames in the roles of a job. */
static void
backend_find_schedulers(struct backend_facts *facts, const struct gang_decision *decision)
{
    const struct gang_wishes *wishes = &decision->wishes;
    struct named_scheduler *named = NULL;
    struct enabled_backend unused;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (!role->scheduler_name_source || !wishes_heed(wishes, role) ||
            FIND_TEXT(facts->named, facts->num_named, name, role->scheduler_name))
            continue;
        if (!named)
            facts->named = named = arena_array(decision->arena, wishes->num_roles, sizeof(*named));
        if (!named)
            return;
        named[facts->num_named++] =
            (struct named_scheduler){role->scheduler_name, role->scheduler_name_source};
        if (!slice_equal(role->scheduler_name, BACKEND_COMMON_SCHEDULER))
            facts->num_enabled += enabled_backend_of_scheduler(decision->inputs.policy,
                                                               role->scheduler_name, &unused) == 1;
    }
}

static void
backend_stop(struct trace_candidate *candidate, enum trace_verdict verdict, const char *reason)
{
    candidate->verdict = verdict;
    candidate->reason = reason;
    candidate->stops = true;
}

/* Makes the backend the chosen candidate, unless the cluster does not serve its API version. */
static void
backend_offer(const struct choice_call *call, const struct enabled_backend *enabled,
              struct trace_candidate *candidate)
{
    candidate->value = enabled->name;
    candidate->verdict = VERDICT_CHOSEN;
    /*
     * A backend that selects its API version itself checks it then. Not checked in compatibility
     * mode.
     */
    if (slice_is_set(enabled->api_version) &&
        call->decision->wishes.compatibility == COMPATIBILITY_NONE &&
        cluster_serves(call->decision->inputs.cluster, enabled->api_version,
                       enabled->backend->descriptor->resource) == CLUSTER_NO)
        backend_stop(candidate, VERDICT_NOT_SERVED, "the cluster does not serve its objects");
}

/* ---- the sources, in order of precedence ---- */

/*
 * What makes a gang here impossible: another controller manages the job; its operator makes the
 * gang, or there is nothing to make one of; the facts of the cluster say that its operator makes
 * the gang.
 */
static bool
backend_ruled_out(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_wishes *job = &call->decision->wishes;
    const struct operator_option *by = NULL;
    const struct node *made = cluster_checks_operator_gang(call->decision, &by);

    if (job->managed_elsewhere && index-- == 0) {
        candidate->source = job->managed_elsewhere;
        candidate->overrides = "managedBy names another controller";
        backend_stop(candidate, VERDICT_REFUSED,
                     "managedBy names another controller; the operator creates nothing");
    } else if (job->why_no_gang && index-- == 0) {
        candidate->source = job->why_source;
        candidate->overrides = job->why_no_gang;
        backend_stop(candidate, VERDICT_REFUSED, job->why_no_gang);
    } else if (made && index-- == 0) {
        candidate->source = made;
        candidate->overrides = "the job's operator makes the gang";
        backend_stop(candidate, VERDICT_REFUSED, "the operator of the job makes its gang itself");
    }
    return candidate->stops;
}

static struct choice_setting
backend_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->backend ? settings->backend->name : NO_SLICE,
                                   .override = settings->override};
}

/* Finds the backend by its name in the policy, which must list it. */
static void
backend_of_policy(const struct gang_decision *decision, struct slice name,
                  struct enabled_backend *out)
{
    const struct gang_policy *policy = decision->inputs.policy;
    size_t i = 0;

    if (!decision_is_of_grove(decision)) {
        enabled_backend_of_name(policy, name, out);
        return;
    }
    while (i + 1 < policy->num_backends && !slice_equal(policy->backends[i].name, name))
        i++;
    *out = enabled_backend_of_grove_entry(&policy->backends[i]);
}

/*
 * A backend that the policy chooses must be served, and Grove must support it: no other backend is
 * chosen instead. In compatibility mode the candidate has the reason why the policy does not
 * choose.
 */
static void
backend_offer_of_policy(const struct choice_call *call, struct trace_candidate *candidate)
{
    if (candidate->verdict == VERDICT_CHOSEN) {
        struct enabled_backend enabled;

        backend_of_policy(call->decision, candidate->value, &enabled);
        if (decision_is_of_grove(call->decision) && !enabled.grove)
            backend_stop(candidate, VERDICT_REFUSED, "Grove has no backend of this type");
        else if (enabled.backend)
            backend_offer(call, &enabled, candidate);
    } else if (candidate->verdict == VERDICT_REFUSED) {
        candidate->reason = backend_compatible;
    }
}

/*
 * If several enabled backends have one type, the schedulerName of the templates selects one of
 * them.
 */
static size_t
backend_pick_by_scheduler(const struct gang_decision *decision, const struct backend_facts *facts,
                          const struct backend *type, struct enabled_backend *out)
{
    struct enabled_backend other;
    size_t count = 0;

    for (size_t i = 0; enabled_backend_at(decision->inputs.policy, i, &other); i++)
        if (other.backend == type &&
            FIND_TEXT(facts->named, facts->num_named, name, other.scheduler_name) && count++ == 0)
            *out = other;
    return count;
}

/*
 * Whether the member of podGroupPolicy counts. In compatibility mode, the operator's API server
 * drops members that its CRD does not have.
 */
static bool
backend_is_heard(const struct gang_decision *decision, const struct backend *type)
{
    return decision->wishes.compatibility == COMPATIBILITY_NONE ||
           type->descriptor->member.is_of_operator;
}

static void
backend_judge_member(const struct choice_call *call, const struct backend *type,
                     struct trace_candidate *candidate)
{
    const struct gang_policy *policy = call->decision->inputs.policy;
    const struct backend_facts *facts = &call->decision->backend_facts;
    struct enabled_backend enabled;
    size_t count = enabled_backend_of_type(policy, type, &enabled);

    candidate->reason = "set in the runtime's podGroupPolicy";
    candidate->overrides = "the runtime's podGroupPolicy has precedence";
    if (!backend_is_heard(call->decision, type)) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason =
            "with KubeflowTrainer compatibility no such member of podGroupPolicy is read";
    } else if (policy_choice_ignores_runtime(call->decision, candidate))
        return;
    else if (facts->members > 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS, "podGroupPolicy names more than one");
    else if (!count)
        backend_stop(candidate, VERDICT_NOT_ENABLED,
                     "the policy does not enable a backend of this type");
    else if (count > 1 && backend_pick_by_scheduler(call->decision, facts, type, &enabled) != 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS,
                     "the policy enables several backends of this type");
    else
        backend_offer(call, &enabled, candidate);
}

static bool
backend_of_runtime(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct backend_facts *facts = &call->decision->backend_facts;

    for (size_t i = 0, left = index; i < backend_count; i++)
        if (facts->member_of[i] && left-- == 0) { /* the index-th member of podGroupPolicy */
            candidate->document = GANG_DOCUMENT_RUNTIME;
            candidate->value = backend_table[i]->descriptor->name;
            candidate->source = facts->member_of[i];
            backend_judge_member(call, backend_table[i], candidate);
            return true;
        }
    candidate->source = call->decision->inputs.runtime->pod_group_policy.source;
    candidate->missing = candidate->source ? NO_SLICE : SLICE("spec.podGroupPolicy");
    candidate_leave_unset(candidate, GANG_DOCUMENT_RUNTIME,
                          "the runtime's podGroupPolicy names no backend");
    return index == 0;
}

static bool
backend_of_wish(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct job_request *wish = &call->decision->wishes.backend_request;

    struct enabled_backend enabled;

    candidate_leave_unset(candidate, GANG_DOCUMENT_JOB, "the job names no backend");
    if (!wish->source)
        return !index;
    candidate_set(candidate, wish->value, wish->source, VERDICT_UNSET, "set in the job");
    candidate->overrides = "the job's backend has precedence";
    if (policy_choice_ignores_runtime(call->decision, candidate))
        return !index;
    if (enabled_backend_of_name(call->decision->inputs.policy, wish->value, &enabled))
        backend_offer(call, &enabled, candidate);
    else
        backend_stop(candidate, VERDICT_NOT_ENABLED, "no enabled backend has this name");
    return !index;
}

static void
backend_judge_scheduler(const struct choice_call *call, struct slice scheduler_name,
                        struct trace_candidate *candidate)
{
    const struct gang_policy *policy = call->decision->inputs.policy;
    const struct backend_facts *facts = &call->decision->backend_facts;
    struct enabled_backend enabled;
    size_t count = enabled_backend_of_scheduler(policy, scheduler_name, &enabled);

    candidate->verdict = VERDICT_REFUSED;
    candidate->overrides = "the schedulerName of the templates has precedence";
    if (slice_equal(scheduler_name, BACKEND_COMMON_SCHEDULER))
        candidate->reason = "default-scheduler never chooses a backend";
    else if (!count && !backend_by_scheduler(scheduler_name))
        candidate->reason = "no backend has a scheduler of this name";
    else if (call->decision->wishes.compatibility != COMPATIBILITY_NONE)
        candidate->reason = backend_compatible;
    else if (!count)
        backend_stop(candidate, VERDICT_NOT_ENABLED,
                     "the policy enables no backend with this scheduler");
    else if (count > 1) {
        candidate->verdict = VERDICT_AMBIGUOUS;
        candidate->reason = "several enabled backends have this scheduler";
    } else if (facts->num_enabled > 1)
        backend_stop(candidate, VERDICT_AMBIGUOUS,
                     "the templates name the schedulers of several backends");
    else {
        candidate->reason = "the schedulerName of the templates is this backend's";
        backend_offer(call, &enabled, candidate);
    }
    if (count == 1 && !slice_equal(scheduler_name, BACKEND_COMMON_SCHEDULER))
        candidate->value = enabled.name;
}

static bool
backend_of_templates(const struct choice_call *call, size_t index,
                     struct trace_candidate *candidate)
{
    const struct backend_facts *facts = &call->decision->backend_facts;

    if (index < facts->num_named) {
        candidate->source = facts->named[index].source;
        backend_judge_scheduler(call, facts->named[index].name, candidate);
        return true;
    }
    candidate_leave_unset(candidate,
                          call->decision->inputs.job ? GANG_DOCUMENT_JOB : GANG_DOCUMENT_RUNTIME,
                          "no template names a scheduler");
    return index == 0;
}

static void
backend_offer_to_grove(const struct choice_call *call, const struct node *source,
                       const char *reason, struct trace_candidate *candidate)
{
    struct enabled_backend enabled;
    bool is_enabled =
        enabled_backend_for_grove(call->decision->inputs.policy, node_string(source), &enabled);

    candidate_set(candidate, is_enabled ? enabled.name : node_string(source), source,
                  is_enabled ? VERDICT_CHOSEN : VERDICT_NOT_ENABLED,
                  is_enabled ? reason : "no enabled backend has a scheduler of this name");
}

static const char backend_of_label_stands[] = "the PodGang's label has precedence";

static bool
backend_of_label(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_decision *decision = call->decision;
    const struct node *label = decision->backend_facts.label;

    if (index || !decision->inputs.podgang)
        return false;
    if (!label) {
        candidate->source =
            grove_job_label_place(&decision->inputs.podgang->meta, &candidate->missing);
        candidate_leave_unset(candidate, GANG_DOCUMENT_PODGANG, "no label names a scheduler");
        return true;
    }
    backend_offer_to_grove(call, label, "set in the PodGang's label", candidate);
    candidate->stops =
        candidate->verdict == VERDICT_NOT_ENABLED && !(decision->flags & GANG_RESOLVE_FALL_BACK);
    candidate->overrides = backend_of_label_stands;
    return true;
}

/*
 * If the label is present, the cliques are ignored, even if its value leaves the choice to the
 * default.
 */
SELDOM static bool
backend_of_cliques(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct backend_facts *facts = &call->decision->backend_facts;
    const struct gang_podcliqueset *set = call->decision->inputs.podcliqueset;
    const struct podclique_template *clique = grove_clique_naming_scheduler(set, index);

    if (!clique)
        return false;
    backend_offer_to_grove(call, node_member(clique->pod_spec, SLICE("schedulerName")),
                           "set in the templates of the PodCliqueSet", candidate);
    if (facts->label) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = backend_of_label_stands;
    } else if (slice_equal(clique->scheduler_name,
                           grove_cliques_scheduler(set, facts->by_default))) {
        candidate->stops = candidate->verdict == VERDICT_NOT_ENABLED;
        candidate->overrides = "the templates have precedence";
    } else if (candidate->verdict == VERDICT_CHOSEN) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "the first clique's schedulerName is that of all";
    }
    return true;
}

static bool
backend_of_default_backend(const struct choice_call *call, size_t index,
                           struct trace_candidate *candidate)
{
    const struct gang_policy *policy = call->decision->inputs.policy;

    if (index || !policy->default_backend)
        return false;
    candidate->document = GANG_DOCUMENT_POLICY;
    candidate_set(candidate, policy->default_backend->name, policy->default_backend_source,
                  call->decision->wishes.compatibility == COMPATIBILITY_NONE ? VERDICT_CHOSEN
                                                                             : VERDICT_REFUSED,
                  "the policy's defaultBackend");
    backend_offer_of_policy(call, candidate);
    return true;
}

static bool
backend_of_nobody(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    if (index || call->decision->inputs.policy->default_backend ||
        call->decision->wishes.compatibility != COMPATIBILITY_NONE)
        return false;
    candidate->missing = SLICE("spec.defaultBackend");
    candidate_leave_unset(candidate, GANG_DOCUMENT_POLICY, "the policy has no defaultBackend");
    return true;
}

/* Grove's default scheduler, which is always enabled. */
static bool
backend_of_grove(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_policy *policy = call->decision->inputs.policy;

    candidate_set(candidate, grove_scheduler_by_default()->grove->name, NULL, VERDICT_CHOSEN,
                  "Grove's default scheduler");
    return !index && !(policy && policy->default_backend);
}

static const struct choice_source backend_sources[] = {
    {policy_choice_ruled_out, OF_POLICY},
    {backend_ruled_out, OF_ALL_BUT_GROVE},
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {backend_of_runtime, OF_TRAINER},
    {backend_of_wish, OF_OTHERS},
    {backend_of_templates, OF_ALL_BUT_GROVE},
    {backend_of_label, OF_GROVE},
    {backend_of_cliques, OF_GROVE},
    /* without the documents of the job: BACKEND_SOURCES_WITHOUT_JOB */
    {policy_choice_rule, OF_RULE},
    {policy_choice_defaults, OF_DEFAULTS},
    {backend_of_default_backend, OF_POLICY},
    {backend_of_nobody, OF_ALL_BUT_GROVE | OF_POLICY | OF_TRACE},
    {backend_of_grove, OF_GROVE},
};
enum { BACKEND_SOURCES = COUNT_OF(backend_sources), BACKEND_SOURCES_WITHOUT_JOB = 5 };

/* ---- what is wrong with the sources ---- */

/* Checks podGroupPolicy itself, whatever source chooses the backend. */
static void
backend_check_members(const struct gang_decision *decision)
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
        find_note(decision->report, decision->inputs.runtime->pod_group_policy.source,
                  MESSAGE_BACKEND_CONFLICT, names);
    }
    if (!facts->members && weight == RUNTIME_POLICY_REQUIRE)
        find_required(decision->report,
                      node_member(decision->inputs.runtime->meta.source->parent, SLICE("spec")),
                      SLICE("podGroupPolicy"), MESSAGE_GANG_POLICY_REQUIRED,
                      SLICE_ARG(policy->name));
}

static void
backend_refuse_not_enabled(const struct gang_decision *decision,
                           const struct trace_candidate *candidate)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool is_scheduler = node_is(candidate->source, NODE_STRING) &&
                        candidate->source != decision->wishes.backend_request.source;

    if (is_scheduler)
        find_note(decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_SCHEDULER,
                  SLICE_ARG(node_string(candidate->source)), SLICE_ARG(policy->name),
                  enabled_backend_list(policy, true, decision->arena));
    else if (policy)
        find_note_at_key(decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_NAME,
                         SLICE_ARG(candidate->value), SLICE_ARG(policy->name),
                         enabled_backend_list(policy, false, decision->arena));
    else
        find_note_at_key(decision->report, candidate->source, MESSAGE_BACKEND_NOT_ENABLED_BUILT_IN,
                         SLICE_ARG(candidate->value),
                         enabled_backend_list(policy, false, decision->arena));
}

/* Checks the schedulers of the cliques as Grove's operator does. */
static void
backend_check_cliques(const struct gang_decision *decision)
{
    const struct gang_podcliqueset *set = decision->inputs.podcliqueset;
    struct enabled_backend unused;
    struct slice name;

    if (!set || !set->num_cliques)
        return;
    grove_cliques_check_scheduler(set, decision->backend_facts.by_default, decision->report);
    name = grove_cliques_scheduler(set, decision->backend_facts.by_default);
    if (slice_is_set(name) && !enabled_backend_for_grove(decision->inputs.policy, name, &unused))
        find_note(decision->report, grove_clique_scheduler_source(&set->cliques[0]),
                  MESSAGE_SCHEDULER_NOT_ENABLED_CLIQUE, SLICE_ARG(name),
                  enabled_backend_names_for_grove(decision->inputs.policy, decision->arena));
}

/* Reports the candidate that stopped the search. */
static void
backend_report_stop(const struct gang_decision *decision, const struct trace_candidate *stop)
{
    if (stop->verdict == VERDICT_REFUSED) {
        find_note(decision->report, stop->source, MESSAGE_BACKEND_NOT_FOR_PODGANGS,
                  SLICE_ARG(stop->value),
                  enabled_backend_names_for_grove(decision->inputs.policy, decision->arena),
                  grove_scheduler_list(true, ", ", decision->arena));
    } else if (stop->source && stop->source == decision->backend_facts.label) {
        /*
         * ai-dynamo/grove:operator/internal/controller/podgang/reconciler.go@fcc3b3bb
         * resolveSchedulerBackend
         */
        find_invalid(decision->report, decision->backend_facts.label,
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
            scheduler_name_compare_roles(&decision->wishes, decision->report);
        else if (decision->backend_facts.members == 1)
            find_note_at_key(decision->report, stop->source, MESSAGE_BACKEND_AMBIGUOUS,
                             SLICE_ARG(decision->inputs.policy->name),
                             enabled_backend_list(decision->inputs.policy, false, decision->arena));
    }
}

/* ---- the choice ---- */

/* The backend of a candidate. For Grove's documents, the value is the name of a scheduler. */
static void
backend_of_candidate(const struct gang_decision *decision, const struct trace_candidate *candidate,
                     struct enabled_backend *out)
{
    const struct gang_policy *policy = decision->inputs.policy;

    if (!decision_is_of_grove(decision) ||
        (candidate->source && candidate->source->document == GANG_DOCUMENT_POLICY) ||
        (policy && policy->default_backend && !candidate->source))
        backend_of_policy(decision, candidate->value, out);
    else if (!candidate->source)
        *out = enabled_backend_of_grove();
    else
        enabled_backend_for_grove(policy, node_string(candidate->source), out);
}

/*
 * Returns why this candidate ended the search, as text for the decision; for a rule with its name.
 * NULL if no candidate did.
 */
static const char *
backend_reason(const struct gang_decision *decision, const struct trace_candidate *chosen)
{
    const struct policy_rule *rule = decision->rule;

    if (chosen->stops && chosen->is_of_rule && rule->action == RULE_SKIP)
        return arena_format(decision->arena, "rule %.*s skips the job%s%.*s", SLICE_ARG(rule->name),
                            rule->message.len ? ": " : "", SLICE_ARG(rule->message));
    if (chosen->is_of_rule)
        return arena_format(decision->arena, "rule %.*s%s", SLICE_ARG(rule->name),
                            chosen->is_strict ? " (Always)" : "");
    if (chosen->reason && (chosen->stops || chosen->verdict == VERDICT_CHOSEN))
        return chosen->reason;
    return NULL;
}

/* Denies the job if its rule does. */
static void
backend_report_denial(const struct gang_decision *decision)
{
    const struct policy_rule *rule = decision->rule;

    if (!rule || rule->action != RULE_DENY)
        return;
    find_note(decision->report, node_member(rule->source, SLICE("action")), MESSAGE_RULE_DENIES,
              SLICE_ARG(rule->name), rule->message.len ? ": " : "", SLICE_ARG(rule->message));
}

static void
backend_settle(struct gang_decision *decision, const struct choice_call *call,
               const struct trace_candidate *chosen)
{
    struct trace_candidate unused = {0};

    decision->reason = backend_reason(decision, chosen);
    if (!decision->reason)
        decision->reason = decision->inputs.job
                               ? "neither the job, its templates nor a policy choose a backend"
                               : "neither the runtime, the templates nor a policy choose a backend";
    if (policy_choice_ruled_out(call, 0, &unused) || backend_ruled_out(call, 0, &unused)) {
        backend_report_denial(decision);
        return;
    }
    if (decision->inputs.runtime)
        backend_check_members(decision);
    else if (decision_is_of_grove(decision) && !chosen->is_strict)
        backend_check_cliques(decision);
    if (chosen->stops) {
        backend_report_stop(decision, chosen);
    } else if (chosen->verdict == VERDICT_CHOSEN) {
        struct enabled_backend enabled;

        backend_of_candidate(decision, chosen, &enabled);
        if (enabled.backend || enabled.grove) {
            /* the type None */
            decision->backend = enabled.backend;
            decision->backend_entry = enabled.entry;
            decision->grove_scheduler = enabled.grove;
            decision->wishes.scheduler_name = enabled.scheduler_name;
            decision->wishes.overrides_schedulers = chosen->is_strict;
            if (decision->backend_facts.label && !chosen->is_strict &&
                chosen->source != decision->backend_facts.label)
                find_note(decision->report, decision->backend_facts.label,
                          MESSAGE_SCHEDULER_FALLS_BACK,
                          SLICE_ARG(node_string(decision->backend_facts.label)),
                          SLICE_ARG(enabled.scheduler_name));
        }
    }
}

const struct attribute backend_attribute = {
    .sources = backend_sources,
    .count = BACKEND_SOURCES,
    SETTING_OF("backend", backend_source),
    .setting = backend_setting,
    .take = backend_settle,
    .judge = backend_offer_of_policy,
};
/* The default backend, if no document of the job sets a scheduler. */
static const struct attribute backend_by_default = {
    .sources = backend_sources + BACKEND_SOURCES - BACKEND_SOURCES_WITHOUT_JOB,
    .count = BACKEND_SOURCES_WITHOUT_JOB,
    SETTING_OF("backend", backend_source),
    .setting = backend_setting,
    .judge = backend_offer_of_policy,
};

static struct slice
backend_default_scheduler(const struct gang_decision *decision)
{
    const struct choice_call call = {decision, &backend_by_default, decision->arena,
                                     .explains = false};
    struct trace_candidate chosen;
    struct enabled_backend enabled;

    choice_decide(&call, &chosen);
    if (chosen.stops)
        return NO_SLICE;
    backend_of_candidate(decision, &chosen, &enabled);
    return enabled.scheduler_name;
}

static void
backend_facts_read(const struct gang_decision *decision, struct backend_facts *facts)
{
    const struct gang_podgang *podgang = decision->inputs.podgang;

    if (decision->inputs.runtime) {
        const struct pod_group_policy *asked = &decision->inputs.runtime->pod_group_policy;

        for (size_t i = 0; (asked->source || asked->scheduling) && i < backend_count; i++) {
            const struct descriptor *scheduler = backend_table[i]->descriptor;

            if (asked->num_asked == 1 && asked->asked != scheduler)
                continue; /* nearly every runtime asks for one */
            facts->member_of[i] = pod_group_policy_find(asked, scheduler);
            facts->members += facts->member_of[i] && backend_is_heard(decision, backend_table[i]);
        }
    }
    if (!decision_is_of_grove(decision)) {
        backend_find_schedulers(facts, decision);
    } else {
        facts->label =
            podgang ? node_text_member(podgang->meta.labels, GROVE_LABEL_SCHEDULER) : NULL;
        facts->by_default = backend_default_scheduler(decision);
    }
}

void
backend_choose(struct gang_decision *decision)
{
    backend_facts_read(decision, &decision->backend_facts);
    choice_make(decision, &backend_attribute);
}
