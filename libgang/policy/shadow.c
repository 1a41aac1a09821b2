/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/shadow.h"

#include "libgang/document/finding.h"

/* The cost of a pair before any name is compared. */
enum { SHADOW_STEPS_OF_A_PAIR = 12 };

/* False if no steps are left. */
static bool
shadow_step(size_t *steps, size_t count)
{
    *steps = *steps > count ? *steps - count : 0;
    return *steps > 0;
}

/* Most names differ in the last byte, which a glob that does not end in a star must have. */
static bool
shadow_glob_may_cover(struct slice wide, struct slice narrow)
{
    return !wide.len || !narrow.len || wide.data[wide.len - 1] == '*' ||
           wide.data[wide.len - 1] == narrow.data[narrow.len - 1];
}

static bool
shadow_any_glob_covers(const struct rule_texts *wide, struct slice narrow, size_t *steps)
{
    for (size_t i = 0; i < wide->count; i++) {
        bool may_cover = shadow_glob_may_cover(wide->items[i], narrow);

        if (!shadow_step(steps, may_cover ? wide->items[i].len + narrow.len : 1))
            return false;
        if (may_cover && glob_covers(wide->items[i], narrow))
            return true;
    }
    return false;
}

/* A match without globs matches any name, as `*` does. */
static bool
shadow_globs_cover(const struct rule_texts *wide, const struct rule_texts *narrow, size_t *steps)
{
    if (!wide->count)
        return true;
    if (!narrow->count)
        return shadow_any_glob_covers(wide, SLICE("*"), steps);
    for (size_t i = 0; i < narrow->count; i++)
        if (!shadow_any_glob_covers(wide, narrow->items[i], steps))
            return false;
    return true;
}

/* The lists match a job that has any of their items. */
static bool
shadow_lists_cover(const struct rule_texts *wide, const struct rule_texts *narrow, size_t *steps)
{
    if (!wide->count)
        return true;
    if (!shadow_step(steps, narrow->count * wide->count))
        return false;
    for (size_t i = 0; i < narrow->count; i++)
        if (!rule_texts_have(wide, narrow->items[i]))
            return false;
    return narrow->count > 0;
}

static bool
shadow_selector_covers(const struct label_selector *wide, const struct label_selector *narrow,
                       size_t *steps)
{
    return shadow_step(steps, label_selector_entries(wide) * label_selector_entries(narrow)) &&
           label_selector_covers(wide, narrow);
}

/* Every job has at least one node. */
static bool
shadow_nodes_cover(const struct policy_match *wide, const struct policy_match *narrow)
{
    int64_t least = narrow->has_min_nodes ? narrow->min_nodes : 1;
    int64_t most = narrow->has_max_nodes ? narrow->max_nodes : INT32_MAX;

    return (!wide->has_min_nodes || wide->min_nodes <= least) &&
           (!wide->has_max_nodes || wide->max_nodes >= most);
}

/*
 * A match with a field that only one kind of job can match does not cover the jobs of the other
 * kind.
 */
static bool
shadow_kinds_cover(const struct policy_match *wide, const struct policy_match *narrow,
                   size_t *steps)
{
    if (wide->podgang_selector.source)
        return narrow->podgang_selector.source &&
               shadow_selector_covers(&wide->podgang_selector, &narrow->podgang_selector, steps);
    return !wide->is_of_trainjobs || narrow->is_of_trainjobs;
}

bool
shadow_covers(const struct policy_match *wide, const struct policy_match *narrow, size_t *steps)
{
    return shadow_step(steps, SHADOW_STEPS_OF_A_PAIR) &&
           (wide->kueue == KUEUE_ANY || wide->kueue == narrow->kueue) &&
           shadow_kinds_cover(wide, narrow, steps) && shadow_nodes_cover(wide, narrow) &&
           shadow_globs_cover(&wide->namespaces, &narrow->namespaces, steps) &&
           shadow_globs_cover(&wide->runtimes, &narrow->runtimes, steps) &&
           shadow_lists_cover(&wide->frameworks, &narrow->frameworks, steps) &&
           shadow_lists_cover(&wide->resources, &narrow->resources, steps) &&
           shadow_selector_covers(&wide->namespace_selector, &narrow->namespace_selector, steps) &&
           shadow_selector_covers(&wide->trainjob_selector, &narrow->trainjob_selector, steps) &&
           shadow_selector_covers(&wide->runtime_selector, &narrow->runtime_selector, steps);
}

static bool
shadow_is_dead(const struct policy_match *match, const struct policy_match *exclude, size_t *steps)
{
    return exclude->source && shadow_covers(exclude, match, steps);
}

/* Most rules have one namespace each, so that a look at it is enough for most pairs. */
static bool
shadow_may_cover(const struct policy_match *wide, const struct policy_match *narrow, size_t *steps)
{
    if (wide->namespaces.count != 1 || !narrow->namespaces.count ||
        shadow_glob_may_cover(wide->namespaces.items[0], narrow->namespaces.items[0]))
        return true;
    shadow_step(steps, 1);
    return false;
}

