/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"
#include "libgang/fit/fit.h"

/* One gang and one constraint. */
struct constraint_trial {
    const struct gang_decision *decision;
    const struct policy_constraint *constraint;
    struct arena *arena;
    unsigned char *verdict; /* enum constraint_verdict */
    bool *is_denied;
};

/*
 * Reports a violation at the denied value, or at the bound if no document sets the value. `what` is
 * the text before "by the constraint".
 */
static void
constraint_report(const struct constraint_trial *trial, const struct node *value, const char *field,
                  const char *what)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct node *bound = node_member(constraint->source, slice_from_text(field));
    bool is_warning = constraint->enforcement == ENFORCEMENT_WARN;

    *trial->verdict = CONSTRAINT_BROKEN;
    if (!is_warning)
        *trial->is_denied = true;
    find_note(trial->decision->report, value ? value : bound,
              is_warning ? GANG_CODE_CONSTRAINT_WARNS : GANG_CODE_CONSTRAINT_DENIES, NULL,
              "Forbidden: %s by the constraint %.*s of the policy %.*s", what,
              SLICE_ARG(constraint->name), SLICE_ARG(trial->decision->inputs.policy->name));
}

/* Part of the constraint needs facts that are missing; a violation of another part still counts. */
static void
constraint_not_checked(const struct constraint_trial *trial)
{
    if (*trial->verdict == CONSTRAINT_HELD)
        *trial->verdict = CONSTRAINT_UNKNOWN;
}

/* `queue "prod-a" is not allowed (allowed: "research-*", "shared")` */
static const char *
constraint_not_allowed(const struct constraint_trial *trial, const char *kind, struct slice value,
                       const struct rule_texts *allowed)
{
    const char *list = "";

    for (size_t i = 0; i < allowed->count; i++)
        list = arena_format(trial->arena, "%s%s%-.*s", list, i ? ", " : "",
                            SLICE_ARG(allowed->items[i]));
    return arena_format(trial->arena, "%s %-.*s is not allowed (allowed: %s)", kind,
                        SLICE_ARG(value), list);
}

/* Counts every pod of the job, in the gang or not. */
static void
constraint_check_priority(const struct constraint_trial *trial)
{
    const struct rule_texts *allowed = &trial->constraint->allowed_priority_class_names;
    const struct gang *gang = &trial->decision->gang;

    if (!allowed->count)
        return;
    /*
     * A PodGang's class is independent of those of its pods; a trainjob's is from its pods, or set
     * on them.
     */
    if ((gang->gives_priority || gang->has_priority_label ||
         (gang->wishes->is_grouped && gang->priority_class_name.len > 0)) &&
        !rule_texts_have(allowed, gang->priority_class_name))
        constraint_report(
            trial, gang->priority_class_source, "allowedPriorityClassNames",
            constraint_not_allowed(trial, "priorityClassName", gang->priority_class_name, allowed));
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool keeps_its_own = !gang->gives_priority || gang->parts[i].membership == ROLE_OUTSIDE;

        if (keeps_its_own && role->priority_class_name.len &&
            !rule_texts_have(allowed, role->priority_class_name))
            constraint_report(trial, role->priority_class_source, "allowedPriorityClassNames",
                              constraint_not_allowed(trial, "priorityClassName",
                                                     role->priority_class_name, allowed));
    }
}

/*
 * A gang without a timeout has the one that its backend renders, otherwise the scheduler's default,
 * which is not known here.
 */
static void
constraint_check_timeout(const struct constraint_trial *trial)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct gang *gang = &trial->decision->gang;
    const struct backend *backend = trial->decision->backend;
    long long seconds = gang->timeout_seconds;

    if (!gang->has_timeout && !backend->default_timeout)
        return;
    if (!gang->has_timeout)
        seconds = backend->default_timeout(&trial->decision->call);
    if (constraint->min_timeout_source && seconds < constraint->min_timeout_seconds)
        constraint_report(trial, gang->timeout_source, "minTimeoutSeconds",
                          arena_format(trial->arena,
                                       "a timeout of %lld seconds is less than the %lld allowed",
                                       seconds, (long long)constraint->min_timeout_seconds));
    if (constraint->max_timeout_source && seconds > constraint->max_timeout_seconds)
        constraint_report(trial, gang->timeout_source, "maxTimeoutSeconds",
                          arena_format(trial->arena,
                                       "a timeout of %lld seconds is more than the %lld allowed",
                                       seconds, (long long)constraint->max_timeout_seconds));
}

