/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

/* ---- constraint check ---- */

/* One gang and one constraint. */
struct constraint_trial {
    struct gang_decision *decision;
    const struct policy_constraint *constraint;
    struct arena *arena;
    unsigned char *verdict; /* enum constraint_verdict */
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
        trial->decision->is_denied = true;
    find_note(&trial->decision->report, value ? value : bound,
              is_warning ? GANG_CODE_CONSTRAINT_WARNS : GANG_CODE_CONSTRAINT_DENIES, NULL,
              "Forbidden: %s by the constraint %.*s of the policy %.*s", what,
              SLICE_ARG(constraint->name), SLICE_ARG(trial->decision->inputs.policy->name));
}

/* `queue "prod-a" is not allowed (allowed: "research-*", "shared")` */
static const char *
constraint_not_allowed(const struct constraint_trial *trial, const char *kind, struct slice value,
                       const struct rule_texts *allowed)
{
    const char *list = "";
    struct quoted quoted;

    for (size_t i = 0; i < allowed->count; i++)
        list = arena_format(trial->arena, "%s%s%s", list, i ? ", " : "",
                            quote(&quoted, allowed->items[i]));
    return arena_format(trial->arena, "%s %s is not allowed (allowed: %s)", kind,
                        quote(&quoted, value), list);
}

/* A gang without a queue uses the scheduler's default queue, which must be allowed as well. */
static void
constraint_check_queue(const struct constraint_trial *trial)
{
    const struct rule_texts *allowed = &trial->constraint->allowed_queues;
    const struct gang *gang = &trial->decision->gang;
    struct slice queue = slice_is_set(gang->queue)
                             ? gang->queue
                             : trial->decision->backend->descriptor->default_queue;

    if (allowed->count && slice_is_set(queue) && !rule_texts_match(allowed, queue))
        constraint_report(trial, gang->queue_source, "allowedQueues",
                          constraint_not_allowed(trial, "queue", queue, allowed));
    if (trial->constraint->require_queue_source && (!gang->queue.len || !gang->queue_source))
        constraint_report(trial, NULL, "requireQueue", "a gang that names no queue is refused");
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
         (gang->wishes->has_own_priority && gang->priority_class_name.len > 0)) &&
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

/* A gang without a timeout uses the scheduler's default, which is not known here. */
static void
constraint_check_timeout(const struct constraint_trial *trial)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct gang *gang = &trial->decision->gang;
    long long seconds = (long long)gang->timeout_seconds;

    if (!gang->has_timeout)
        return;
    if (constraint->min_timeout_source && gang->timeout_seconds < constraint->min_timeout_seconds)
        constraint_report(trial, gang->timeout_source, "minTimeoutSeconds",
                          arena_format(trial->arena,
                                       "a timeout of %lld seconds is less than the %lld allowed",
                                       seconds, (long long)constraint->min_timeout_seconds));
    if (constraint->max_timeout_source && gang->timeout_seconds > constraint->max_timeout_seconds)
        constraint_report(trial, gang->timeout_source, "maxTimeoutSeconds",
                          arena_format(trial->arena,
                                       "a timeout of %lld seconds is more than the %lld allowed",
                                       seconds, (long long)constraint->max_timeout_seconds));
}

static void
constraint_check_all(const struct constraint_trial *trial)
{
    const struct policy_constraint *constraint = trial->constraint;
    const struct rule_texts *allowed = &constraint->allowed_backends;
    const struct slice name = decision_backend_name(trial->decision);
    const int64_t members = trial->decision->gang.members;
    const struct report *report = &trial->decision->report;

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
    /* Marks of the job's own were reported, as an error or as a warning, before constraints are
     * checked. */
    for (size_t i = 0; constraint->reserved_keys_source && i < report->count; i++)
        if (report->items[i].code == GANG_CODE_RESERVED_MARK)
            *trial->verdict = CONSTRAINT_BROKEN;
}

/*
 * Checks a formed gang against all matching constraints. Each violation is an error, or a warning
 * if the constraint says so. Returns false if a constraint cannot be decided, which is reported.
 */
static bool
constraint_check(struct gang_decision *decision, const struct match_facts *facts)
{
    const struct gang_policy *policy = decision->inputs.policy;
    unsigned char *verdicts = arena_array(decision->arena, policy->num_constraints, 1);
    bool is_decided = true;

    decision->constraint_verdicts = verdicts;
    for (size_t i = 0; verdicts && i < policy->num_constraints; i++) {
        const struct policy_constraint *constraint = &policy->constraints[i];
        const struct constraint_trial trial = {decision, constraint, decision->arena, &verdicts[i]};
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
            &decision->report);
    }
    return is_decided;
}

/*
 * Turns findings about gang marks that the job pre-sets into warnings if every matching constraint
 * with `reservedKeys` says Warn. One constraint with Deny has precedence over any number of others.
 * Only for a gang.
 */
static void
constraint_soften_marks(struct gang_decision *decision, const struct match_facts *facts)
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
        report_soften(&decision->report, GANG_CODE_RESERVED_MARK);
}

/* ---- judgement ---- */

void
judgement_find_rule(struct gang_decision *decision)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct match_facts facts;

    if (!policy || !policy->num_rules)
        return;
    facts = job_facts_of(decision, decision->arena);
    decision->rule =
        rule_match_first(policy, &facts, &decision->rule_is_undecided, &decision->report);
}

/* Returns false if an input is invalid; this has precedence over constraints. */
static bool
judgement_of_constraints(struct gang_decision *decision)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct match_facts facts;
    bool is_valid;

    if (!policy || !policy->num_constraints || !decision->backend)
        return !report_has_errors(&decision->report);
    facts = job_facts_of(decision, decision->arena);
    constraint_soften_marks(decision, &facts);
    is_valid = !report_has_errors(&decision->report);
    return constraint_check(decision, &facts) && is_valid;
}

/* A rule that denies has precedence over everything else. */
void
judgement_pass(struct gang_decision *decision, bool has_gang)
{
    bool is_ruled_out = decision->is_denied;
    bool is_valid = judgement_of_constraints(decision);

    decision->outcome = is_ruled_out          ? GANG_OUTCOME_DENIED
                        : !is_valid           ? GANG_OUTCOME_INVALID
                        : decision->is_denied ? GANG_OUTCOME_DENIED
                        : has_gang            ? GANG_OUTCOME_GANG
                                              : GANG_OUTCOME_NO_GANG;
}

/* ---- what a decision used of its policy ---- */

static void
use_build_place(const struct node *source, struct builder *item)
{
    build_string(item, SLICE("path"), path_of(item->arena, source));
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

static void
use_build_constraints(const struct gang_decision *decision, struct builder *use)
{
    static const struct slice verdicts[] = {[CONSTRAINT_HELD] = SLICE_INIT("Held"),
                                            [CONSTRAINT_BROKEN] = SLICE_INIT("Broken"),
                                            [CONSTRAINT_UNKNOWN] = SLICE_INIT("Unknown")};
    const struct gang_policy *policy = decision->inputs.policy;
    struct builder list = build_list_member(use, SLICE("constraints"));

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

void
policy_use_build(const struct gang_decision *decision, const struct trace *trace,
                 struct builder *document)
{
    struct builder use, rule;

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
    use_build_constraints(decision, &use);
}