/*
 * Whether this match and exclude cover every job of the rule. The rule must also exclude the jobs
 * that `exclude` excludes.
 */
static bool
shadow_takes_all(const struct policy_match *match, const struct policy_match *exclude,
                 const struct policy_rule *rule, size_t *steps)
{
    if (!shadow_may_cover(match, &rule->match, steps) || !shadow_covers(match, &rule->match, steps))
        return false;
    return !exclude->source ||
           (rule->exclude.source && shadow_covers(&rule->exclude, exclude, steps));
}

static void
shadow_find_dead(struct policy_reader *reader, const struct node *source)
{
    find_note(reader->report, GANG_CODE_DEAD_RULE, source, "narrow exclude, or remove it",
              "it matches no job: exclude excludes every job that match selects");
}

static void
shadow_find_shadowed(struct policy_reader *reader, const struct policy_rule *rule,
                     const struct policy_rule *earlier)
{
    find_note(
        reader->report, GANG_CODE_SHADOWED_RULE, rule->source,
        "move it before that rule, or remove it",
        "no job reaches the rule %.*s: the earlier rule %.*s matches every job that it matches",
        SLICE_ARG(rule->name), SLICE_ARG(earlier->name));
}

/*
 * Constraints apply to gangs, so the type None is always allowed. A constraint that only warns
 * allows every backend.
 */
static bool
shadow_forbids(const struct policy_constraint *constraint, const struct policy_backend *backend)
{
    return constraint->enforcement == ENFORCEMENT_DENY && constraint->allowed_backends.count > 0 &&
           !rule_texts_have(&constraint->allowed_backends, backend->name);
}

static void
shadow_find_forbidden(struct policy_reader *reader, const struct policy_rule *rule,
                      const struct policy_constraint *constraint)
{
    find_note(
        reader->report, GANG_CODE_BACKEND_FORBIDDEN, rule->settings.backend_source,
        "allow it in that constraint, or choose another backend",
        "no job gets the backend %.*s of the rule %.*s: the constraint %.*s denies every such job",
        SLICE_ARG(rule->settings.backend->name), SLICE_ARG(rule->name),
        SLICE_ARG(constraint->name));
}

/* With a compatibility, rules choose no backend. */
static void
shadow_check_backend(struct policy_reader *reader, const struct policy_rule *rule, size_t *steps)
{
    const struct gang_policy *policy = reader->policy;
    const struct policy_backend *backend = rule->settings.backend;

    if (policy->compatibility != COMPATIBILITY_NONE || rule->action != RULE_GANG || !backend ||
        !backend->descriptor)
        return;
    for (size_t i = 0; i < policy->num_constraints; i++) {
        const struct policy_constraint *constraint = &policy->constraints[i];

        if (shadow_forbids(constraint, backend) &&
            shadow_takes_all(&constraint->match, &constraint->exclude, rule, steps)) {
            shadow_find_forbidden(reader, rule, constraint);
            return;
        }
    }
}

/* `is_dead` is set for all rules before this one. A dead rule does not shadow later rules. */
static void
shadow_check_rule(struct policy_reader *reader, size_t index, bool *is_dead, size_t *steps)
{
    const struct policy_rule *rules = reader->policy->rules;
    const struct policy_rule *rule = &rules[index];

    is_dead[index] = shadow_is_dead(&rule->match, &rule->exclude, steps);
    if (is_dead[index]) {
        shadow_find_dead(reader, rule->source);
        return;
    }
    for (size_t i = 0; i < index; i++)
        if (!is_dead[i] && shadow_takes_all(&rules[i].match, &rules[i].exclude, rule, steps)) {
            shadow_find_shadowed(reader, rule, &rules[i]);
            return;
        }
    shadow_check_backend(reader, rule, steps);
}

void
shadow_check(struct policy_reader *reader)
{
    const struct gang_policy *policy = reader->policy;
    size_t steps = SHADOW_MOST_STEPS;
    bool *is_dead;

    if (report_has_errors(reader->report))
        return;
    is_dead = arena_array(reader->arena, policy->num_rules + 1, sizeof(*is_dead));
    for (size_t i = 0; is_dead && i < policy->num_rules; i++)
        shadow_check_rule(reader, i, is_dead, &steps);
    for (size_t i = 0; i < policy->num_constraints; i++)
        if (shadow_is_dead(&policy->constraints[i].match, &policy->constraints[i].exclude, &steps))
            shadow_find_dead(reader, policy->constraints[i].source);
    if (!steps)
        find_note(
            reader->report, GANG_CODE_RULES_NOT_COMPARED, node_at(policy->root, "spec.rules"), NULL,
            "not every rule was compared with all earlier rules: the rules have too many entries");
}