/* ---- mustFit ---- */

/* The pods that must start together. False if the filters do not count what a role asks for. */
static bool
constraint_read_pods(const struct constraint_trial *trial, struct fit *fit)
{
    const struct gang *gang = &trial->decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        struct fit_type *type;

        if (gang->parts[i].membership != ROLE_MEMBER || !role->count)
            continue;
        type = fit_type_of(fit, i, role->pod_metadata, role->pod_spec);
        if (!type || role->lacks_requests) {
            constraint_not_checked(trial);
            return false;
        }
        type->requests = role->requests;
        type->name = role->name;
        type->called = arena_format(trial->arena, "%-.*s", SLICE_ARG(role->name));
        type->count = role->count;
        fit->waiting = integer_add_capped(fit->waiting, role->count);
    }
    fit->needed = gang->minimum < fit->waiting ? gang->minimum : fit->waiting;
    return fit->needed > 0;
}

static const char *
constraint_fit_in_words(struct arena *arena, const struct fit_words *words)
{
    const char *const *values = words->values;

    switch (words->reason) {
    case FIT_NODES_EXCLUDED:
        return "no node has the labels that the selector and affinity of its pods name";
    case FIT_TOO_LARGE:
        return values[0] ? arena_format(arena,
                                        "a pod of %s needs %s %s on one node, and the largest of "
                                        "%s has %s",
                                        values[0], values[1], values[2], values[3], values[4])
                         : NULL;
    case FIT_ONE_PER_NODE:
        return arena_format(arena, "only one of the pods may be on a node: %s", values[0]);
    case FIT_NEVER_TOGETHER:
        return arena_format(arena, "it needs %s at once, and %s hold %s", values[0], values[1],
                            values[2]);
    }
    return NULL;
}

/* Returns what the nodes lack; NULL if they may hold the gang. */
static const char *
constraint_find_no_room(const struct constraint_trial *trial)
{
    const struct gang_cluster *cluster = trial->decision->inputs.cluster;
    struct fit *fit = arena_alloc(trial->arena, sizeof(*fit));
    struct builder names;
    struct fit_failure failure;
    struct fit_words words;

    if (!fit)
        return NULL;
    fit->arena = trial->arena;
    if (!constraint_read_pods(trial, fit) ||
        !arena_spend(trial->arena, cluster->num_nodes * fit->num_types))
        return NULL;
    fit_read_resources(fit);
    if (arena_failed(trial->arena))
        return NULL;
    names = build_map(trial->arena);
    fit->knows_device_classes = cluster->device_classes_source;
    for (size_t i = 0; i < cluster->num_device_classes; i++)
        if (cluster->device_classes[i].extended_resource.len)
            build_bool(&names, cluster->device_classes[i].extended_resource, true);
    fit->device_resources = names.node;
    fit_reserve_nodes(fit, cluster->num_nodes);
    for (size_t i = 0; fit->nodes && i < cluster->num_nodes; i++)
        fit_add_node(fit, &(struct fit_node){.name = cluster->nodes[i].name,
                                             .at = i,
                                             .labels = cluster->nodes[i].labels,
                                             .annotations = cluster->nodes[i].annotations,
                                             .allocatable = cluster->nodes[i].allocatable});
    if (arena_failed(trial->arena) || !fit_measure(fit) || fit_holds_in(fit, FIT_EVER, &failure))
        return NULL;
    words = fit_never_in_words(fit, &failure);
    return constraint_fit_in_words(trial->arena, &words);
}

/* An empty list of nodes is that of a cluster whose autoscaler adds them. */
static void
constraint_check_fit(const struct constraint_trial *trial)
{
    const struct gang_cluster *cluster = trial->decision->inputs.cluster;
    const struct node *source = trial->constraint->must_fit_source;
    const char *lack;

    if (!source)
        return;
    if (!cluster || !cluster->num_nodes) {
        find_note(trial->decision->report, source, MESSAGE_NOT_CHECKED_NODES,
                  cluster ? "the GangCluster has no nodes" : "no GangCluster is given");
        constraint_not_checked(trial);
        return;
    }
    lack = constraint_find_no_room(trial);
    if (lack)
        constraint_report(
            trial, NULL, "mustFit",
            arena_format(trial->arena, "a gang that can never fit is refused (%s)", lack));
}

/* A gang without a queue uses the scheduler's default queue, which must be allowed as well. */
static void
constraint_check_queue(const struct constraint_trial *trial)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct descriptor *scheduler = trial->decision->backend->descriptor;
    const struct rule_texts *allowed = &constraint->allowed_queues;
    const struct gang *gang = &trial->decision->gang;
    struct slice queue = slice_is_set(gang->queue) ? gang->queue : scheduler->default_queue;

    if (allowed->count && slice_is_set(queue) && !rule_texts_match(allowed, queue))
        constraint_report(trial, gang->queue_source, "allowedQueues",
                          constraint_not_allowed(trial, "queue", queue, allowed));
    if (allowed->count && !slice_is_set(queue) && scheduler->num_queue_sources) {
        constraint_not_checked(trial);
        if (!constraint->require_queue_source)
            find_note(trial->decision->report,
                      node_member(constraint->source, SLICE("allowedQueues")),
                      MESSAGE_NOT_CHECKED_DEFAULT_QUEUE);
    }
    if (constraint->require_queue_source && (!gang->queue.len || !gang->queue_source))
        constraint_report(trial, NULL, "requireQueue", "a gang that names no queue is refused");
}

static void
constraint_check_all(const struct constraint_trial *trial)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct rule_texts *allowed = &constraint->allowed_backends;
    const struct slice name = decision_backend_name(trial->decision);
    const int64_t members = trial->decision->gang.members;
    const struct report *report = trial->decision->report;

    *trial->verdict = CONSTRAINT_HELD;
    if (allowed->count && !rule_texts_have(allowed, name))
        constraint_report(trial, NULL, "allowedBackends",
                          constraint_not_allowed(trial, "backend", name, allowed));
    constraint_check_queue(trial);
    constraint_check_priority(trial);
    if (constraint->max_members_source && members > constraint->max_members)
        constraint_report(trial, NULL, "maxMembers",
                          arena_format(trial->arena, "%lld members are more than the %lld allowed",
                                       (long long)members, (long long)constraint->max_members));
    constraint_check_timeout(trial);
    constraint_check_fit(trial);
    /*
     * Marks of the job's own were reported, as an error or as a warning, before constraints are
     * checked.
     */
    for (size_t i = 0; constraint->reserved_keys_source && i < report->count; i++)
        if (report->items[i].code == GANG_CODE_RESERVED_MARK)
            *trial->verdict = CONSTRAINT_BROKEN;
}

/*
 * Checks a formed gang against all matching constraints. Each violation is an error, or a warning
 * if the constraint says so. Returns false if a constraint cannot be decided, which is reported.
 */
static bool
constraint_check(const struct gang_decision *decision, const struct match_facts *facts,
                 unsigned char *verdicts, bool *is_denied)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool is_decided = true;

    for (size_t i = 0; verdicts && i < policy->num_constraints; i++) {
        const struct policy_constraint *constraint = &policy->constraints[i];
        const struct constraint_trial trial = {decision, constraint, decision->arena, &verdicts[i],
                                               is_denied};
        enum match_answer answer = match_decide(&constraint->match, &constraint->exclude, facts);

        if (answer == MATCH_YES)
            constraint_check_all(&trial);
        if (answer != MATCH_UNKNOWN)
            continue;
        verdicts[i] = CONSTRAINT_UNKNOWN;
        is_decided = false;
        match_report_unknown(
            &constraint->match, &constraint->exclude, facts,
            arena_format(decision->arena, "constraint %.*s", SLICE_ARG(constraint->name)),
            decision->report);
    }
    return is_decided;
}

/*
 * Turns findings about gang marks that the job pre-sets into warnings if every matching constraint
 * with `reservedKeys` says Warn. One constraint with Deny has precedence over any number of others.
 * Only for a gang.
 */
static void
constraint_soften_marks(const struct gang_decision *decision, const struct match_facts *facts)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool is_softened = false;

    for (size_t i = 0; i < policy->num_constraints; i++) {
        const struct policy_constraint *constraint = &policy->constraints[i];

        if (!constraint->reserved_keys_source ||
            match_decide(&constraint->match, &constraint->exclude, facts) == MATCH_NO)
            continue;
        if (constraint->reserved_keys == ENFORCEMENT_DENY)
            return;
        is_softened = true;
    }
    if (is_softened)
        report_soften(decision->report, GANG_CODE_RESERVED_MARK);
}

/* ---- judgement ---- */

/* Returns false if an input is invalid; this has precedence over constraints. */
static bool
judgement_of_constraints(const struct gang_decision *decision, unsigned char **verdicts,
                         bool *is_denied)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct match_facts facts;
    bool is_valid;

    if (!policy || !policy->num_constraints || !decision->backend)
        return !report_has_errors(decision->report);
    facts = job_facts_of(decision, decision->arena);
    constraint_soften_marks(decision, &facts);
    is_valid = !report_has_errors(decision->report);
    *verdicts = arena_array(decision->arena, policy->num_constraints, 1);
    return constraint_check(decision, &facts, *verdicts, is_denied) && is_valid;
}

/* A rule that denies has precedence over everything else. */
enum gang_outcome
judgement_pass(const struct gang_decision *decision, bool has_gang, unsigned char **verdicts)
{
    const struct policy_rule *rule = decision->rule;
    bool is_denied = false;
    bool is_valid = judgement_of_constraints(decision, verdicts, &is_denied);

    if (rule && rule->action == RULE_DENY)
        return GANG_OUTCOME_DENIED;
    if (!is_valid)
        return GANG_OUTCOME_INVALID;
    if (is_denied)
        return GANG_OUTCOME_DENIED;
    return has_gang ? GANG_OUTCOME_GANG : GANG_OUTCOME_NO_GANG;
}

/* ---- what a decision used of its policy ---- */

static void
use_build_place(const struct node *source, struct builder *item)
{
    build_string(item, SLICE("path"), path_of(item->arena, source));
    if (source->line)
        build_int(item, SLICE("line"), source->line);
}

static void
use_build_setting(struct slice attribute, const struct node *source, struct builder *list)
{
    struct builder item = build_map_item(list);

    build_string(&item, SLICE("attribute"), attribute);
    use_build_place(source, &item);
}

static void
use_build_settings(const struct gang_decision *decision, const struct trace *trace,
                   struct builder *use)
{
    static const size_t blocks[] = {offsetof(struct policy_settings, resources_source),
                                    offsetof(struct policy_settings, reserve_source)};
    struct builder list = build_list_member(use, SLICE("settings"));

    for (size_t i = 0; i < TRACE_ATTRIBUTE_COUNT; i++)
        for (size_t k = 0; k < trace->entries[i].count; k++) {
            const struct trace_candidate *candidate = &trace->entries[i].candidates[k];

            if (candidate->verdict == VERDICT_CHOSEN && candidate->source &&
                candidate->source->document == GANG_DOCUMENT_POLICY)
                use_build_setting(slice_from_text(trace_attribute_names[i]), candidate->source,
                                  &list);
        }
    for (size_t i = 0; decision->backend && i < COUNT_OF(blocks); i++) {
        const struct policy_settings *block = policy_choice_block(decision, blocks[i]);

        if (block)
            use_build_setting(node_key(policy_choice_said(block, blocks[i])),
                              policy_choice_said(block, blocks[i]), &list);
    }
}

void
policy_use_build(const struct gang_decision *decision, const struct trace *trace,
                 struct builder *document)
{
    struct builder use, rule;
    static const struct slice verdicts[] = {[CONSTRAINT_HELD] = SLICE_INIT("Held"),
                                            [CONSTRAINT_BROKEN] = SLICE_INIT("Broken"),
                                            [CONSTRAINT_UNKNOWN] = SLICE_INIT("Unknown")};
    const struct gang_policy *policy = decision->inputs.policy;
    struct builder list;

    if (!decision->inputs.policy)
        return;
    use = build_map_member(document, SLICE("policy"));
    build_string(&use, SLICE("name"), decision->inputs.policy->name);
    if (decision->rule) {
        rule = build_map_member(&use, SLICE("rule"));
        build_string(&rule, SLICE("name"), decision->rule->name);
        use_build_place(decision->rule->source, &rule);
    }
    use_build_settings(decision, trace, &use);
    list = build_list_member(&use, SLICE("constraints"));
    for (size_t i = 0; decision->constraint_verdicts && i < policy->num_constraints; i++) {
        struct builder item;

        if (decision->constraint_verdicts[i] == CONSTRAINT_UNMATCHED)
            continue;
        item = build_map_item(&list);
        build_string(&item, SLICE("name"), policy->constraints[i].name);
        use_build_place(policy->constraints[i].source, &item);
        build_string(&item, SLICE("verdict"), verdicts[decision->constraint_verdicts[i]]);
    }
}
